import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asRecord, call, callList, callOk } from '../support/api.ts';
import { download, importBundle } from '../support/bundles.ts';
import {
  createCollection,
  createGlobalBlock,
  createItem,
  createPage,
  createSite,
  createSnippet,
  freshName,
} from '../support/content.ts';
import { startServer, type TestServer } from '../support/server.ts';

/** "Fields": every rule on every way in. */

let server: TestServer;
let site: number;

beforeAll(async () => {
  server = await startServer();
  site = await createSite(server);
});
afterAll(() => server.stop());

type Fields = Readonly<Record<string, unknown>>;

/** What a way in answers to an entry: its status, the code, and the field or column that is named. */
interface Refusal {
  readonly status: number;
  readonly code: unknown;
  readonly params: Fields;
}

interface Place {
  readonly slug: string;
  readonly id: number;
  /** An entry that keeps all rules. */
  readonly entry: number;
}

const ruled = [
  { name: 'code', type: 'text', pattern: '^[A-Z]+$', pattern_help: 'capital letters only' },
  { name: 'n', type: 'number', min: 1, max: 5 },
  { name: 't', type: 'text', min: 2, max: 4 },
  { name: 'day', type: 'date', min: '2026-01-01' },
  { name: 'must', type: 'text', required: true },
  { name: 'own', type: 'text', unique: true },
];
const good = { code: 'AB', n: 3, t: 'abc', day: '2026-02-01', must: 'x', own: 'first' };

/** What breaks each rule. */
const broken: readonly (readonly [rule: string, field: string, value: string, cause: Fields])[] = [
  ['pattern', 'code', 'ab', { code: 'common.invalid', reason: 'capital letters only' }],
  ['min', 'n', '0', { code: 'common.invalid' }],
  ['max', 'n', '6', { code: 'common.invalid' }],
  ['min of a length', 't', 'a', { code: 'common.invalid' }],
  ['max of a length', 't', 'abcde', { code: 'common.invalid' }],
  ['min of a date', 'day', '2025-12-31', { code: 'common.invalid' }],
  ['required', 'must', '', { code: 'item.fieldRequired' }],
  ['unique', 'own', 'first', { code: 'item.notUnique' }],
];

async function createPlace(): Promise<Place> {
  const slug = freshName('ways');
  const id = await createCollection(server, { slug, fields: ruled });
  return { slug, id, entry: await createItem(server, slug, good) };
}

const refusalOf = ({ status, body }: { readonly status: number; readonly body: unknown }): Refusal => ({
  status,
  code: asRecord(body)['code'],
  params: asRecord(asRecord(body)['params']),
});

async function createOther({ slug }: Place): Promise<number> {
  return createItem(server, slug, { ...good, own: 'second' });
}

async function upload(path: string, csv: string, key = ''): Promise<Refusal> {
  const form = new FormData();
  form.set('file', new Blob([csv]), 'a.csv');
  form.set('key', key);
  const request = new Request('http://x', { method: 'POST', body: form });
  const answer = await call(server, 'POST', path, {
    raw: new Uint8Array(await request.arrayBuffer()),
    headers: { 'Content-Type': request.headers.get('content-type') ?? '' },
  });
  return refusalOf(answer);
}

const toCsv = (data: Fields) => `${Object.keys(data).join(',')}\n${Object.values(data).join(',')}\n`;

type Way = (place: Place, field: string, value: string) => Promise<Refusal>;

const whole = (field: string, value: string) => ({ ...good, own: 'new', [field]: value });

const api: Readonly<Record<string, Way>> = {
  POST: async ({ slug }, field, value) =>
    refusalOf(
      await call(server, 'POST', `/collections/${slug}/items`, { body: { data: whole(field, value) } }),
    ),
  'POST of a list': async ({ slug }, field, value) =>
    refusalOf(
      await call(server, 'POST', `/collections/${slug}/items`, {
        body: [{ data: { ...good, own: 'another' } }, { data: whole(field, value) }],
      }),
    ),
  PUT: async (place, field, value) => {
    const id = await createOther(place);
    const body = { data: { [field]: value } };
    return refusalOf(await call(server, 'PUT', `/collections/${place.slug}/items/${id}`, { body }));
  },
  'create in a batch': async ({ slug }, field, value) =>
    refusalOf(
      await call(server, 'POST', '/batch', {
        body: { ops: [{ op: 'create', kind: 'item', collection: slug, data: whole(field, value) }] },
      }),
    ),
  'update in a batch': async (place, field, value) => {
    const id = await createOther(place);
    const op = { op: 'update', kind: 'item', collection: place.slug, id, data: { [field]: value } };
    return refusalOf(await call(server, 'POST', '/batch', { body: { ops: [op] } }));
  },
};

const entriesOf = ({ slug }: Place) => callList(server, `/collections/${slug}/items`);

/** That the entries which keep all rules are there and no others. */
async function requireNoChange(place: Place): Promise<void> {
  const entries = await entriesOf(place);
  const created = [good, { ...good, own: 'second' }];
  expect(entries.map(({ data }) => data)).toEqual(created.slice(0, entries.length));
}

