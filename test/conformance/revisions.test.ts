import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addToken, asRecord, call, callList, callOk } from '../support/api.ts';
import { runScenarios } from '../support/scenarios.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { administrator, setUp, withSession } from '../support/session.ts';
import { visit } from './public-client.ts';

let server: TestServer;
let site: number;
let serial = 0;
/** Two authors: the saves of one within two minutes count as one. */
let ada: string;
let ben: string;

beforeAll(async () => {
  server = await startServer();
  site = await id('POST', '/sites', { title: 'Site', domains: 'site.example' });
  ada = await addToken(server, 'ada', true);
  ben = await addToken(server, 'ben', true);
});
afterAll(() => server.stop());

async function id(method: string, path: string, body: unknown): Promise<number> {
  return Number((await callOk(server, method, path, body))['id']);
}

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

/** The title, name or content of all versions, newest first. */
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

function createPage(fields: object = {}): Promise<number> {
  return id('POST', '/pages', { parent_id: site, title: 'first', slug: `page-${serial++}`, ...fields });
}

function createSnippet(fields: object = {}): Promise<number> {
  return id('POST', '/snippets', { name: `snippet-${serial++}`, content: 'first', ...fields });
}

function createAsset(fields: object = {}): Promise<number> {
  return id('POST', '/assets', { name: 'style', kind: 'css', content: 'a{}', ...fields });
}

describe('saving', () => {
  it('keeps the state before; creating is no save', async () => {
    const page = await createPage();
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
    });
    expect(Number(entry?.['created_at'])).toBeGreaterThanOrEqual(now);
    const version = await callOk(server, 'GET', `/revisions/${entry?.['id']}`);
    expect(version).toEqual({ ...entry, data: before });
  });

  it.each([
    ['page', () => createPage(), 'pages', { title: 'x' }],
    ['snippet', () => createSnippet(), 'snippets', { content: 'x' }],
    ['asset', () => createAsset(), 'assets', { content: 'b{}' }],
  ] as const)('a %s keeps it in the format of its GET', async (kind, create, path, change) => {
    const object = await create();
    const before = await callOk(server, 'GET', `/${path}/${object}`);
    await save(ada, `/${path}/${object}`, change);
    const [version] = await versions(kind, object);
    expect(version).toMatchObject({ kind, object_id: object });
    expect(await dataOf(version)).toEqual(before);
  });

  it('again by the same author within two minutes keeps nothing new', async () => {
    const page = await createPage();
    for (const title of ['second', 'third', 'fourth']) await save(ada, `/pages/${page}`, { title });
    expect(await history('page', page, 'title')).toEqual(['first']);
  });

  it('by another author does, newest first', async () => {
    const page = await createPage();
    await save(ada, `/pages/${page}`, { title: 'second' });
    await save(ben, `/pages/${page}`, { title: 'third' });
    await save(ada, `/pages/${page}`, { title: 'fourth' });
    expect(await history('page', page, 'title')).toEqual(['third', 'second', 'first']);
    expect(await authors('page', page)).toEqual(['ada', 'ben', 'ada']);
  });

  it('does not keep an unchanged state twice', async () => {
    const page = await createPage();
    await save(ada, `/pages/${page}`, { title: 'first' });
    await save(ben, `/pages/${page}`, {});
    await save(ada, `/pages/${page}`, { title: 'second' });
    expect(await history('page', page, 'title')).toEqual(['first']);
    await save(ben, `/pages/${page}`, { title: 'third' });
    expect(await history('page', page, 'title')).toEqual(['second', 'first']);
  });

  it('that is refused keeps nothing', async () => {
    const page = await createPage();
    for (const body of [{ title: '' }, { slug: 'Bad Slug' }, { lang: '!' }, { base_updated_at: 1 }])
      expect((await call(server, 'PUT', `/pages/${page}`, { body })).status).toBeGreaterThanOrEqual(400);
    expect(await versions('page', page)).toEqual([]);
  });

  it('the asset assignment keeps the page with its assets', async () => {
    const page = await createPage();
    const asset = await createAsset();
    await save(ada, `/pages/${page}/assets`, [{ asset_id: asset, inherit: true }]);
    await save(ben, `/pages/${page}/assets`, []);
    const assigned = { asset_id: asset, inherit: true, name: 'style', kind: 'css' };
    expect(await history('page', page, 'assets')).toEqual([[assigned], []]);
  });

  it('moving a page keeps nothing', async () => {
    const target = await createPage();
    const page = await createPage();
    await call(server, 'POST', `/pages/${page}/move`, { body: { parent_id: target } });
    expect(await versions('page', page)).toEqual([]);
  });

  it('keeps at most 100 versions of one object', async () => {
    const asset = await createAsset({ content: '0' });
    for (let round = 1; round <= 104; round++)
      await save(round % 2 === 0 ? ada : ben, `/assets/${asset}`, { content: String(round) });
    const kept = await history('asset', asset, 'content');
    expect(kept).toEqual(Array.from({ length: 100 }, (_, index) => String(103 - index)));
  });
});

