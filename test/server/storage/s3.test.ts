import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Outgoing } from '../../../server/http/outgoing/client.ts';
import { mediaKey, newContentId } from '../../../server/storage/media-key.ts';
import { S3Client, type S3ClientOptions } from '../../../server/storage/s3/client.ts';
import { checkS3Config, type S3Fields } from '../../../server/storage/s3/config.ts';
import { S3Objects } from '../../../server/storage/s3/objects.ts';
import { probeConfig } from '../../../server/storage/s3/probe.ts';
import { type StagedFile, Staging } from '../../../server/storage/staging.ts';
import { type Fault, type S3Server, type SeenS3Request, startS3 } from '../../support/s3.ts';

/** Media in a bucket, against a real S3 server with faults in between. */

let s3: S3Server;
let staging: Staging;
const folder = mkdtempSync(join(tmpdir(), 'incipit-test-'));
const outgoing = new Outgoing({ rules: { mode: 'open', allow: [] } });

beforeAll(async () => {
  s3 = await startS3();
  staging = await Staging.open(folder);
});
afterAll(async () => {
  await outgoing.close();
  await s3.stop();
  rmSync(folder, { recursive: true });
});
afterEach(() => {
  s3.fault = undefined;
  s3.seen.length = 0;
  expect(readdirSync(folder)).toEqual([]);
});

const fields = (more: Partial<S3Fields> = {}): S3Fields => ({
  endpoint: s3.endpoint,
  region: '',
  bucket: 'media',
  prefix: '',
  access_key: 'S3RVER',
  secret_key: 'S3RVER',
  path_style: true,
  ...more,
});

function probe(more: Partial<S3Fields> = {}): Promise<void> {
  return probeConfig(checkS3Config(fields(more), outgoing), { outgoing, clock: Date.now, retriesMs: [] });
}

function clientOf(more: Partial<S3Fields> = {}, options: Partial<S3ClientOptions> = {}): S3Client {
  return new S3Client(checkS3Config(fields(more), outgoing), {
    outgoing,
    clock: Date.now,
    retriesMs: [0, 0],
    ...options,
  });
}

/** Parts of 5 MB, the least that S3 permits. */
function objectsIn(prefix = '', options: Partial<S3ClientOptions> = {}): S3Objects {
  return new S3Objects(clientOf({ prefix }, options), prefix === '' ? '' : `${prefix}/`, 5 * 2 ** 20);
}

async function stage(bytes: Uint8Array): Promise<StagedFile> {
  const writer = await staging.create();
  await writer.write(bytes);
  return writer.finish();
}

const newKey = (name = 'original.jpg') => mediaKey(newContentId(), name);
const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

async function contentOf(objects: S3Objects, key: ReturnType<typeof newKey>): Promise<string | undefined> {
  const opened = await objects.open(key);
  return opened === undefined ? undefined : hashOf(await buffer(opened.body));
}

