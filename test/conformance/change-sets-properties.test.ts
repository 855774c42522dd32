import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asRecord, call, callList, callOk } from '../support/api.ts';
import {
  createAsset,
  createCollection,
  createItem,
  createPage,
  createRedirect,
  createSite,
  createSnippet,
  freshName,
  freshSlug,
  idOf,
} from '../support/content.ts';
import { startServer, type TestServer } from '../support/server.ts';

/** What holds of all change sets: a revert leads back, and the order of publications does not count. */

let server: TestServer;

beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

const release = async () => idOf(await callOk(server, 'POST', '/change-sets', { name: freshName('r') }));

/** Numbers from 0 to below `count`, the same for the same seed. */
function createChooser(seed: number): (count: number) => number {
  let state = seed;
  return (count) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * count);
  };
}

interface World {
  readonly site: number;
  readonly collection: string;
}

async function createWorld(): Promise<World> {
  const site = await createSite(server);
  const slug = freshSlug();
  await createCollection(server, { slug, fields: [{ name: 'title', type: 'text' }] });
  const parents = [site];
  for (let index = 0; index < 6; index++) {
    const parent = parents[index % 3] ?? site;
    const fields = { title: `Page ${index}`, html: 'a\nb\nc', lang: index % 2 === 0 ? 'de' : 'en' };
    parents.push(await createPage(server, parent, { ...fields, published: index % 3 !== 2 }));
    await createSnippet(server, { content: `snippet ${index}` });
    await createAsset(server, { content: `a{top:${index}px}` });
    await createItem(server, slug, { title: `Entry ${index}` });
  }
  await createRedirect(server, site, { source: `/${freshSlug()}`, target: '/x' });
  return { site, collection: slug };
}

const paths = ({ site, collection }: World) => [
  ...['/pages', '/snippets', '/assets', `/redirects?root_id=${site}`, `/collections/${collection}/items`],
];

/** All that GETs answer, but for times. */
async function readWorld(world: World): Promise<unknown> {
  const lists = await Promise.all(paths(world).map((path) => callList(server, path)));
  const objects = await Promise.all(
    ['pages', 'snippets', 'assets'].flatMap((kind, index) =>
      (lists[index] ?? []).map(({ id }) => callOk(server, 'GET', `/${kind}/${id}`)),
    ),
  );
  const translations = await Promise.all(
    (lists[0] ?? []).map(({ id }) => callList(server, `/pages/${id}/translations`)),
  );
  return JSON.parse(
    JSON.stringify({ lists, objects, translations }, (name, value: unknown) =>
      /_at$/.test(name) || name === 'translation_group' ? undefined : value,
    ),
  );
}

/** A random operation; some of them are refused, which is as well. */
async function addRandomEdit(set: number, world: World, choose: (count: number) => number): Promise<void> {
  const objects = await Promise.all(paths(world).map((path) => callList(server, `${path}`)));
  const pages = (objects[0] ?? []).filter(({ parent_id }) => parent_id !== null);
  const one = (list: readonly Readonly<Record<string, unknown>>[] = []) =>
    Number(list[choose(list.length)]?.['id']);
  const [page, other] = [one(pages), one(pages)];
  const { collection } = world;
  const operations: readonly object[] = [
    { op: 'update', kind: 'page', id: page, data: { title: freshName('t'), html: 'a\nx\nc' } },
    { op: 'update', kind: 'page', id: page, data: { slug: freshSlug() } },
    {
      op: 'update',
      kind: 'page',
      id: page,
      data: { published: choose(2) === 0, meta_title: freshName('m') },
    },
    { op: 'move', kind: 'page', id: page, data: { parent_id: other, index: choose(3) } },
    { op: 'move', kind: 'page', id: page, data: { parent_id: world.site, index: choose(3) } },
    { op: 'delete', kind: 'page', id: page },
    {
      op: 'create',
      kind: 'page',
      data: { parent_id: page, title: 'New', slug: freshSlug(), published: true },
    },
    { op: 'link', kind: 'page', id: page, data: { page_id: other } },
    { op: 'update', kind: 'snippet', id: one(objects[1]), data: { content: freshName('c') } },
    { op: 'delete', kind: 'snippet', id: one(objects[1]) },
    { op: 'create', kind: 'snippet', data: { name: freshName('s'), content: 'x' } },
    { op: 'update', kind: 'asset', id: one(objects[2]), data: { content: 'b{}', folder: 'f' } },
    { op: 'delete', kind: 'asset', id: one(objects[2]) },
    { op: 'update', kind: 'redirect', id: one(objects[3]), data: { target: `/${freshSlug()}` } },
    { op: 'delete', kind: 'redirect', id: one(objects[3]) },
    { op: 'update', kind: 'item', collection, id: one(objects[4]), data: { title: freshName('e') } },
    { op: 'delete', kind: 'item', collection, id: one(objects[4]) },
    { op: 'create', kind: 'item', collection, data: { title: 'New' } },
  ];
  const body = operations[choose(operations.length)] ?? {};
  await call(server, 'POST', `/change-sets/${set}/items`, { body });
}

describe('publishing and then reverting', () => {
  it.each(Array.from({ length: 8 }, (_, index) => index + 1))(
    'leads back to the state before (%i)',
    async (seed) => {
      const choose = createChooser(seed);
      const world = await createWorld();
      for (let round = 0; round < 2; round++) {
        const set = await release();
        for (let edit = 0; edit < 6; edit++) await addRandomEdit(set, world, choose);
        const before = await readWorld(world);
        const published = await call(server, 'POST', `/change-sets/${set}/publish`, { body: {} });
        if (published.status !== 200) continue;
        const reverted = await call(server, 'POST', `/change-sets/${set}/revert`, { body: {} });
        const items = await callList(server, `/change-sets/${set}/items`);
        const done = items.map(({ op, kind, id, fields }) => ({ op, kind, id, fields }));
        expect({ done, status: reverted.status, body: reverted.body }).toMatchObject({
          done,
          status: 200,
          body: { skipped: [] },
        });
        expect({ done, state: await readWorld(world) }).toEqual({ done, state: before });
      }
    },
  );
});

describe('edits that do not conflict', () => {
  const edits = [
    { title: 'Mine' },
    { html: 'x\nb\nc\nd\ne' },
    { html: 'a\nb\nc\nd\ny' },
    { meta_title: 'm' },
  ];
  const orders = [
    [0, 1, 2, 3],
    [3, 2, 1, 0],
    [1, 3, 0, 2],
    [2, 0, 3, 1],
  ];

  it('lead to the same state in any order', async () => {
    const site = await createSite(server);
    const states: unknown[] = [];
    for (const order of orders) {
      const id = await createPage(server, site, { title: 'Before', html: 'a\nb\nc\nd\ne' });
      const sets: number[] = [];
      for (const edit of edits) {
        const set = await release();
        await callOk(server, 'PUT', `/change-sets/${set}/items/page/${id}`, edit);
        sets.push(set);
      }
      for (const index of order) {
        const answer = await call(server, 'POST', `/change-sets/${sets[index]}/publish`, { body: {} });
        expect(answer.status).toBe(200);
      }
      const { title, html, meta_title } = asRecord(await callOk(server, 'GET', `/pages/${id}`));
      states.push({ title, html, meta_title });
    }
    expect(new Set(states.map((state) => JSON.stringify(state)))).toEqual(
      new Set([JSON.stringify({ title: 'Mine', html: 'x\nb\nc\nd\ny', meta_title: 'm' })]),
    );
  });
});
