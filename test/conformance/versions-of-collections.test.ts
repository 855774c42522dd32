import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addToken, asRecord, call, callList, callOk } from '../support/api.ts';
import {
  createCollection,
  createGlobalBlock,
  createItem,
  createPage,
  createRedirect,
  createSite,
  createSnippet,
  freshName,
} from '../support/content.ts';
import { masterToken, startServer, type TestServer } from '../support/server.ts';

/** Versions of collections and redirects, and the names of kinds in `/revisions`. */

let server: TestServer;
let site: number;
/** Tokens of two authors. Saves of one author within two minutes store only one version. */
let ada: string;
let ben: string;

beforeAll(async () => {
  server = await startServer();
  site = await createSite(server);
  ada = await addToken(server, 'ada', true);
  ben = await addToken(server, 'ben', true);
});
afterAll(() => server.stop());

const text = (name: string) => ({ name, type: 'text' });
const stored = (name: string, fields = {}) => ({
  ...{ name, label: name, type: 'text', required: false, options: [], collection: null },
  ...fields,
});

async function save(token: string, path: string, body: unknown): Promise<Record<string, unknown>> {
  const answer = await call(server, 'PUT', path, { token, body });
  expect(answer).toMatchObject({ status: 200 });
  return asRecord(answer.body);
}

const versions = (kind: string, id: number) => callList(server, `/revisions?kind=${kind}&id=${id}`);

async function dataOf(version: Record<string, unknown> | undefined): Promise<Record<string, unknown>> {
  return asRecord((await callOk(server, 'GET', `/revisions/${version?.['id']}`))['data']);
}

/** The values of one field in all versions, newest first. */
async function history(kind: string, id: number, field: string): Promise<unknown[]> {
  return Promise.all((await versions(kind, id)).map(async (version) => (await dataOf(version))[field]));
}

async function restoreNewest(kind: string, id: number, token = ada) {
  const [newest] = await versions(kind, id);
  return call(server, 'POST', `/revisions/${newest?.['id']}/restore`, { token });
}

async function addCollection(fields = {}): Promise<{ id: number; path: string; slug: string }> {
  const slug = freshName('c');
  const id = await createCollection(server, { slug, name: 'first', fields: [text('title')], ...fields });
  return { id, slug, path: `/collections/${id}` };
}

async function addRedirect(fields = {}): Promise<{ id: number; path: string; source: string }> {
  const source = `/${freshName('old')}`;
  const id = await createRedirect(server, site, { source, target: '/first', ...fields });
  return { id, source, path: `/redirects/${id}` };
}

const redirectNow = async (id: number) =>
  (await callList(server, `/redirects?root_id=${site}`)).find((redirect) => redirect['id'] === id);