describe('the author', () => {
  async function authorWith(token: string | undefined, person: string | undefined): Promise<unknown> {
    const page = await createPage();
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

  it('is the user of a session, which writes for nobody else', async () => {
    const session = await setUp(server);
    const page = await createPage();
    const { headers, ...rest } = withSession(session, { title: 'x' });
    const answer = await call(server, 'PUT', `/pages/${page}`, {
      ...rest,
      headers: { ...headers, 'X-IC-On-Behalf-Of': 'Grace' },
    });
    expect(answer.status).toBe(200);
    expect(await authors('page', page)).toEqual([administrator.username]);
  });

  it('is told apart by the person: the window holds per complete author', async () => {
    const page = await createPage();
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

describe('restoring a page', () => {
  it('brings back all fields but slug, domains, default website and publication', async () => {
    const asset = await createAsset();
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
    const page = await createPage({ ...fields, published: false });
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
      slug: `renamed-${serial++}`,
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
    const root = await id('POST', '/sites', { title: 'first', domains: 'old.example' });
    const notFoundPage = await id('POST', '/pages', { parent_id: root, title: 'lost', slug: 'lost' });
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

  it('keeps its place in the tree', async () => {
    const target = await createPage();
    const page = await createPage();
    await save(ada, `/pages/${page}`, { title: 'second' });
    await call(server, 'POST', `/pages/${page}/move`, { body: { parent_id: target } });
    expect(await restore(await newestId('page', page))).toMatchObject({ title: 'first', parent_id: target });
  });

  it('leaves out assets that are deleted', async () => {
    const [kept, gone] = [await createAsset(), await createAsset()];
    const page = await createPage({ assets: [{ asset_id: gone }, { asset_id: kept }] });
    await save(ada, `/pages/${page}`, { assets: [] });
    await call(server, 'DELETE', `/assets/${gone}`);
    expect(await restore(await newestId('page', page))).toMatchObject({ assets: [{ asset_id: kept }] });
  });

  it('is seen by the next visitor', async () => {
    const page = await createPage({ html: 'first', published: true });
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
    const snippet = await createSnippet({ description: 'first', schema });
    const asset = await createAsset();
    const name = `renamed-${serial++}`;
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
    const snippet = await createSnippet();
    await save(ada, `/snippets/${snippet}`, { schema: { block: false } });
    expect(await restore(await newestId('snippet', snippet))).toMatchObject({ schema: null });
  });
});

describe('restoring an asset', () => {
  it('brings back the content only', async () => {
    const asset = await createAsset({ content: 'first', folder: 'first' });
    const saved = await save(ada, `/assets/${asset}`, {
      content: 'second',
      name: 'second',
      folder: 'second',
    });
    const restored = await restore(await newestId('asset', asset));
    expect(restored).toEqual({ ...saved, content: 'first', updated_at: expect.any(Number) });
    expect(restored['updated_at']).not.toBe(saved['updated_at']);
  });
});

describe('a restore', () => {
  it('keeps the current state first, even within the window, so that it can be undone', async () => {
    const asset = await createAsset({ content: 'first' });
    await save(ada, `/assets/${asset}`, { content: 'second' });
    await restore(await newestId('asset', asset), ada);
    expect(await history('asset', asset, 'content')).toEqual(['second', 'first']);
    await restore(await newestId('asset', asset), ada);
    expect(await callOk(server, 'GET', `/assets/${asset}`)).toMatchObject({ content: 'second' });
    expect(await history('asset', asset, 'content')).toEqual(['first', 'second', 'first']);
  });

  it('of the state that is there keeps it once', async () => {
    const asset = await createAsset({ content: 'first' });
    await save(ada, `/assets/${asset}`, { name: 'other' });
    const version = await newestId('asset', asset);
    await restore(version);
    await restore(version);
    expect(await versions('asset', asset)).toHaveLength(2);
  });
});

describe('deleted objects', () => {
  it.each([
    ['page', () => createPage(), 'pages', { title: 'x' }],
    ['snippet', () => createSnippet(), 'snippets', { content: 'x' }],
    ['asset', () => createAsset(), 'assets', { content: 'x' }],
  ] as const)('a %s loses its versions', async (kind, create, path, change) => {
    const object = await create();
    await save(ada, `/${path}/${object}`, change);
    const version = await newestId(kind, object);
    await call(server, 'DELETE', `/${path}/${object}`);
    expect(await versions(kind, object)).toEqual([]);
    expect((await call(server, 'GET', `/revisions/${version}`)).status).toBe(404);
    expect((await call(server, 'POST', `/revisions/${version}/restore`)).status).toBe(404);
  });

  it('so do the subpages of a deleted page, and the pages of a website', async () => {
    const root = await id('POST', '/sites', { title: 'Gone' });
    const page = await id('POST', '/pages', { parent_id: root, title: 'a', slug: 'a' });
    const child = await id('POST', '/pages', { parent_id: page, title: 'b', slug: 'b' });
    const other = await id('POST', '/pages', { parent_id: root, title: 'c', slug: 'c' });
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
    const page = await createPage();
    await save(ada, `/pages/${page}`, { title: 'x' });
    version = await newestId('page', page);
  });
  const field = (name: string) => ({ status: 400, code: 'common.invalid', params: { field: name } });
  const missing = { status: 404, code: 'common.notFound' };
  runScenarios(
    () => server,
    [
      { name: 'without kind', method: 'GET', path: '/revisions?id=1', ...field('kind') },
      { name: 'without id', method: 'GET', path: '/revisions?kind=page', ...field('id') },
      { name: 'unknown kind', method: 'GET', path: '/revisions?kind=token&id=1', ...field('kind') },
      { name: 'id that is no number', method: 'GET', path: '/revisions?kind=page&id=x', ...field('id') },
      ...['page', 'snippet', 'asset', 'workflow', 'flownode', 'globalblock'].map((kind) => ({
        name: `unknown ${kind} has no versions`,
        method: 'GET',
        path: `/revisions?kind=${kind}&id=999999`,
        status: 200,
      })),
      { name: 'unknown version', method: 'GET', path: '/revisions/999999', ...missing },
      {
        name: 'restore of an unknown version',
        method: 'POST',
        path: '/revisions/999999/restore',
        ...missing,
      },
      { name: 'version that is no number', method: 'GET', path: '/revisions/x', ...missing },
    ],
  );

  it('restoring with a read-only token', async () => {
    const token = await addToken(server, 'reader', false);
    const answer = await call(server, 'POST', `/revisions/${version}/restore`, { token });
    expect(answer).toMatchObject({ status: 403, body: { error: 'token is read-only' } });
    expect((await call(server, 'GET', `/revisions/${version}`, { token })).status).toBe(200);
  });
});
