import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addToken, asRecord, call, callList, callOk, outcomeOf } from '../support/api.ts';
import { createCollection, createItem, createSnippet, freshName, idOf } from '../support/content.ts';
import { notFound, runScenarios, type Scenario } from '../support/scenarios.ts';
import { startServer, type TestServer } from '../support/server.ts';

/** Data, Automation and Operations, "Field types", "Entry" and "Collections and entries". */

let server: TestServer;
let other: number;
let linked: number[];
let all: string;

beforeAll(async () => {
  server = await startServer();
  await createSnippet(server, { name: 'x', schema: { block: true } });
  other = await createCollection(server, { slug: 'other', fields: [{ name: 't', type: 'text' }] });
  linked = [await createItem(server, other, { t: '1' }), await createItem(server, other, { t: '2' })];
  all = 'all';
  await createCollection(server, {
    slug: all,
    fields: [
      ...[
        'text',
        'textarea',
        'html',
        'markdown',
        'number',
        'boolean',
        'date',
        'url',
        'image',
        'file',
        'blocks',
      ].map((type) => ({ name: type, type })),
      { name: 'select', type: 'select', options: ['a', 'b'] },
      { name: 'any', type: 'select' },
      { name: 'reference', type: 'reference', collection: other },
      { name: 'references', type: 'references', collection: other },
    ],
  });
});
afterAll(() => server.stop());

describe('the types of fields', () => {
  const stored: [string, () => unknown, () => unknown][] = [
    ...(['text', 'textarea', 'html', 'markdown', 'url', 'any'] as const).flatMap(
      (type): [string, () => unknown, () => unknown][] => [
        [type, () => ' a\nb ', () => ' a\nb '],
        [type, () => 12.5, () => '12.5'],
        [type, () => true, () => 'true'],
        [type, () => '', () => null],
        [type, () => null, () => null],
        [type, () => undefined, () => null],
      ],
    ),
    ['number', () => 3.5, () => 3.5],
    ['number', () => '3.5', () => 3.5],
    ['number', () => ' -1e3 ', () => -1000],
    ['number', () => 0, () => 0],
    ['number', () => '', () => null],
    ['number', () => null, () => null],
    ['boolean', () => true, () => true],
    ['boolean', () => 'true', () => true],
    ['boolean', () => 1, () => true],
    ['boolean', () => '0', () => false],
    ['boolean', () => false, () => false],
    ['boolean', () => '', () => false],
    ['boolean', () => null, () => false],
    ['boolean', () => undefined, () => false],
    ['select', () => 'a', () => 'a'],
    ['select', () => '', () => null],
    ['image', () => 0, () => null],
    ['file', () => null, () => null],
    ['reference', () => linked[0], () => linked[0]],
    ['reference', () => String(linked[1]), () => linked[1]],
    ['reference', () => '', () => null],
    ['reference', () => 0, () => null],
    ['references', () => [linked[1], linked[0], linked[1]], () => [linked[1], linked[0]]],
    ['references', () => `${linked[1]}, ${linked[0]},`, () => [linked[1], linked[0]]],
    ['references', () => [String(linked[0])], () => [linked[0]]],
    ['references', () => [], () => null],
    ['references', () => '', () => null],
    ['blocks', () => [{ id: 'i', type: 'x', params: { a: 1 } }], () => [{ id: 'i', type: 'x', params: {} }]],
    ['blocks', () => '[{"id":"i","type":"x"}]', () => [{ id: 'i', type: 'x', params: {} }]],
    ['blocks', () => '', () => null],
    ['blocks', () => [], () => null],
  ];
  it.each(stored)('%s is stored in its own form (case %#)', async (field, sent, expected) => {
    const answer = await callOk(server, 'POST', `/collections/${all}/items`, { data: { [field]: sent() } });
    expect(asRecord(answer['data'])[field]).toEqual(expected());
    expect(await callOk(server, 'GET', `/collections/${all}/items/${answer['id']}`)).toEqual(answer);
  });

  const refused: [string, unknown, string][] = [
    ['text', {}, 'common.invalid'],
    ['markdown', ['a'], 'common.invalid'],
    ['text', 'x'.repeat(2 * 2 ** 20 + 1), 'common.invalid'],
    ['number', 'one', 'common.invalid'],
    ['number', '1,5', 'common.invalid'],
    ['number', [], 'common.invalid'],
    ['boolean', 'ja', 'common.invalid'],
    ['boolean', 2, 'common.invalid'],
    ['select', 'c', 'common.invalid'],
    ['image', 'a.png', 'common.invalid'],
    ['file', -1, 'common.invalid'],
    ['reference', 1.5, 'common.invalid'],
    ['reference', 99_999, 'item.referenceMissing'],
    ['references', [99_999], 'item.referenceMissing'],
    ['references', 'a,b', 'common.invalid'],
    ['references', {}, 'common.invalid'],
    ['blocks', 'no json', 'block.fieldInvalid'],
    ['blocks', { type: 'x' }, 'block.fieldInvalid'],
    ['blocks', '"x"', 'block.treeInvalid'],
    ['blocks', [1], 'block.treeInvalid'],
  ];
  it.each(refused)('%s is no %j', async (field, value, code) => {
    const answer = await call(server, 'POST', `/collections/${all}/items`, {
      body: { data: { [field]: value } },
    });
    expect(answer).toMatchObject({ status: 400, body: { code, params: { field } } });
  });

  it('names the entry that a reference does not find', async () => {
    const body = { data: { references: [linked[0], 99_999] } };
    expect(await call(server, 'POST', `/collections/${all}/items`, { body })).toMatchObject({
      body: { code: 'item.referenceMissing', params: { field: 'references', id: 99_999 } },
    });
  });

  it('drops fields that the collection does not have, and names that reach a prototype', async () => {
    const raw = '{"data":{"text":"a","more":1,"__proto__":{"x":1},"constructor":{"prototype":{"x":1}}}}';
    const headers = { 'Content-Type': 'application/json' };
    const answer = await call(server, 'POST', `/collections/${all}/items`, { raw, headers });
    const data = asRecord(asRecord(answer.body)['data']);
    expect(Object.keys(data)).toHaveLength(15);
    expect(data['text']).toBe('a');
    expect(Object.hasOwn(data, '__proto__') || Object.hasOwn(data, 'more')).toBe(false);
    expect(Reflect.get({}, 'x')).toBeUndefined();
  });
});

