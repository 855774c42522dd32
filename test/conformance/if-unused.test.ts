import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Connection } from '../../server/db/connection.ts';
import { loadMigrations, migrate } from '../../server/db/migrate.ts';
import { type ApiAnswer, call, callOk } from '../support/api.ts';
import {
  createAsset,
  createPage,
  createRedirect,
  createSite,
  createSnippet,
  freshName,
  freshSlug,
} from '../support/content.ts';
import { makeTempDir, startServer, type TestServer } from '../support/server.ts';

/** `?if_unused=1` on DELETE: 409 `common.inUse` when something refers to the object. */

let server: TestServer;
let siteId: number;

beforeAll(async () => {
  server = await startServer();
  siteId = await createSite(server, { domains: 'site.example\nwww.site.example' });
});
afterAll(() => server.stop());

function remove(path: string, on = server): Promise<ApiAnswer> {
  return call(on, 'DELETE', `${path}?if_unused=1`);
}

function inUse(...usage: readonly { kind: string; id: number; title: string }[]) {
  return {
    status: 409,
    body: { code: 'common.inUse', error: expect.stringContaining('in use'), params: { usage } },
  };
}

async function newPage(html: string, fields = {}): Promise<{ kind: string; id: number; title: string }> {
  const title = freshName('Page');
  return {
    kind: 'page',
    id: await createPage(server, siteId, { title, slug: freshSlug(), html, ...fields }),
    title,
  };
}

async function newSnippet(content: string): Promise<{ kind: string; id: number; title: string }> {
  const title = freshName('part');
  return { kind: 'snippet', id: await createSnippet(server, { name: title, content }), title };
}

describe('an asset', () => {
  it('that nothing uses is deleted', async () => {
    expect((await remove(`/assets/${await createAsset(server)}`)).status).toBe(204);
  });

  it.each([
    ['a page that it is assigned to', (id: number) => newPage('', { assets: [{ asset_id: id }] })],
    ['a page that asks for its address', (id: number) => newPage(`{{ asset_url(${id}) }}`)],
    ['a head that asks for its address', (id: number) => newPage('', { head: `{{ asset_url(${id}) }}` })],
    ['a snippet that asks for its address', (id: number) => newSnippet(`{{ asset_url(${id}) }}`)],
  ])('is in use by %s', async (_name, use) => {
    const id = await createAsset(server);
    const user = await use(id);
    expect(await remove(`/assets/${id}`)).toMatchObject(inUse(user));
    expect((await call(server, 'GET', `/assets/${id}`)).status).toBe(200);
    expect((await call(server, 'DELETE', `/${user.kind}s/${user.id}`)).status).toBe(204);
    expect((await remove(`/assets/${id}`)).status).toBe(204);
  });

  it('is in use by a snippet that it is assigned to', async () => {
    const id = await createAsset(server);
    const title = freshName('part');
    const snippet = await createSnippet(server, { name: title, assets: [{ asset_id: id }] });
    expect(await remove(`/assets/${id}`)).toMatchObject(inUse({ kind: 'snippet', id: snippet, title }));
    await callOk(server, 'PUT', `/snippets/${snippet}`, { assets: [] });
    expect((await remove(`/assets/${id}`)).status).toBe(204);
  });

  it('is deleted without the flag, whatever uses it', async () => {
    const id = await createAsset(server);
    await newPage('', { assets: [{ asset_id: id }] });
    expect((await call(server, 'DELETE', `/assets/${id}?if_unused=0`)).status).toBe(204);
  });
});

describe('a snippet', () => {
  it.each([
    ['include', (name: string) => `{% include "${name}" %}`],
    ['include of a bare word', (name: string) => `{% include ${name} %}`],
    [
      'include inside of other tags',
      (name: string) => `{% if page.x %}{% for a in page.y %}{% include "${name}" %}{% endfor %}{% endif %}`,
    ],
    ['extends', (name: string) => `{% extends "${name}" %}`],
    ['component', (name: string) => `{% component "${name}" / %}`],
    ['import', (name: string) => `{% import "${name}" m %}`],
    ['a part of it', (name: string) => `{% include "${name}#part" %}`],
  ])('is in use by a page with %s', async (_name, html) => {
    const part = await newSnippet('');
    const page = await newPage(html(part.title));
    expect(await remove(`/snippets/${part.id}`)).toMatchObject(inUse(page));
    await callOk(server, 'PUT', `/pages/${page.id}`, { html: `{# ${html(part.title)} #}` });
    expect((await remove(`/snippets/${part.id}`)).status).toBe(204);
  });

  it('is in use by pages and snippets, listed by kind and ID', async () => {
    const part = await newSnippet('');
    const snippet = await newSnippet(`{% include "${part.title}" %}`);
    const pages = [
      await newPage(`{% include "${part.title}" %}{% include "${part.title}" %}`),
      await newPage('', { description: `{% include "${part.title}" %}` }),
    ];
    expect(await remove(`/snippets/${part.id}`)).toMatchObject(inUse(...pages, snippet));
  });

  it('is not in use by itself', async () => {
    const part = await newSnippet('');
    await callOk(server, 'PUT', `/snippets/${part.id}`, { content: `{% include "${part.title}" %}` });
    expect((await remove(`/snippets/${part.id}`)).status).toBe(204);
  });

  it('is in use under the name that it has now', async () => {
    const part = await newSnippet('');
    const page = await newPage(`{% include "${part.title}" %}`);
    await callOk(server, 'PUT', `/snippets/${part.id}`, { name: freshName('renamed') });
    await callOk(server, 'PUT', `/pages/${page.id}`, { title: 'still the same text' });
    expect((await remove(`/snippets/${part.id}`)).status).toBe(204);
  });

  it('is in use by the layout of a new page, and by a restored state', async () => {
    const name = freshName('layout');
    const id = await createSnippet(server, { name, page_layout: { label: 'L' } });
    const body = { parent_id: siteId, title: 'With layout', slug: freshSlug(), layout_id: id };
    const page = await callOk(server, 'POST', '/pages', body);
    const user = { kind: 'page', id: Number(page['id']), title: 'With layout' };
    expect(await remove(`/snippets/${id}`)).toMatchObject(inUse(user));
    await callOk(server, 'PUT', `/pages/${user.id}`, { html: '' });
    const { body: revisions } = await call(server, 'GET', `/revisions?kind=page&id=${user.id}`);
    const [revision] = Array.isArray(revisions) ? revisions : [];
    await callOk(server, 'POST', `/revisions/${revision.id}/restore`);
    expect(await remove(`/snippets/${id}`)).toMatchObject(inUse(user));
  });
});

