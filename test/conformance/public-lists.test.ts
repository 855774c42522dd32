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
