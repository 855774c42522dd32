import { rmSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Secrets } from '../../../server/base/secrets.ts';
import { ExternalDatabases } from '../../../server/features/extdb/databases.ts';
import { tokenPurpose } from '../../../server/features/extdb/service.ts';
import { Outgoing } from '../../../server/http/outgoing/client.ts';
import { neutral } from '../../support/extdb/neutral.ts';
import { nocodb } from '../../support/extdb/nocodb.ts';
import { nocodbV3 } from '../../support/extdb/nocodb-v3.ts';
import { postgrest } from '../../support/extdb/postgrest.ts';
import { fakeRows, token } from '../../support/extdb/rows.ts';
import { type FakeService, type Protocol, startService } from '../../support/extdb/service.ts';
import { makeTempDir } from '../../support/server.ts';

/** Data, Automation and Operations, the `extdb` node; open points, "External database service". */

const dataDir = makeTempDir();
const secrets = new Secrets(dataDir, undefined);
const outgoing = new Outgoing({ rules: { mode: 'open', allow: [] } });
const { signal } = new AbortController();
let now = 0;

afterAll(async () => {
  await outgoing.close();
  rmSync(dataDir, { recursive: true, force: true });
});

function databasesAt(url: string, plainToken = token): ExternalDatabases {
  const sealed = plainToken === '' ? '' : secrets.seal(plainToken, tokenPurpose);
  const connection = { name_key: 'shop', name: 'Shop', url, token: sealed };
  return new ExternalDatabases({ outgoing, secrets, monotonic: () => now }, [connection]);
}

const protocols: readonly { name: string; protocol: Protocol; service: string }[] = [
  { name: 'the neutral protocol', protocol: neutral, service: 'The service 2.1' },
  { name: 'NocoDB', protocol: nocodb, service: 'NocoDB 0.301.3' },
  { name: 'NocoDB with API v3 alone', protocol: nocodbV3, service: 'NocoDB 0.301.3' },
  { name: 'PostgREST', protocol: postgrest, service: 'PostgREST 14.1' },
];

