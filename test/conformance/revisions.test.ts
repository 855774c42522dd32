import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addToken, asRecord, call, callList, callOk } from '../support/api.ts';
import { createAsset, createPage, createSite, createSnippet, freshName } from '../support/content.ts';
import { draw, uploadOne } from '../support/media.ts';
import { invalid, notFound, runScenarios } from '../support/scenarios.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { administrator, setUp, withSession } from '../support/session.ts';
import { visit } from './public-client.ts';

let server: TestServer;
let site: number;
/** Tokens of two authors. Saves of one author within two minutes store only one version. */
let ada: string;
let ben: string;

beforeAll(async () => {
  server = await startServer();
  site = await createSite(server, { domains: 'site.example' });
  ada = await addToken(server, 'ada', true);
  ben = await addToken(server, 'ben', true);
});
afterAll(() => server.stop());

async function save(token: string, path: string, body: unknown): Promise<Record<string, unknown>> {
  const answer = await call(server, 'PUT', path, { token, body });
  expect(answer.status).toBe(200);
  return asRecord(answer.body);
}

function versions(kind: string, object: number): Promise<Record<string, unknown>[]> {
  return callList(server, `/revisions?kind=${kind}&id=${object}`);
}

async function dataOf(version: Record<string, unknown> | undefined): Promise<Record<string, unknown>> {
  return asRecord((await callOk(server, 'GET', `/revisions/${version?.['id']}`))['data']);
}

/** The values of one field in all versions, newest first. */
async function history(kind: string, object: number, field: string): Promise<unknown[]> {
  const list = await versions(kind, object);
  return Promise.all(list.map(async (version) => (await dataOf(version))[field]));
}

async function authors(kind: string, object: number): Promise<unknown[]> {
  return (await versions(kind, object)).map((version) => version['author']);
}

async function restore(version: unknown, token = ada): Promise<Record<string, unknown>> {
  const answer = await call(server, 'POST', `/revisions/${version}/restore`, { token });
  expect(answer.status).toBe(200);
  return asRecord(answer.body);
}

async function newestId(kind: string, object: number): Promise<unknown> {
  return (await versions(kind, object))[0]?.['id'];
}

/** Makes the second page a language version of the first. */
async function link(page: number, version: number): Promise<void> {
  const body = { page_id: version };
  expect((await call(server, 'POST', `/pages/${page}/translations`, { body })).status).toBe(200);
}

function addPage(fields = {}): Promise<number> {
  return createPage(server, site, { title: 'first', ...fields });
}

function addSnippet(fields = {}): Promise<number> {
  return createSnippet(server, { content: 'first', ...fields });
}

function addAsset(fields = {}): Promise<number> {
  return createAsset(server, { name: 'style', content: 'a{}', ...fields });
}

