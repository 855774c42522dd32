import { rmSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addToken, asRecord, call, outcomeOf } from '../support/api.ts';
import { requestHead, sendRaw } from '../support/raw.ts';
import { makeTempDir, runMain, type ServerOptions, startServer, type TestServer } from '../support/server.ts';
import { administrator, sessionIn, setUp, withSession } from '../support/session.ts';

/** Data, Automation and Operations, "System, security, mail, storage settings"; the states of "Admin" in "States and transitions". */
const withoutMaster = { env: { IC_MASTER_TOKEN: '' } };

describe('GET /system', () => {
  it('answers with the state of the instance', async () => {
    const server = await startServer();
    const { status, body } = await call(server, 'GET', '/system');
    expect(status).toBe(200);
    expect(body).toEqual({
      admin_enabled: true,
      headless: false,
      forced: false,
      write_tokens: 0,
      master_token: true,
      version: expect.stringMatching(/^\d+\.\d+/),
      public_max_entries: 0,
      trash_days: 30,
      trash_max_mb: 2048,
      public_url: '',
      idle_minutes: 0,
      live_saves: false,
      review_required: false,
      options: expect.any(Array),
    });
    const options = asRecord(body)['options'];
    expect(options).toContainEqual({
      name: 'cache-mb',
      value: '128',
      default: '128',
      help: expect.stringContaining('page cache'),
    });
    expect(options).toContainEqual(expect.objectContaining({ name: 'avif', value: 'off', default: 'off' }));
    // Commands and secrets are no options.
    expect(JSON.stringify(options)).not.toMatch(/create-token|reset-password|master/i);
    await server.stop();
  });

  it('counts the tokens that can write', async () => {
    const server = await startServer(withoutMaster);
    await addToken(server, 'reader', false);
    const token = await addToken(server, 'writer', true);
    await addToken(server, 'writer', true);
    expect((await call(server, 'GET', '/system', { token })).body).toMatchObject({
      write_tokens: 2,
      master_token: false,
    });
    await server.stop();
  });
});

describe('PUT /system', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(() => server.stop());

  it.each([
    ['admin_enabled as text', { admin_enabled: 'no' }, 'admin_enabled'],
    ['admin_enabled as null', { admin_enabled: null }, 'admin_enabled'],
    ['headless as number', { headless: 1 }, 'headless'],
    ['a list', [], 'body'],
  ])('refuses %s', async (_name, body, field) => {
    const answer = await call(server, 'PUT', '/system', { body });
    expect(outcomeOf(answer)).toEqual({ status: 400, code: 'common.invalid' });
    expect(asRecord(answer.body)['params']).toMatchObject({ field });
  });

  it('ignores fields that are not settings', async () => {
    const body = { forced: true, write_tokens: 9, version: 'x', master_token: false };
    const before = await call(server, 'GET', '/system');
    const answer = await call(server, 'PUT', '/system', { body });
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 200, body: before.body });
  });

  it('does not clear the page cache', async () => {
    await call(server, 'POST', '/sites', { body: { title: 'A', domains: '' } });
    await fetch(server.url);
    const stats = (await call(server, 'GET', '/cache')).body;
    expect(stats).toMatchObject({ entries: 1 });
    await call(server, 'PUT', '/system', { body: { admin_enabled: true } });
    expect((await call(server, 'GET', '/cache')).body).toEqual(stats);
  });
});

describe.each(['admin_enabled', 'headless'] as const)('%s', (setting) => {
  const off = { [setting]: setting === 'headless' };
  const on = { [setting]: setting !== 'headless' };
  let dataDir: string;
  let server: TestServer;
  let session: string;

  const restart = async (options: ServerOptions = {}): Promise<void> => {
    await server.end('SIGTERM');
    server = await startServer({ ...options, dataDir });
  };
  beforeEach(async () => {
    dataDir = makeTempDir();
    server = await startServer({ dataDir });
    session = await setUp(server);
    return async () => {
      await server.stop();
      rmSync(dataDir, { recursive: true, force: true });
    };
  });
  const put = (body: unknown, options = withSession(session, body)) =>
    call(server, 'PUT', '/system', options);
  const signInWorks = async () => {
    const [status, withCookie, users] = [
      await call(server, 'GET', '/auth/status', { token: null }),
      await call(server, 'GET', '/pages', withSession(session)),
      await call(server, 'GET', '/users', withSession(session)),
    ].map((answer) => answer.status);
    const expected = status === 200 ? [200, 200] : [401, 404];
    expect([withCookie, users]).toEqual(expected);
    return status === 200;
  };

  it('closes the admin at once, until the opposite value opens it again', async () => {
    const answer = await put(off);
    expect({ status: answer.status, body: answer.body }).toMatchObject({ status: 200, body: off });
    expect(await signInWorks()).toBe(false);
    const healthz: unknown = await (await fetch(`${server.url}/healthz`)).json();
    expect(healthz).toMatchObject({ headless: setting === 'headless' });
    expect(outcomeOf(await put(on))).toEqual({ status: 401, code: 'auth.required' });

    expect((await put(on, { body: on })).body).toMatchObject(on);
    expect(await signInWorks()).toBe(true);
  });

  it('keeps its value after a restart', async () => {
    await put(off);
    await restart();
    expect(await signInWorks()).toBe(false);
    await call(server, 'PUT', '/system', { body: on });
    await restart();
    expect(await signInWorks()).toBe(true);
  });

  it('is reset by -enable-admin, permanently', async () => {
    await put(off);
    await restart({ args: ['-enable-admin'] });
    expect(await signInWorks()).toBe(true);
    await restart();
    expect(await signInWorks()).toBe(true);
  });

  it('cannot close the admin when no token could write', async () => {
    await restart(withoutMaster);
    expect(outcomeOf(await put(off))).toEqual({ status: 409, code: 'system.noWriteToken' });
    await addToken(server, 'reader', false);
    expect(outcomeOf(await put(off))).toEqual({ status: 409, code: 'system.noWriteToken' });
    expect((await put(on)).status).toBe(200);
    expect(await signInWorks()).toBe(true);
    await addToken(server, 'writer', true);
    expect((await put(off)).status).toBe(200);
    expect(await signInWorks()).toBe(false);
  });

  it.each(['-disable-admin', '-headless'])('cannot be changed under %s', async (option) => {
    await restart({ args: [option] });
    for (const body of [on, off]) {
      expect(outcomeOf(await call(server, 'PUT', '/system', { body }))).toEqual({
        status: 409,
        code: 'system.forced',
      });
    }
    expect((await call(server, 'PUT', '/system', { body: {} })).body).toMatchObject({
      admin_enabled: false,
      forced: true,
      headless: option === '-headless',
    });
    expect(await signInWorks()).toBe(false);
    await restart();
    expect(await signInWorks()).toBe(true);
  });
});