describe.each(Object.entries(api))('%s', (_way, send) => {
  it.each(broken)('refuses what breaks %s', async (_rule, field, value, { code, ...cause }) => {
    const place = await createPlace();
    const refusal = await send(place, field, value);
    expect(refusal).toMatchObject({
      status: code === 'item.notUnique' ? 409 : 400,
      code,
      params: { field, ...cause },
    });
    await requireNoChange(place);
  });
});

describe('CSV', () => {
  const ways: Readonly<Record<string, Way>> = {
    'a new row': ({ slug }, field, value) =>
      upload(`/collections/${slug}/import`, toCsv(whole(field, value))),
    'a row of an entry': async (place, field, value) => {
      const id = await createOther(place);
      const csv = toCsv({ id, ...good, own: 'second', [field]: value });
      return upload(`/collections/${place.slug}/import`, csv, '_id');
    },
  };

  describe.each(Object.entries(ways))('%s', (_way, send) => {
    it.each(broken)('refuses what breaks %s', async (_rule, field, value, { code, ...cause }) => {
      const place = await createPlace();
      expect(await send(place, field, value)).toMatchObject({
        status: 400,
        code: 'csv.cellError',
        params: { row: 2, column: field, code, params: { field, ...cause } },
      });
      await requireNoChange(place);
    });
  });

  it('refuses a value that is unique and in the file twice', async () => {
    const { slug, entry } = await createPlace();
    const csv = `must,own\nx,a\nx,b\nx,a\n`;
    expect(await upload(`/collections/${slug}/import`, csv)).toMatchObject({
      code: 'csv.cellError',
      params: { row: 4, column: 'own', code: 'item.notUnique', params: { field: 'own', id: 0 } },
    });
    const taken = await upload(`/collections/${slug}/import`, 'must,own\nx,first\n');
    expect(taken.params).toMatchObject({ code: 'item.notUnique', params: { field: 'own', id: entry } });
    // All entries of before go, and with them their values.
    expect((await upload(`/collections/${slug}/import?replace=1`, 'must,own\nx,first\n')).status).toBe(200);
  });

  it('lets entries exchange values', async () => {
    const place = await createPlace();
    const second = await createOther(place);
    const csv = `id,own\n${place.entry},second\n${second},first\n`;
    const answer = await upload(`/collections/${place.slug}/import`, csv, '_id');
    expect(answer.status).toBe(200);
    expect((await entriesOf(place)).map(({ data }) => asRecord(data)['own'])).toEqual(['second', 'first']);
  });

  it('fills the default of a column that is not mapped, and never that of an empty cell', async () => {
    const slug = freshName('filled');
    await createCollection(server, {
      slug,
      fields: [
        { name: 'a', type: 'text', default: 'x' },
        { name: 'b', type: 'text' },
      ],
    });
    await upload(`/collections/${slug}/import`, 'b\n1\n');
    await upload(`/collections/${slug}/import`, 'a,b\n,2\n');
    expect((await callList(server, `/collections/${slug}/items`)).map(({ data }) => data)).toEqual([
      { a: 'x', b: '1' },
      { a: null, b: '2' },
    ]);
  });

  it('reads a day as people write it', async () => {
    const slug = freshName('days');
    await createCollection(server, { slug, fields: [{ name: 'day', type: 'date', min: '2026-01-01' }] });
    expect((await upload(`/collections/${slug}/import`, 'day\n28.02.2026\n')).status).toBe(200);
    expect((await upload(`/collections/${slug}/import`, 'day\n28.02.2025\n')).status).toBe(400);
  });
});

describe('a workflow', () => {
  async function run(config: Fields, payload: Fields): Promise<Fields> {
    const flow = {
      nodes: [
        { id: 'start', type: 'inject', config: {} },
        { id: 'it', type: 'collection', name: 'Node', config },
        { id: 'end', type: 'http-response', config: {} },
      ],
      wires: [
        { from: 'start', out: 0, to: 'it' },
        { from: 'it', out: 0, to: 'end' },
      ],
    };
    const { id } = await callOk(server, 'POST', '/workflows', { name: freshName('Flow'), flow });
    const answer = await callOk(server, 'POST', `/workflows/${id}/run`, { payload });
    return asRecord(answer['run']);
  }

  it.each(broken)('refuses what breaks %s', async (_rule, field, value) => {
    const place = await createPlace();
    const config = { action: 'create', collection: place.slug };
    expect(await run(config, whole(field, value))).toMatchObject({
      status: 'error',
      error: expect.stringContaining(field),
    });
    await requireNoChange(place);
    const id = await createOther(place);
    const update = { action: 'update', collection: place.slug, id: String(id) };
    expect(await run(update, { [field]: value })).toMatchObject({ status: 'error' });
    await requireNoChange(place);
  });
});

