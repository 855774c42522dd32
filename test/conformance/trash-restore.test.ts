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
  idOf,
} from '../support/content.ts';
import { uploadOne } from '../support/media.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { writeContent } from '../support/shared-database.ts';
import { discard, findTrashed, inputFlow, listTrash, restore } from '../support/trash.ts';

/** What a restore meets: names, parents and lists that have changed since the deletion. */

let server: TestServer;
let site: number;

beforeAll(async () => {
  server = await startServer();
  site = await createSite(server, { title: 'Museum', lang: 'en' });
});
afterAll(() => server.stop());

function listIn(body: unknown, name: string): Record<string, unknown>[] {
  const list = asRecord(body)[name];
  return Array.isArray(list) ? list.map(asRecord) : [];
}

interface NameCase {
  readonly kind: string;
  readonly what: string;
  readonly name: string;
  /** The name that a restore gives with `rename`; undefined if it gives none. */
  readonly renamed: string | undefined;
  /** Creates the object and answers with its ID and its path in the API. */
  make(): Promise<readonly [id: number, path: string]>;
  /** Reads the name of the restored object. */
  nameOf(id: number): Promise<unknown>;
}

const field =
  (path: (id: number) => string, name: string) =>
  async (id: number): Promise<unknown> =>
    (await callOk(server, 'GET', path(id)))[name];

const names: readonly NameCase[] = [
  {
    kind: 'page',
    what: 'path',
    name: '/visit',
    renamed: '/visit-2',
    async make() {
      const id = await createPage(server, site, { slug: 'visit' });
      return [id, `/pages/${id}`];
    },
    nameOf: (id) => field((page) => `/pages/${page}`, 'path')(id),
  },
  {
    kind: 'page',
    what: 'domain',
    name: 'museum.example',
    renamed: undefined,
    async make() {
      const id = await createSite(server, { domains: 'museum.example' });
      return [id, `/pages/${id}`];
    },
    nameOf: (id) => field((page) => `/pages/${page}`, 'domains')(id),
  },
  {
    kind: 'snippet',
    what: 'name',
    name: 'teaser',
    renamed: 'teaser-2',
    async make() {
      const id = await createSnippet(server, { name: 'teaser' });
      return [id, `/snippets/${id}`];
    },
    nameOf: (id) => field((snippet) => `/snippets/${snippet}`, 'name')(id),
  },
  {
    kind: 'collection',
    what: 'name',
    name: 'objects',
    renamed: 'objects-2',
    async make() {
      const id = await createCollection(server, { slug: 'objects' });
      return [id, `/collections/${id}`];
    },
    nameOf: (id) => field((collection) => `/collections/${collection}`, 'slug')(id),
  },
  {
    kind: 'source',
    what: 'name',
    name: 'weather',
    renamed: 'weather-2',
    async make() {
      const body = { slug: 'weather', url: 'https://example.org/' };
      const id = idOf(await callOk(server, 'POST', '/sources', body));
      return [id, `/sources/${id}`];
    },
    nameOf: (id) => field((source) => `/sources/${source}`, 'slug')(id),
  },
  {
    kind: 'redirect',
    what: 'path',
    name: '/old',
    renamed: '/old-2',
    async make() {
      const id = await createRedirect(server, site, { source: '/old' });
      return [id, `/redirects/${id}`];
    },
    nameOf: async (id) =>
      (await callList(server, `/redirects?root_id=${site}`)).find((one) => one['id'] === id)?.['source'],
  },
  {
    kind: 'file',
    what: 'path',
    name: 'notes.txt',
    renamed: 'notes-2.txt',
    async make() {
      const id = idOf(await uploadOne(server, 'notes.txt', 'text'));
      return [id, `/files/${id}`];
    },
    nameOf: (id) => field((file) => `/files/${file}`, 'path')(id),
  },
  {
    kind: 'workflow',
    what: 'address',
    name: '/hook',
    renamed: '/hook-2',
    async make() {
      const body = { name: 'Hook', flow: inputFlow('/hook') };
      const id = idOf(await callOk(server, 'POST', '/workflows', body));
      return [id, `/workflows/${id}`];
    },
    nameOf: async (id) =>
      JSON.stringify((await callOk(server, 'GET', `/workflows/${id}`))['flow']).match(
        /"path":"([^"]*)"/,
      )?.[1],
  },
  {
    kind: 'flow_node',
    what: 'key',
    name: 'twice',
    renamed: undefined,
    async make() {
      const body = { key: 'twice', name: 'Twice', code: 'return msg;' };
      const id = idOf(await callOk(server, 'POST', '/flow-nodes', body));
      return [id, `/flow-nodes/${id}`];
    },
    nameOf: (id) => field((node) => `/flow-nodes/${node}`, 'key')(id),
  },
];

