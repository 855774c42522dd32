import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiAnswer, addToken, asRecord, call, callList, callOk, outcomeOf } from '../support/api.ts';
import { hashOf } from '../support/bundles.ts';
import { createPage, createSite } from '../support/content.ts';
import { draw, upload, uploadOne } from '../support/media.ts';
import { masterToken, startServer, type TestServer } from '../support/server.ts';
import { setUp, withSession } from '../support/session.ts';

/** Data, Automation and Operations, "Connections". Two real servers. */

let here: TestServer;
let there: TestServer;
let session: string;
let connection: number;
beforeAll(async () => {
  [here, there] = await Promise.all([startServer(), startServer()]);
  session = await setUp(here);
  const site = await createSite(here);
  await createPage(here, site, { title: 'Visit', slug: 'visit' });
  await uploadOne(here, 'a.jpg', await draw({ width: 500, height: 300 }));
  const body = { name: 'Live', url: `${there.url}/api/v1/`, token: masterToken };
  connection = Number(asRecord((await admin('POST', '/connections', body)).body)['id']);
});
afterAll(() => Promise.all([here.stop(), there.stop()]));

function admin(method: string, path: string, body?: unknown, cookies = ''): Promise<ApiAnswer> {
  const options = withSession(session, body);
  const headers = { ...options.headers, Cookie: `ic_session=${session}${cookies}` };
  return call(here, method, path, { ...options, headers });
}

async function adminOk(method: string, path: string, body?: unknown): Promise<Record<string, unknown>> {
  const answer = await admin(method, path, body);
  if (answer.status >= 300)
    throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return asRecord(answer.body);
}

/**
 * Writes pairs of snippets, each pair in one change, and files, until it is stopped. What a push or pull has replaced
 * meanwhile may be refused.
 */
function writeTo(server: TestServer, name: string) {
  let isRunning = true;
  let written = 0;
  const snippet = (side: string) => ({
    op: 'create',
    kind: 'snippet',
    data: { name: `${name}-${written}-${side}`, content: 'x' },
  });
  const work = (async () => {
    for (; isRunning; written++) {
      await call(server, 'POST', '/batch', { body: { ops: [snippet('left'), snippet('right')] } });
      if (written % 5 === 0) await upload(server, [{ name: `${name}.txt`, bytes: `file ${written}` }]);
    }
  })();
  return {
    /** Number of pairs that were answered. */
    written: () => written,
    stop: () => {
      isRunning = false;
      return work;
    },
  };
}

describe('connections', () => {
  it('have one form of their address, and never show their token', async () => {
    const created = await admin('POST', '/connections', {
      name: 'Other',
      url: 'WWW.Example.org/cms/api/v1/',
      token: 'ic_0123456789abcdef',
    });
    expect(created.status).toBe(201);
    expect(created.body).toEqual({
      id: expect.any(Number),
      name: 'Other',
      url: 'https://www.example.org/cms',
      token_prefix: 'ic_0123456',
      last_sync_at: null,
      last_sync: '',
      created_at: expect.any(Number),
    });
    const { id } = asRecord(created.body);
    expect(await adminOk('PUT', `/connections/${id}`, { name: 'Another', token: '' })).toMatchObject({
      name: 'Another',
      token_prefix: 'ic_0123456',
    });
    expect((await admin('DELETE', `/connections/${id}`)).status).toBe(204);
    expect((await admin('DELETE', `/connections/${id}`)).status).toBe(404);
  });

  it.each([
    [{ name: 'a', url: 'ftp://a.example', token: 'x' }, 'connection.urlInvalid'],
    [{ name: 'a', url: 'https://u:p@a.example', token: 'x' }, 'connection.urlInvalid'],
    [{ name: 'a', url: 'a.example' }, 'common.invalid'],
    [{ name: 'a', url: 'a.example', token: '' }, 'common.invalid'],
    [{ name: 'a', url: 'a.example', token: 'x\r\ny' }, 'common.invalid'],
    [{ name: '', url: 'a.example', token: 'x' }, 'common.invalid'],
  ])('refuse %j', async (body, code) => {
    expect(outcomeOf(await admin('POST', '/connections', body))).toEqual({ status: 400, code });
  });

  it('say why the other side does not answer', async () => {
    const readOnly = await addToken(there, 'reader', false);
    for (const [url, token] of [
      [there.url, readOnly],
      [there.url, 'ic_wrong'],
      ['http://127.0.0.1:1', 'x'],
    ]) {
      const { id } = await adminOk('POST', '/connections', { name: 'Bad', url, token });
      const status = await adminOk('GET', `/connections/${id}/status`);
      expect(status).toMatchObject({ reachable: false, remote: null, error: expect.stringMatching(/./) });
      for (const path of ['/bundle/push', '/bundle/pull'])
        expect(outcomeOf(await admin('POST', path, { connection_id: id }))).toEqual({
          status: 502,
          code: 'connection.failed',
        });
      expect(await adminOk('GET', '/bundle/push')).toMatchObject({ running: false, phase: 'failed' });
      await admin('DELETE', `/connections/${id}`);
    }
  });
});