describe('saving', () => {
  it('stores the state before the save; creating an object stores none', async () => {
    const page = await addPage();
    expect(await versions('page', page)).toEqual([]);
    const before = await callOk(server, 'GET', `/pages/${page}`);
    const now = Math.floor(Date.now() / 1000);
    await save(ada, `/pages/${page}`, { title: 'second' });
    const [entry, ...others] = await versions('page', page);
    expect(others).toEqual([]);
    expect(entry).toEqual({
      id: expect.any(Number),
      kind: 'page',
      object_id: page,
      author: 'ada',
      created_at: expect.any(Number),
      size: expect.any(Number),
      state_author: 'Master-Token',
      state_at: before['created_at'],
    });
    expect(Number(entry?.['created_at'])).toBeGreaterThanOrEqual(now);
    const version = await callOk(server, 'GET', `/revisions/${entry?.['id']}`);
    expect(version).toEqual({ ...entry, data: before });
  });

  it.each([
    ['page', () => addPage(), 'pages', { title: 'x' }],
    ['snippet', () => addSnippet(), 'snippets', { content: 'x' }],
    ['asset', () => addAsset(), 'assets', { content: 'b{}' }],
  ] as const)('a %s stores the answer of its GET', async (kind, create, path, change) => {
    const object = await create();
    const before = await callOk(server, 'GET', `/${path}/${object}`);
    await save(ada, `/${path}/${object}`, change);
    const [version] = await versions(kind, object);
    expect(version).toMatchObject({ kind, object_id: object });
    expect(await dataOf(version)).toEqual(before);
  });

  it('again by the same author within two minutes stores no version', async () => {
    const page = await addPage();
    for (const title of ['second', 'third', 'fourth']) await save(ada, `/pages/${page}`, { title });
    expect(await history('page', page, 'title')).toEqual(['first']);
  });

  it('by another author stores a version; the list begins with the newest', async () => {
    const page = await addPage();
    await save(ada, `/pages/${page}`, { title: 'second' });
    await save(ben, `/pages/${page}`, { title: 'third' });
    await save(ada, `/pages/${page}`, { title: 'fourth' });
    expect(await history('page', page, 'title')).toEqual(['third', 'second', 'first']);
    expect(await authors('page', page)).toEqual(['ada', 'ben', 'ada']);
  });

  it('stores an unchanged state only once', async () => {
    const page = await addPage();
    await save(ada, `/pages/${page}`, { title: 'first' });
    await save(ben, `/pages/${page}`, {});
    await save(ada, `/pages/${page}`, { title: 'second' });
    expect(await history('page', page, 'title')).toEqual(['first']);
    await save(ben, `/pages/${page}`, { title: 'third' });
    expect(await history('page', page, 'title')).toEqual(['second', 'first']);
  });

  it('stores no version when it is refused', async () => {
    const page = await addPage();
    for (const body of [{ title: '' }, { slug: 'Bad Slug' }, { lang: '!' }, { base_updated_at: 1 }])
      expect((await call(server, 'PUT', `/pages/${page}`, { body })).status).toBeGreaterThanOrEqual(400);
    expect(await versions('page', page)).toEqual([]);
  });

  it('the assets of a page stores the page with its assets before', async () => {
    const page = await addPage();
    const asset = await addAsset();
    await save(ada, `/pages/${page}/assets`, [{ asset_id: asset, inherit: true }]);
    await save(ben, `/pages/${page}/assets`, []);
    const assigned = { asset_id: asset, inherit: true, name: 'style', kind: 'css' };
    expect(await history('page', page, 'assets')).toEqual([[assigned], []]);
  });

  it('differs from moving, which stores no version', async () => {
    const target = await addPage();
    const page = await addPage();
    await call(server, 'POST', `/pages/${page}/move`, { body: { parent_id: target } });
    expect(await versions('page', page)).toEqual([]);
  });

  it('stores at most 100 versions of one object', async () => {
    const asset = await addAsset({ content: '0' });
    for (let round = 1; round <= 104; round++)
      await save(round % 2 === 0 ? ada : ben, `/assets/${asset}`, { content: String(round) });
    const kept = await history('asset', asset, 'content');
    expect(kept).toEqual(Array.from({ length: 100 }, (_, index) => String(103 - index)));
  });
});

describe('the author', () => {
  async function authorWith(token: string | undefined, person: string | undefined): Promise<unknown> {
    const page = await addPage();
    const headers = person === undefined ? {} : { 'X-IC-On-Behalf-Of': person };
    const credential = token === undefined ? {} : { token };
    await call(server, 'PUT', `/pages/${page}`, { ...credential, headers, body: { title: 'x' } });
    return (await authors('page', page))[0];
  }

  it.each([
    ['a token', () => ada, undefined, 'ada'],
    ['a token for a person', () => ada, 'Grace Hopper', 'ada (for Grace Hopper)'],
    ['a token for a person, encoded', () => ada, 'J%C3%BCrgen%20%20M', 'ada (for Jürgen M)'],
    ['the master token', () => undefined, undefined, 'Master-Token'],
    ['the master token for a person', () => undefined, 'Grace', 'Master-Token (for Grace)'],
  ])('is %s', async (_name, token, person, author) => {
    expect(await authorWith(token(), person)).toBe(author);
  });

  it('is the user of a session, also with X-IC-On-Behalf-Of', async () => {
    const session = await setUp(server);
    const page = await addPage();
    const { headers, ...rest } = withSession(session, { title: 'x' });
    const answer = await call(server, 'PUT', `/pages/${page}`, {
      ...rest,
      headers: { ...headers, 'X-IC-On-Behalf-Of': 'Grace' },
    });
    expect(answer.status).toBe(200);
    expect(await authors('page', page)).toEqual([administrator.username]);
  });

  it('includes the person: saves for two persons are saves of two authors', async () => {
    const page = await addPage();
    for (const [title, person] of [
      ['second', 'Ann'],
      ['third', 'Bob'],
      ['fourth', 'Bob'],
    ])
      await call(server, 'PUT', `/pages/${page}`, {
        token: ada,
        headers: { 'X-IC-On-Behalf-Of': String(person) },
        body: { title },
      });
    expect(await authors('page', page)).toEqual(['ada (for Bob)', 'ada (for Ann)']);
  });
});