describe('a name that is taken', () => {
  it.each(names)('$what of a $kind', async ({ kind, what, name, renamed, make, nameOf }) => {
    const [id, path] = await make();
    const entry = await discard(server, path, kind, id);
    const [holder] = await make();
    const refused = await restore(server, entry.id);
    expect(refused).toMatchObject({
      status: 409,
      body: { code: 'trash.nameTaken', params: { what, name, holder: { kind, id: holder } } },
    });
    const dry = await restore(server, entry.id, { rename: true, dry_run: true });
    expect((await call(server, 'GET', `/trash/${entry.id}`)).status).toBe(200);
    const answer = await restore(server, entry.id, { rename: true });
    if (renamed === undefined) {
      expect([dry.status, answer.status]).toEqual([409, 409]);
      return;
    }
    const restored = [{ kind, id, title: expect.any(String) }];
    const change = { restored, renamed: [{ kind, id, what, from: name, to: renamed }], renumbered: [] };
    expect(dry).toMatchObject({ status: 200, body: { dry_run: true, ...change } });
    expect(answer).toMatchObject({ status: 200, body: { dry_run: false, ...change } });
    expect(await nameOf(id)).toBe(renamed);
  });
});

describe('a parent that was deleted', () => {
  it('comes back with its child if that is wanted; what was deleted before it does not', async () => {
    const above = await createPage(server, site, { slug: 'above' });
    const parent = await createPage(server, above, { slug: 'parent' });
    const child = await createPage(server, parent, { slug: 'child' });
    const sibling = await createPage(server, parent, { slug: 'sibling' });
    const first = await discard(server, `/pages/${child}`, 'page', child);
    const earlier = await discard(server, `/pages/${sibling}`, 'page', sibling);
    const second = await discard(server, `/pages/${above}`, 'page', above);
    expect(second.contains).toEqual({ page: 1 });
    expect(await restore(server, first.id)).toMatchObject({
      status: 409,
      body: { code: 'trash.parentDeleted', params: { kind: 'page', id: parent, trash_id: second.id } },
    });
    const { body } = await restore(server, first.id, { with_parent: true });
    expect(body).toMatchObject({ restored: [{ id: above }, { id: child }] });
    expect(await callOk(server, 'GET', `/pages/${child}`)).toMatchObject({ path: '/above/parent/child' });
    expect((await call(server, 'GET', `/pages/${sibling}`)).status).toBe(404);
    expect((await restore(server, earlier.id)).status).toBe(200);
  });

  it('that is gone for good refuses the child', async () => {
    const parent = await createPage(server, site);
    const child = await createPage(server, parent);
    const entry = await discard(server, `/pages/${child}`, 'page', child);
    await call(server, 'DELETE', `/pages/${parent}?purge=1`);
    expect(await restore(server, entry.id, { with_parent: true })).toMatchObject({
      status: 409,
      body: { code: 'trash.parentDeleted', params: { kind: 'page', id: parent, trash_id: null } },
    });
  });

  it('leaves entries and redirects in the trash, too', async () => {
    const collection = await createCollection(server, { fields: [{ name: 'title', type: 'text' }] });
    const item = await createItem(server, collection, { title: 'Lamp' });
    const entry = await discard(server, `/collections/${collection}/items/${item}`, 'item', item);
    await call(server, 'DELETE', `/collections/${collection}`);
    expect(await restore(server, entry.id)).toMatchObject({
      status: 409,
      body: { code: 'trash.parentDeleted' },
    });
    expect((await call(server, 'GET', `/trash/${entry.id}`)).status).toBe(200);
    expect((await restore(server, entry.id, { with_parent: true })).status).toBe(200);
    expect(await callList(server, `/collections/${collection}/items`)).toMatchObject([{ id: item }]);
    const other = await createSite(server);
    const redirect = await createRedirect(server, other);
    const old = await discard(server, `/redirects/${redirect}`, 'redirect', redirect);
    await call(server, 'DELETE', `/pages/${other}`);
    expect((await restore(server, old.id)).status).toBe(409);
    expect((await restore(server, old.id, { with_parent: true })).status).toBe(200);
  });

  it('that was moved takes the child with its pages to its new place', async () => {
    const [other, parent] = [await createSite(server), await createPage(server, site, { slug: 'here' })];
    const target = await createPage(server, other, { slug: 'there' });
    const child = await createPage(server, parent, { slug: 'child' });
    const below = await createPage(server, child, { slug: 'below' });
    const entry = await discard(server, `/pages/${child}`, 'page', child);
    await callOk(server, 'POST', `/pages/${parent}/move`, { parent_id: target });
    expect((await restore(server, entry.id)).status).toBe(200);
    const place = { path: '/there/here/child/below', root_id: other };
    expect(await callOk(server, 'GET', `/pages/${below}`)).toMatchObject(place);
  });

  it('puts a file and a folder to the top when their folder is gone', async () => {
    const folder = idOf(await callOk(server, 'POST', '/folders', { name: 'A' }));
    const inner = idOf(await callOk(server, 'POST', '/folders', { name: 'B', parent_id: folder }));
    const file = idOf(await uploadOne(server, 'a.txt', 'a', { folder_id: String(inner) }));
    const trashed = await discard(server, `/files/${file}`, 'file', file);
    const trashedFolder = await discard(server, `/folders/${inner}`, 'folder', inner);
    await call(server, 'DELETE', `/folders/${folder}?purge=1`);
    expect((await restore(server, trashed.id)).status).toBe(200);
    expect(await callOk(server, 'GET', `/files/${file}`)).toMatchObject({ folder_id: 0 });
    expect((await restore(server, trashedFolder.id)).status).toBe(200);
    const folders = await callList(server, '/folders');
    expect(folders.find(({ id }) => id === inner)).toMatchObject({ parent_id: 0 });
  });
});