describe('a page', () => {
  it('without subpages and links is deleted', async () => {
    const page = await newPage('<a href="/somewhere/else">x</a>');
    expect((await remove(`/pages/${page.id}`)).status).toBe(204);
  });

  it('with subpages is in use by them, drafts too', async () => {
    const page = await newPage('');
    const child = await createPage(server, page.id, { title: 'Child' });
    expect(await remove(`/pages/${page.id}`)).toMatchObject(
      inUse({ kind: 'page', id: child, title: 'Child' }),
    );
  });

  it.each([
    ['by its path', (path: string) => `<p><a class="x" href="${path}">x</a>`],
    ['with query and fragment', (path: string) => `<a href='${path}?a=1#b'>x</a>`],
    ['in another form of the same path', (path: string) => `<A HREF=${path.toUpperCase()}/ >x</A>`],
    ['with the domain', (path: string) => `<a href="https://www.site.example${path}">x</a>`],
    ['as the target of a form', (path: string) => `<form action="${path}"></form>`],
  ])('is in use by a link %s', async (_name, html) => {
    const slug = freshSlug();
    const page = await newPage('', { slug });
    const linking = await newPage(html(`/${slug}`));
    expect(await remove(`/pages/${page.id}`)).toMatchObject(inUse(linking));
    await callOk(server, 'PUT', `/pages/${linking.id}`, { html: '' });
    expect((await remove(`/pages/${page.id}`)).status).toBe(204);
  });

  it.each([
    ['a comment', (path: string) => `{# <a href="${path}"> #}<!-- <a href="${path}"> -->`],
    ['a comment tag', (path: string) => `{% comment %}<a href="${path}">{% endcomment %}`],
    ['a longer path', (path: string) => `<a href="${path}-more">x</a><a href="${path}/below">x</a>`],
    ['another host', (path: string) => `<a href="https://elsewhere.example${path}">x</a>`],
    ['plain text', (path: string) => `see ${path}`],
    ['an address that a tag completes', (path: string) => `<a href="${path}{{ page.id }}">x</a>`],
  ])('is not in use by %s', async (_name, html) => {
    const slug = freshSlug();
    const page = await newPage('', { slug });
    await newPage(html(`/${slug}`));
    expect((await remove(`/pages/${page.id}`)).status).toBe(204);
  });

  it('is not in use by a link to itself, nor by a link to the same path of another website', async () => {
    const slug = freshSlug();
    const page = await newPage(`<a href="/${slug}">x</a>`, { slug });
    const other = await createSite(server, { domains: `${freshName('other')}.example` });
    await createPage(server, other, { html: `<a href="/${slug}">x</a>` });
    expect((await remove(`/pages/${page.id}`)).status).toBe(204);
  });

  it('is in use by a link of a page that moved to its website', async () => {
    const slug = freshSlug();
    const page = await newPage('', { slug });
    const other = await createSite(server, { domains: `${freshName('other')}.example` });
    const linking = await createPage(server, other, { title: 'Moved', html: `<a href="/${slug}">x</a>` });
    await call(server, 'POST', `/pages/${linking}/move`, { body: { parent_id: siteId } });
    expect(await remove(`/pages/${page.id}`)).toMatchObject(
      inUse({ kind: 'page', id: linking, title: 'Moved' }),
    );
  });

  it('is in use by the link of a snippet, the children of a template and a redirect', async () => {
    const slug = freshSlug();
    const page = await newPage('', { slug });
    const byId = await newPage(`{% for p in children(${page.id}) %}{{ p.title }}{% endfor %}`);
    const snippet = await newSnippet(`<a href="/${slug}">x</a>`);
    const source = `/${freshName('old')}`;
    const redirect = await createRedirect(server, siteId, { source, target: `/${slug}#part` });
    const users = [byId, { kind: 'redirect', id: redirect, title: source }, snippet];
    const answer = await remove(`/pages/${page.id}`);
    expect(answer).toMatchObject({ status: 409 });
    expect(answer.body).toMatchObject({ params: { usage: expect.arrayContaining(users) } });
    await callOk(server, 'PUT', `/redirects/${redirect}`, { target: '/elsewhere' });
    expect((await remove(`/pages/${page.id}`)).body).toMatchObject({
      params: { usage: expect.arrayContaining([byId, snippet]) },
    });
    for (const { kind, id } of [byId, snippet]) await call(server, 'DELETE', `/${kind}s/${id}`);
    expect((await remove(`/pages/${page.id}`)).status).toBe(204);
  });

  it('is in use by the redirect from its old path, which follows it', async () => {
    const slug = freshSlug();
    const page = await newPage('', { slug, published: true });
    await callOk(server, 'PUT', `/pages/${page.id}`, { slug: freshSlug() });
    expect((await remove(`/pages/${page.id}`)).body).toMatchObject({
      params: { usage: [{ kind: 'redirect', title: `/${slug}` }] },
    });
  });

  it('that is the 404 page is in use by its website', async () => {
    const other = await createSite(server, { title: 'Other site' });
    const page = await createPage(server, other);
    await callOk(server, 'PUT', `/pages/${other}`, { notfound_page_id: page });
    expect(await remove(`/pages/${page}`)).toMatchObject(
      inUse({ kind: 'page', id: other, title: 'Other site' }),
    );
    await callOk(server, 'PUT', `/pages/${other}`, { notfound_page_id: 0 });
    expect((await remove(`/pages/${page}`)).status).toBe(204);
  });

  it('that is catch-all is in use by links below it', async () => {
    const slug = freshSlug();
    const page = await newPage('', { slug, catch_all: true });
    const linking = await newPage(`<a href="/${slug}/some/entry">x</a>`);
    expect(await remove(`/pages/${page.id}`)).toMatchObject(inUse(linking));
  });

  it('is not in use by its language versions', async () => {
    const de = await newPage('', { lang: 'de' });
    const en = await newPage('', { lang: 'en' });
    await call(server, 'POST', `/pages/${de.id}/translations`, { body: { page_id: en.id } });
    expect((await remove(`/pages/${de.id}`)).status).toBe(204);
  });
});