describe('required fields', () => {
  let slug: string;
  const fields = [
    { name: 'a', type: 'text', required: true },
    { name: 'b', type: 'number', required: true },
    { name: 'c', type: 'text' },
  ];
  beforeAll(async () => {
    slug = freshName('c');
    await createCollection(server, { slug, fields });
  });

  it.each([{}, { a: '', b: 1 }, { a: null, b: 1 }, { c: 'x', b: 1 }])('%j lacks one', async (data) => {
    const answer = await call(server, 'POST', `/collections/${slug}/items`, { body: { data } });
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'item.fieldRequired', params: { field: 'a' } },
    });
  });

  it('are named with all other faults', async () => {
    const answer = await call(server, 'POST', `/collections/${slug}/items`, { body: { data: { b: 'x' } } });
    expect(answer.body).toMatchObject({
      code: 'item.fieldRequired',
      params: { field: 'a', errors: [{ field: 'a' }, { field: 'b', reason: 'must be a number' }] },
    });
  });

  it('may not be emptied, and are not asked for by an update without them', async () => {
    const id = await createItem(server, slug, { a: 'A', b: 1 });
    const path = `/collections/${slug}/items/${id}`;
    expect(outcomeOf(await call(server, 'PUT', path, { body: { data: { a: '' } } }))).toEqual({
      status: 400,
      code: 'item.fieldRequired',
    });
    await callOk(server, 'PUT', `/collections/${slug}`, {
      fields: [...fields, { name: 'd', type: 'text', required: true }],
    });
    expect(await callOk(server, 'PUT', path, { data: { c: 'C' } })).toMatchObject({
      data: { a: 'A', b: 1, c: 'C', d: null },
    });
  });
});