describe('what has changed since', () => {
  it('keeps lists of assignments as they are, and adds to those that are unchanged', async () => {
    const [gone, other] = [await createAsset(server), await createAsset(server)];
    const assets = [{ asset_id: gone }, { asset_id: other }];
    const same = await createPage(server, site, { assets });
    const changed = await createPage(server, site, { assets });
    const entry = await discard(server, `/assets/${gone}`, 'asset', gone);
    await callOk(server, 'PUT', `/pages/${same}`, { title: 'Another title' });
    await callOk(server, 'PUT', `/pages/${changed}`, { assets: [] });
    await restore(server, entry.id);
    expect(await callOk(server, 'GET', `/pages/${same}`)).toMatchObject({ title: 'Another title', assets });
    expect(await callOk(server, 'GET', `/pages/${changed}`)).toMatchObject({ assets: [] });
  });

  it('leaves out assignments of what is gone for good', async () => {
    const asset = await createAsset(server);
    const page = await createPage(server, site, { assets: [{ asset_id: asset }] });
    const entry = await discard(server, `/pages/${page}`, 'page', page);
    await call(server, 'DELETE', `/assets/${asset}?purge=1`);
    expect((await restore(server, entry.id)).status).toBe(200);
    expect(await callOk(server, 'GET', `/pages/${page}`)).toMatchObject({ assets: [] });
  });

  it('keeps a page out of language versions that have another one by now', async () => {
    const [english, german] = [
      await createPage(server, site),
      await createPage(server, site, { lang: 'de' }),
    ];
    await call(server, 'POST', `/pages/${english}/translations`, { body: { page_id: german } });
    const entry = await discard(server, `/pages/${german}`, 'page', german);
    const another = await createPage(server, site, { lang: 'de' });
    await call(server, 'POST', `/pages/${english}/translations`, { body: { page_id: another } });
    expect((await restore(server, entry.id)).status).toBe(200);
    expect(await callList(server, `/pages/${german}/translations`)).toEqual([]);
    expect(await callList(server, `/pages/${english}/translations`)).toMatchObject([{ page_id: another }]);
  });

  it('keeps `default_site` with the website that has it now', async () => {
    const [first, second] = [await createSite(server), await createSite(server)];
    await callOk(server, 'PUT', `/pages/${first}`, { default_site: true });
    const entry = await discard(server, `/pages/${first}`, 'page', first);
    await callOk(server, 'PUT', `/pages/${second}`, { default_site: true });
    await restore(server, entry.id);
    expect(await callOk(server, 'GET', `/pages/${first}`)).toMatchObject({ default_site: false });
    expect(await callOk(server, 'GET', `/pages/${second}`)).toMatchObject({ default_site: true });
  });

  it('lets a page win against a redirect from its path, as a new page does', async () => {
    const page = await createPage(server, site, { slug: 'back', published: true });
    const entry = await discard(server, `/pages/${page}`, 'page', page);
    await createRedirect(server, site, { source: '/back' });
    await restore(server, entry.id);
    const sources = (await callList(server, `/redirects?root_id=${site}`)).map(({ source }) => source);
    expect(sources).not.toContain('/back');
  });

  it('refuses a second entry of a singleton', async () => {
    const fields = [{ name: 'title', type: 'text' }];
    const collection = await createCollection(server, { singleton: true, fields });
    const path = `/collections/${collection}`;
    const item = idOf(await callOk(server, 'PUT', `${path}/item`, { data: { title: 'One' } }));
    const entry = await discard(server, `${path}/items/${item}`, 'item', item);
    await callOk(server, 'PUT', `${path}/item`, { data: { title: 'Two' } });
    expect(await restore(server, entry.id)).toMatchObject({
      status: 409,
      body: { code: 'collection.hasEntry' },
    });
  });
});

