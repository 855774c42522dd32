import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asRecord, call, callOk, outcomeOf } from '../support/api.ts';
import { createCollection, createPage, createSite, freshName, freshSlug } from '../support/content.ts';
import { startServer, type TestServer } from '../support/server.ts';

/** The contract, "Change sets": `POST /batch` takes all kinds of the feed, and moves and links. */

let server: TestServer;
let site: number;

beforeAll(async () => {
  server = await startServer();
  site = await createSite(server);
});
afterAll(() => server.stop());

describe('a batch creates, changes and deletes', () => {
  it.each<[string, string, object, object]>([
    ['asset', '/assets', { name: 'a', kind: 'css' }, { name: 'b', folder: 'f' }],
    ['collection', '/collections', { slug: 'batched', fields: [] }, { name: 'Batched' }],
    ['source', '/sources', { slug: 'shop', url: 'https://example.com/a' }, { name: 'Shop' }],
    ['workflow', '/workflows', { name: 'w' }, { description: 'd' }],
    ['flow_node', '/flow-nodes', { name: 'n', code: 'return msg;' }, { code: 'return null;' }],
    ['folder', '/folders', { name: 'f' }, { name: 'g' }],
  ])('%s', async (kind, path, data, changes) => {
    const [created, updated] = await run([
      { op: 'create', kind, ref: 'o', data },
      { op: 'update', kind, id: '@o', data: changes },
    ]);
    expect(updated).toMatchObject({ kind, op: 'update', id: created?.['id'] });
    expect(await listed(path, created?.['id'])).toMatchObject({ ...data, ...changes });
    await run([{ op: 'delete', kind, id: created?.['id'] }]);
    expect(await listed(path, created?.['id'])).toBeUndefined();
  });

  it('redirect', async () => {
    const data = { root_id: site, source: '/gone', target: '/here' };
    const [created] = await run([{ op: 'create', kind: 'redirect', data }]);
    const id = created?.['id'];
    await run([{ op: 'update', kind: 'redirect', id, data: { status: 302 } }]);
    const list = () => listed(`/redirects?root_id=${site}`, id);
    expect(await list()).toMatchObject({ source: '/gone', target: '/here', status: 302 });
    await run([{ op: 'delete', kind: 'redirect', id }]);
    expect(await list()).toBeUndefined();
  });

  it('a collection with its entries, by its slug or its ref', async () => {
    const [slug, topics] = [freshName('made'), freshName('topics')];
    await createCollection(server, { slug: topics, fields: [{ name: 'name', type: 'text' }] });
    const fields = [
      { name: 'title', type: 'text' },
      { name: 'topic', type: 'reference', collection: topics },
    ];
    const ops = [
      { op: 'create', kind: 'item', collection: topics, ref: 't', data: { name: 'x' } },
      { op: 'create', kind: 'collection', ref: 'c', data: { slug, fields } },
      { op: 'create', kind: 'item', collection: slug, data: { title: 'one' } },
      { op: 'create', kind: 'item', collection: '@c', data: { title: '@t', topic: '@t' } },
    ];
    const results = await run(ops);
    expect(results.map(({ collection }) => collection)).toEqual([topics, undefined, slug, slug]);
    const entries = await readList(`/collections/${slug}/items`);
    expect(entries.map(({ data }) => data)).toEqual([
      { title: 'one', topic: null },
      { title: '@t', topic: results[0]?.['id'] },
    ]);
  });
});