describe('the author of the state that a version holds', () => {
  async function stateAuthors(kind: string, object: number): Promise<unknown[]> {
    return (await versions(kind, object)).map((version) => version['state_author']);
  }

  it.each([
    ['page', 'pages', () => addPage(), { description: 'b' }, { description: 'c' }],
    ['snippet', 'snippets', () => addSnippet(), { content: 'b' }, { content: 'c' }],
    ['asset', 'assets', () => addAsset(), { content: 'b{}' }, { content: 'c{}' }],
  ] as const)('is who saved the %s before', async (kind, path, create, second, third) => {
    const object = await create();
    await save(ada, `/${path}/${object}`, second);
    await save(ben, `/${path}/${object}`, third);
    expect(await stateAuthors(kind, object)).toEqual(['ada', 'Master-Token']);
    expect(await authors(kind, object)).toEqual(['ben', 'ada']);
  });

  it('is who made the last of the saves that count as one', async () => {
    const page = await addPage();
    await save(ada, `/pages/${page}`, { title: 'second' });
    const { updated_at: last } = await save(ada, `/pages/${page}`, { title: 'third' });
    await save(ben, `/pages/${page}`, { title: 'fourth' });
    const [newest] = await versions('page', page);
    expect(await dataOf(newest)).toMatchObject({ title: 'third' });
    expect(newest).toMatchObject({ state_author: 'ada', author: 'ben' });
    expect(Number(last) - Number(newest?.['state_at'])).toBeLessThanOrEqual(2);
  });

  it('is who has restored a state', async () => {
    const page = await addPage();
    await save(ada, `/pages/${page}`, { title: 'second' });
    await restore(await newestId('page', page), ben);
    await save(ada, `/pages/${page}`, { title: 'third' });
    expect(await history('page', page, 'title')).toEqual(['first', 'second', 'first']);
    expect(await stateAuthors('page', page)).toEqual(['ben', 'ada', 'Master-Token']);
  });

  it('is no other after a move, which edits nothing', async () => {
    const [target, page] = [await addPage(), await addPage()];
    const body = { parent_id: target };
    expect((await call(server, 'POST', `/pages/${page}/move`, { token: ben, body })).status).toBe(200);
    await save(ada, `/pages/${page}`, { title: 'second' });
    expect(await stateAuthors('page', page)).toEqual(['Master-Token']);
  });

  it('of an entry is who imported it from CSV', async () => {
    const fields = [{ name: 'title', label: 'Title', type: 'text' }];
    const slug = freshName('csv');
    await callOk(server, 'POST', '/collections', { slug, name: 'CSV', fields });
    const form = new FormData();
    form.set('file', new Blob(['title\nfirst\n']), 'rows.csv');
    const headers = { authorization: `Bearer ${ada}` };
    const address = `${server.url}/api/v1/collections/${slug}/import`;
    expect((await fetch(address, { method: 'POST', headers, body: form })).status).toBe(200);
    const [item] = await callList(server, `/collections/${slug}/items`);
    await save(ben, `/collections/${slug}/items/${item?.['id']}`, { data: { title: 'second' } });
    expect(await stateAuthors('item', Number(item?.['id']))).toEqual(['ada']);
  });
});

