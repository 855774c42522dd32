import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Connection } from '../../server/db/connection.ts';
import type { ContentTables } from '../../server/db/tables.ts';
import { addToken, asRecord, call, callOk } from '../support/api.ts';
import { createSite } from '../support/content.ts';
import { uploadOne } from '../support/media.ts';
import { type S3Server, startS3 } from '../support/s3.ts';
import { check, invalid, runScenarios, type Scenario } from '../support/scenarios.ts';
import { makeTempDir, startServer, type TestServer } from '../support/server.ts';
import { contentFile, isAlone } from '../support/shared-database.ts';

/** Data, Automation and Operations, "Media storage". */

let server: TestServer;
let s3: S3Server;
const dataDir = makeTempDir();

beforeAll(async () => {
  s3 = await startS3();
  server = await startServer({ dataDir });
});
afterAll(async () => {
  await server.stop();
  await s3.stop();
  rmSync(dataDir, { recursive: true, force: true });
});
afterEach(() => {
  s3.fault = undefined;
});

const s3Fields = (more: Readonly<Record<string, unknown>> = {}) => ({ ...s3.config, ...more });
const settings = () => callOk(server, 'GET', '/storage');
const put = (body: unknown) => callOk(server, 'PUT', '/storage', body);
const idle = {
  ...{ status: 'idle', phase: '', from: '', to: '', delete_old: false, started_at: 0 },
  ...{ total_files: 0, total_bytes: 0, done_files: 0, done_bytes: 0, skipped_files: 0 },
  ...{ verified_files: 0, changed_files: 0, deleted_files: 0, cleanup_errors: 0 },
};

/** Polls the status until the migration has ended. */
async function ended(): Promise<Record<string, unknown>> {
  for (;;) {
    const status = await callOk(server, 'GET', '/storage/migrate');
    if (status['status'] !== 'running') return status;
  }
}

async function migrate(body: unknown): Promise<Record<string, unknown>> {
  const answer = await call(server, 'POST', '/storage/migrate', { body });
  expect([answer.status, asRecord(answer.body)['status']]).toEqual([202, 'running']);
  return ended();
}

/** Uploads files of random text, which are one object each. */
async function addFiles(count: number, size: number): Promise<void> {
  for (let index = 0; index < count; index++)
    await uploadOne(server, `file${index}.txt`, randomBytes(size / 2).toString('hex'));
}

describe('a new instance', () => {
  it('stores media in local files', async () => {
    expect(await settings()).toEqual({
      type: 'local',
      s3: null,
      cache_mb: 0,
      cache: {
        enabled: false,
        max_bytes: 536_870_912,
        used_bytes: 0,
        entries: 0,
        default_bytes: 536_870_912,
      },
      media: { files: 0, bytes: 0, partial: false },
      migration: idle,
      encryption: isAlone ? 'file' : 'env',
    });
  });
});

