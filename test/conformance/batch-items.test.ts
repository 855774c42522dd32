import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asRecord, call, callList, callOk, outcomeOf } from '../support/api.ts';
import { createCollection, createItem, createSite, freshName, freshSlug } from '../support/content.ts';
import { startServer, type TestServer } from '../support/server.ts';

/** Entries in batches (Data, Automation and Operations, "Batch"). */

let server: TestServer;
let site: number;
let topics: number;
const news = 'news';

beforeAll(async () => {
  server = await startServer();
  site = await createSite(server);
  topics = await createCollection(server, { slug: 'topics', fields: [{ name: 'name', type: 'text' }] });
  await createCollection(server, {
    slug: news,
    fields: [
      { name: 'title', type: 'text', required: true },
      { name: 'price', type: 'number' },
      { name: 'topic', type: 'reference', collection: topics },
      { name: 'topics', type: 'references', collection: topics },
      { name: 'base_updated_at', type: 'text' },
    ],
  });
});
afterAll(() => server.stop());

const batch = (ops: readonly object[], query = '') =>
  call(server, 'POST', `/batch${query}`, { body: { ops } });

async function resultsOf(ops: readonly object[]): Promise<Record<string, unknown>[]> {
  const { results } = await callOk(server, 'POST', '/batch', { ops });
  return Array.isArray(results) ? results.map(asRecord) : [];
}

const entry = (id: unknown) => callOk(server, 'GET', `/collections/${news}/items/${id}`);
const create = (data: object, more: object = {}) => ({
  op: 'create',
  kind: 'item',
  collection: news,
  data,
  ...more,
});

describe('entries in a batch', () => {
  it('are created, changed and deleted, and named with their collection', async () => {
    const old = await createItem(server, news, { title: 'old', price: 1 });
    const gone = await createItem(server, news, { title: 'gone' });
    const results = await resultsOf([
      create({ title: 'a', price: '3.5', extra: 1 }, { ref: 'a' }),
      { op: 'update', kind: 'item', collection: news, id: old, data: { price: 2 }, published: false },
      { op: 'delete', kind: 'item', collection: news, id: gone },
      { op: 'update', kind: 'item', collection: news, id: '@a', data: { title: 'b' } },
    ]);
    const id = results[0]?.['id'];
    const updated_at = expect.any(Number);
    expect(results).toEqual([
      { index: 0, op: 'create', kind: 'item', id, ref: 'a', collection: news, updated_at },
      { index: 1, op: 'update', kind: 'item', id: old, collection: news, updated_at },
      { index: 2, op: 'delete', kind: 'item', id: gone, collection: news, deleted: true },
      { index: 3, op: 'update', kind: 'item', id, collection: news, updated_at },
    ]);
    const empty = { topic: null, topics: null, base_updated_at: null };
    expect(await entry(id)).toMatchObject({ data: { title: 'b', price: 3.5, ...empty }, published: true });
    expect(await entry(old)).toMatchObject({ data: { title: 'old', price: 2 }, published: false });
    expect((await call(server, 'GET', `/collections/${news}/items/${gone}`)).status).toBe(404);
    expect(await callList(server, `/revisions?kind=item&id=${old}`)).toHaveLength(1);
  });

  it('may name their collection by its ID', async () => {
    const [result] = await resultsOf([
      { op: 'create', kind: 'item', collection: topics, data: { name: 'x' } },
    ]);
    expect(result).toMatchObject({ collection: 'topics' });
  });

  it('refer to entries that the batch creates, also in lists; in a text @ is text', async () => {
    const known = await createItem(server, 'topics', { name: 'known' });
    const topic = (ref: string) => ({
      op: 'create',
      kind: 'item',
      collection: 'topics',
      ref,
      data: { name: ref },
    });
    const results = await resultsOf([
      topic('t1'),
      topic('t2'),
      create({ title: '@t1', topic: '@t1', topics: ['@t2', known, '@t1'], base_updated_at: '@t1' }),
    ]);
    const [t1, t2, made] = results.map(({ id }) => id);
    expect((await entry(made))['data']).toEqual({
      title: '@t1',
      price: null,
      topic: t1,
      topics: [t2, known, t1],
      base_updated_at: '@t1',
    });
  });

  it('stand beside pages and snippets', async () => {
    const slug = freshSlug();
    const results = await resultsOf([
      { op: 'create', kind: 'page', data: { parent_id: site, title: 'x', slug } },
      create({ title: 'x' }),
      { op: 'create', kind: 'snippet', data: { name: freshName('s') } },
    ]);
    expect(results.map(({ kind, collection }) => [kind, collection])).toEqual([
      ['page', undefined],
      ['item', news],
      ['snippet', undefined],
    ]);
  });

  it('are told one by one, in the order of the operations', async () => {
    const { version: since } = asRecord((await call(server, 'GET', '/changes?since=0&limit=1000')).body);
    const results = await resultsOf([create({ title: 'first' }), create({ title: 'second' })]);
    const { changes } = await callOk(server, 'GET', `/changes?since=${since}`);
    const told = Array.isArray(changes) ? changes.map(asRecord) : [];
    expect(
      told.map(({ kind, action, id, collection, name }) => [kind, action, id, collection, name]),
    ).toEqual([
      ['item', 'created', results[0]?.['id'], news, 'first'],
      ['item', 'created', results[1]?.['id'], news, 'second'],
    ]);
  });

  it('end as they do with the single endpoints', async () => {
    const target = freshName('same');
    const fields = [{ name: 'title', type: 'text' }];
    for (const slug of [target, `${target}-b`]) await createCollection(server, { slug, fields });
    const bodies = [{ data: { title: 'a' } }, { data: { title: 'b' }, published: false }, { data: {} }];
    for (const body of bodies) await callOk(server, 'POST', `/collections/${target}/items`, body);
    await resultsOf(
      bodies.map((body) => ({ op: 'create', kind: 'item', collection: `${target}-b`, ...body })),
    );
    const shown = async (slug: string) =>
      (await callList(server, `/collections/${slug}/items`)).map(({ data, sort, published }) => ({
        data,
        sort,
        published,
      }));
    expect(await shown(`${target}-b`)).toEqual(await shown(target));
  });
});