describe('a batch arranges', () => {
  it('pages: it moves, links and unlinks them', async () => {
    const [from, to, english] = [
      await createPage(server, site),
      await createPage(server, site),
      await createPage(server, site, { lang: 'en' }),
    ];
    const german = await createPage(server, from, { lang: 'de' });
    const [moved, linked] = await run([
      { op: 'move', kind: 'page', id: german, data: { parent_id: to, index: 0 } },
      { op: 'link', kind: 'page', id: german, data: { page_id: english } },
    ]);
    expect(moved).toMatchObject({ op: 'move', kind: 'page', id: german });
    expect(linked).toMatchObject({ op: 'link', kind: 'page', id: german });
    expect(await callOk(server, 'GET', `/pages/${german}`)).toMatchObject({ parent_id: to });
    const versions = () => readList(`/pages/${german}/translations`);
    expect(await versions()).toMatchObject([{ page_id: english }]);
    await run([{ op: 'unlink', kind: 'page', id: german }]);
    expect(await versions()).toEqual([]);
  });

  it('entries: it links and unlinks them', async () => {
    const fields = [{ name: 'title', type: 'text' }];
    const [en, de] = [freshName('en'), freshName('de')];
    for (const [slug, lang] of [
      [en, 'en'],
      [de, 'de'],
    ])
      await createCollection(server, { slug, lang, fields });
    const item = (collection: string, ref: string) => ({
      op: 'create',
      kind: 'item',
      collection,
      ref,
      data: { title: 'x' },
    });
    const results = await run([
      item(en, 'a'),
      item(de, 'b'),
      { op: 'link', kind: 'item', collection: en, id: '@a', data: { collection: de, item_id: '@b' } },
    ]);
    const [a, b] = results.map(({ id }) => id);
    const versions = () => readList(`/collections/${en}/items/${a}/translations`);
    expect(await versions()).toMatchObject([{ item_id: b }]);
    await run([{ op: 'unlink', kind: 'item', collection: en, id: a }]);
    expect(await versions()).toEqual([]);
  });

  it.each<[string, object, number, string]>([
    ['a move without a place', { op: 'move', kind: 'page', data: {} }, 400, 'common.invalid'],
    ['a move to nowhere', { op: 'move', kind: 'page', data: { parent_id: 999_999 } }, 404, 'common.notFound'],
    ['a move of a snippet', { op: 'move', kind: 'snippet', data: {} }, 400, 'batch.opNotSupported'],
    ['a link without data', { op: 'link', kind: 'page' }, 400, 'batch.dataInvalid'],
    ['a link to nothing', { op: 'link', kind: 'page', data: {} }, 400, 'common.invalid'],
  ])('nothing: %s', async (_name, operation, status, code) => {
    const page = await createPage(server, site);
    const body = { ops: [{ id: page, ...operation }] };
    const answer = await call(server, 'POST', '/batch', { body });
    expect(outcomeOf(answer)).toEqual({ status, code });
    expect(answer.body).toMatchObject({ index: 0 });
  });
});

it('refuses code of a custom node that cannot run, with nothing written', async () => {
  const slug = freshSlug();
  const ops = [
    { op: 'create', kind: 'page', data: { parent_id: site, title: 'x', slug } },
    { op: 'create', kind: 'flow_node', data: { name: 'broken', code: 'return (' } },
  ];
  const answer = await call(server, 'POST', '/batch', { body: { ops } });
  expect(outcomeOf(answer)).toEqual({ status: 400, code: 'flownode.codeInvalid' });
  expect(answer.body).toMatchObject({ index: 1 });
  expect((await readList('/pages')).some((page) => page['slug'] === slug)).toBe(false);
});

it('knows no other kind', async () => {
  for (const kind of ['pen', 'webhook', 'item_', 'globalblock', 'flownode']) {
    const answer = await call(server, 'POST', '/batch', {
      body: { ops: [{ op: 'create', kind, data: {} }] },
    });
    expect(answer.body).toMatchObject({ code: 'batch.kindUnknown', params: { index: 0, kind } });
  }
});

async function run(ops: readonly object[]): Promise<Record<string, unknown>[]> {
  const { results } = await callOk(server, 'POST', '/batch', { ops });
  return Array.isArray(results) ? results.map(asRecord) : [];
}

async function readList(path: string): Promise<Record<string, unknown>[]> {
  const { body } = await call(server, 'GET', path);
  return Array.isArray(body) ? body.map(asRecord) : [];
}

async function listed(path: string, id: unknown): Promise<Record<string, unknown> | undefined> {
  return (await readList(path)).find((object) => object['id'] === id);
}