describe.each([
  ['collection', addCollection, { name: 'second' }, { name: 'third' }, { name: 'fourth' }, 'name'],
  ['redirect', addRedirect, { target: '/second' }, { target: '/third' }, { target: '/4th' }, 'target'],
] as const)('a %s', (kind, add, second, third, fourth, field) => {
  const first = kind === 'collection' ? 'first' : '/first';

  it('stores the state before a save; creating stores none', async () => {
    const { id, path } = await add();
    expect(await versions(kind, id)).toEqual([]);
    await save(ada, path, second);
    const list = await versions(kind, id);
    expect(list).toEqual([
      {
        id: expect.any(Number),
        kind,
        object_id: id,
        author: 'ada',
        created_at: expect.any(Number),
        size: expect.any(Number),
        state_author: 'Master-Token',
        state_at: expect.any(Number),
      },
    ]);
    expect(await dataOf(list[0])).toMatchObject({ id, [field]: first });
  });

  it('has one version for the saves of one author, and one more for another author', async () => {
    const { id, path } = await add();
    await save(ada, path, second);
    await save(ada, path, third);
    expect(await history(kind, id, field)).toEqual([first]);
    await save(ben, path, fourth);
    expect(await history(kind, id, field)).toEqual([Object.values(third)[0], first]);
  });

  it('stores nothing when nothing changes or the save is refused', async () => {
    const { id, path } = await add();
    await save(ada, path, { [field]: first });
    const wrong = kind === 'collection' ? { slug: 'Wrong!' } : { target: '' };
    expect((await call(server, 'PUT', path, { body: wrong })).status).toBe(400);
    expect(await versions(kind, id)).toEqual([]);
  });

  it('comes back by a restore, which can be undone and is a change like others', async () => {
    const { id, path } = await add();
    await save(ada, path, second);
    const { version } = await callOk(server, 'GET', '/changes?since=now');
    expect(await restoreNewest(kind, id)).toMatchObject({ status: 200, body: { id, [field]: first } });
    const { changes } = await callOk(server, 'GET', `/changes?since=${version}`);
    expect(changes).toMatchObject([{ kind, action: 'updated', id, actor: 'ada' }]);
    expect(await history(kind, id, field)).toEqual([Object.values(second)[0], first]);
    expect(await restoreNewest(kind, id)).toMatchObject({ status: 200, body: second });
  });

  it('has versions that read tokens may see and not restore', async () => {
    const { id, path } = await add();
    await save(ada, path, second);
    const token = await addToken(server, freshName('reader'), false);
    const [version] = await versions(kind, id);
    const list = await call(server, 'GET', `/revisions?kind=${kind}&id=${id}`, { token });
    expect(list).toMatchObject({ status: 200, body: [version] });
    const one = `/revisions/${version?.['id']}`;
    expect((await call(server, 'GET', one, { token })).status).toBe(200);
    expect((await call(server, 'POST', `${one}/restore`, { token })).status).toBe(403);
    expect((await call(server, 'GET', one, { token: null })).status).toBe(401);
  });

  it('loses its versions when it is deleted', async () => {
    const { id, path } = await add();
    await save(ada, path, second);
    const [version] = await versions(kind, id);
    expect((await call(server, 'DELETE', path)).status).toBe(204);
    expect(await versions(kind, id)).toEqual([]);
    expect((await call(server, 'GET', `/revisions/${version?.['id']}`)).status).toBe(404);
    expect((await call(server, 'POST', `/revisions/${version?.['id']}/restore`)).status).toBe(404);
  });
});