describe('restoring a page', () => {
  it('brings back all fields but slug, domains, default website and publication', async () => {
    const asset = await addAsset();
    const fields = {
      title: 'first',
      meta_title: 'meta',
      html: '<p>first</p>',
      head: '<meta name="x">',
      description: 'about',
      html_attrs: 'class="a"',
      body_attrs: 'class="b"',
      lang: 'fr',
      catch_all: true,
      no_cache: true,
      sitemap_exclude: true,
      noindex: true,
      nofollow: true,
      hide_in_nav: true,
      sitemap_source: { type: 'workflow', path: 'feed' },
      assets: [{ asset_id: asset, inherit: true }],
    };
    const page = await addPage({ ...fields, published: false });
    const before = await callOk(server, 'GET', `/pages/${page}`);
    const changed = {
      title: 'second',
      meta_title: '',
      html: '',
      head: '',
      description: '',
      html_attrs: '',
      body_attrs: '',
      lang: 'it',
      catch_all: false,
      no_cache: false,
      sitemap_exclude: false,
      noindex: false,
      nofollow: false,
      hide_in_nav: false,
      assets: [],
      slug: freshName('renamed'),
      published: true,
    };
    await save(ada, `/pages/${page}`, changed);
    const restored = await restore(await newestId('page', page));
    expect(restored).toEqual({
      ...before,
      slug: changed.slug,
      path: `/${changed.slug}`,
      published: true,
      local_modified: true,
      updated_at: expect.any(Number),
      warnings: [],
    });
    expect(await callOk(server, 'GET', `/pages/${page}`)).toMatchObject({ title: 'first', lang: 'fr' });
    expect(Number(restored['updated_at'])).toBeGreaterThan(Number(before['updated_at']));
  });

  it('of a website keeps domains and the default flag, and brings back its other settings', async () => {
    const root = await createSite(server, { domains: 'old.example' });
    const notFoundPage = await createPage(server, root);
    await callOk(server, 'PUT', `/pages/${root}`, { robots_txt: 'first', notfound_page_id: notFoundPage });
    await save(ada, `/pages/${root}`, {
      domains: 'new.example',
      default_site: true,
      robots_txt: 'second',
      notfound_page_id: 0,
    });
    expect(await restore(await newestId('page', root))).toMatchObject({
      domains: 'new.example',
      default_site: true,
      robots_txt: 'first',
      notfound_page_id: notFoundPage,
    });
    await save(ben, `/pages/${root}`, { notfound_page_id: 0 });
    const withPage = await newestId('page', root);
    await call(server, 'DELETE', `/pages/${notFoundPage}`);
    expect(await restore(withPage)).toMatchObject({ notfound_page_id: 0 });
  });

  it.each(['og_image_file_id', 'favicon_file_id'])('leaves out a deleted file in %s', async (field) => {
    const root = await createSite(server);
    const file = await uploadOne(server, 'mark.png', await draw({ width: 8, height: 8, format: 'png' }));
    await callOk(server, 'PUT', `/pages/${root}`, { title: 'first', [field]: file['id'] });
    await save(ada, `/pages/${root}`, { title: 'second', [field]: 0 });
    const version = await newestId('page', root);
    expect(await restore(version)).toMatchObject({ title: 'first', [field]: file['id'] });
    await save(ben, `/pages/${root}`, { title: 'third', [field]: 0 });
    await call(server, 'DELETE', `/files/${file['id']}`);
    expect(await restore(version)).toMatchObject({ title: 'first', [field]: 0 });
  });

  it('keeps its place in the tree', async () => {
    const target = await addPage();
    const page = await addPage();
    await save(ada, `/pages/${page}`, { title: 'second' });
    await call(server, 'POST', `/pages/${page}/move`, { body: { parent_id: target } });
    expect(await restore(await newestId('page', page))).toMatchObject({ title: 'first', parent_id: target });
  });

  it('leaves out assets that are deleted', async () => {
    const [kept, gone] = [await addAsset(), await addAsset()];
    const page = await addPage({ assets: [{ asset_id: gone }, { asset_id: kept }] });
    await save(ada, `/pages/${page}`, { assets: [] });
    await call(server, 'DELETE', `/assets/${gone}`);
    expect(await restore(await newestId('page', page))).toMatchObject({ assets: [{ asset_id: kept }] });
  });

  it('is refused if another page of its group has the language meanwhile, and changes nothing', async () => {
    const group = await addPage({ lang: 'fr' });
    const page = await addPage({ lang: 'en' });
    await link(group, page);
    await save(ada, `/pages/${page}`, { lang: 'it', title: 'second' });
    const other = await addPage({ lang: 'en' });
    await link(group, other);
    const before = await callOk(server, 'GET', `/pages/${page}`);
    const stored = await versions('page', page);
    const refused = await call(server, 'POST', `/revisions/${stored[0]?.['id']}/restore`, { token: ben });
    expect(refused).toMatchObject({
      status: 409,
      body: { code: 'translation.langTaken', params: { lang: 'en' } },
    });
    expect(await callOk(server, 'GET', `/pages/${page}`)).toEqual(before);
    expect(await versions('page', page)).toEqual(stored);

    expect((await call(server, 'DELETE', `/pages/${other}/translations`)).status).toBe(204);
    expect(await restore(stored[0]?.['id'], ben)).toMatchObject({ lang: 'en', title: 'first' });
  });

  it('is visible to the next visitor', async () => {
    const page = await addPage({ html: 'first', published: true });
    const { path } = await callOk(server, 'GET', `/pages/${page}`);
    await save(ada, `/pages/${page}`, { html: 'second' });
    expect((await visit(server, String(path), { host: 'site.example' })).text).toContain('second');
    await restore(await newestId('page', page));
    expect((await visit(server, String(path), { host: 'site.example' })).text).toContain('first');
  });
});