describe('POST items', () => {
  it('appends a published entry and answers 201 with it', async () => {
    const slug = await plain();
    await createItem(server, slug, { a: '0' });
    const answer = await call(server, 'POST', `/collections/${slug}/items`, { body: { data: { a: '1' } } });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      id: expect.any(Number),
      collection_id: expect.any(Number),
      data: { a: '1', b: null },
      sort: 2,
      published: true,
      translation_group: '',
      created_at: expect.any(Number),
      updated_at: asRecord(answer.body)['created_at'],
    });
  });

  it('creates many in their order, all or none', async () => {
    const slug = await plain();
    const body = Array.from({ length: 1000 }, (_, index) => ({
      data: { a: `${index}` },
      published: index % 2 === 0,
    }));
    const answer = await call(server, 'POST', `/collections/${slug}/items`, { body });
    expect([answer.status, answer.body]).toMatchObject([201, { length: 1000 }]);
    const list = await callList(server, `/collections/${slug}/items`);
    expect(list).toEqual(answer.body);
    expect(list.map(({ data }) => asRecord(data)['a'])).toEqual(body.map(({ data }) => data.a));

    const wrong = [{ data: {} }, { data: { a: {} } }];
    expect(await call(server, 'POST', `/collections/${slug}/items`, { body: wrong })).toMatchObject({
      status: 400,
      body: {
        code: 'common.invalid',
        params: { field: 'a' },
        error: expect.stringMatching(/^item 1: a must be/),
      },
    });
    expect(await callOk(server, 'GET', `/collections/${slug}`)).toMatchObject({ item_count: 1000 });
  });

  it.each([
    ['no object', [{ data: { a: '1' } }, 5], 'common.invalid'],
    ['no data', [{ data: {} }, {}], 'common.invalid'],
    ['data that is no object', [{ data: {} }, { data: 'x' }], 'common.invalid'],
    ['a status that is no flag', [{ data: {} }, { data: {}, published: 'yes' }], 'common.invalid'],
    ['a value that does not fit', [{ data: {} }, { data: { a: {} } }], 'common.invalid'],
    ['a value that cannot be kept', [{ data: {} }, { data: { a: 'x\0' } }], 'common.invalid'],
    ['an unknown member', [{ data: {} }, { data: {}, x: 1 }], 'common.unknownField'],
  ])('names the entry of a list that has %s', async (_name, body, code) => {
    const slug = await plain();
    const answer = await call(server, 'POST', `/collections/${slug}/items?strict=1`, { body });
    expect(answer).toMatchObject({ status: 400, body: { code, error: expect.stringMatching(/^item 1: /) } });
    expect(await callOk(server, 'GET', `/collections/${slug}`)).toMatchObject({ item_count: 0 });
  });

  const post = (name: string, body: unknown): Scenario => ({
    name,
    method: 'POST',
    path: `/collections/all/items`,
    body,
    status: 400,
    code: 'common.invalid',
  });
  runScenarios(
    () => server,
    [
      post('no data', {}),
      post('data that is no object', { data: [] }),
      post('published that is no flag', { data: {}, published: 'yes' }),
      post('an empty list', []),
      post(
        '1,001 entries',
        Array.from({ length: 1001 }, () => ({ data: {} })),
      ),
      post('a list with something else', [{ data: {} }, 5]),
      { ...post('an unknown collection', { data: {} }), path: '/collections/none/items', ...notFound },
      {
        ...post('unknown fields with strict', { data: {}, x: 1 }),
        path: '/collections/all/items?strict=1',
        code: 'common.unknownField',
      },
      {
        name: 'unknown fields in data with strict',
        method: 'POST',
        path: '/collections/all/items?strict=1',
        body: { data: { x: 1 } },
        status: 400,
        code: 'common.unknownField',
      },
    ],
  );
});