describe('block trees', () => {
  const params = ruled.filter(({ name }) => name !== 'must' && name !== 'own');
  const inTrees = broken.filter(([, field]) => field !== 'must' && field !== 'own');
  let type: string;

  beforeAll(async () => {
    type = freshName('ruled');
    await createSnippet(server, { name: type, schema: { block: true, params } });
  });

  const treeWith = (field: string, value: unknown) => [{ id: 'b', type, params: { [field]: value } }];
  const trees: Readonly<Record<string, (tree: unknown) => Promise<{ status: number; body: unknown }>>> = {
    'of a page': async (blocks) =>
      call(server, 'PUT', `/pages/${await createPage(server, site)}`, { body: { blocks } }),
    'of a global block': async (blocks) =>
      call(server, 'PUT', `/global-blocks/${await createGlobalBlock(server)}`, { body: { blocks } }),
    'of an entry': async (body) => {
      const id = await createCollection(server, { fields: [{ name: 'body', type: 'blocks' }] });
      return call(server, 'POST', `/collections/${id}/items`, { body: { data: { body } } });
    },
    'to be validated': (blocks) =>
      call(server, 'POST', '/blocks/validate', { body: { blocks, place: { kind: 'page' } } }),
  };

  describe.each(Object.entries(trees))('%s', (_place, save) => {
    it.each(inTrees)('refuse what breaks %s', async (_rule, field, value, { reason }) => {
      expect(refusalOf(await save(treeWith(field, value)))).toMatchObject({
        status: 400,
        code: 'block.paramInvalid',
        params: { path: '0', param: field, ...(reason === undefined ? {} : { error: reason }) },
      });
      expect((await save(treeWith(field, Reflect.get(good, field)))).status).toBeLessThan(300);
    });
  });

  it('refuse overrides that break a rule, and keep what is stored', async () => {
    const blocks = treeWith('code', 'AB');
    const global = await createGlobalBlock(server, { blocks });
    const reference = (code: string) => [{ id: 'r', global, overrides: { b: { code } } }];
    const page = await createPage(server, site, { blocks: treeWith('code', 'AB') });
    const put = async (tree: unknown) =>
      refusalOf(await call(server, 'PUT', `/pages/${page}`, { body: { blocks: tree } }));
    expect(await put(reference('ab'))).toMatchObject({
      code: 'block.paramInvalid',
      params: { path: '0.overrides.b', param: 'code' },
    });
    const strictType = freshName('later');
    const snippet = await createSnippet(server, {
      name: strictType,
      schema: { block: true, params: [{ name: 'code', type: 'text' }] },
    });
    const tree = [{ id: 'c', type: strictType, params: { code: 'ab' } }];
    expect((await put(tree)).status).toBe(200);
    await callOk(server, 'PUT', `/snippets/${snippet}`, {
      schema: { block: true, params: ruled.slice(0, 1) },
    });
    expect((await put(tree)).status).toBe(200);
    expect((await put([{ id: 'c', type: strictType, params: { code: 'abc' } }])).status).toBe(400);
  });
});

describe('a bundle', () => {
  it('takes entries as they are and warns, but refuses values that are not unique', async () => {
    const [source, target] = await Promise.all([startServer(), startServer()]);
    try {
      const fields = (rules: object) => [{ name: 'v', type: 'text', ...rules }];
      await createCollection(source, { slug: 'c', fields: fields({}) });
      for (const v of ['a', 'bb', 'a']) await createItem(source, 'c', { v });
      await callOk(source, 'PUT', '/collections/c', { fields: fields({ min: 2 }) });
      const warnings = [expect.objectContaining({ code: 'item.breaksRule', params: { count: 2 } })];
      const dry = await importBundle(target, await download(source), '?dry_run=1');
      expect([dry.status, asRecord(dry.body)['warnings']]).toEqual([200, warnings]);
      const taken = await importBundle(target, await download(source));
      expect([taken.status, asRecord(taken.body)['warnings']]).toEqual([200, warnings]);
      expect(await callList(target, '/collections/c/items')).toEqual(
        await callList(source, '/collections/c/items'),
      );
      // What is there already is taken without a word.
      expect(asRecord((await importBundle(target, await download(source))).body)['warnings']).toBeUndefined();

      await callOk(source, 'PUT', '/collections/c', { fields: fields({ unique: true }) });
      expect((await importBundle(target, await download(source))).status).toBe(200);
      const [first] = await callList(source, '/collections/c/items');
      await callOk(source, 'PUT', '/collections/c', { fields: fields({}) });
      await createItem(source, 'c', { v: 'bb' });
      await callOk(source, 'PUT', '/collections/c', { fields: fields({ unique: true }) });
      const refused = await importBundle(target, await download(source));
      expect(refused).toMatchObject({
        status: 409,
        body: { code: 'item.notUnique', params: { field: 'v', id: Number(first?.['id']) + 1 } },
      });
      expect(await callList(target, '/collections/c/items')).toHaveLength(3);
    } finally {
      await Promise.all([source.stop(), target.stop()]);
    }
  });
});
