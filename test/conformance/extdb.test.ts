import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { asRecord, call, callList, outcomeOf } from '../support/api.ts';
import { neutral } from '../support/extdb/neutral.ts';
import { token } from '../support/extdb/rows.ts';
import { type FakeService, startService } from '../support/extdb/service.ts';
import { type InProcessServer, startInProcess } from '../support/in-process.ts';
import { contentFile } from '../support/shared-database.ts';

/** Data, Automation and Operations, "External database connections". */

let server: InProcessServer;
let service: FakeService;
let dataDir = '';

beforeAll(async () => {
  service = await startService(neutral);
  server = await startInProcess({
    prepare: (folder) => {
      dataDir = folder;
    },
  });
});
beforeEach(async () => {
  service.override = undefined;
  service.seen.length = 0;
  await put([{ name: 'Shop', url: service.url, token }]);
});
afterAll(async () => {
  await server.stop();
  await service.close();
});

const put = (body: unknown) => call(server, 'PUT', '/extdb', { body });
const shown = (name: string, url: string, has_token: boolean) => ({ name, url, has_token });
const at = 'https://db.example.com';

describe('the list', () => {
  it('is replaced as a whole, in its order, and shows no token', async () => {
    const list = [
      { name: 'Zoo 1.0_a-b', url: `${at}/base/api/v1/`, token: 'a very secret token' },
      { name: ' Äpfel ', url: `${at}/`, token: '' },
      { name: 'third', url: `${at}:8443` },
    ];
    const stored = [
      shown('Zoo 1.0_a-b', `${at}/base`, true),
      shown('Äpfel', at, false),
      shown('third', `${at}:8443`, false),
    ];
    const { status, body } = await put(list);
    expect({ status, body }).toEqual({ status: 200, body: stored });
    expect(await callList(server, '/extdb')).toEqual(stored);
    for (const ending of ['', '-wal'])
      expect(readFileSync(contentFile(dataDir) + ending).includes('very secret')).toBe(false);
    expect((await put([])).body).toEqual([]);
  });

  it('another scheme, host or port does not get the stored token', async () => {
    for (const other of ['http://db.example.com', 'https://other.example.com', `${at}:8443`]) {
      await put([{ name: 'A', url: at, token: 'x' }]);
      expect((await put([{ name: 'A', url: `${at}:443/2` }])).body).toEqual([shown('A', `${at}/2`, true)]);
      expect((await put([{ name: 'A', url: other }])).body).toEqual([shown('A', other, false)]);
      expect((await put([{ name: 'A', url: at }])).body).toEqual([shown('A', at, false)]);
      expect((await put([{ name: 'A', url: other, token: 'y' }])).body).toEqual([shown('A', other, true)]);
    }
  });

  it('a token stays unless it is sent; a connection keeps it when it is renamed', async () => {
    await put([{ name: 'A', url: at, token: 'x' }]);
    expect((await put([{ name: 'a', url: `${at}/2` }])).body).toEqual([shown('a', `${at}/2`, true)]);
    expect((await put([{ name: 'A', url: at, token: null }])).body).toEqual([shown('A', at, true)]);
    expect((await put([{ name: 'B', old_name: 'a', url: at }])).body).toEqual([shown('B', at, true)]);
    expect((await put([{ name: 'C', url: at }])).body).toEqual([shown('C', at, false)]);
    await put([
      { name: 'A', url: at, token: 'x' },
      { name: 'B', url: at },
    ]);
    const swapped = [
      { name: 'B', old_name: 'A', url: at },
      { name: 'A', old_name: 'B', url: at },
    ];
    expect((await put(swapped)).body).toEqual([shown('B', at, true), shown('A', at, false)]);
    expect((await put([{ name: 'B', url: at, token: '' }])).body).toEqual([shown('B', at, false)]);
  });

  it.each([
    ['no list', { name: 'A', url: at }, 'body'],
    ['no name', [{ url: at }], '0.name'],
    ['an empty name', [{ name: ' ', url: at }], '0.name'],
    ['a long name', [{ name: 'x'.repeat(65), url: at }], '0.name'],
    ['a name with a slash', [{ name: 'a/b', url: at }], '0.name'],
    ['a name with a line break', [{ name: 'a\nb', url: at }], '0.name'],
    [
      'a name that is there',
      [
        { name: 'A', url: at },
        { name: ' a', url: at },
      ],
      '1.name',
    ],
    ['no address', [{ name: 'A' }], '0.url'],
    ['a path', [{ name: 'A', url: '/x' }], '0.url'],
    ['another scheme', [{ name: 'A', url: 'ftp://example.com' }], '0.url'],
    ['a password in the address', [{ name: 'A', url: 'https://a:b@example.com' }], '0.url'],
    ['a query', [{ name: 'A', url: `${at}?a=1` }], '0.url'],
    ['the metadata of a cloud', [{ name: 'A', url: 'http://169.254.169.254' }], '0.url'],
    ['a token that is a number', [{ name: 'A', url: at, token: 1 }], '0.token'],
    ['an old name that is not there', [{ name: 'A', url: at, old_name: 'Zoo' }], '0.old_name'],
  ])('refuses %s', async (_name, body, field) => {
    const before = await callList(server, '/extdb');
    const answer = await put(body);
    expect(outcomeOf(answer)).toEqual({ status: 400, code: 'common.invalid' });
    expect(asRecord(answer.body)['params']).toMatchObject({ field });
    expect(await callList(server, '/extdb')).toEqual(before);
  });

  it('names all faults at once', async () => {
    const { body } = await put([
      { name: '/', url: at },
      { name: 'B', url: 'x' },
    ]);
    expect(asRecord(asRecord(body)['params'])['errors']).toMatchObject([
      { field: '0.name' },
      { field: '1.url' },
    ]);
  });
});