describe('PUT and DELETE of an entry', () => {
  it('change only what is sent', async () => {
    const slug = await plain();
    const before = await callOk(server, 'POST', `/collections/${slug}/items`, { data: { a: 'A', b: 'B' } });
    const path = `/collections/${slug}/items/${before['id']}`;
    const after = await callOk(server, 'PUT', path, { data: { b: 'new' }, id: 9, created_at: 1, sort: 7 });
    expect(after).toEqual({ ...before, data: { a: 'A', b: 'new' }, updated_at: expect.any(Number) });
    expect(Number(after['updated_at'])).toBeGreaterThan(Number(before['updated_at']));
    expect(await callOk(server, 'PUT', path, { published: false })).toMatchObject({
      published: false,
      data: after['data'],
    });
    const unchanged = await callOk(server, 'GET', path);
    expect(await callOk(server, 'PUT', path, { data: { a: 'A' }, published: false })).toEqual(unchanged);
  });

  it('are refused when the entry has changed', async () => {
    const slug = await plain();
    const { id, updated_at } = await callOk(server, 'POST', `/collections/${slug}/items`, { data: {} });
    const put = (base: number) =>
      call(server, 'PUT', `/collections/${slug}/items/${id}`, {
        body: { data: { a: 'x' }, base_updated_at: base },
      });
    expect(await put(Number(updated_at) - 1)).toMatchObject({
      status: 409,
      body: { code: 'common.conflict', conflict: true, updated_at },
    });
    expect((await put(Number(updated_at))).status).toBe(200);
  });

  it('do not reach entries of another collection', async () => {
    const slug = await plain();
    const id = await createItem(server, slug, {});
    for (const method of ['GET', 'PUT', 'DELETE'])
      expect(
        outcomeOf(
          await call(server, method, `/collections/other/items/${id}`, method === 'PUT' ? { body: {} } : {}),
        ),
      ).toEqual(notFound);
    expect((await call(server, 'DELETE', `/collections/${slug}/items/${id}`)).status).toBe(204);
    expect(outcomeOf(await call(server, 'GET', `/collections/${slug}/items/${id}`))).toEqual(notFound);
  });

  it('keep versions, which can be restored', async () => {
    const slug = await plain();
    const id = await createItem(server, slug, { a: '1' });
    const path = `/collections/${slug}/items/${id}`;
    await callOk(server, 'PUT', path, { data: { a: '2' }, published: false });
    const [version] = await callList(server, `/revisions?kind=item&id=${id}`);
    expect(await callOk(server, 'GET', `/revisions/${version?.['id']}`)).toMatchObject({
      data: { id, data: { a: '1' } },
    });
    expect(await callOk(server, 'POST', `/revisions/${version?.['id']}/restore`)).toMatchObject({
      id,
      data: { a: '1' },
      published: false,
    });
    await call(server, 'DELETE', path);
    expect(await callList(server, `/revisions?kind=item&id=${id}`)).toEqual([]);
  });

  it('restores without references to what is gone', async () => {
    const target = await createItem(server, other, { t: 'gone' });
    const id = await createItem(server, all, {
      reference: target,
      references: [linked[0], target],
      text: '1',
    });
    await callOk(server, 'PUT', `/collections/${all}/items/${id}`, { data: { text: '2' } });
    await call(server, 'DELETE', `/collections/other/items/${target}`);
    const [version] = await callList(server, `/revisions?kind=item&id=${id}`);
    expect(await callOk(server, 'POST', `/revisions/${version?.['id']}/restore`)).toMatchObject({
      data: { text: '1', reference: null, references: [linked[0]] },
    });
  });
});

describe('reorder', () => {
  it('puts the listed entries into the places that they have', async () => {
    const slug = await plain();
    const ids: number[] = [];
    for (const a of ['0', '1', '2', '3']) ids.push(await createItem(server, slug, { a }));
    const order = async () => (await callList(server, `/collections/${slug}/items`)).map(({ id }) => id);
    const sortOf = async (id: unknown) =>
      (await callOk(server, 'GET', `/collections/${slug}/items/${id}`))['sort'];
    const kept = await sortOf(ids[1]);
    const answer = await call(server, 'POST', `/collections/${slug}/items/reorder`, {
      body: [ids[3], ids[0], ids[2]],
    });
    expect(answer.status).toBe(204);
    expect(await order()).toEqual([ids[3], ids[1], ids[0], ids[2]]);
    expect(await sortOf(ids[1])).toBe(kept);
    expect((await call(server, 'POST', `/collections/${slug}/items/reorder`, { body: [] })).status).toBe(204);
  });

  it.each([[[99_999]], [['a']], [{}]])('refuses %j', async (body) => {
    const slug = await plain();
    const answer = await call(server, 'POST', `/collections/${slug}/items/reorder`, { body });
    expect(outcomeOf(answer)).toEqual({ status: 400, code: 'common.invalid' });
  });

  it('refuses an entry twice', async () => {
    const slug = await plain();
    const id = await createItem(server, slug, {});
    const answer = await call(server, 'POST', `/collections/${slug}/items/reorder`, { body: [id, id] });
    expect(answer).toMatchObject({ status: 400, body: { params: { field: '1' } } });
  });
});

it('read-only tokens read entries and change none', async () => {
  const token = await addToken(server, 'reader', false);
  const slug = await plain();
  const id = idOf(await callOk(server, 'POST', `/collections/${slug}/items`, { data: {}, published: false }));
  expect((await call(server, 'GET', `/collections/${slug}/items/${id}`, { token })).status).toBe(200);
  const answer = await call(server, 'PUT', `/collections/${slug}/items/${id}`, { token, body: {} });
  expect(outcomeOf(answer)).toEqual({ status: 403, code: 'auth.readOnly' });
});

async function plain(): Promise<string> {
  const slug = freshName('c');
  const fields = ['a', 'b'].map((name) => ({ name, type: 'text' }));
  await createCollection(server, { slug, fields });
  return slug;
}