describe('push and pull', () => {
  const status = () => adminOk('GET', `/connections/${connection}/status`);
  const diff = (direction: string) =>
    adminOk('GET', `/connections/${connection}/diff?direction=${direction}`);

  it('a diff tells what a push does', async () => {
    expect(await status()).toMatchObject({ reachable: true, synced: false, version_mismatch: false });
    const before = await diff('push');
    expect(asRecord(before['kinds'])['page']).toMatchObject({
      created: [expect.anything(), { id: 2, title: 'Visit' }],
      updated: [],
      deleted: [],
    });
    const pushed = await adminOk('POST', '/bundle/push', { connection_id: connection });
    expect(pushed).toEqual({
      hash: before['hash'],
      synced_at: expect.any(Number),
      backup: expect.any(String),
    });
    expect(await hashOf(there)).toBe(await hashOf(here));
    expect((await callList(there, '/bundle/backups'))[0]?.['name']).toBe(pushed['backup']);
    expect(await status()).toMatchObject({ synced: true, local_changed: false, remote_changed: false });
    const [found] = await callList(here, '/files');
    expect((await fetch(`${there.url}${found?.['url']}`)).status).toBe(200);
    expect((await adminOk('GET', '/bundle/push'))['phase']).toBe('done');
    const [stored] = asList(await admin('GET', '/connections'));
    expect(stored).toMatchObject({ last_sync: 'push', last_sync_at: pushed['synced_at'] });
  });

  it('one push or pull runs at a time', async () => {
    const body = { connection_id: connection };
    const answers = await Promise.all([
      admin('POST', '/bundle/push', body),
      admin('POST', '/bundle/push', body),
    ]);
    const outcomes = answers.map(outcomeOf).sort((left, right) => left.status - right.status);
    expect(outcomes).toEqual([{ status: 200 }, { status: 409, code: 'connection.busy' }]);
  });

  it('a pull brings what was changed on the other side, field by field', async () => {
    await callOk(there, 'PUT', '/pages/2', { title: 'Plan your visit', description: 'd'.repeat(600) });
    const [file] = await callList(there, '/files');
    const bytes = await draw({ width: 510, height: 300 });
    await upload(there, [{ name: 'a.jpg', bytes }], {}, { method: 'PUT', path: `/files/${file?.['id']}` });
    await callOk(there, 'POST', '/snippets', { name: 'theirs', content: '' });
    expect(await status()).toMatchObject({ synced: false, local_changed: false, remote_changed: true });
    const { kinds } = await diff('pull');
    expect(asRecord(kinds)).toMatchObject({
      page: {
        updated: [
          {
            id: 2,
            title: 'Plan your visit',
            fields: [
              { name: 'title', from: 'Visit', to: 'Plan your visit' },
              { name: 'description', from: '', to: 'd'.repeat(500) },
            ],
          },
        ],
      },
      snippet: { created: [{ title: 'theirs' }] },
      file: { updated: [{ id: file?.['id'] }] },
    });
    await adminOk('POST', '/bundle/pull', { connection_id: connection });
    expect(await hashOf(here)).toBe(await hashOf(there));
    const there2 = await fetch(`${here.url}${file?.['url']}`);
    expect(Buffer.from(await there2.arrayBuffer()).equals(bytes)).toBe(true);
    expect(await status()).toMatchObject({ synced: true });
  });

  it.each(['push', 'pull'])('a %s under write load on both sides takes a whole state', async (direction) => {
    const names = { here: `here-${direction}`, there: `there-${direction}` };
    const loads = { here: writeTo(here, names.here), there: writeTo(there, names.there) };
    const [from, to] = direction === 'push' ? (['here', there] as const) : (['there', here] as const);
    while (loads[from].written() < 3) await nextTurn();
    const before = loads[from].written();
    const answer = await admin('POST', `/bundle/${direction}`, { connection_id: connection });
    for (const load of [loads.here, loads.there]) await load.stop();
    expect(answer.body).toMatchObject({ hash: expect.stringMatching(/^[0-9a-f]{64}$/) });
    for (const server of [here, there]) {
      const found = (await callList(server, '/snippets')).map(({ name }) => String(name));
      const sideOf = (side: string) =>
        found.filter((name) => name.endsWith(side)).map((name) => name.slice(0, -side.length));
      expect(sideOf('-left').sort()).toEqual(sideOf('-right').sort());
      if (server === to)
        expect(found).toEqual(
          expect.arrayContaining(
            Array.from({ length: before }, (_, index) => `${names[from]}-${index}-left`),
          ),
        );
      expect(await callOk(server, 'GET', '/pages/2')).toMatchObject({ title: 'Plan your visit' });
      for (const { url } of await callList(server, '/files'))
        expect((await fetch(`${server.url}${url}`)).status).toBe(200);
    }
    await adminOk('POST', `/bundle/${direction}`, { connection_id: connection });
    expect(await hashOf(there)).toBe(await hashOf(here));
  });

  it('a different address begins anew', async () => {
    expect(await adminOk('PUT', `/connections/${connection}`, { url: there.url })).toMatchObject({
      last_sync: /pu/,
    });
    const moved = await adminOk('PUT', `/connections/${connection}`, { url: `${there.url}/x` });
    expect(moved).toMatchObject({ last_sync: '', last_sync_at: null });
    await adminOk('PUT', `/connections/${connection}`, { url: there.url });
  });
});

