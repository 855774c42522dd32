import { get, type IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asRecord, call, callList, callOk } from '../support/api.ts';
import { createCollection } from '../support/content.ts';
import { startServer, type TestServer } from '../support/server.ts';

/** What everyone may read of a public collection at once. */

let server: TestServer;

beforeAll(async () => {
  server = await startServer();
  const fields = [{ name: 'a', type: 'text' }];
  await createCollection(server, { slug: 'open', public_api: true, fields });
  await createCollection(server, { slug: 'one', public_api: true, singleton: true, fields });
  const items = ['x', 'x', 'x', 'y', 'y'].map((a) => ({ data: { a } }));
  await callOk(server, 'POST', '/collections/open/items', [...items, { data: { a: 'x' }, published: false }]);
  await callOk(server, 'PUT', '/collections/one/item', { data: { a: 'x' } });
});
afterAll(() => server.stop());

const limit = (max: number) => callOk(server, 'PUT', '/system', { public_max_entries: max });
const read = (path: string, token: string | null = null) => call(server, 'GET', path, { token });
const refused = {
  status: 400,
  body: { code: 'common.invalid', params: { field: '_limit', reason: expect.stringContaining('at most 4') } },
};
const lists = ['/collections/open/items', '/data/open'];

describe('public_max_entries', () => {
  it('is off by default, and is a whole number', async () => {
    expect(await callOk(server, 'GET', '/system')).toMatchObject({ public_max_entries: 0 });
    for (const wrong of [-1, 1.5, '5', null])
      expect(await call(server, 'PUT', '/system', { body: { public_max_entries: wrong } })).toMatchObject({
        status: 400,
        body: { params: { field: 'public_max_entries' } },
      });
  });

  it.each(lists)('refuses a longer list of %s and shortens none, also one that is cached', async (path) => {
    await limit(0);
    for (let time = 0; time < 3; time++) expect((await read(path)).body).toHaveLength(5);
    expect(await limit(4)).toMatchObject({ public_max_entries: 4 });
    for (const query of ['', '?_sort=-id', '?_limit=1000', '?_offset=0', '?_limit=5']) {
      const answer = await read(path + query);
      expect(answer).toMatchObject(refused);
      expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    }
    for (const [query, length] of [
      ['?_limit=4', 4],
      ['?_limit=1000&a=x', 3],
      ['?a=y', 2],
      ['?_offset=1', 4],
      ['?_offset=4', 1],
    ] as const) {
      const { status, body } = await read(path + query);
      expect([query, status, Array.isArray(body) && body.length]).toEqual([query, 200, length]);
    }
    await limit(5);
    expect((await read(path)).body).toHaveLength(5);
  });

  it('counts for nobody who has a credential, and for no singleton', async () => {
    await limit(1);
    for (const path of lists) expect(await callList(server, path)).toHaveLength(6);
    for (const path of ['/collections/one/items', '/data/one']) expect((await read(path)).status).toBe(200);
  });
});

describe('parts of a list', () => {
  it.each(lists)('%s says how many entries fit', async (path) => {
    await limit(0);
    for (const [query, token, total] of [
      ['?_limit=2', null, '5'],
      ['?_limit=2&_offset=1', undefined, '6'],
      ['?_limit=1&a=x', null, '3'],
      ['?_offset=4', null, '5'],
    ] as const) {
      const answer = await call(server, 'GET', path + query, token === null ? { token } : {});
      expect([query, answer.headers.get('x-total-count')]).toEqual([query, total]);
      expect(answer.headers.get('access-control-expose-headers') ?? '').toContain('X-Total-Count');
    }
  });

  it('are described', async () => {
    const { paths } = await callOk(server, 'GET', '/openapi.json');
    for (const path of ['/collections/{ref}/items', '/data/{slug}']) {
      const { parameters, responses } = asRecord(asRecord(asRecord(paths)[path])['get']);
      const names = (parameters as { name?: string }[]).map(({ name }) => name);
      expect(names).toEqual(expect.arrayContaining(['_limit', '_offset', '_sort', '_search']));
      expect(asRecord(asRecord(asRecord(responses)['200'])['headers'])).toHaveProperty('X-Total-Count');
    }
    const { responses } = asRecord(asRecord(asRecord(paths)['/files'])['get']);
    expect(asRecord(asRecord(asRecord(responses)['200'])['headers'])).toHaveProperty('X-Total-Count');
  });
});