describe('restoring a snippet', () => {
  it('brings back content, description and schema, and nothing else', async () => {
    const schema = { block: true, label: 'first' };
    const snippet = await addSnippet({ description: 'first', schema });
    const asset = await addAsset();
    const name = freshName('renamed');
    await save(ada, `/snippets/${snippet}`, {
      name,
      content: 'second',
      description: 'second',
      schema: null,
      folder: 'second',
      page_layout: { label: 'second' },
      assets: [{ asset_id: asset }],
    });
    const restored = await restore(await newestId('snippet', snippet));
    expect(restored).toMatchObject({
      name,
      content: 'first',
      description: 'first',
      schema,
      folder: 'second',
      page_layout: { label: 'second' },
      assets: [{ asset_id: asset }],
      warnings: expect.any(Array),
    });
  });

  it('without schema removes the schema', async () => {
    const snippet = await addSnippet();
    await save(ada, `/snippets/${snippet}`, { schema: { block: false } });
    expect(await restore(await newestId('snippet', snippet))).toMatchObject({ schema: null });
  });
});

describe('restoring an asset', () => {
  it('brings back the content only', async () => {
    const asset = await addAsset({ content: 'first{}', folder: 'first' });
    const saved = await save(ada, `/assets/${asset}`, {
      content: 'second{}',
      name: 'second',
      folder: 'second',
    });
    const restored = await restore(await newestId('asset', asset));
    expect(restored).toEqual({ ...saved, content: 'first{}', updated_at: expect.any(Number) });
    expect(restored['updated_at']).not.toBe(saved['updated_at']);
  });
});

describe('a restore', () => {
  it('of the state as it is adds a version and changes no content', async () => {
    const page = await createPage(server, site, { slug: freshName('same'), html: 'one', published: true });
    const { path } = await callOk(server, 'GET', `/pages/${page}`);
    await save(ada, `/pages/${page}`, { html: 'two' });
    await save(ben, `/pages/${page}`, { html: 'one' });
    const see = () => visit(server, String(path), { host: 'site.example' });
    const version = async () => (await callOk(server, 'GET', '/changes?since=now'))['version'];
    await see();
    const [before, stored] = [await version(), await versions('page', page)];
    const first = stored.at(-1)?.['id'];
    expect(await dataOf(stored.at(-1))).toMatchObject({ html: 'one' });
    expect(await restore(first, ada)).toMatchObject({ html: 'one' });
    expect(await history('page', page, 'html')).toEqual(['one', 'two', 'one']);
    expect([await version(), (await see()).header('x-cache')]).toEqual([before, 'HIT']);
  });

  it('first stores the current state, also within two minutes, so that it can be undone', async () => {
    const asset = await addAsset({ content: 'first' });
    await save(ada, `/assets/${asset}`, { content: 'second' });
    await restore(await newestId('asset', asset), ada);
    expect(await history('asset', asset, 'content')).toEqual(['second', 'first']);
    await restore(await newestId('asset', asset), ada);
    expect(await callOk(server, 'GET', `/assets/${asset}`)).toMatchObject({ content: 'second' });
    expect(await history('asset', asset, 'content')).toEqual(['first', 'second', 'first']);
  });

  it('of the same version twice stores the current state once', async () => {
    const asset = await addAsset({ content: 'first' });
    await save(ada, `/assets/${asset}`, { name: 'other' });
    const version = await newestId('asset', asset);
    await restore(version);
    await restore(version);
    expect(await versions('asset', asset)).toHaveLength(2);
  });
});