describe.each(protocols)('$name', ({ name, protocol, service: title }) => {
  let service: FakeService;
  let databases: ExternalDatabases;

  beforeAll(async () => {
    service = await startService(protocol);
  });
  afterAll(() => service.close());
  beforeEach(() => {
    databases = databasesAt(service.url);
    service.seen.length = 0;
  });
  afterEach(() => {
    service.rows = fakeRows();
    service.maxRows = 1000;
    service.override = undefined;
  });

  const call = (action: string, args: object = {}) =>
    databases.call('Shop', action, { table: 'articles', ...args }, signal);
  const isNocodb = name.startsWith('NocoDB');
  const hasSums = name !== 'NocoDB with API v3 alone';
  const ids = async (args: object) => {
    const rows = await call('list', { sort: [{ col: 'id' }], ...args });
    return Array.isArray(rows) ? rows.map((row: { id: number }) => row.id) : rows;
  };
  const rule = (col: string, op: string, val?: unknown) => ({ rules: [{ col, op, val }] });

  it('is recognised, and counts its tables without junction tables', async () => {
    const { version, tables } = await databases.test('shop');
    expect(version).toBe(title);
    expect(tables).toBe(name === 'PostgREST' ? 2 : 3);
  });

  it('tables and columns', async () => {
    const tables = await databases.tables('Shop', false);
    const expected = name === 'PostgREST' ? ['articles', 'tags'] : ['articles', 'shop/tags', 'blog/tags'];
    expect(tables.map(({ ref }) => ref)).toEqual(expected);
    expect(tables.map(({ public_read }) => public_read)).toEqual(
      { 'the neutral protocol': [true, false, false], PostgREST: [false, true] }[name] ?? [
        false,
        false,
        false,
      ],
    );
    const detail = await databases.table('Shop', 'articles');
    expect(detail?.table).toEqual(tables[0]);
    expect(
      detail?.columns
        .slice(0, 5)
        .map(({ name: column, primary_key, nullable }) => [column, primary_key, nullable]),
    ).toEqual([
      ['id', true, false],
      ['title', false, true],
      ['price, net', false, true],
      ['country', false, true],
      ['sold', false, true],
    ]);
    expect(await call('schema')).toEqual(detail);
    expect(await call('tables')).toEqual(tables);
    const [{ id = '', source = '' } = {}] = tables;
    for (const ref of [id, `${source}/articles`])
      expect((await databases.table('Shop', ref))?.table.id).toBe(id);
    for (const ref of ['nothing', '', 'blog/articles', '__proto__'])
      expect(await databases.table('Shop', ref)).toBeUndefined();
    if (name !== 'PostgREST') expect(await databases.table('Shop', 'tags')).toBeUndefined();
  });

  describe('rules', () => {
    it.each([
      ['eq', 'country', 'DE', [1, 2]],
      ['eq', 'title', 'Hammer, big', [1]],
      ['eq', 'title', 'x)~or(Id,gt,0', [2]],
      ['eq', 'title', '100% "sure" \\ *', [4]],
      ['eq', 'title', 'a.b:c(d),e', [5]],
      ['eq', 'price, net', '10.5', [1]],
      ['eq', 'price, net', 3, [2]],
      ['eq', 'sold', true, [1, 5]],
      ['eq', 'country', '",id.gt.0,"', []],
      ['neq', 'country', 'DE', [3, 4, 5]],
      ['gt', 'price, net', 3, [1, 4]],
      ['gte', 'price, net', '3', [1, 2, 4]],
      ['lt', 'price, net', 3, [5]],
      ['lte', 'price, net', 3, [2, 5]],
      ['like', 'title', 'Ham%', [1]],
      ['like', 'title', '%big', [1]],
      ['like', 'title', '%.b:%', [5]],
      ['like', 'country', 'AT', [3, 4]],
      ['in', 'id', '1, 3,9', [1, 3]],
      ['in', 'title', ['Hammer, big', 'a.b:c(d),e'], [1, 5]],
      ['not_in', 'id', '1,3', [2, 4, 5]],
      ['is_null', 'title', undefined, [3]],
      ['is_not_null', 'title', undefined, [1, 2, 4, 5]],
      ['eq', 'country', '', [1, 2, 3, 4, 5]],
    ])('%s %s %j', async (op, col, val, expected) => {
      expect(await ids(rule(col, op, val))).toEqual(expected);
    });

    it('are joined by match; empty ones are dropped, unless they shall be kept', async () => {
      const rules = [
        { col: 'country', op: 'eq', val: 'DE' },
        { col: 'title', op: 'eq', val: '' },
        { col: '', op: 'eq', val: 'x' },
        { col: 'id', op: 'gt', val: 3 },
      ];
      expect(await ids({ rules })).toEqual([]);
      expect(await ids({ rules, match: 'or' })).toEqual([1, 2, 4, 5]);
      expect(await ids({ rules: rules.slice(0, 2) })).toEqual([1, 2]);
      expect(await ids({ rules: rules.slice(0, 2), keepEmpty: true })).toEqual([]);
      expect(await ids({ rules: [] })).toEqual([1, 2, 3, 4, 5]);
    });

    it('where is a tree in place of rules, as JSON or as a value', async () => {
      const where = {
        or: [
          {
            and: [
              { col: 'country', op: 'eq', val: 'DE' },
              { col: 'price, net', op: 'gt', val: 5 },
            ],
          },
          { col: 'title', op: 'eq', val: null },
          {
            and: [
              {
                or: [
                  { col: 'id', op: 'eq', val: 5 },
                  { col: 'id', op: 'eq', val: 4 },
                ],
              },
              { col: 'sold', op: 'eq', val: true },
            ],
          },
        ],
      };
      expect(await ids({ where, ...rule('id', 'eq', 2) })).toEqual([1, 3, 5]);
      expect(await ids({ where: JSON.stringify(where) })).toEqual([1, 3, 5]);
      expect(await ids({ where: '', ...rule('id', 'eq', 2) })).toEqual([2]);
      for (const empty of ['{}', {}, { and: [] }, null])
        expect(await ids({ where: empty })).toEqual([1, 2, 3, 4, 5]);
      expect(await ids({ where: { col: 'country', op: 'neq', val: null } })).toEqual([1, 2, 3, 4, 5]);
    });
  });

  it('sort, limit, page, fields', async () => {
    const sort = [{ col: 'country' }, { col: 'price, net', desc: true }];
    expect(await ids({ sort })).toEqual([4, 3, 5, 1, 2]);
    expect(await ids({ sort, limit: 2 })).toEqual([4, 3]);
    expect(await ids({ sort, limit: '2', page: '3' })).toEqual([2]);
    expect(await ids({ sort, limit: 2, page: 9 })).toEqual([]);
    expect(await call('list', { sort, limit: 1, fields: 'title, country' })).toEqual([
      { title: '100% "sure" \\ *', country: 'AT' },
    ]);
    expect(await call('list', { sort, limit: 1, fields: ['price, net'] })).toEqual([{ 'price, net': 7 }]);
  });

  it('output', async () => {
    const args = { sort: [{ col: 'id' }], limit: 2, page: 2, fields: 'id' };
    expect(await call('list', { ...args, output: 'full' })).toEqual({
      records: [{ id: 3 }, { id: 4 }],
      total: 5,
      limit: 2,
      offset: 2,
      page: 2,
      pages: 3,
      has_more: true,
      summary: {},
      groups: [],
    });
    expect(await call('list', { ...args, page: 3, output: 'full' })).toMatchObject({
      records: [{ id: 5 }],
      has_more: false,
    });
    expect(await call('list', { ...args, output: 'first', page: 1 })).toEqual({ id: 1 });
    expect(await call('list', { ...rule('id', 'eq', 9), output: 'first' })).toBeNull();
    const nothing = await call('list', { ...rule('id', 'eq', 9), output: 'full' });
    expect(nothing).toMatchObject({ records: [], total: 0, pages: 0, has_more: false });
  });

  it.runIf(hasSums)('summary and groups', async () => {
    const summary = [
      { col: 'price, net', fn: 'SUM' },
      { col: 'price, net', fn: 'max' },
      { col: 'price, net', fn: 'COUNT' },
      { col: 'title', fn: 'COUNT' },
    ];
    const full = await call('list', {
      ...rule('country', 'neq', 'CH'),
      summary,
      output: 'full',
      fields: 'id',
      limit: 1,
    });
    expect(full).toMatchObject({
      summary: { 'price, net': { SUM: 20.5, MAX: 10.5, COUNT: 3 }, title: { COUNT: 3 } },
      total: 4,
    });
    const group = [{ col: 'country' }];
    const groups = await call('list', { group, output: 'groups' });
    expect(groups).toMatchObject([
      { values: { country: 'AT' }, count: 2 },
      { values: { country: 'CH' }, count: 1 },
      { values: { country: 'DE' }, count: 2 },
    ]);
    const withSums = call('list', { group, summary, output: 'groups' });
    if (name === 'NocoDB') await expect(withSums).rejects.toMatchObject({ code: 'extdb.unsupported' });
    else expect(await withSums).toMatchObject([{ summary: { 'price, net': { SUM: 7 } } }, {}, {}]);
  });

  it.runIf(name === 'NocoDB with API v3 alone')('summary and groups are refused', async () => {
    for (const args of [
      { summary: [{ col: 'id', fn: 'SUM' }] },
      { group: [{ col: 'id' }], output: 'groups' },
    ])
      await expect(call('list', args)).rejects.toMatchObject({ code: 'extdb.unsupported' });
  });

  it('view', async () => {
    const work = ids({ view: 'v1', ...rule('id', 'gt', 1) });
    if (name === 'PostgREST')
      await expect(work).rejects.toThrow('make a database view and use it as the table');
    else expect(await work).toEqual([2]);
  });

  it('all reads all pages, however short the service makes them, at most 10,000 rows', async () => {
    service.rows = Array.from({ length: 2_345 }, (_, index) => ({ ...fakeRows()[0], id: index + 1 }));
    service.maxRows = 400;
    const rows = await call('list', { all: true, fields: 'id', page: 7, limit: 3 });
    expect(rows).toEqual(service.rows.map(({ id }) => ({ id })));
    service.maxRows = 1000;
    service.rows = Array.from({ length: 10_001 }, (_, index) => ({ ...fakeRows()[0], id: index + 1 }));
    const full = await call('list', { all: true, fields: 'id', output: 'full' });
    expect(full).toMatchObject({ total: 10_001, has_more: true, limit: 10_000 });
    expect(full).toHaveProperty('records.length', 10_000);
  });

  it('get', async () => {
    expect(await call('get', { pk: 1 })).toMatchObject({
      id: 1,
      title: 'Hammer, big',
      'price, net': 10.5,
      sold: true,
    });
    expect(await call('get', { pk: '2', fields: 'country, id' })).toEqual({ country: 'DE', id: 2 });
    expect(await call('get', { field: 'title', value: 'a.b:c(d),e', fields: 'id' })).toEqual({ id: 5 });
    for (const args of [{ pk: 9 }, { field: 'title', value: 'x' }]) {
      expect(await call('get', args)).toBeNull();
      await expect(call('get', { ...args, failOnMissing: true })).rejects.toMatchObject({
        code: 'extdb.recordMissing',
      });
    }
    await expect(call('get', { pk: '' })).rejects.toMatchObject({
      code: 'common.invalid',
      params: { field: 'pk' },
    });
  });

  it('create, update, delete', async () => {
    const created = await call('create', { data: { title: 'New', country: 'FR' } });
    expect(created).toMatchObject({ id: 6, title: 'New', country: 'FR', 'price, net': null });
    expect(await call('update', { pk: '6', data: { id: 6, 'price, net': 2 } })).toMatchObject({
      id: 6,
      title: 'New',
      'price, net': 2,
    });
    expect(service.rows.find(({ id }) => id === 6)).toMatchObject({ title: 'New', 'price, net': 2 });
    expect(await call('delete', { pk: 6 })).toEqual({ deleted: true });
    expect(service.rows).toEqual(fakeRows());
    for (const [action, args] of [
      ['update', { pk: 6, data: { title: 'x' } }],
      ['delete', { pk: 6 }],
    ] as const)
      await expect(call(action, args)).rejects.toMatchObject({ code: 'extdb.recordMissing' });
    expect(service.rows).toEqual(fakeRows());
  });

  it.each([
    ['list', { fields: 'titel' }, 'titel', 'title'],
    ['list', { rules: [{ col: 'Title', op: 'eq', val: 1 }] }, 'Title', 'title'],
    ['list', { where: { or: [{ col: 'zzz', op: 'is_null' }] } }, 'zzz', undefined],
    ['list', { sort: [{ col: 'contry' }] }, 'contry', 'country'],
    ['list', { group: [{ col: 'x)' }] }, 'x)', undefined],
    ['list', { summary: [{ col: 'id;', fn: 'SUM' }] }, 'id;', 'id'],
    ['get', { pk: 1, fields: 'id,nope' }, 'nope', undefined],
    ['get', { field: '__proto__', value: 1 }, '__proto__', undefined],
    ['create', { data: { titel: 1 } }, 'titel', 'title'],
    ['update', { pk: 1, data: { titel: 1 } }, 'titel', 'title'],
  ])('%s %j names the unknown column', async (action, args, column, suggestion) => {
    const error = expect.objectContaining({ column, ...(suggestion && { suggestion }) });
    await expect(call(action, args)).rejects.toMatchObject({ code: 'extdb.columnUnknown', params: error });
    expect(service.rows).toEqual(fakeRows());
  });

  it('an unknown table or connection is named, with what is near', async () => {
    await expect(call('list', { table: 'zzz' })).rejects.toMatchObject({ code: 'extdb.tableUnknown' });
    await expect(databases.call('zzz', 'tables', {}, signal)).rejects.toMatchObject({
      code: 'extdb.connectionUnknown',
    });
    await expect(call('list', { table: 'artikles' })).rejects.toThrow(
      'no table "artikles", did you mean "articles"?',
    );
    await expect(databases.call('Shp', 'list', {}, signal)).rejects.toThrow('"Shp", did you mean "Shop"?');
  });

  it('the token goes to the service in its header, and into no error', async () => {
    await call('list');
    const header = isNocodb ? 'xc-token' : 'authorization';
    expect(service.seen.at(-1)?.headers[header]).toBe(isNocodb ? token : `Bearer ${token}`);
    service.override = () => ({ status: 500, body: { message: `failed for ${token}`, hint: 'look' } });
    const error = await call('list').catch((reason: unknown) => reason);
    expect(String(error)).toContain('it answered 500: failed for ***; look');
    expect(JSON.stringify(error)).not.toContain(token);
    databases = databasesAt(service.url, 'wrong-token');
    service.override = undefined;
    await expect(databases.test('Shop')).rejects.toThrow(/the token is refused: .+/);
  });

  it.each([
    ['HTML', { status: 200, body: '<html>' }, /not JSON/],
    [
      'a redirect',
      { status: 302, headers: { Location: 'https://other.test/' } },
      /leads to another address \(https:\/\/other.test\/\)/,
    ],
    ['an error page', { status: 503, body: '<html>' }, /it answered 503$/],
    [
      'deep JSON',
      { status: 200, body: JSON.parse(`${'['.repeat(200)}${']'.repeat(200)}`) },
      /not JSON that can be used/,
    ],
  ])('%s in place of rows is an error', async (_name, answer, message) => {
    await call('list');
    service.override = () => answer;
    await expect(call('list')).rejects.toMatchObject({
      code: 'extdb.failed',
      message: expect.stringMatching(message),
    });
  });

  it('results are remembered for the time of `cache`, until the next write', async () => {
    const list = { cache: 60, fields: 'id', ...rule('country', 'eq', 'DE') };
    await call('list', list);
    const asked = service.seen.length;
    const first = await call('list', list);
    expect(first).toEqual([{ id: 1 }, { id: 2 }]);
    expect(service.seen).toHaveLength(asked);
    await call('list', { ...list, limit: 1 });
    expect(service.seen).toHaveLength(asked + 1);
    now += 60_000;
    expect(await call('list', list)).toEqual(first);
    expect(service.seen.length).toBeGreaterThan(asked + 1);
    await call('delete', { pk: 1 });
    expect(await call('list', list)).toEqual([{ id: 2 }]);
    await expect(call('list', { cache: -1 })).rejects.toMatchObject({ params: { field: 'cache' } });
  });
});
