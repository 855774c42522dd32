import { afterAll, beforeAll, expect, it } from 'vitest';
import { asRecord, call, callOk } from '../support/api.ts';
import { createPage, createSite, freshName, idOf } from '../support/content.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { writeContent } from '../support/shared-database.ts';
import { discard, restore } from '../support/trash.ts';

/** The contract, "Not content": objects whose ID an import has taken get another one, and references within follow. */

let server: TestServer;
let site: number;

beforeAll(async () => {
  server = await startServer();
  site = await createSite(server);
});
afterAll(() => server.stop());

interface Ids {
  readonly entry: number;
  readonly page: number;
  readonly block: number;
  readonly collection: number;
}

/** What names the objects, in all forms that there are. */
const namedBy = {
  html: ({ entry, page }: Ids, things: string) =>
    `{% region more type=link %}{% endregion %}{{ item("${things}", "id", ${entry}).title }}{% for p in children(${page}) %}{{ p.title }}{% endfor %}`,
  regions: ({ entry }: Ids) => ({ more: { entry } }),
  blocks: ({ entry, block }: Ids, card: string) => [
    { id: 'b1', type: card, params: { thing: entry } },
    { id: 'b2', global: block, overrides: { g1: { thing: entry } } },
  ],
  data: ({ entry, page }: Ids, card: string) => ({
    title: 'Naming',
    near: entry,
    all: [entry],
    link: { page },
    parts: { one: entry },
    body: [{ id: 'b1', type: card, params: { thing: entry } }],
  }),
  fields: ({ collection }: Ids) => [
    { name: 'title', type: 'text' },
    { name: 'near', type: 'reference', collection },
    { name: 'all', type: 'references', collection },
    { name: 'link', type: 'link' },
    { name: 'parts', type: 'group', fields: [{ name: 'one', type: 'reference', collection }] },
    { name: 'body', type: 'blocks' },
  ],
  flow: ({ entry }: Ids, things: string) => ({
    nodes: [
      {
        id: 'n1',
        type: 'collection',
        x: 0,
        y: 0,
        config: { action: 'get', collection: things, id: String(entry) },
      },
    ],
    wires: [],
  }),
};