/** An answer as it is sent, not unpacked. */
async function readRaw(path: string, headers: Readonly<Record<string, string>>) {
  const { promise, resolve, reject } = Promise.withResolvers<{
    readonly status: number | undefined;
    readonly headers: IncomingHttpHeaders;
    readonly bytes: Buffer;
  }>();
  get({ port: server.port, path: `/api/v1${path}`, headers }, (answer) => {
    const { statusCode: status, headers } = answer;
    buffer(answer).then((bytes) => resolve({ status, headers, bytes }), reject);
  }).on('error', reject);
  return promise;
}

describe('a list of several megabytes', () => {
  const count = 600;
  beforeAll(async () => {
    await limit(0);
    await createCollection(server, { slug: 'long', public_api: true, fields: [{ name: 'a', type: 'text' }] });
    const items = Array.from({ length: count }, (_, index) => ({
      data: { a: `${index} ä€😀 `.repeat(600) },
    }));
    for (let start = 0; start < count; start += 200)
      await callOk(server, 'POST', '/collections/long/items', items.slice(start, start + 200));
  });

  it.each(['/collections/long/items', '/data/long', '/data/long?_sort=id'])(
    '%s is the same in gzip and without, from the first time on',
    async (path) => {
      const packed = await readRaw(path, { 'accept-encoding': 'br, gzip' });
      const plain = await readRaw(path, {});
      expect(packed).toMatchObject({ status: 200, headers: { 'content-encoding': 'gzip' } });
      expect(plain.headers).not.toHaveProperty('content-encoding');
      expect(plain.headers['content-length']).toBe(String(plain.bytes.length));
      for (const { headers } of [packed, plain])
        expect(headers).toMatchObject({
          vary: expect.stringContaining('Accept-Encoding'),
          'access-control-allow-origin': '*',
        });
      expect(packed.headers.etag).toBe(plain.headers.etag?.replace(/"$/, '-gzip"'));
      expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 10);
      expect(gunzipSync(packed.bytes).equals(plain.bytes)).toBe(true);
      expect(JSON.parse(plain.bytes.toString())).toHaveLength(count);
      for (const etag of [packed.headers.etag, plain.headers.etag])
        for (const accepted of ['gzip', 'identity']) {
          const headers = { 'if-none-match': etag ?? '', 'accept-encoding': accepted };
          expect(await readRaw(path, headers)).toMatchObject({ status: 304, bytes: Buffer.alloc(0) });
        }
    },
  );

  it.each(['/collections/long/items', '/data/long'])('%s shows a change at once', async (path) => {
    const gzip = { 'accept-encoding': 'gzip' };
    const before = await readRaw(path, gzip);
    const [first] = await callList(server, '/collections/long/items?_limit=1');
    await callOk(server, 'PUT', `/collections/long/items/${first?.id}`, {
      data: { a: `changed by ${path}` },
    });
    const after = await readRaw(path, gzip);
    expect(after.headers.etag).not.toBe(before.headers.etag);
    expect(gunzipSync(after.bytes).toString()).toContain(`changed by ${path}`);
    expect((await read(path)).body).toHaveLength(count);
  });

  it('is sent to those who ask at the same moment, and to one who stops reading', async () => {
    const path = '/collections/long/items';
    const codings = Array.from({ length: 8 }, (_, index) => (index % 2 === 0 ? 'gzip' : 'identity'));
    const answers = await Promise.all(codings.map((coding) => readRaw(path, { 'accept-encoding': coding })));
    const texts = answers.map(({ bytes, headers }) =>
      (headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes).toString(),
    );
    expect(new Set(texts).size).toBe(1);
    await new Promise<void>((resolve, reject) => {
      get({ port: server.port, path: `/api/v1${path}` }, (answer) => {
        answer.once('data', () => answer.destroy()).once('close', () => resolve());
      }).on('error', reject);
    });
    expect((await fetch(`${server.url}/api/v1${path}`, { method: 'HEAD' })).status).toBe(200);
    expect((await readRaw(path, {})).bytes.toString()).toBe(texts[0]);
  });
});
