import { afterAll, beforeAll, expect, it } from 'vitest';
import { call, callList, callOk, outcomeOf } from '../support/api.ts';
import { createCollection, createItem, createPage, createSite, createSnippet } from '../support/content.ts';
import { startServer, type TestServer } from '../support/server.ts';

/** `impact` and `rename-field` of collections, beyond the specification. */

let server: TestServer;
let page: number;
let snippet: number;
const text = (name: string) => ({ name, type: 'text' });

beforeAll(async () => {
  server = await startServer();
  const site = await createSite(server);
  const detail = await createPage(server, site, { catch_all: true, slug: 'detail' });
  const news = await createCollection(server, {
    slug: 'news',
    detail_page_id: detail,
    fields: [text('slug'), text('title'), text('note'), { name: 'n', type: 'text' }],
  });
  await createCollection(server, {
    slug: 'links',
    fields: [{ name: 'to', type: 'reference', collection: news }],
  });
  await createItem(server, 'news', { slug: 'a', title: 'A', n: '5' });
  await createItem(server, 'news', { slug: 'b', title: 'B', note: 'x', n: 'five' });
  page = await createPage(server, site, {
    slug: 'list',
    html: '{% for e in data("news", _sort="title") %}\n{{ e.title }}{{ e.slug }}{% endfor %}',
  });
  snippet = await createSnippet(server, { name: 'link', content: '{{ item("links", "id", 1).to.title }}' });
  await createPage(server, site, { html: '{{ data("news")|length }}' });
});
afterAll(() => server.stop());

it('impact names templates, entries and detail pages that a change would break', async () => {
  const fields = [text('title'), { name: 'n', type: 'number' }, text('new')];
  expect(await callOk(server, 'POST', '/collections/news/impact', { fields })).toEqual({
    templates: [{ kind: 'page', id: page, name: '/list', line: 2, column: 19, field: 'slug' }],
    entries: { slug: 2, note: 1, n: 1 },
    detail_pages: { breaks: true, reason: expect.stringContaining('"slug"') },
  });
  const without = await callOk(server, 'POST', '/collections/news/impact', { fields: [text('slug')] });
  expect(without['templates']).toEqual([
    { kind: 'page', id: page, name: '/list', line: 2, column: 6, field: 'title' },
    { kind: 'snippet', id: snippet, name: 'link', line: 1, column: 30, field: 'title' },
  ]);
  const { fields: same } = await callOk(server, 'GET', '/collections/news');
  expect(await callOk(server, 'POST', '/collections/news/impact', { fields: same })).toEqual({
    templates: [],
    entries: {},
    detail_pages: { breaks: false, reason: '' },
  });
  const wrong = await call(server, 'POST', '/collections/news/impact', { body: { fields: [text('1a')] } });
  expect(outcomeOf(wrong)).toEqual({ status: 400, code: 'common.invalid' });
});

it('rename-field keeps the values, and names templates with the old name', async () => {
  const answer = await callOk(server, 'POST', '/collections/news/rename-field', {
    from: 'title',
    to: 'headline',
  });
  expect(answer).toMatchObject({
    slug: 'news',
    fields: [{ name: 'slug' }, { name: 'headline', label: 'headline' }, { name: 'note' }, { name: 'n' }],
    templates: [
      { kind: 'page', id: page, line: 2, field: 'title' },
      { kind: 'snippet', id: snippet, field: 'title' },
    ],
  });
  expect((await callList(server, '/collections/news/items')).map(({ data }) => data)).toEqual([
    { slug: 'a', headline: 'A', note: null, n: '5' },
    { slug: 'b', headline: 'B', note: 'x', n: 'five' },
  ]);
  expect(await callList(server, '/data/news?headline=A')).toHaveLength(1);
  expect(
    await callOk(server, 'POST', '/collections/news/rename-field', { from: 'slug', to: 'part' }),
  ).toMatchObject({
    detail_field: 'part',
  });
  expect((await callList(server, '/data/news?part=a'))[0]).toMatchObject({ _url: '/detail/a' });
});

it('rename-field reaches all of many entries', async () => {
  await createCollection(server, { slug: 'many', fields: [text('a')] });
  const body = Array.from({ length: 1000 }, (_, index) => ({ data: { a: String(index) } }));
  await call(server, 'POST', '/collections/many/items', { body });
  await callOk(server, 'POST', '/collections/many/rename-field', { from: 'a', to: 'b' });
  const list = await callList(server, '/collections/many/items');
  expect(list.map(({ data }) => data)).toEqual(body.map(({ data }) => ({ b: data.a })));
});

it.each([
  [{ from: 'nothing', to: 'x' }, 400, 'common.invalid'],
  [{ from: 'note', to: 'n' }, 409, 'common.nameTaken'],
  [{ from: 'note', to: 'a b' }, 400, 'common.invalid'],
  [{ from: 'note', to: 'id' }, 400, 'common.invalid'],
  [{ from: 'note' }, 400, 'common.invalid'],
])('rename-field refuses %j', async (body, status, code) => {
  const answer = await call(server, 'POST', '/collections/news/rename-field', { body });
  expect(outcomeOf(answer)).toEqual({ status, code });
});