describe('deleted objects', () => {
  it.each([
    ['page', () => addPage(), 'pages', { title: 'x' }],
    ['snippet', () => addSnippet(), 'snippets', { content: 'x' }],
    ['asset', () => addAsset(), 'assets', { content: 'x' }],
  ] as const)('a %s loses its versions', async (kind, create, path, change) => {
    const object = await create();
    await save(ada, `/${path}/${object}`, change);
    const version = await newestId(kind, object);
    await call(server, 'DELETE', `/${path}/${object}`);
    expect(await versions(kind, object)).toEqual([]);
    expect((await call(server, 'GET', `/revisions/${version}`)).status).toBe(404);
    expect((await call(server, 'POST', `/revisions/${version}/restore`)).status).toBe(404);
  });

  it('so do the subpages of a deleted page and the pages of a deleted website', async () => {
    const root = await createSite(server);
    const page = await createPage(server, root);
    const child = await createPage(server, page);
    const other = await createPage(server, root);
    for (const object of [page, child, other]) await save(ada, `/pages/${object}`, { title: 'x' });
    await call(server, 'DELETE', `/pages/${page}`);
    expect([await versions('page', child), (await versions('page', other)).length]).toEqual([[], 1]);
    await call(server, 'DELETE', `/pages/${root}`);
    expect(await versions('page', other)).toEqual([]);
  });
});

describe('refused', () => {
  let version: unknown;
  beforeEach(async () => {
    const page = await addPage();
    await save(ada, `/pages/${page}`, { title: 'x' });
    version = await newestId('page', page);
  });
  runScenarios(
    () => server,
    [
      { name: 'without kind', method: 'GET', path: '/revisions?id=1', ...invalid('kind') },
      { name: 'without id', method: 'GET', path: '/revisions?kind=page', ...invalid('id') },
      { name: 'unknown kind', method: 'GET', path: '/revisions?kind=token&id=1', ...invalid('kind') },
      { name: 'id that is no number', method: 'GET', path: '/revisions?kind=page&id=x', ...invalid('id') },
      ...['page', 'snippet', 'asset', 'workflow', 'flownode', 'globalblock'].map((kind) => ({
        name: `unknown ${kind} has no versions`,
        method: 'GET',
        path: `/revisions?kind=${kind}&id=999999`,
        status: 200,
      })),
      { name: 'unknown version', method: 'GET', path: '/revisions/999999', ...notFound },
      {
        name: 'restore of an unknown version',
        method: 'POST',
        path: '/revisions/999999/restore',
        ...notFound,
      },
      { name: 'version that is no number', method: 'GET', path: '/revisions/x', ...notFound },
    ],
  );

  it('restoring with a read-only token', async () => {
    const token = await addToken(server, 'reader', false);
    const answer = await call(server, 'POST', `/revisions/${version}/restore`, { token });
    expect(answer).toMatchObject({ status: 403, body: { error: 'token is read-only' } });
    expect((await call(server, 'GET', `/revisions/${version}`, { token })).status).toBe(200);
  });

  it.each([
    ['page', 200],
    ['snippet', 200],
    ['asset', 200],
    ['globalblock', 200],
    ['workflow', 403],
    ['flownode', 403],
  ])('for a read-only token the versions of a %s are %i', async (kind, status) => {
    const token = await addToken(server, freshName('reader'), false);
    const path = `/revisions?kind=${kind}&id=1`;
    const answer = await call(server, 'GET', path, { token });
    expect(answer.status).toBe(status);
    if (status === 403)
      expect(answer.body).toMatchObject({ code: 'auth.readOnly', error: 'token is read-only' });
    expect((await call(server, 'GET', path, { token: ada })).status).toBe(200);
  });
});