describe('start options', () => {
  it.each(['-disable-admin', '-headless'])('-enable-admin and %s contradict each other', async (option) => {
    const dataDir = makeTempDir();
    const { code, stderr } = await runMain(['-data', dataDir, '-enable-admin', option]);
    rmSync(dataDir, { recursive: true, force: true });
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `incipit: -enable-admin contradicts ${option}\n`,
    });
  });

  it.each(['a b', 'host:80', 'https://host', '-x', '[::1'])('-admin-host refuses %j', async (host) => {
    const { code, stderr } = await runMain([`-admin-host=${host}`]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('-admin-host must be') });
  });

  it.each(['-1', 'x', '1.5', ''])('-rate-limit refuses %j', async (limit) => {
    const { code, stderr } = await runMain([`-rate-limit=${limit}`]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('-rate-limit must be') });
  });
});

describe('-admin-host', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer({ args: ['-admin-host', 'Admin.Example'] });
  });
  afterAll(() => server.stop());

  const getOn = (host: string, path: string, cookie = '') =>
    callOn(server, host, [`GET /api/v1${path} HTTP/1.1`, ...(cookie === '' ? [] : [`Cookie: ${cookie}`])]);

  it('is the only host with login and sessions', async () => {
    const json = JSON.stringify(administrator);
    const lines = ['POST /api/v1/auth/setup HTTP/1.1', 'Content-Type: application/json'];
    const { status, text } = await callOn(server, 'admin.example', lines, json);
    expect([status, text]).toEqual([201, expect.stringContaining('Set-Cookie: ic_session=')]);
    const cookie = /Set-Cookie: ([^;]+)/.exec(text)?.[1] ?? '';
    for (const host of ['admin.example', 'admin.example:8080', 'ADMIN.example']) {
      expect(await getOn(host, '/users', cookie)).toMatchObject({ host, status: 200 });
      expect(await getOn(host, '/auth/status')).toMatchObject({ host, status: 200 });
    }
    for (const host of ['www.example', `127.0.0.1:${server.port}`, 'admin.example.evil', 'xadmin.example']) {
      expect(await getOn(host, '/users', cookie)).toMatchObject({ host, status: 401 });
      expect(await getOn(host, '/pages', cookie)).toMatchObject({ host, status: 401 });
      for (const path of ['/auth/status', '/auth/login', '/auth/password'])
        expect(await getOn(host, path, cookie)).toMatchObject({ host, status: 404 });
    }
  });

  it('is the host that visitors of a proxy use, also if the proxy sends another Host', async () => {
    const headers = { 'X-Forwarded-Host': 'admin.example' };
    const user = { username: 'grace', password: 'long enough for all' };
    const session = sessionIn(
      await call(server, 'POST', '/auth/login', { token: null, headers, body: administrator }),
    );
    const cookie = { ...headers, Cookie: `ic_session=${session}`, 'X-IC-CSRF': '1' };
    expect((await call(server, 'GET', '/users', { token: null, headers: cookie })).status).toBe(200);
    const made = await call(server, 'POST', '/users', { token: null, headers: cookie, body: user });
    expect(made.status).toBe(201);
    const other = { ...cookie, 'X-Forwarded-Host': 'www.example' };
    expect((await call(server, 'GET', '/users', { token: null, headers: other })).status).toBe(401);
  });

  it('does not limit tokens and pages', async () => {
    expect((await call(server, 'GET', '/pages')).status).toBe(200);
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  });
});

/** Sends a request with the given Host: request line, further headers, and the body. */
async function callOn(
  server: TestServer,
  host: string,
  [requestLine = '', ...headers]: readonly string[],
  body = '',
): Promise<{ host: string; status: number; text: string }> {
  const head = requestHead(requestLine, `Host: ${host}`, ...headers, `Content-Length: ${body.length}`);
  const text = await sendRaw(server.port, head + body, '\r\n\r\n');
  return { host, status: Number(text.split(' ')[1]), text };
}