describe('a restore', () => {
  it('makes references work again, and is one commit with the word `created`', async () => {
    const page = await createPage(server, site, { slug: 'linked', published: true });
    await createPage(server, page, { slug: 'below' });
    const html = `{% for p in children(${page}) %}x{% endfor %}`;
    const referrer = await createPage(server, site, { slug: 'referrer', html, published: true });
    const usageOf = async (id: number) => (await callOk(server, 'GET', `/usage?kind=page&id=${id}`))['usage'];
    const before = await usageOf(page);
    expect(before).toMatchObject([{ id: referrer }]);
    const entry = await discard(server, `/pages/${page}`, 'page', page);
    const { version } = await callOk(server, 'GET', '/changes?since=now');
    await restore(server, entry.id);
    expect(await usageOf(page)).toEqual(before);
    const feed = await callOk(server, 'GET', `/changes?since=${version}`);
    expect(feed['changes']).toMatchObject([{ kind: 'page', action: 'created', id: page }]);
    expect(await listTrash(server, '?kind=page&q=linked')).toEqual([]);
  });

  it('of an entry starts workflows as its creation does', async () => {
    const collection = await createCollection(server, {
      slug: 'watched',
      fields: [{ name: 'title', type: 'text' }],
    });
    const item = await createItem(server, collection, { title: 'Lamp' });
    const entry = await discard(server, `/collections/${collection}/items/${item}`, 'item', item);
    const nodes = [
      { id: 'event', type: 'event', config: { collection: 'watched', created: true } },
      { id: 'out', type: 'debug', config: {} },
    ];
    const workflow = idOf(
      await callOk(server, 'POST', '/workflows', {
        name: 'Watch',
        flow: { nodes, wires: [{ from: 'event', to: 'out' }] },
      }),
    );
    await restore(server, entry.id);
    await expect
      .poll(async () => (await callList(server, `/workflows/${workflow}/runs`)).length, { timeout: 10_000 })
      .toBe(1);
  });

  it('keeps runs and values of a workflow', async () => {
    const nodes = [{ id: 'start', type: 'inject', config: {} }];
    const flow = { nodes, wires: [] };
    const id = idOf(await callOk(server, 'POST', '/workflows', { name: 'Kept', flow }));
    await call(server, 'POST', `/workflows/${id}/run`, { body: {} });
    const runs = () => callList(server, `/workflows/${id}/runs`);
    await expect.poll(async () => (await runs()).length, { timeout: 10_000 }).toBe(1);
    const before = await runs();
    const entry = await discard(server, `/workflows/${id}`, 'workflow', id);
    await restore(server, entry.id);
    expect(await runs()).toEqual(before);
  });

  it('gives another ID to what an import has taken the ID of', async () => {
    const page = await createPage(server, site, { slug: 'numbered' });
    const below = await createPage(server, page, { slug: 'below' });
    await callOk(server, 'PUT', `/pages/${below}`, { title: 'Changed' });
    const entry = await discard(server, `/pages/${page}`, 'page', page);
    // As an import writes it: with the ID of another instance.
    await writeContent(server.dataDir, async (db) =>
      db
        .statement(
          `INSERT INTO pages (id, parent_id, root_id, slug, path, title, sort, created_at, updated_at)
           VALUES (?, ?, ?, 'imported', '/imported', 'Imported', 0, 1, 1)`,
        )
        .run([page, site, site]),
    );
    const { status, body } = await restore(server, entry.id);
    expect(status).toBe(200);
    const [moved] = listIn(body, 'renumbered');
    expect(moved).toEqual({ kind: 'page', from: page, to: expect.any(Number) });
    const id = Number(moved?.['to']);
    expect(listIn(body, 'restored')).toMatchObject([{ kind: 'page', id }]);
    expect(await callOk(server, 'GET', `/pages/${page}`)).toMatchObject({ slug: 'imported' });
    expect(await callOk(server, 'GET', `/pages/${id}`)).toMatchObject({ path: '/numbered' });
    expect(await callOk(server, 'GET', `/pages/${below}`)).toMatchObject({ parent_id: id, title: 'Changed' });
    expect(await callList(server, `/revisions?kind=page&id=${below}`)).toHaveLength(1);
  });

  it('of what is not in the trash is 404', async () => {
    const page = await createPage(server, site);
    const entry = await discard(server, `/pages/${page}`, 'page', page);
    await restore(server, entry.id);
    expect((await restore(server, entry.id)).status).toBe(404);
    await expect(findTrashed(server, 'page', page)).rejects.toThrow('not in the trash');
  });
});