describe('a batch with entries is refused', () => {
  const update = (more: object) => ({ op: 'update', kind: 'item', collection: news, data: {}, ...more });
  it.each<[string, object, number, string]>([
    ['no collection', create({}, { collection: undefined }), 400, 'batch.collectionRequired'],
    ['an empty collection', create({}, { collection: '' }), 400, 'batch.collectionRequired'],
    ['a list as collection', create({}, { collection: [] }), 400, 'batch.collectionRequired'],
    ['a delete without collection', { op: 'delete', kind: 'item', id: 1 }, 400, 'batch.collectionRequired'],
    ['an unknown collection', create({}, { collection: 'nothing' }), 404, 'common.notFound'],
    ['__proto__ as collection', create({}, { collection: '__proto__' }), 404, 'common.notFound'],
    ['an unknown entry', update({ id: 999_999 }), 404, 'common.notFound'],
    ['no data', create({}, { data: null }), 400, 'batch.dataInvalid'],
    ['a missing value', create({ price: 1 }), 400, 'item.fieldRequired'],
    ['a wrong value', create({ title: 'x', price: 'many' }), 400, 'common.invalid'],
    ['a missing reference', create({ title: 'x', topic: 999_999 }), 400, 'item.referenceMissing'],
    ['an unknown ref', create({ title: 'x', topic: '@nobody' }), 400, 'batch.refUnknown'],
    ['an unknown ref in a list', create({ title: 'x', topics: ['@nobody'] }), 400, 'batch.refUnknown'],
  ])('%s', async (_name, operation, status, code) => {
    const before = await callList(server, `/collections/${news}/items`);
    const answer = await batch([create({ title: 'before' }), operation]);
    expect(outcomeOf(answer)).toEqual({ status, code });
    expect(answer.body).toMatchObject({ index: 1, params: { index: 1 } });
    expect(await callList(server, `/collections/${news}/items`)).toEqual(before);
  });

  it('an entry of another collection', async () => {
    const other = await createItem(server, 'topics', { name: 'x' });
    for (const op of ['update', 'delete'])
      expect(outcomeOf(await batch([{ op, kind: 'item', collection: news, id: other, data: {} }]))).toEqual({
        status: 404,
        code: 'common.notFound',
      });
    expect((await call(server, 'GET', `/collections/topics/items/${other}`)).status).toBe(200);
  });

  it('a second entry of a singleton', async () => {
    const slug = freshName('single');
    await createCollection(server, { slug, singleton: true, fields: [{ name: 'title', type: 'text' }] });
    const one = { op: 'create', kind: 'item', collection: slug, data: { title: 'x' } };
    expect(outcomeOf(await batch([one, one]))).toEqual({ status: 409, code: 'collection.hasEntry' });
    expect((await call(server, 'GET', `/collections/${slug}/items`)).body).toBeNull();
    expect((await batch([one])).status).toBe(200);
  });

  it('a conflict', async () => {
    const id = await createItem(server, news, { title: 'x' });
    const { updated_at } = await entry(id);
    const answer = await batch([update({ id, base_updated_at: Number(updated_at) - 1 })]);
    expect(outcomeOf(answer)).toEqual({ status: 409, code: 'batch.conflict' });
    expect((await batch([update({ id, base_updated_at: updated_at })])).status).toBe(200);
  });

  it('unknown fields of an entry with strict=1', async () => {
    const ops = [create({ title: 'x', unknown: 1 })];
    const code = 'common.unknownField';
    expect(outcomeOf(await batch(ops, '?strict=1'))).toEqual({ status: 400, code });
    expect((await batch(ops)).status).toBe(200);
  });
});