describe('a configuration', () => {
  it('is a draft while media are local; its secret is never returned and is encrypted on disk', async () => {
    await put({
      s3: { endpoint: ' s3.example.org ', bucket: 'media', access_key: 'AK', secret_key: 'very-secret-key' },
    });
    const stored = await settings();
    expect(stored).toMatchObject({
      type: 'local',
      s3: {
        ...{ endpoint: 's3.example.org', region: '', bucket: 'media', prefix: '', access_key: 'AK' },
        ...{ path_style: false, secret_set: true },
      },
    });
    expect(JSON.stringify(stored)).not.toContain('very-secret-key');
    const db = new Connection<ContentTables>(contentFile(dataDir), { readonly: true });
    const row = JSON.stringify(db.statement("SELECT value FROM settings WHERE key = 'storage'").all([]));
    db.close();
    expect(row).toContain('v1.');
    expect(row).not.toContain('very-secret-key');
    for (const ending of ['', '-wal'])
      expect(readFileSync(contentFile(dataDir) + ending).includes('very-secret-key')).toBe(false);
  });

  it('keeps its secret as long as the access key stays the same', async () => {
    const secretSet = async (s3Update: unknown) =>
      asRecord(asRecord(await put({ s3: s3Update }))['s3'])['secret_set'];
    expect(await secretSet({ bucket: 'other' })).toBe(true);
    expect(await secretSet({ secret_key: '', access_key: 'AK' })).toBe(true);
    expect(await secretSet({ access_key: 'AK2' })).toBe(false);
    expect(await secretSet({ secret_key: 'x' })).toBe(true);
    expect((await settings())['s3']).toMatchObject({ bucket: 'other', access_key: 'AK2' });
  });

  it('takes no field that it does not know, such as a secret under a wrong name', async () => {
    const before = (await settings())['s3'];
    await put({ s3: { secretKey: 'misnamed-secret', secret: 'another-secret' } });
    expect((await settings())['s3']).toEqual(before);
    const db = new Connection<ContentTables>(contentFile(dataDir), { readonly: true });
    const row = JSON.stringify(db.statement("SELECT value FROM settings WHERE key = 'storage'").all([]));
    db.close();
    expect(row).not.toContain('-secret');
  });

  it('changes nothing in what is not sent', async () => {
    await put({});
    await put({ cache_mb: 7 });
    expect(await settings()).toMatchObject({
      s3: { bucket: 'other' },
      cache_mb: 7,
      cache: { max_bytes: 7 * 2 ** 20 },
    });
    await put({ cache_mb: 0 });
    expect(await settings()).toMatchObject({ cache: { max_bytes: 536_870_912, default_bytes: 536_870_912 } });
  });

  it('is deleted by empty fields', async () => {
    // With the other fields of the answer to GET.
    const before = asRecord((await settings())['s3']);
    const empty = { endpoint: '', region: '', bucket: '', prefix: '', access_key: '', secret_key: '' };
    await put({ s3: { ...before, ...empty } });
    expect((await settings())['s3']).toBeNull();
  });

  runScenarios(
    () => server,
    [
      {
        name: 'cache_mb below 0',
        method: 'PUT',
        path: '/storage',
        body: { cache_mb: -1 },
        ...invalid('cache_mb'),
      },
      {
        name: 'cache_mb as text',
        method: 'PUT',
        path: '/storage',
        body: { cache_mb: '5' },
        ...invalid('cache_mb'),
      },
      { name: 's3 as text', method: 'PUT', path: '/storage', body: { s3: 'x' }, ...invalid('s3') },
      {
        name: 'an endless endpoint',
        method: 'PUT',
        path: '/storage',
        body: { s3: { endpoint: 'x'.repeat(1001) } },
        ...invalid('s3.endpoint'),
      },
    ],
  );
});

describe('a test of object storage', () => {
  const test = (
    name: string,
    more: () => Readonly<Record<string, unknown>>,
    rest: Partial<Scenario>,
  ): Scenario => ({
    name,
    method: 'POST',
    path: '/storage/check',
    // Called when the test runs, because the port is not known before.
    body: () => ({ s3: s3Fields(more()) }),
    freeParams: ['error', 'reason'],
    status: 502,
    ...rest,
  });
  const refused = (code: string): Partial<Scenario> => ({
    status: 502,
    code,
    params: { error: expect.any(String) },
  });
  const badEndpoint: Partial<Scenario> = {
    status: 400,
    code: 'storage.endpointInvalid',
    params: { error: expect.any(String) },
  };

  runScenarios(
    () => server,
    [
      test('succeeds', () => ({}), { status: 200, fields: { ok: true } }),
      test('with an endpoint that is none', () => ({ endpoint: 'ftp://x' }), badEndpoint),
      test('with a metadata service', () => ({ endpoint: 'http://169.254.169.254' }), badEndpoint),
      test('without an endpoint', () => ({ endpoint: '' }), badEndpoint),
      test('with a bucket that cannot be one', () => ({ bucket: '../x' }), invalid('s3.bucket')),
      test('without a secret', () => ({ secret_key: '' }), invalid('s3.secret_key')),
      test('on a closed port', () => ({ endpoint: 'http://127.0.0.1:9' }), refused('storage.unreachable')),
      test('with a wrong secret', () => ({ secret_key: 'wrong' }), refused('storage.authFailed')),
      test('with an unknown bucket', () => ({ bucket: 'missing' }), refused('storage.noBucket')),
      {
        name: 'without any configuration',
        method: 'POST',
        path: '/storage/check',
        body: {},
        ...invalid('s3'),
      },
    ],
  );

  it('tells what is denied, and what does not work', async () => {
    s3.fault = ({ method }) => (method === 'PUT' ? { status: 403, code: 'AccessDenied' } : undefined);
    await check(
      server,
      test('denied', () => ({}), refused('storage.accessDenied')),
    );
    s3.fault = ({ method }) => (method === 'GET' ? { status: 500, code: 'InternalError' } : undefined);
    await check(
      server,
      test('broken', () => ({}), refused('storage.checkFailed')),
    );
  });

  it('without a configuration tests the stored one, and needs no body', async () => {
    await put({ s3: s3Fields() });
    expect(await callOk(server, 'POST', '/storage/check')).toEqual({ ok: true });
    expect(await callOk(server, 'POST', '/storage/check', {})).toEqual({ ok: true });
    await put({ s3: { bucket: 'missing' } });
    expect(await call(server, 'POST', '/storage/check')).toMatchObject({
      status: 502,
      body: { code: 'storage.noBucket' },
    });
    const { secret_key: _, ...withoutSecret } = s3Fields();
    expect(await callOk(server, 'POST', '/storage/check', { s3: withoutSecret })).toEqual({ ok: true });
  });
});