describe('an object', () => {
  it.each([
    ['empty', 0],
    ['small', 1000],
    ['of one part', 5 * 2 ** 20],
    ['of several parts', 12 * 2 ** 20 + 7],
  ])('%s is stored, described, read and deleted', async (_name, size) => {
    const objects = objectsIn();
    const key = newKey();
    const bytes = randomBytes(size);
    const before = Date.now();
    await objects.put(key, await stage(bytes));
    expect(await objects.stat(key)).toEqual({ size, modifiedAt: expect.any(Number) });
    expect((await objects.stat(key))?.modifiedAt).toBeGreaterThan(before - 2000);
    expect(await contentOf(objects, key)).toBe(hashOf(bytes));
    const multipart = s3.seen.some(({ path }) => path.includes('uploadId'));
    expect(multipart).toBe(size > 5 * 2 ** 20);
    await objects.remove(key);
    expect([await objects.stat(key), await objects.open(key)]).toEqual([undefined, undefined]);
    await objects.remove(key);
  });

  it('is read in parts, with the size of the whole', async () => {
    const objects = objectsIn();
    const key = newKey();
    await objects.put(key, await stage(Buffer.from('0123456789')));
    const opened = await objects.open(key, { start: 2, end: 4 });
    expect(opened?.size).toBe(10);
    expect(opened === undefined ? '' : (await buffer(opened.body)).toString()).toBe('234');
    expect(s3.seen.at(-1)?.headers['range']).toBe('bytes=2-4');
    expect(await objects.open(newKey(), { start: 0, end: 1 })).toBeUndefined();
    await objects.remove(key);
  });

  it('is replaced', async () => {
    const objects = objectsIn();
    const key = newKey();
    for (const text of ['one', 'two']) await objects.put(key, await stage(Buffer.from(text)));
    expect(await contentOf(objects, key)).toBe(hashOf(Buffer.from('two')));
    await objects.remove(key);
  });

  it('lies below the prefix, whatever signs that has, and listings show nothing else', async () => {
    const plain = objectsIn();
    const prefixed = objectsIn("web_site/a.b-(1)!*'");
    const keys = [newKey(), newKey('w640.webp')];
    for (const key of keys) await prefixed.put(key, await stage(Buffer.from(key)));
    await plain.put(newKey(), await stage(Buffer.from('x')));
    const listed = [];
    for await (const { key, size } of prefixed.list()) listed.push([key, size]);
    expect(listed.sort()).toEqual(keys.map((key) => [key, key.length]).sort());
    expect(decodeURIComponent(s3.seen[0]?.path ?? '')).toMatch(/^\/media\/web_site\/a\.b-\(1\)!\*'\//);
    for (const key of keys) expect(await plain.stat(key)).toBeUndefined();
    for await (const { key } of plain.list()) await plain.remove(key);
    for (const key of keys) await prefixed.remove(key);
  });

  it('is listed beyond the first part of a listing', async () => {
    const objects = objectsIn('many');
    const keys = Array.from({ length: 25 }, () => newKey());
    for (const key of keys) await objects.put(key, await stage(Buffer.from('x')));
    const listed = [];
    s3.seen.length = 0;
    s3.pageSize = 10;
    for await (const { key } of objects.list()) listed.push(key);
    s3.pageSize = undefined;
    expect(listed.sort()).toEqual(keys.sort());
    expect(s3.seen).toHaveLength(3);
  });

  it('has a signed content: what was changed on the way is refused', async () => {
    const objects = objectsIn();
    const file = await stage(Buffer.from('right'));
    await objects.put(newKey(), file);
    expect(s3.seen[0]?.headers).toMatchObject({
      'x-amz-content-sha256': hashOf(Buffer.from('right')),
      authorization: expect.stringMatching(
        /^AWS4-HMAC-SHA256 Credential=S3RVER\/\d{8}\/us-east-1\/s3\/aws4_request, SignedHeaders=host;x-amz-content-sha256;x-amz-date, Signature=[\da-f]{64}$/,
      ),
    });
  });
});

describe('a fault', () => {
  /** Damages the first requests that fit. */
  function damage(fault: Fault, times: number, method?: string): void {
    let left = times;
    s3.fault = (request) =>
      (method === undefined || request.method === method) && left-- > 0 ? fault : undefined;
  }
  const busy = { status: 503, code: 'SlowDown' };

  it.each([
    ['a reset', 'reset'],
    ['a busy service', busy],
    ['an internal error', { status: 500, code: 'InternalError' }],
  ] as const)('that passes (%s) is overcome', async (_name, fault) => {
    const objects = objectsIn();
    const key = newKey();
    damage(fault, 2);
    await objects.put(key, await stage(randomBytes(100_000)));
    damage(fault, 2);
    expect((await objects.stat(key))?.size).toBe(100_000);
    damage(fault, 2);
    expect(await contentOf(objects, key)).toBeDefined();
    damage(fault, 2);
    await objects.remove(key);
  });

  it.each([
    ['reset', 'storage.unreachable'],
    [busy, 'storage.checkFailed'],
    [{ status: 403, code: 'AccessDenied' }, 'storage.accessDenied'],
    [{ status: 403, code: 'InvalidAccessKeyId' }, 'storage.authFailed'],
    [{ status: 404, code: 'NoSuchBucket' }, 'storage.noBucket'],
    [{ status: 301, code: 'PermanentRedirect' }, 'storage.checkFailed'],
  ] as const)('that stays (%j) is %s, and nothing is left', async (fault, code) => {
    const objects = objectsIn();
    s3.fault = () => fault;
    const file = await stage(randomBytes(1000));
    await expect(objects.put(newKey(), file)).rejects.toMatchObject({
      code,
      params: { error: expect.any(String) },
    });
    await file.discard();
    await expect(objects.open(newKey())).rejects.toMatchObject({ code });
    await expect(objects.list().next()).rejects.toMatchObject({ code });
  });

  it('in the middle of an upload in parts leaves no object and no parts', async () => {
    const objects = objectsIn();
    const key = newKey();
    s3.fault = ({ path }) =>
      path.includes('partNumber=2') ? { status: 403, code: 'AccessDenied' } : undefined;
    const file = await stage(randomBytes(12 * 2 ** 20));
    await expect(objects.put(key, file)).rejects.toMatchObject({ code: 'storage.accessDenied' });
    await file.discard();
    expect(s3.seen.at(-1)).toMatchObject({ method: 'DELETE', path: expect.stringContaining('uploadId=') });
    s3.fault = undefined;
    expect(await objects.stat(key)).toBeUndefined();
  });

  it('that nobody cleaned up after is found later: parts without an object, but none that is being sent', async () => {
    const objects = objectsIn();
    const silent = ({ method, path }: SeenS3Request) =>
      method === 'DELETE' || path.includes('partNumber=2')
        ? { status: 403, code: 'AccessDenied' }
        : undefined;
    s3.fault = silent;
    const bytes = randomBytes(11 * 2 ** 20);
    for (let count = 0; count < 3; count++) {
      const file = await stage(bytes);
      await expect(objects.put(newKey(), file)).rejects.toMatchObject({ code: 'storage.accessDenied' });
      await file.discard();
    }
    s3.unfinished.set('zz-foreign', 'somebody/else');
    expect(s3.unfinished.size).toBe(4);
    const { promise: isHalf, resolve } = Promise.withResolvers<void>();
    s3.fault = ({ path }) => {
      if (path.includes('partNumber=2')) resolve();
      return undefined;
    };
    const key = newKey();
    const putting = objects.put(key, await stage(bytes));
    await isHalf;
    expect(await objects.removeUnfinished()).toBe(3);
    await putting;
    expect(await contentOf(objects, key)).toBe(hashOf(bytes));
    expect([...s3.unfinished.keys()]).toEqual(['zz-foreign']);
    s3.unfinished.clear();
    await objects.remove(key);
  });

  it('in the middle of a part is overcome', async () => {
    const objects = objectsIn();
    const key = newKey();
    const bytes = randomBytes(12 * 2 ** 20);
    let left = 2;
    s3.fault = ({ path }) => (path.includes('partNumber=2') && left-- > 0 ? 'reset' : undefined);
    await objects.put(key, await stage(bytes));
    expect(await contentOf(objects, key)).toBe(hashOf(bytes));
    await objects.remove(key);
  });

  it('of a cut body ends the body with an error', async () => {
    const objects = objectsIn();
    const key = newKey();
    await objects.put(key, await stage(randomBytes(100_000)));
    damage('truncate', 1, 'GET');
    await expect(contentOf(objects, key)).rejects.toMatchObject({ name: 'OutgoingError', code: 'broken' });
    await objects.remove(key);
  });

  it('of silence ends after the time limit', async () => {
    const objects = objectsIn('', { timeouts: { headersMs: 20 }, retriesMs: [] });
    s3.fault = () => 'silence';
    await expect(objects.stat(newKey())).rejects.toMatchObject({ code: 'storage.unreachable' });
  });
});

describe('a test of the configuration', () => {
  it('writes, reads and deletes an object', async () => {
    await probe({ prefix: 'p' });
    expect(s3.seen.map(({ method }) => method)).toEqual(['PUT', 'GET', 'DELETE']);
    const [first] = s3.seen;
    expect(first?.path).toMatch(/^\/media\/p\/\.incipit-probe-[\da-f-]{36}$/);
  });

  const closed = 'http://127.0.0.1:9';
  it.each([
    ['a closed port', { endpoint: closed }, 'storage.unreachable'],
    ['an unknown host', { endpoint: 'http://s3.invalid' }, 'storage.unreachable'],
    ['TLS where there is none', { endpoint: 'TLS' }, 'storage.unreachable'],
    ['an unknown bucket', { bucket: 'missing' }, 'storage.noBucket'],
    ['an unknown access key', { access_key: 'OTHER' }, 'storage.authFailed'],
    ['a wrong secret', { secret_key: 'wrong' }, 'storage.authFailed'],
  ] as const)('with %s is refused', async (_name, more, code) => {
    const endpoint =
      'endpoint' in more && more.endpoint === 'TLS' ? s3.endpoint.replace('http', 'https') : undefined;
    const work = probe({ ...more, ...(endpoint === undefined ? {} : { endpoint }) });
    const error: unknown = await work.catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code, params: { error: expect.stringMatching(/./) } });
    expect(String(error)).not.toContain('wrong');
  });

  it.each([
    ['writing', 'PUT'],
    ['reading', 'GET'],
    ['deleting', 'DELETE'],
  ])('where %s is denied is refused, and its object deleted', async (_name, denied) => {
    s3.fault = ({ method }) => (method === denied ? { status: 403, code: 'AccessDenied' } : undefined);
    await expect(probe()).rejects.toMatchObject({ code: 'storage.accessDenied' });
    if (denied === 'GET') expect(s3.seen.at(-1)?.method).toBe('DELETE');
  });
});

