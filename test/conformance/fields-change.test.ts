import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asRecord, call, callList, callOk, outcomeOf } from '../support/api.ts';
import { createCollection, createItem, createPage, createSite, createSnippet } from '../support/content.ts';
import { startServer, type TestServer } from '../support/server.ts';

/** `impact`, `rename-field` and `rename-slug` of collections, beyond the specification. */

let server: TestServer;
let page: number;
let snippet: number;
const text = (name: string) => ({ name, type: 'text' });
const listIn = (answer: Record<string, unknown>, name: string) => {
  const list = answer[name];
  return (Array.isArray(list) ? list : []).map(asRecord);
};

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

describe('the slug', () => {
  const nodes = [
    { id: 'e', type: 'event', name: 'Came', config: { collection: 'books', created: true } },
    {
      id: 'f',
      type: 'function',
      config: { code: "msg.url = '/api/v1/data/books';\nreturn msg.payload.data.title" },
    },
    { id: 'c', type: 'collection', config: { action: 'list', collection: 'books' } },
  ];
  const flow = { nodes, wires: [{ from: 'e', to: 'f' }] };
  let books: number;
  let shelf: number;
  let workflow: number;
  let source: number;
  let script: number;
  const places = (answer: Record<string, unknown>) =>
    listIn(answer, 'templates').map(({ kind, id, name, line, column, field }) =>
      [kind, id, name, line, column, field].join(' '),
    );

  beforeAll(async () => {
    books = await createCollection(server, { slug: 'books', fields: [text('title')] });
    const html =
      '<p>books</p>\n{{ data("books")|length }}{{ data("booksellers") }}<script>fetch("/api/v1/data/books")</script>';
    shelf = await createSnippet(server, { name: 'shelf', content: html });
    workflow = Number((await callOk(server, 'POST', '/workflows', { name: 'Books', flow }))['id']);
    const url = 'https://other.example/api/v1/data/books?x=1';
    source = Number((await callOk(server, 'POST', '/sources', { slug: 'twin', url }))['id']);
    const asset = { name: 'a', kind: 'js', content: "fetch('/api/v1/collections/books/items')" };
    script = Number((await callOk(server, 'POST', '/assets', asset))['id']);
  });

  it('that would change is told with everything that names it', async () => {
    const answer = await callOk(server, 'POST', '/collections/books/impact', { slug: 'novels' });
    expect(answer).toMatchObject({ entries: {}, detail_pages: { breaks: false, reason: '' } });
    expect(places(answer).sort()).toEqual(
      [
        `asset ${script} books 1 28 content`,
        `snippet ${shelf} shelf 2 10 content`,
        `snippet ${shelf} shelf 2 80 content`,
        `source ${source} books 1 35 url`,
        `workflow ${workflow} Came 1 1 collection`,
        `workflow ${workflow} c 1 1 collection`,
        `workflow ${workflow} f 1 25 code`,
      ].sort(),
    );
    const same = await callOk(server, 'POST', '/collections/books/impact', { slug: 'books' });
    expect(same['templates']).toEqual([]);
    for (const body of [{}, { slug: 'A b' }])
      expect(outcomeOf(await call(server, 'POST', '/collections/books/impact', { body }))).toEqual({
        status: 400,
        code: 'common.invalid',
      });
  });

  it('that changes with a save is told in warnings', async () => {
    const saved = await callOk(server, 'PUT', `/collections/${books}`, { slug: 'tomes' });
    expect(
      listIn(saved, 'warnings').map(({ code, level, params }) => ({ code, level, ...asRecord(params) })),
    ).toEqual(
      expect.arrayContaining(
        [
          ['workflow', workflow],
          ['snippet', shelf],
          ['source', source],
          ['asset', script],
        ].map(([kind, id]) => ({ code: 'collection.slugNamed', level: 'warning', slug: 'books', kind, id })),
      ),
    );
    expect(await callOk(server, 'PUT', `/collections/${books}`, { slug: 'books' })).not.toHaveProperty(
      'warnings',
    );
    expect(await callOk(server, 'PUT', `/collections/${books}`, { name: 'B' })).not.toHaveProperty(
      'warnings',
    );
  });

  it('can be carried along', async () => {
    const told = await callOk(server, 'POST', '/collections/books/rename-slug', { to: 'tales' });
    expect(told).toMatchObject({ slug: 'tales' });
    expect(places(told)).toHaveLength(7);
    await callOk(server, 'POST', '/collections/tales/rename-slug', { to: 'books' });
    const answer = await callOk(server, 'POST', '/collections/books/rename-slug', {
      to: 'novels',
      carry: true,
    });
    expect(answer).toMatchObject({ id: books, slug: 'novels' });
    expect(places(answer)).toEqual([`source ${source} books 1 35 url`]);
    expect((await callOk(server, 'GET', `/snippets/${shelf}`))['content']).toBe(
      '<p>books</p>\n{{ data("novels")|length }}{{ data("booksellers") }}<script>fetch("/api/v1/data/novels")</script>',
    );
    const { flow: carried } = await callOk(server, 'GET', `/workflows/${workflow}`);
    expect(JSON.stringify(carried)).not.toContain('books');
    expect((await callOk(server, 'GET', `/assets/${script}`))['content']).toContain(
      '/collections/novels/items',
    );
    const runs = async () => (await callList(server, `/workflows/${workflow}/runs`)).length;
    await createItem(server, 'novels', { title: 'One' });
    await expect.poll(runs).toBe(1);
  });

  it('of a field that is renamed is named in code too', async () => {
    const answer = await callOk(server, 'POST', '/collections/novels/rename-field', {
      from: 'title',
      to: 'name',
    });
    expect(places(answer)).toEqual([`workflow ${workflow} f 2 25 title`]);
  });

  it.each([
    [{ to: 'links' }, 409, 'collection.slugTaken'],
    [{ to: 'A b' }, 400, 'common.invalid'],
    [{}, 400, 'common.invalid'],
  ])('is refused as %j', async (body, status, code) => {
    const answer = await call(server, 'POST', '/collections/novels/rename-slug', { body });
    expect(outcomeOf(answer)).toEqual({ status, code });
  });
});