describe('a version of a collection', () => {
  it('is the answer of its GET', async () => {
    const { id, path } = await addCollection({ folder: 'f', lang: 'de', public_api: true });
    const before = await callOk(server, 'GET', path);
    await save(ada, path, { name: 'second' });
    expect(await dataOf((await versions('collection', id))[0])).toEqual(before);
  });

  it('brings back everything that a PUT can change', async () => {
    const page = await createPage(server, site, { catch_all: true });
    const { id, path } = await addCollection({
      ...{ folder: 'f', public_api: true, live: true, singleton: true, lang: 'de' },
      ...{ detail_page_id: page, detail_field: 'title' },
    });
    const before = await callOk(server, 'GET', path);
    await save(ada, path, {
      ...{ slug: freshName('c'), name: 'n', folder: '', public_api: false, live: false, singleton: false },
      ...{ lang: '', detail_page_id: 0, detail_field: '', fields: [text('other'), text('slug')] },
    });
    const restored = await restoreNewest('collection', id);
    const { updated_at: _, ...kept } = before;
    expect(restored.body).toMatchObject(kept);
    expect(await callOk(server, 'GET', path)).toMatchObject(kept);
  });

  it('brings back fields that are gone, with the values that entries still have', async () => {
    const { id, path, slug } = await addCollection({ fields: [text('title'), text('note')] });
    const entry = await createItem(server, slug, { title: 'A', note: 'kept' });
    await save(ada, path, { fields: [text('title')] });
    expect(await restoreNewest('collection', id)).toMatchObject({
      status: 200,
      body: { fields: [stored('title'), stored('note')] },
    });
    const [shown] = await callList(server, `/data/${slug}`);
    expect(shown).toMatchObject({ id: entry, title: 'A', note: 'kept' });
  });

  it('is stored by the renaming of a field and of the slug too', async () => {
    const { id, path, slug } = await addCollection();
    const rename = (what: string, body: object, token: string) =>
      call(server, 'POST', `${path}/rename-${what}`, { token, body });
    expect((await rename('field', { from: 'title', to: 'heading' }, ada)).status).toBe(200);
    expect(await history('collection', id, 'fields')).toEqual([[stored('title')]]);
    expect((await rename('slug', { to: freshName('c') }, ben)).status).toBe(200);
    expect(await history('collection', id, 'slug')).toEqual([slug, slug]);
    expect(await restoreNewest('collection', id)).toMatchObject({
      status: 200,
      body: { slug, fields: [stored('heading', { label: 'heading' })] },
    });
  });

  it('comes back without a detail page that was deleted', async () => {
    const page = await createPage(server, site, { catch_all: true });
    const { id, path } = await addCollection({ detail_page_id: page });
    await save(ada, path, { name: 'second' });
    expect((await call(server, 'DELETE', `/pages/${page}`)).status).toBe(204);
    expect(await restoreNewest('collection', id)).toMatchObject({
      status: 200,
      body: { name: 'first', detail_page_id: 0 },
    });
  });

  it('comes back with a detail field that was the default', async () => {
    const { id, path } = await addCollection();
    await save(ada, path, { detail_field: 'title' });
    expect(await restoreNewest('collection', id)).toMatchObject({
      status: 200,
      body: { detail_field: 'slug' },
    });
  });

  it('tells what still names the slug that goes, as PUT does', async () => {
    const { id, path, slug } = await addCollection();
    const renamed = freshName('c');
    await save(ada, path, { slug: renamed });
    const snippet = await createSnippet(server, { content: `{{ data("${renamed}")|length }}` });
    expect((await restoreNewest('collection', id)).body).toMatchObject({
      slug,
      warnings: [{ code: 'collection.slugNamed', params: { slug: renamed, kind: 'snippet', id: snippet } }],
    });
  });

  it('is in the audit when it is restored', async () => {
    const { id, path } = await addCollection();
    await save(ada, path, { name: 'second' });
    await restoreNewest('collection', id, ben);
    const { changes } = await callOk(server, 'GET', `/audit?kind=collection&id=${id}`);
    expect(changes).toMatchObject([{ action: 'updated', actor: 'ben' }, { actor: 'ada' }, {}]);
  });

  describe('is refused by a restore like a PUT', () => {
    async function refused(id: number): Promise<unknown> {
      const before = await callOk(server, 'GET', `/collections/${id}`);
      const list = await versions('collection', id);
      const { status, body } = await restoreNewest('collection', id, ben);
      expect(await callOk(server, 'GET', `/collections/${id}`)).toEqual(before);
      expect(await versions('collection', id)).toEqual(list);
      const { code, params } = asRecord(body);
      return { status, code, params };
    }

    it('when another collection has its slug', async () => {
      const { id, path, slug } = await addCollection();
      await save(ada, path, { slug: freshName('c') });
      await createCollection(server, { slug });
      expect(await refused(id)).toEqual({ status: 409, code: 'collection.slugTaken', params: { slug } });
    });

    it('when it was a singleton and has two entries now', async () => {
      const { id, path, slug } = await addCollection({ singleton: true });
      await save(ada, path, { singleton: false });
      for (const title of ['A', 'B']) await createItem(server, slug, { title });
      expect(await refused(id)).toMatchObject({ status: 409, code: 'collection.manyEntries' });
    });

    it('when a collection that a field refers to is gone', async () => {
      const other = await addCollection();
      const fields = [text('title'), { name: 'to', type: 'reference', collection: other.id }];
      const { id, path } = await addCollection({ fields });
      await save(ada, path, { fields: [text('title')] });
      expect((await call(server, 'DELETE', other.path)).status).toBe(204);
      expect(await refused(id)).toMatchObject({
        status: 400,
        code: 'common.invalid',
        params: { field: 'fields.1.collection' },
      });
    });

    it('when its detail page is no catch-all page any more', async () => {
      const page = await createPage(server, site, { catch_all: true });
      const { id, path } = await addCollection({ detail_page_id: page });
      await save(ada, path, { detail_page_id: 0 });
      await save(ada, `/pages/${page}`, { catch_all: false });
      expect(await refused(id)).toMatchObject({ status: 400, code: 'collection.detailPageInvalid' });
    });
  });
});