describe('entered fields', () => {
  const open = { faultOf: outgoing.faultOf.bind(outgoing) };

  it.each([
    ['https://s3.example.org', 'https://s3.example.org'],
    ['s3.example.org', 'https://s3.example.org'],
    ['HTTP://S3.Example.org:9000/', 'http://s3.example.org:9000'],
    ['localhost:9000', 'https://localhost:9000'],
  ])('endpoint %s is %s', (endpoint, expected) => {
    expect(checkS3Config(fields({ endpoint }), open).endpoint).toBe(expected);
  });

  it.each([
    '',
    'ftp://s3.example.org',
    'https://',
    'https://a b',
    'https://user:pw@s3.example.org',
    'https://s3.example.org/bucket',
    'https://s3.example.org?x=1',
    'http://169.254.169.254',
    'http://[fd00:ec2::254]/',
  ])('endpoint %j is refused', (endpoint) => {
    expect(() => checkS3Config(fields({ endpoint }), open)).toThrowError(
      expect.objectContaining({ code: 'storage.endpointInvalid', params: { error: expect.any(String) } }),
    );
  });

  it.each([
    ['', ''],
    ['/', ''],
    ['a', 'a/'],
    ['/a/b.c/', 'a/b.c/'],
  ])('prefix %j is %j', (prefix, expected) => {
    expect(checkS3Config(fields({ prefix }), open).prefix).toBe(expected);
  });

  it.each([
    [{ prefix: '../x' }, 's3.prefix'],
    [{ prefix: 'a/./b' }, 's3.prefix'],
    [{ prefix: 'a//b' }, 's3.prefix'],
    [{ prefix: 'a\\b' }, 's3.prefix'],
    [{ prefix: 'a?b' }, 's3.prefix'],
    [{ prefix: 'x'.repeat(201) }, 's3.prefix'],
    [{ bucket: '' }, 's3.bucket'],
    [{ bucket: 'a/b' }, 's3.bucket'],
    [{ bucket: '..' }, 's3.bucket'],
    [{ access_key: '' }, 's3.access_key'],
    [{ access_key: 'a b' }, 's3.access_key'],
    [{ secret_key: '' }, 's3.secret_key'],
    [{ region: 'eu west' }, 's3.region'],
  ])('%j is refused', (more, field) => {
    expect(() => checkS3Config(fields(more), open)).toThrowError(
      expect.objectContaining({ code: 'common.invalid', params: expect.objectContaining({ field }) }),
    );
  });

  it('without path style the bucket is a part of the host', async () => {
    const config = checkS3Config(fields({ endpoint: 'http://localtest.me:81', path_style: false }), open);
    const hosts: string[] = [];
    const outgoingOnce = new Outgoing({
      rules: { mode: 'open', allow: [] },
      resolve: async (host) => {
        hosts.push(host);
        return ['127.0.0.1'];
      },
    });
    const client = new S3Client(config, { outgoing: outgoingOnce, clock: Date.now, retriesMs: [] });
    await expect(new S3Objects(client, '').stat(newKey())).rejects.toMatchObject({
      code: 'storage.unreachable',
    });
    expect(hosts).toEqual(['media.localtest.me']);
    await outgoingOnce.close();
  });
});