describe('many users', () => {
  it('are listed up to 100', async () => {
    const asset = await createAsset(server);
    const other = await createSite(server, { domains: `${freshName('many')}.example` });
    for (let count = 0; count < 101; count++)
      await createPage(server, other, { assets: [{ asset_id: asset }] });
    const { body } = await remove(`/assets/${asset}`);
    expect(body).toMatchObject({ params: { usage: { length: 100 } } });
  });
});

describe('the flag', () => {
  it('must be one, and an unknown object is 404', async () => {
    const path = `/assets/${await createAsset(server)}`;
    expect(await call(server, 'DELETE', `${path}?if_unused=maybe`)).toMatchObject({
      status: 400,
      body: { code: 'common.invalid', params: { field: 'if_unused' } },
    });
    expect((await call(server, 'GET', path)).status).toBe(200);
    expect((await remove('/assets/999999')).status).toBe(404);
  });
});

describe('a database that was written before references were kept', () => {
  it('gets them at the next start', async () => {
    const dataDir = makeTempDir();
    const users = writeOldDatabase(dataDir);
    const after = await startServer({ dataDir });
    expect(await remove('/snippets/1', after)).toMatchObject(
      inUse(...users.map((id) => ({ kind: 'page', id, title: 'User' }))),
    );
    await after.end('SIGTERM');
    rmSync(dataDir, { recursive: true, force: true });
  });
});

/** The last version of the database without references. */
const lastWithout = 6;

/** A database of that version with a website and 25 pages that use snippet 1. Returns their IDs. */
function writeOldDatabase(dataDir: string): readonly number[] {
  const db = new Connection<object>(join(dataDir, 'content.db'));
  const migrations = loadMigrations('content').filter(({ version }) => version <= lastWithout);
  migrate(db, 'content', dataDir, migrations);
  db.statement("INSERT INTO snippets (name, content, created_at, updated_at) VALUES ('old', 'x', 1, 1)").run(
    [],
  );
  const insertPage = db.statement(
    'INSERT INTO pages (id, parent_id, root_id, slug, path, sort, title, html, created_at, updated_at) VALUES (?, ?, 1, ?, ?, ?, ?, ?, 1, 1)',
  );
  insertPage.run([1, null, '', '/', 1, 'Site', '']);
  const users = Array.from({ length: 25 }, (_, index) => index + 2);
  for (const id of users)
    insertPage.run([id, 1, `user-${id}`, `/user-${id}`, id, 'User', '{% include "old" %}']);
  db.close();
  return users;
}