describe('a version of a redirect', () => {
  it('is the redirect, and brings back source, target and status', async () => {
    const { id, path, source } = await addRedirect({ status: 302 });
    const before = await redirectNow(id);
    await save(ada, path, { source: `/${freshName('old')}`, target: '/second', status: 301 });
    const { target_missing: _, ...redirect } = before ?? {};
    expect(await dataOf((await versions('redirect', id))[0])).toEqual(redirect);
    expect(await restoreNewest('redirect', id)).toMatchObject({
      status: 200,
      body: { id, source, target: '/first', status: 302, auto: false },
    });
    expect(await redirectNow(id)).toEqual(before);
  });

  it('is stored by an import of CSV too', async () => {
    const { id, source } = await addRedirect();
    const form = new FormData();
    form.set('file', new File([`Von,Nach\n${source},/imported\n`], 'r.csv'));
    const response = await fetch(`${server.url}/api/v1/redirects/import?root_id=${site}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${masterToken}` },
      body: form,
    });
    expect(await response.json()).toMatchObject({ updated: 1, imported: true });
    expect(await history('redirect', id, 'target')).toEqual(['/first']);
  });

  it('is stored when a page moves that it leads to', async () => {
    const slug = freshName('page');
    const page = await createPage(server, site, { slug, published: true });
    const { id } = await addRedirect({ target: `/${slug}` });
    const moved = freshName('page');
    await save(ada, `/pages/${page}`, { slug: moved });
    expect(await redirectNow(id)).toMatchObject({ target: `/${moved}` });
    expect(await history('redirect', id, 'target')).toEqual([`/${slug}`]);
  });

  it('of an automatic redirect comes back as an edited one', async () => {
    const slug = freshName('page');
    const page = await createPage(server, site, { slug, published: true });
    const moved = freshName('page');
    await save(ada, `/pages/${page}`, { slug: moved });
    const auto = (await callList(server, `/redirects?root_id=${site}`)).find(
      ({ source }) => source === `/${slug}`,
    );
    const id = Number(auto?.['id']);
    expect(auto).toMatchObject({ auto: true });
    await save(ada, `/redirects/${id}`, { target: '/elsewhere' });
    expect(await history('redirect', id, 'auto')).toEqual([true]);
    expect(await restoreNewest('redirect', id)).toMatchObject({
      body: { target: `/${moved}`, auto: false },
    });
  });

  it.each<[string, (source: string) => Promise<unknown>, number, string]>([
    [
      'another redirect has its source',
      (source) => createRedirect(server, site, { source, target: '/x' }),
      409,
      'redirect.sourceTaken',
    ],
    [
      'a page is at its source',
      (source) => createPage(server, site, { slug: source.slice(1) }),
      400,
      'common.invalid',
    ],
    [
      'it would lead back to itself',
      (source) => createRedirect(server, site, { source: '/first', target: source }),
      400,
      'redirect.loop',
    ],
  ])('is refused by a restore when %s', async (_name, change, status, code) => {
    const { id, path, source } = await addRedirect();
    await save(ada, path, { source: `/${freshName('old')}`, target: '/second' });
    await change(source);
    const before = await redirectNow(id);
    expect(await restoreNewest('redirect', id)).toMatchObject({ status, body: { code } });
    expect(await redirectNow(id)).toEqual(before);
  });
});

describe('the names of kinds', () => {
  it.each([
    ['page', 200],
    ['item', 200],
    ['snippet', 200],
    ['asset', 200],
    ['global_block', 200],
    ['globalblock', 200],
    ['collection', 200],
    ['redirect', 200],
    ['workflow', 403],
    ['flow_node', 403],
    ['flownode', 403],
  ])('take %s, for read tokens with %i', async (kind, status) => {
    const path = `/revisions?kind=${kind}&id=999999`;
    expect(await callList(server, path)).toEqual([]);
    const token = await addToken(server, freshName('reader'), false);
    expect((await call(server, 'GET', path, { token })).status).toBe(status);
  });

  it('of both spellings mean the same versions', async () => {
    const id = await createGlobalBlock(server, { description: 'first' });
    await save(ada, `/global-blocks/${id}`, { description: 'second' });
    const list = await versions('globalblock', id);
    expect(list).toMatchObject([{ kind: 'globalblock', object_id: id }]);
    expect(await versions('global_block', id)).toEqual(list);
  });

  it('are described', async () => {
    const { paths } = await callOk(server, 'GET', '/openapi.json');
    const { parameters } = asRecord(asRecord(asRecord(paths)['/revisions'])['get']);
    const names = ['collection', 'redirect', 'global_block', 'globalblock', 'flow_node', 'flownode'];
    for (const name of names) expect(JSON.stringify(parameters)).toContain(`"${name}"`);
  });
});