it('another scheme, host or port does not get the stored token', async () => {
  const create = { name: 'Moving', url: there.url, token: masterToken };
  const { id } = await adminOk('POST', '/connections', create);
  const path = `/connections/${id}`;
  expect(await adminOk('PUT', path, { url: `${there.url}/below` })).toMatchObject({
    token_prefix: masterToken.slice(0, 10),
  });
  await adminOk('PUT', path, { url: there.url });
  for (const url of [here.url, there.url])
    expect(await adminOk('PUT', path, { url, token: '' })).toMatchObject({ url, token_prefix: '' });
  expect(await adminOk('GET', `${path}/status`)).toMatchObject({
    reachable: false,
    error: 'the connection has no token',
  });
  for (const direction of ['push', 'pull'])
    expect(outcomeOf(await admin('POST', `/bundle/${direction}`, { connection_id: id }))).toEqual({
      status: 502,
      code: 'connection.failed',
    });
  const forwarded = await admin('GET', '/snippets', undefined, `; ic_remote=${id}`);
  expect(outcomeOf(forwarded)).toEqual({ status: 502, code: 'connection.failed' });
  const sent = { url: here.url, token: 'ic_another_token' };
  expect(await adminOk('PUT', path, sent)).toMatchObject({ token_prefix: 'ic_another' });
  await admin('DELETE', path);
});