describe('a migration', () => {
  runScenarios(
    () => server,
    [
      {
        name: 'to where media are already',
        method: 'POST',
        path: '/storage/migrate',
        body: { target: 'local' },
        status: 409,
        code: 'storage.sameTarget',
        params: { target: 'local' },
      },
      {
        name: 'to an unknown target',
        method: 'POST',
        path: '/storage/migrate',
        body: { target: 'ftp' },
        ...invalid('target'),
      },
      {
        name: 'is canceled without a job',
        method: 'DELETE',
        path: '/storage/migrate',
        status: 409,
        code: 'storage.migrationNotRunning',
        params: {},
      },
      {
        name: 'to an endpoint that is none',
        method: 'POST',
        path: '/storage/migrate',
        body: () => ({ target: 's3', s3: s3Fields({ endpoint: 'x y' }) }),
        status: 400,
        code: 'storage.endpointInvalid',
        params: { error: 'it is not a URL' },
      },
    ],
  );

  it('whose target does not work fails, and says why', async () => {
    const status = await migrate({ target: 's3', s3: s3Fields({ bucket: 'missing' }) });
    expect(status).toMatchObject({
      ...{ status: 'failed', phase: 'check', from: 'local', to: 's3' },
      error: expect.stringContaining('no such bucket'),
      error_code: 'storage.noBucket',
      error_params: { error: expect.any(String) },
    });
    expect(await settings()).toMatchObject({ type: 'local', migration: status });
  });

  it('that is canceled leaves local files in use', async () => {
    await addFiles(5, 1000);
    let held = (): void => {};
    s3.fault = ({ method, path }) => {
      held();
      return method === 'PUT' && !path.includes('probe') ? 'silence' : undefined;
    };
    const reached = new Promise<void>((resolve) => {
      held = () => {
        if (s3.seen.at(-1)?.method === 'PUT' && !s3.seen.at(-1)?.path.includes('probe')) resolve();
      };
    });
    await call(server, 'POST', '/storage/migrate', { body: { target: 's3', s3: s3Fields() } });
    await reached;
    const running: Scenario = {
      ...{ name: 'meanwhile', method: 'POST', path: '/storage/migrate', body: { target: 's3' } },
      ...{ status: 409, code: 'storage.migrationRunning', params: {} },
    };
    await check(server, running);
    await check(server, { ...running, method: 'PUT', path: '/storage', body: { s3: { region: 'x' } } });
    expect((await call(server, 'DELETE', '/storage/migrate')).status).toBe(204);
    expect(await callOk(server, 'GET', '/storage/migrate')).toMatchObject({
      status: 'canceled',
      total_files: 5,
    });
    expect((await settings())['type']).toBe('local');
    await server.stop();
    server = await startServer({ dataDir });
    expect(await callOk(server, 'GET', '/storage/migrate')).toEqual(idle);
  });

  it('moves all media to S3, purges the page cache, and stays after a restart', async () => {
    await createSite(server, {});
    const cacheOf = async () => (await fetch(`${server.url}/`)).headers.get('x-cache');
    await cacheOf();
    expect(await cacheOf()).toBe('HIT');
    const status = await migrate({ target: 's3', s3: s3Fields({ prefix: 'web' }), delete_old: true });
    expect(status).toMatchObject({ status: 'done', total_files: 5, verified_files: 5, deleted_files: 5 });
    expect(await cacheOf()).toBe('MISS');
    const expected = {
      type: 's3',
      s3: { bucket: 'media', prefix: 'web', secret_set: true },
      cache: { enabled: true },
      media: { files: 5, bytes: 5000, partial: false },
    };
    expect(await settings()).toMatchObject(expected);
    await server.stop();
    server = await startServer({ dataDir });
    expect(await settings()).toMatchObject(expected);
    await check(server, {
      ...{ name: 'to S3 again', method: 'POST', path: '/storage/migrate', body: { target: 's3' } },
      ...{ status: 409, code: 'storage.sameTarget', params: { target: 's3' } },
    });
  });

  it('is needed for another bucket or prefix; other settings of S3 are tested and apply at once', async () => {
    const refused = (field: string) => ({
      ...{ name: field, method: 'PUT', path: '/storage', status: 409 },
      ...{ code: 'storage.migrationRequired', params: { field } },
    });
    await check(server, { ...refused('s3.bucket'), body: { s3: { bucket: 'other' } } });
    await check(server, { ...refused('s3.prefix'), body: { s3: { prefix: '' } } });
    await put({ s3: { prefix: '/web/', region: 'eu-central-1' } });
    expect(await settings()).toMatchObject({ type: 's3', s3: { region: 'eu-central-1', secret_set: true } });
    const answer = await call(server, 'PUT', '/storage', { body: { s3: { secret_key: 'wrong' } } });
    expect(answer).toMatchObject({ status: 502, body: { code: 'storage.authFailed' } });
    expect(await call(server, 'PUT', '/storage', { body: { s3: { access_key: 'other' } } })).toMatchObject({
      status: 400,
      body: { params: { field: 's3.secret_key' } },
    });
    expect(await callOk(server, 'POST', '/storage/check')).toEqual({ ok: true });
  });

  it('bridges a start without S3 with local files unless others share it, says why, and ends', async () => {
    await server.stop();
    s3.fault = () => ({ status: 403, code: 'AccessDenied' });
    server = await startServer({ dataDir });
    expect(await settings()).toMatchObject({
      type: isAlone ? 'local' : 's3',
      s3: { bucket: 'media' },
      cache: { enabled: !isAlone },
      error_code: 'storage.accessDenied',
      error: expect.stringMatching(/^the keys do not permit this in the bucket: status 403/),
    });
    const bridge = isAlone ? 'local files are used' : 'requests for media fail';
    expect(server.log()).toContain(`object storage does not work, ${bridge}`);
    s3.fault = undefined;
    await put({ s3: {} });
    const repaired = await settings();
    expect([repaired['type'], 'error' in repaired]).toEqual(['s3', false]);
  });

  it.runIf(isAlone)('cannot read its secret when the key is lost; a new secret repairs it', async () => {
    await server.stop();
    rmSync(join(dataDir, 'secret.key'));
    server = await startServer({ dataDir });
    expect(await settings()).toMatchObject({ type: 'local', error_code: 'storage.secretUndecryptable' });
    expect(await call(server, 'POST', '/storage/check')).toMatchObject({
      status: 409,
      body: { code: 'storage.secretUndecryptable', params: {} },
    });
    await put({ s3: { secret_key: s3.config['secret_key'] } });
    expect(await settings()).toMatchObject({ type: 's3', media: { files: 5 } });
  });

  it('moves all media back', async () => {
    const status = await migrate({ target: 'local' });
    expect(status).toMatchObject({
      status: 'done',
      from: 's3',
      to: 'local',
      verified_files: 5,
      deleted_files: 0,
    });
    expect(await settings()).toMatchObject({
      type: 'local',
      s3: { bucket: 'media' },
      media: { files: 5, bytes: 5000 },
    });
  });

  it('that a kill ends leaves the old storage in use', async () => {
    await addFiles(3, 1000);
    s3.fault = ({ method, path }) => (method === 'PUT' && !path.includes('probe') ? 'silence' : undefined);
    await call(server, 'POST', '/storage/migrate', {
      body: { target: 's3', s3: s3Fields({ bucket: 'other' }), delete_old: true },
    });
    for (;;) if ((await callOk(server, 'GET', '/storage/migrate'))['phase'] === 'copy') break;
    await server.end('SIGKILL');
    s3.fault = undefined;
    server = await startServer({ dataDir });
    expect(await settings()).toMatchObject({
      type: 'local',
      migration: idle,
      media: { files: 8, bytes: 8000 },
    });
    expect(await migrate({ target: 's3', s3: s3Fields({ bucket: 'other' }) })).toMatchObject({
      status: 'done',
      verified_files: 8,
    });
    // A node waits for the lease of the dead one, because files of one machine let only one serve.
  });
});

it('-outgoing decides about endpoints', async () => {
  const guarded = await startServer({ args: ['-outgoing', 'public'] });
  for (const endpoint of [s3.endpoint, 'http://localhost:9000']) {
    const answer = await call(guarded, 'POST', '/storage/check', { body: { s3: s3Fields({ endpoint }) } });
    expect(answer).toMatchObject({ status: 400, body: { code: 'storage.endpointInvalid' } });
    expect(asRecord(answer.body)['error']).toContain('is not a public address');
  }
  await guarded.stop();
});

it('a read-only token sees none of it', async () => {
  const token = await addToken(server, 'reader', false);
  for (const [method, path] of [
    ['GET', '/storage'],
    ['GET', '/storage/migrate'],
    ['POST', '/storage/check'],
  ] as const)
    expect((await call(server, method, path, { token })).status).toBe(403);
});
