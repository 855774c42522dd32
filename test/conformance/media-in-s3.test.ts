import { createHash, randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { asRecord, call, callList, callOk } from '../support/api.ts';
import { BundleParts, hashOf as bundleHashOf, countsIn, download, importBundle } from '../support/bundles.ts';
import { createSite } from '../support/content.ts';
import { draw, upload, uploadOne } from '../support/media.ts';
import { until } from '../support/nodes.ts';
import { type S3Server, startS3 } from '../support/s3.ts';
import { masterToken, startServer, type TestServer } from '../support/server.ts';
import { exportSite } from '../support/static-export.ts';
import { visit } from './public-client.ts';

/** Files whose bytes lie in object storage: uploaded, delivered, deleted and moved as ever. */

let server: TestServer;
let s3: S3Server;
const text = Array.from({ length: 100 }, (_, index) => String(index).padStart(2, '0')).join('');
const large = Buffer.from(randomBytes(350_000).toString('hex'));

beforeAll(async () => {
  [s3, server] = await Promise.all([startS3(), startServer()]);
  await migrate('s3');
  await uploadOne(server, 'text.txt', text);
  await uploadOne(server, 'large.txt', large);
  await uploadOne(server, 'photo.jpg', await draw({ width: 700, height: 350 }));
});
afterAll(async () => {
  await server.stop();
  await s3.stop();
});
afterEach(() => {
  s3.fault = undefined;
});

async function startMigration(target: 'local' | 's3'): Promise<void> {
  const s3Config = target === 's3' ? { s3: s3.config } : {};
  await callOk(server, 'POST', '/storage/migrate', { target, ...s3Config, delete_old: true });
}

async function migrationEnd(): Promise<Record<string, unknown>> {
  for (;;) {
    const status = await callOk(server, 'GET', '/storage/migrate');
    if (status['status'] !== 'running') return status;
    await nextTurn();
  }
}

async function migrate(target: 'local' | 's3'): Promise<void> {
  await startMigration(target);
  expect(await migrationEnd()).toMatchObject({ status: 'done', cleanup_errors: 0 });
}

const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

async function hashAt(url: unknown): Promise<string> {
  const answer = await fetch(`${server.url}${url}`);
  expect([url, answer.status]).toEqual([url, 200]);
  return hashOf(new Uint8Array(await answer.arrayBuffer()));
}

const objectRequests = () => s3.seen.filter(({ path }) => /^\/media\/[\da-f]{2}\//.test(path));

describe('a file', () => {
  it('is delivered whole, in parts, and not at all if it is unchanged', async () => {
    const whole = await visit(server, '/media/text.txt');
    expect([whole.status, whole.text]).toEqual([200, text]);
    const part = await visit(server, '/media/text.txt', { headers: { Range: 'bytes=10-13' } });
    expect([part.status, part.text, part.header('content-range')]).toEqual([
      206,
      text.slice(10, 14),
      'bytes 10-13/200',
    ]);
    const etag = whole.header('etag') ?? '';
    expect((await visit(server, '/media/text.txt', { headers: { 'If-None-Match': etag } })).status).toBe(304);
  });

  it('that is large is read from S3 once, a part of it only as a part', async () => {
    s3.seen.length = 0;
    const part = await visit(server, '/media/large.txt', { headers: { Range: 'bytes=100-109' } });
    expect(part.status).toBe(206);
    // Variants of other files may be made meanwhile.
    const { path } = objectRequests().find(({ headers }) => headers['range'] === 'bytes=100-109') ?? {};
    expect(path).toBeDefined();
    for (let count = 0; count < 2; count++) expect(await hashAt('/media/large.txt')).toBe(hashOf(large));
    expect(
      objectRequests().filter((request) => request.method === 'GET' && request.path === path),
    ).toHaveLength(2);
    const { cache } = await callOk(server, 'GET', '/storage');
    expect(asRecord(cache)['used_bytes']).toBeGreaterThanOrEqual(700_000);
  });

  it('that is an image has its variants in S3', async () => {
    for (const path of ['/media/photo.jpg?w=320', '/media/photo.jpg.webp?w=320', '/media/photo.jpg']) {
      const answer = await fetch(`${server.url}${path}`);
      expect([path, answer.status, answer.headers.get('content-type')?.split('/')[0]]).toEqual([
        path,
        200,
        'image',
      ]);
      await answer.arrayBuffer();
    }
  });

  it('that becomes private while all its forms are cached is gone for visitors with the next request', async () => {
    const file = await uploadOne(server, 'secret.jpg', await draw({ width: 700, height: 350 }));
    const forms = ['/media/secret.jpg', '/media/secret.jpg?w=320', '/media/secret.jpg.webp?w=320'];
    for (const path of forms) expect((await visit(server, path)).status).toBe(200);
    await callOk(server, 'PUT', `/files/${file['id']}`, { private: true });
    for (const path of forms) {
      expect([path, (await visit(server, path)).status]).toEqual([path, 404]);
      const authorized = await visit(server, path, { headers: { Authorization: `Bearer ${masterToken}` } });
      expect([path, authorized.status]).toEqual([path, 200]);
    }
  });

  it('that is deleted for good is gone from S3', async () => {
    const file = await uploadOne(server, 'short.txt', 'short-lived');
    s3.seen.length = 0;
    await call(server, 'DELETE', `/files/${file['id']}?purge=1`);
    expect((await visit(server, '/media/short.txt')).status).toBe(404);
    while (!s3.seen.some(({ method }) => method === 'DELETE')) await nextTurn();
  });
});

describe('an export with files in S3', () => {
  it('as static files has their bytes', async () => {
    const site = await createSite(server, { domains: 'light.example' });
    const html = '<img src="/media/photo.jpg?w=320"><a href="/media/large.txt">L</a>';
    await callOk(server, 'PUT', `/pages/${site}`, { html });
    s3.fault = failingOnce();
    const { files } = await exportSite(server, site);
    expect(files.get('media/large.txt')?.bytes.equals(large)).toBe(true);
    const image = await fetch(`${server.url}/media/photo.jpg?w=320`);
    expect(files.get('media/photo.w320.jpg')?.bytes.equals(Buffer.from(await image.arrayBuffer()))).toBe(
      true,
    );
  });

  it('as a bundle has their bytes, and an import stores them in S3 again', async () => {
    const bundle = await download(server);
    expect((await BundleParts.of(bundle)).entries.get('media/large.txt')?.equals(large)).toBe(true);
    const hash = await bundleHashOf(server);
    const files = await callList(server, '/files?limit=1000');
    const { id } = files.find(({ path }) => path === 'large.txt') ?? {};
    await call(server, 'DELETE', `/files/${id}`);
    s3.seen.length = 0;
    const answer = await importBundle(server, bundle);
    expect(countsIn(answer)).toMatchObject({ created: { files: 1 } });
    expect(objectRequests().some(({ method }) => method === 'PUT')).toBe(true);
    expect(await bundleHashOf(server)).toBe(hash);
    expect(await hashAt('/media/large.txt')).toBe(hashOf(large));
  });

  it('that cannot be read is no whole archive', async () => {
    const bytes = Buffer.from(randomBytes(300_000).toString('hex'));
    // Too large for a copy on the local disk.
    await callOk(server, 'PUT', '/storage', { cache_mb: 1 });
    const { id } = await uploadOne(server, 'away.txt', bytes);
    await callOk(server, 'GET', '/bundle/info');
    s3.fault = ({ method }) => (method === 'GET' ? { status: 403, code: 'AccessDenied' } : undefined);
    const isWhole = await download(server).then(
      () => true,
      () => false,
    );
    s3.fault = undefined;
    expect(isWhole).toBe(false);
    await callOk(server, 'PUT', '/storage', { cache_mb: 0 });
    expect((await visit(server, '/healthz')).status).toBe(200);
    await call(server, 'DELETE', `/files/${id}`);
  });
});

/** The first answer with an object breaks midway. */
function failingOnce(): NonNullable<S3Server['fault']> {
  let left = 1;
  return ({ method }) => (method === 'GET' && left-- > 0 ? 'truncate' : undefined);
}

describe('object storage that fails', () => {
  it('refuses an upload as a whole, and says why', async () => {
    const before = await callOk(server, 'GET', '/storage');
    s3.fault = ({ method }) => (method === 'PUT' ? { status: 403, code: 'AccessDenied' } : undefined);
    const answer = await upload(server, [{ name: 'refused.txt', bytes: 'x' }]);
    expect(answer).toMatchObject({ status: 502, body: { code: 'storage.accessDenied' } });
    s3.fault = undefined;
    // Answers come before the files of their bodies are removed.
    await until(async () => readdirSync(join(server.dataDir, 'media', '.staging')).length === 0);
    expect((await visit(server, '/media/refused.txt')).status).toBe(404);
    expect(await callOk(server, 'GET', '/storage')).toMatchObject({ type: before['type'] });
  });

  it('for a moment is not noticed: a reset, a busy service, a cut body', async () => {
    for (const fault of ['reset', { status: 503, code: 'SlowDown' }, 'truncate'] as const) {
      const bytes = Buffer.from(randomBytes(300_000).toString('hex'));
      const { url } = await uploadOne(server, 'moment.txt', bytes);
      let left = 1;
      s3.fault = ({ method }) => (method === 'GET' && left-- > 0 ? fault : undefined);
      expect(await hashAt(url)).toBe(hashOf(bytes));
    }
  });

  it('for longer is an error for this file only', async () => {
    const { url } = await uploadOne(server, 'lost.txt', randomBytes(300_000).toString('hex'));
    s3.fault = ({ method }) => (method === 'GET' ? { status: 403, code: 'AccessDenied' } : undefined);
    const refused = await visit(server, String(url));
    expect([refused.status, refused.header('retry-after'), refused.header('cache-control')]).toEqual([
      503,
      '10',
      'no-cache',
    ]);
    expect(server.log()).toContain('the media storage failed');
    expect(server.log()).not.toContain('AWS4');
    expect((await visit(server, '/healthz')).status).toBe(200);
    expect((await visit(server, '/media/text.txt')).status).toBe(200);
  });
});

describe.each(['local', 's3'] as const)('a migration to %s', (target) => {
  it('while files are uploaded and deleted loses nothing', async () => {
    const files = new Map<unknown, { readonly id: unknown; readonly hash: string }>();
    const add = async (): Promise<void> => {
      // Text, because the type of random bytes is random too.
      const bytes = Buffer.from(randomBytes(1000 + Math.floor(Math.random() * 25_000)).toString('hex'));
      const { id, url } = await uploadOne(server, 'moving.txt', bytes);
      files.set(url, { id, hash: hashOf(bytes) });
    };
    const remove = async (): Promise<void> => {
      const [url, file] = [...files][Math.floor(Math.random() * files.size)] ?? [];
      if (file === undefined || !files.delete(url)) return;
      expect((await call(server, 'DELETE', `/files/${file.id}`)).status).toBe(204);
    };
    for (let count = 0; count < 40; count++) await add();
    await startMigration(target);
    let isRunning = true;
    const whileRunning = async (work: () => Promise<void>): Promise<void> => {
      for (let count = 0; isRunning && count < 40; count++) await work();
    };
    const [status] = await Promise.all([
      migrationEnd().finally(() => {
        isRunning = false;
      }),
      whileRunning(add),
      whileRunning(add),
      whileRunning(remove),
    ]);
    expect(status).toMatchObject({ status: 'done', to: target, cleanup_errors: 0 });
    expect((await callOk(server, 'GET', '/storage'))['type']).toBe(target);
    for (const [url, { hash }] of files) expect([url, await hashAt(url)]).toEqual([url, hash]);
    expect(await hashAt('/media/large.txt')).toBe(hashOf(large));
  });
});