describe('remote mode', () => {
  const remote = () => `; ic_remote=${connection}`;

  it('begins with a cookie, and ends', async () => {
    const selected = await admin('POST', '/connections/select', { id: connection });
    expect(selected.status).toBe(204);
    expect(selected.headers.get('set-cookie')).toMatch(
      new RegExp(`^ic_remote=${connection}; Path=/; HttpOnly; SameSite=Lax; Max-Age=\\d+$`),
    );
    expect((await admin('POST', '/connections/select', { id: 9999 })).status).toBe(404);
    const ended = await admin('POST', '/connections/select', { id: 0 }, remote());
    expect(ended.headers.get('set-cookie')).toMatch(/^ic_remote=; .*Max-Age=0/);
    const status = asRecord((await admin('GET', '/auth/status', undefined, remote())).body);
    expect(status['remote']).toEqual({ id: connection, name: 'Live', url: there.url });
    expect(asRecord((await admin('GET', '/auth/status')).body)['remote']).toBeUndefined();
  });

  it('forwards reading and writing, with the name of the user, and keeps nothing in caches', async () => {
    const body = { name: 'from-afar', content: 'x' };
    const created = await admin('POST', '/snippets', body, remote());
    expect(created.status).toBe(201);
    expect(created.headers.get('cache-control')).toBe('no-store');
    expect((await callList(there, '/snippets')).map(({ name }) => name)).toContain('from-afar');
    expect((await callList(here, '/snippets')).map(({ name }) => name)).not.toContain('from-afar');
    const { id } = asRecord(created.body);
    await admin('PUT', `/snippets/${id}`, { content: 'y' }, remote());
    const [version] = await callList(there, `/revisions?kind=snippet&id=${id}`);
    expect(version?.['author']).toBe('Master-Token (for ada)');
    expect((await admin('DELETE', `/snippets/${id}`, undefined, remote())).status).toBe(204);
    expect((await admin('GET', `/snippets/${id}`, undefined, remote())).status).toBe(404);
  });

  it('streams uploads and downloads', async () => {
    const bytes = Buffer.alloc(3_000_000, 'large ');
    const form = new FormData();
    form.append('file', new Blob([bytes]), 'large.txt');
    const headers = { Cookie: `ic_session=${session}${remote()}`, 'X-IC-CSRF': '1' };
    const uploaded = await fetch(`${here.url}/api/v1/files`, { method: 'POST', body: form, headers });
    expect(uploaded.status).toBe(201);
    const { url } = asRecord(await uploaded.json());
    const seen = await fetch(`${here.url}${url}`, { headers });
    expect(seen.headers.get('cache-control')).toBe('no-store');
    expect(Buffer.from(await seen.arrayBuffer()).equals(bytes)).toBe(true);
    const part = await fetch(`${here.url}${url}`, { headers: { ...headers, Range: 'bytes=0-4' } });
    expect([part.status, await part.text()]).toEqual([206, 'large']);
    // Nobody else sees it here.
    expect((await fetch(`${here.url}${url}`)).status).toBe(404);
    expect(
      (await fetch(`${here.url}${url}`, { headers: { Cookie: `ic_remote=${connection}` } })).status,
    ).toBe(404);
    const bundle = await fetch(`${here.url}/api/v1/bundle`, { headers });
    expect(bundle.headers.get('content-type')).toBe('application/zip');
    expect((await bundle.arrayBuffer()).byteLength).toBeGreaterThan(3_000_000);
  });

  it.each([
    ['/auth/status', 200],
    ['/users', 200],
    ['/roles', 200],
    ['/tokens', 200],
    ['/connections', 200],
    ['/bundle/push', 200],
    ['/%75sers', 404],
  ])('%s stays here', async (path, status) => {
    const answer = await admin('GET', path, undefined, remote());
    expect(answer.status).toBe(status);
    if (path === '/users') expect(asList(answer)).toMatchObject([{ username: 'ada' }]);
  });

  it('needs the session and the CSRF header; tokens stay here', async () => {
    const cookie = { Cookie: `ic_session=${session}${remote()}` };
    const write = { token: null, body: { name: 'n', content: '' } };
    expect(outcomeOf(await call(here, 'POST', '/snippets', { ...write, headers: cookie }))).toEqual({
      status: 403,
      code: 'auth.csrf',
    });
    const noSession = { Cookie: `ic_remote=${connection}` };
    expect((await call(here, 'GET', '/snippets', { token: null, headers: noSession })).status).toBe(401);
    const byToken = await call(here, 'GET', '/bundle/info', { headers: cookie });
    expect(asRecord(byToken.body)['hash']).toBe(await hashOf(here));
  });

  it('says what is wrong with the other side, and is no sign that the session has ended', async () => {
    const { id } = await adminOk('POST', '/connections', { name: 'Bad', url: there.url, token: 'ic_wrong' });
    const answer = await admin('GET', '/pages', undefined, `; ic_remote=${id}`);
    expect(outcomeOf(answer)).toEqual({ status: 502, code: 'connection.failed' });
    await admin('DELETE', `/connections/${id}`);
    const gone = await admin('POST', '/snippets', { name: 'n', content: '' }, `; ic_remote=${id}`);
    expect(outcomeOf(gone)).toEqual({ status: 409, code: 'connection.gone' });
  });
});

function asList({ body }: ApiAnswer): Record<string, unknown>[] {
  return Array.isArray(body) ? body.map(asRecord) : [];
}