describe('a connection', () => {
  it('is tested anew each time', async () => {
    const test = () => call(server, 'POST', '/extdb/shop/test');
    const answer = { status: 200, body: { ok: true, version: 'The service 2.1', tables: 3 } };
    expect(await test()).toMatchObject(answer);
    service.override = () => ({ status: 500, body: { error: 'out of order' } });
    const failed = await test();
    expect(outcomeOf(failed)).toEqual({ status: 502, code: 'extdb.failed' });
    expect(asRecord(failed.body)['error']).toContain('out of order');
    service.override = undefined;
    expect(await test()).toMatchObject(answer);
    await put([{ name: 'Shop', url: service.url, token: 'wrong' }]);
    const refused = await test();
    expect(outcomeOf(refused)).toEqual({ status: 502, code: 'extdb.failed' });
    expect(asRecord(refused.body)['error']).toContain('bad token');
    expect(JSON.stringify(refused.body)).not.toContain('wrong');
  });

  it('lists its tables, kept for a minute unless fresh=1', async () => {
    const tables = await callList(server, '/extdb/Shop/tables');
    expect(tables[0]).toEqual({
      id: 't1',
      name: 'articles',
      schema: 'public',
      source: 'shop',
      source_id: 's1',
      ref: 'articles',
      public_read: true,
    });
    expect(tables.map(({ ref }) => ref)).toEqual(['articles', 'shop/tags', 'blog/tags']);
    const asked = service.seen.length;
    await callList(server, '/extdb/Shop/tables?fresh=0');
    expect(service.seen).toHaveLength(asked);
    await callList(server, '/extdb/Shop/tables?fresh=1');
    expect(service.seen).toHaveLength(asked + 1);
    const wrong = await call(server, 'GET', '/extdb/Shop/tables?fresh=2');
    expect(outcomeOf(wrong)).toEqual({ status: 400, code: 'common.invalid' });
  });

  it('shows a table by name, source and name, or ID', async () => {
    for (const table of ['articles', 't1', 'shop%2Farticles']) {
      const { status, body } = await call(server, 'GET', `/extdb/Shop/tables/${table}`);
      expect(status).toBe(200);
      expect(body).toMatchObject({
        table: { ref: 'articles' },
        views: [{ id: 'v1', name: 'German', type: 'grid', default: false }],
      });
      expect(asRecord(body)['columns']).toContainEqual({
        name: 'id',
        ui_type: 'ID',
        field_kind: 'value',
        primary_key: true,
        nullable: false,
      });
    }
  });

  it('shows rows page by page, filtered and sorted', async () => {
    const rows = (body: object) => call(server, 'POST', '/extdb/Shop/tables/articles/rows', { body });
    expect(await rows({ limit: 2, page: 2 })).toMatchObject({
      status: 200,
      body: {
        records: [{ id: 3 }, { id: 4 }],
        ...{ total: 5, limit: 2, offset: 2, page: 2, pages: 3, has_more: true },
      },
    });
    const rules = [
      { col: 'country', op: 'in', val: 'DE, CH' },
      { col: 'price, net', op: 'lt', val: 5 },
    ];
    const idsOf = async (query: object) => {
      const { records } = asRecord((await rows(query)).body);
      return Array.isArray(records) ? records.map((row) => asRecord(row)['id']) : records;
    };
    expect(await idsOf({ rules, sort: [{ col: 'id', desc: true }] })).toEqual([5, 2]);
    expect(await idsOf({ rules, match: 'or', view: 'v1' })).toEqual([1, 2]);
    // A rule without a value is one that somebody has not filled in yet.
    expect(await idsOf({ rules: [{ col: 'title', op: 'eq', val: '' }] })).toHaveLength(5);
  });

  it.each([
    ['articles', { rules: [{ col: 'titel', op: 'eq', val: 'x' }] }, 400, 'extdb.columnUnknown'],
    ['articles', { rules: [{ col: 'title', op: 'is' }] }, 400, 'common.invalid'],
    ['articles', { limit: 1001 }, 400, 'common.invalid'],
    ['nothing', {}, 404, 'extdb.tableUnknown'],
  ])('refuses rows of %s with %j', async (table, body, status, code) => {
    const answer = await call(server, 'POST', `/extdb/Shop/tables/${table}/rows`, { body });
    expect(outcomeOf(answer)).toEqual({ status, code });
  });

  it.each([
    ['POST', '/extdb/Zoo/tables/articles/rows'],
    ['POST', '/extdb/Zoo/test'],
    ['GET', '/extdb/Zoo/tables'],
    ['GET', '/extdb/Zoo/tables/articles'],
    ['GET', '/extdb/Shop/tables/nothing'],
    ['GET', '/extdb/Shop/tables/tags'],
  ])('%s %s is not there', async (method, path) => {
    expect(outcomeOf(await call(server, method, path))).toEqual({ status: 404, code: 'common.notFound' });
  });

  it('a service of another kind is told', async () => {
    service.override = () => ({ status: 200, body: { hello: 'world' } });
    const answer = await call(server, 'POST', '/extdb/Shop/test');
    expect(outcomeOf(answer)).toEqual({ status: 502, code: 'extdb.failed' });
    expect(asRecord(answer.body)['error']).toContain('neither NocoDB nor PostgREST');
  });
});