/** Gives another object the ID of one, as an import does. */
const take = (table: string, from: number, to: number) =>
  writeContent(server.dataDir, async (db) => {
    const row = { ...db.statement(`SELECT * FROM ${table} WHERE id = ?`).first([from]), id: to };
    const names = Object.keys(row);
    db.statement(`DELETE FROM ${table} WHERE id = ?`).run([from]);
    db.statement(
      `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
    ).run(Object.values(row));
  });

/** Creates objects whose IDs become those of others. */
async function takeAll({ entry, page, block, collection }: Ids): Promise<void> {
  const fields = [{ name: 'title', type: 'text' }];
  const taker = idOf(await callOk(server, 'POST', '/collections', { slug: freshName('taker'), fields }));
  const item = idOf(await callOk(server, 'POST', `/collections/${taker}/items`, { data: { title: 'x' } }));
  const other = idOf(await callOk(server, 'POST', '/collections', { slug: freshName('other'), fields }));
  const global = idOf(
    await callOk(server, 'POST', '/global-blocks', { name: freshName('Taker'), blocks: [] }),
  );
  await take('items', item, entry);
  await take('collections', other, collection);
  await take('pages', await createPage(server, site), page);
  if (block !== 0) await take('global_blocks', global, block);
}

/** The new IDs, from an answer. */
function readIds(body: unknown, before: Ids): Ids {
  const renumbered = asRecord(body)['renumbered'] as { kind: string; from: number; to: number }[];
  const moved = (kind: string, id: number) =>
    renumbered.find((one) => one.kind === kind && one.from === id)?.to ?? id;
  const { entry, page, block, collection } = before;
  return {
    entry: moved('item', entry),
    page: moved('page', page),
    block: moved('global_block', block),
    collection: moved('collection', collection),
  };
}

it('at the publication of what a change set has created', async () => {
  const set = idOf(await callOk(server, 'POST', '/change-sets', { name: freshName('r') }));
  const add = async (kind: string, data: object, more: object = {}) =>
    idOf(await callOk(server, 'POST', `/change-sets/${set}/items`, { op: 'create', kind, data, ...more }));
  const [things, card, naming] = [freshName('things'), freshName('card'), freshName('naming')];
  const collection = await add('collection', { slug: things, fields: [{ name: 'title', type: 'text' }] });
  const thing = (name: string) => ({ name, type: 'reference', collection });
  await add('snippet', { name: card, content: 'x', schema: { block: true, params: [thing('thing')] } });
  const entry = await add('item', { title: 'Mine' }, { collection });
  const tree = [{ id: 'g1', type: card, params: { thing: entry } }];
  const block = await add('global_block', { name: freshName('Mine'), blocks: tree });
  const page = await add('page', { parent_id: site, slug: freshName('mine'), title: 'Mine' });
  const before = { entry, page, block, collection };
  const body = {
    html: namedBy.html(before, things),
    regions: namedBy.regions(before),
    blocks: namedBy.blocks(before, card),
  };
  const user = await createPage(server, site);
  await callOk(server, 'PUT', `/change-sets/${set}/items/page/${user}`, body);
  const below = await add('page', { parent_id: page, slug: 'below', title: 'Below', ...body });
  const names = await add('collection', { slug: naming, fields: namedBy.fields(before) });
  const namer = await add('item', namedBy.data(before, card), { collection: names });
  const workflow = await add('workflow', { name: freshName('w'), flow: namedBy.flow(before, things) });
  await takeAll(before);

  const { status, body: answer } = await call(server, 'POST', `/change-sets/${set}/publish`, { body: {} });
  expect({ status, answer }).toMatchObject({ status: 200 });
  const after = readIds(answer, before);
  for (const [name, id] of Object.entries(before)) expect(Reflect.get(after, name), name).not.toBe(id);
  const moved = {
    html: namedBy.html(after, things),
    regions: namedBy.regions(after),
    blocks: namedBy.blocks(after, card),
  };
  expect(await callOk(server, 'GET', `/pages/${user}`)).toMatchObject(moved);
  expect(await callOk(server, 'GET', `/pages/${below}`)).toMatchObject({ ...moved, parent_id: after.page });
  expect(await callOk(server, 'GET', `/collections/${names}`)).toMatchObject({
    fields: namedBy.fields(after),
  });
  expect(await callOk(server, 'GET', `/collections/${names}/items/${namer}`)).toMatchObject({
    data: namedBy.data(after, card),
  });
  expect(await callOk(server, 'GET', `/collections/${after.collection}/items/${after.entry}`)).toMatchObject({
    collection_id: after.collection,
    data: { title: 'Mine' },
  });
  expect(await callOk(server, 'GET', `/global-blocks/${after.block}`)).toMatchObject({
    blocks: [{ params: { thing: after.entry } }],
  });
  expect(await callOk(server, 'GET', `/workflows/${workflow}`)).toMatchObject({
    flow: namedBy.flow(after, things),
  });
});

it('at the restore of a page with what is below it', async () => {
  const page = await createPage(server, site, { slug: freshName('above') });
  const before = { entry: 0, page, block: 0, collection: 0 };
  const html = namedBy.html(before, 'none');
  const regions = { more: { page } };
  const below = await createPage(server, page, { html, regions });
  const entry = await discard(server, `/pages/${page}`, 'page', page);
  await take('pages', await createPage(server, site), page);
  const { status, body } = await restore(server, entry.id);
  expect(status).toBe(200);
  const after = readIds(body, before);
  expect(after.page).not.toBe(page);
  expect(await callOk(server, 'GET', `/pages/${below}`)).toMatchObject({
    html: namedBy.html(after, 'none'),
    regions: { more: { page: after.page } },
    parent_id: after.page,
  });
});

it('at the restore of a collection with its entries', async () => {
  const [things, card] = [freshName('things'), freshName('card')];
  const collection = idOf(
    await callOk(server, 'POST', '/collections', {
      slug: things,
      fields: [{ name: 'title', type: 'text' }],
    }),
  );
  const create = async (data: object) =>
    idOf(await callOk(server, 'POST', `/collections/${collection}/items`, { data }));
  const entry = await create({ title: 'Mine' });
  const before = { entry, page: await createPage(server, site), block: 0, collection };
  await callOk(server, 'PUT', `/collections/${collection}`, { fields: namedBy.fields(before) });
  await callOk(server, 'POST', '/snippets', {
    name: card,
    content: 'x',
    schema: { block: true, params: [{ name: 'thing', type: 'reference', collection }] },
  });
  const namer = await create(namedBy.data(before, card));
  const trashed = await discard(server, `/collections/${collection}`, 'collection', collection);
  await takeAll({ ...before, page: 999_999 });
  const { status, body } = await restore(server, trashed.id);
  expect({ status, body }).toMatchObject({ status: 200 });
  const after = readIds(body, before);
  expect(after.collection).not.toBe(collection);
  expect(after.entry).not.toBe(entry);
  expect(await callOk(server, 'GET', `/collections/${after.collection}`)).toMatchObject({
    slug: things,
    fields: namedBy.fields(after),
  });
  expect(await callOk(server, 'GET', `/collections/${after.collection}/items/${namer}`)).toMatchObject({
    collection_id: after.collection,
    data: namedBy.data(after, card),
  });
});
