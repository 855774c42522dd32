import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asRecord, call, callList, callOk } from '../support/api.ts';
import { download, importBundle } from '../support/bundles.ts';
import { createCollection, createItem, createPage, createSite, createSnippet } from '../support/content.ts';
import { uploadOne } from '../support/media.ts';
import { masterToken, startServer, type TestServer } from '../support/server.ts';

/** Fields and parameters of the type `link`. */

let server: TestServer;
const ids = {
  site: 0,
  other: 0,
  bare: 0,
  about: 0,
  draft: 0,
  far: 0,
  hidden: 0,
  detail: 0,
  news: 0,
  spring: 0,
};
let file: number;

beforeAll(async () => {
  server = await startServer();
  ids.site = await createSite(server, { domains: 'links.test' });
  ids.other = await createSite(server, { domains: 'far.test' });
  ids.bare = await createSite(server);
  ids.about = await createPage(server, ids.site, { slug: 'about', published: true });
  ids.draft = await createPage(server, ids.site, { slug: 'draft', published: false });
  ids.far = await createPage(server, ids.other, { slug: 'far', published: true });
  ids.hidden = await createPage(server, ids.bare, { slug: 'bare', published: true });
  ids.detail = await createPage(server, ids.site, { slug: 'news', catch_all: true, published: true });
  ids.news = await createCollection(server, {
    slug: 'news',
    detail_page_id: ids.detail,
    fields: [{ name: 'slug', type: 'text' }],
  });
  ids.spring = await createItem(server, 'news', { slug: 'spring' });
  file = Number((await uploadOne(server, 'plan.txt', 'a plan'))['id']);
  await createCollection(server, {
    slug: 'teasers',
    public_api: true,
    fields: [
      { name: 'title', type: 'text' },
      { name: 'to', type: 'link' },
    ],
  });
  await createSnippet(server, {
    name: 'teaser',
    schema: { block: true, params: [{ name: 'to', type: 'link', label: 'Target' }] },
    content: '<a href="{{ to }}">{{ to.text }}</a>{% if to.new_tab %}new{% endif %}',
  });
});
afterAll(() => server.stop());

/** Renders a template on a page of its own. */
async function render(html: string, fields: object = {}): Promise<string> {
  const page = await createPage(server, ids.site, { html, published: true, ...fields });
  return body(await rendered(page));
}

async function rendered(page: number): Promise<string> {
  const response = await fetch(`${server.url}/api/v1/pages/${page}/render`, {
    headers: { Authorization: `Bearer ${masterToken}` },
  });
  return response.text();
}

function body(text: string): string {
  return /<body[^>]*>([\s\S]*)<\/body>/.exec(text)?.[1]?.trim() ?? text;
}

async function stored(to: unknown): Promise<unknown> {
  const id = await createItem(server, 'teasers', { to });
  return asRecord((await callOk(server, 'GET', `/collections/teasers/items/${id}`))['data'])['to'];
}

describe('a value', () => {
  it.each<[string, () => unknown, () => unknown]>([
    ['a page', () => ({ page: ids.about }), () => ({ page: ids.about })],
    ['a page as text', () => ({ page: String(ids.about) }), () => ({ page: ids.about })],
    ['a draft', () => ({ page: ids.draft }), () => ({ page: ids.draft })],
    ['an entry', () => ({ entry: ids.spring, text: 'Go' }), () => ({ entry: ids.spring, text: 'Go' })],
    ['a file', () => ({ file, new_tab: true }), () => ({ file, new_tab: true })],
    ['https', () => ({ url: 'https://a.test/x?y#z' }), () => ({ url: 'https://a.test/x?y#z' })],
    ['http', () => ({ url: 'http://a.test' }), () => ({ url: 'http://a.test' })],
    ['mailto', () => ({ url: 'mailto:a@b.test' }), () => ({ url: 'mailto:a@b.test' })],
    ['tel', () => ({ url: 'tel:+4930123' }), () => ({ url: 'tel:+4930123' })],
    ['a path', () => ({ url: '/about' }), () => ({ url: '/about' })],
    ['an anchor', () => ({ url: '#top' }), () => ({ url: '#top' })],
    ['other targets that are empty', () => ({ page: null, entry: 0, url: '#a' }), () => ({ url: '#a' })],
    ['unknown keys', () => ({ url: '#a', rel: 'x' }), () => ({ url: '#a' })],
    ['JSON text', () => '{"url":"/a","new_tab":"1"}', () => ({ url: '/a', new_tab: true })],
    ['empty text', () => '', () => null],
    ['null', () => null, () => null],
  ])('%s', async (_name, sent, expected) => {
    expect(await stored(sent())).toEqual(expected());
  });

  it.each<[string, () => unknown]>([
    ['text', () => '/about'],
    ['a number', () => 5],
    ['a list', () => [{ url: '/a' }]],
    ['no target', () => ({ text: 'Go' })],
    ['an empty object', () => ({})],
    ['two targets', () => ({ page: ids.about, url: '/a' })],
    ['a script', () => ({ url: 'javascript:alert(1)' })],
    ['a script in disguise', () => ({ url: ' java\nscript:alert(1)' })],
    ['data', () => ({ url: 'data:text/html,x' })],
    ['ftp', () => ({ url: 'ftp://a.test/' })],
    ['a relative address', () => ({ url: 'about' })],
    ['a line break in an address', () => ({ url: '/a\nb' })],
    ['no ID', () => ({ page: 'x' })],
    ['a broken ID', () => ({ page: 1.5 })],
    ['a text that is none', () => ({ url: '/a', text: {} })],
    ['new_tab that is no flag', () => ({ url: '/a', new_tab: 'maybe' })],
  ])('is refused: %s', async (_name, to) => {
    expect(
      await call(server, 'POST', '/collections/teasers/items', { body: { data: { to: to() } } }),
    ).toMatchObject({
      status: 400,
      body: { code: 'common.invalid', params: { field: 'to' } },
    });
  });

  it.each([
    ['page', 'item.pageMissing'],
    ['entry', 'item.referenceMissing'],
    ['file', 'item.fileMissing'],
  ])('to a missing %s is %s', async (kind, code) => {
    const data = { to: { [kind]: 999_999 } };
    expect(await call(server, 'POST', '/collections/teasers/items', { body: { data } })).toMatchObject({
      status: 400,
      body: { code, params: { field: 'to', id: 999_999 } },
    });
  });

  it('of a required field must be there', async () => {
    await createCollection(server, { slug: 'needy', fields: [{ name: 'to', type: 'link', required: true }] });
    expect(await call(server, 'POST', '/collections/needy/items', { body: { data: {} } })).toMatchObject({
      status: 400,
      body: { code: 'item.fieldRequired', params: { field: 'to' } },
    });
  });
});

describe('in templates', () => {
  const links: readonly [string, () => object, string][] = [
    ['a page', () => ({ page: ids.about }), '/about'],
    ['a page of another website', () => ({ page: ids.far }), 'http://far.test/far'],
    ['a page of a website without a domain', () => ({ page: ids.hidden }), ''],
    ['an entry', () => ({ entry: ids.spring }), '/news/spring'],
    ['a file', () => ({ file }), '/media/plan.txt'],
    ['an address', () => ({ url: 'https://a.test/?a=1&b=2' }), 'https://a.test/?a=1&amp;b=2'],
  ];

  it.each(links)('%s prints its address', async (_name, to, href) => {
    const item = await createItem(server, 'teasers', { to: { ...to(), text: '<Go>', new_tab: true } });
    const find = `{% set e = item("teasers", "id", ${item}) %}`;
    expect(await render(`${find}{{ e.to }}|{{ e.to.href }}|{{ e.to.text }}|{{ e.to.new_tab }}`)).toBe(
      `${href}|${href}|&lt;Go&gt;|True`,
    );
    const yes = href === '' ? 'no' : 'yes';
    expect(await render(`${find}{% if e.to %}yes{% else %}no{% endif %}`)).toBe(yes);
    const blocks = [{ type: 'teaser', params: { to: { ...to(), text: 'Go' } } }];
    expect(await render('{% blocks page.blocks %}', { blocks })).toBe(`<a href="${href}">Go</a>`);
  });

  it('an address in a filter is not escaped twice', async () => {
    const item = await createItem(server, 'teasers', { to: { url: '/a?b=1&c=2' } });
    expect(await render(`{{ item("teasers", "id", ${item}).to|upper }}`)).toBe('/A?B=1&amp;C=2');
  });

  it('no link is nothing', async () => {
    const item = await createItem(server, 'teasers', {});
    expect(await render(`{% if item("teasers", "id", ${item}).to %}yes{% else %}no{% endif %}`)).toBe('no');
    const blocks = [{ type: 'teaser', params: {} }];
    expect(await render('{% blocks page.blocks %}', { blocks })).toBe('<a href=""></a>');
  });

  it('follows what it leads to: moved, unpublished, published again, deleted', async () => {
    const target = await createPage(server, ids.site, { slug: 'target', published: true });
    const item = await createItem(server, 'teasers', { to: { page: target } });
    const html = `{{ item("teasers", "id", ${item}).to }}`;
    const page = await createPage(server, ids.site, { slug: 'follows', published: true, html });
    const shown = async () => body(await (await fetch(`${server.url}/follows`)).text());
    expect(page).toBeGreaterThan(0);
    expect(await shown()).toBe('/target');
    await callOk(server, 'PUT', `/pages/${target}`, { slug: 'moved' });
    expect(await shown()).toBe('/moved');
    await callOk(server, 'PUT', `/pages/${target}`, { published: false });
    expect(await shown()).toBe('');
    await callOk(server, 'PUT', `/pages/${target}`, { published: true });
    expect(await shown()).toBe('/moved');
    await callOk(server, 'DELETE', `/pages/${target}`);
    expect(await shown()).toBe('');
  });

  it('an entry that is linked from another website is absolute there and a path here', async () => {
    const item = await createItem(server, 'teasers', { to: { entry: ids.spring } });
    const html = `{{ item("teasers", "id", ${item}).to }}`;
    expect(await render(html)).toBe('/news/spring');
    const there = await createPage(server, ids.other, { html, published: true });
    expect(body(await rendered(there))).toBe('http://links.test/news/spring');
    expect(await render(html)).toBe('/news/spring');
  });

  it('an entry whose page or self is a draft leads nowhere', async () => {
    const entry = await createItem(server, 'news', { slug: 'gone' });
    const item = await createItem(server, 'teasers', { to: { entry } });
    const html = `{{ item("teasers", "id", ${item}).to }}`;
    expect(await render(html)).toBe('/news/gone');
    await callOk(server, 'PUT', `/collections/news/items/${entry}`, { published: false });
    expect(await render(html)).toBe('');
    await callOk(server, 'DELETE', `/collections/news/items/${entry}`);
    expect(await render(html)).toBe('');
  });
});

describe('in /data', () => {
  it('has href, also in a referenced entry', async () => {
    const id = await createItem(server, 'teasers', { title: 'data', to: { page: ids.about, text: 'Go' } });
    const collection = Number((await callOk(server, 'GET', '/collections/teasers'))['id']);
    await createCollection(server, {
      slug: 'pointers',
      public_api: true,
      fields: [{ name: 'teaser', type: 'reference', collection }],
    });
    await createItem(server, 'pointers', { teaser: id });
    const to = { page: ids.about, text: 'Go', href: '/about' };
    expect((await callList(server, '/data/teasers?title=data'))[0]).toMatchObject({ to });
    expect((await callList(server, '/data/pointers'))[0]).toMatchObject({ teaser: { title: 'data', to } });
  });

  it('of another website is absolute, of a draft empty', async () => {
    await createItem(server, 'teasers', { title: 'far', to: { page: ids.far } });
    await createItem(server, 'teasers', { title: 'draft', to: { page: ids.draft } });
    expect((await callList(server, '/data/teasers?title=far'))[0]).toMatchObject({
      to: { href: 'http://far.test/far' },
    });
    const response = await fetch(`${server.url}/api/v1/data/teasers?title=draft`);
    expect(await response.json()).toMatchObject([{ to: { href: '' } }]);
  });

  it('is no query field but for isnull', async () => {
    for (const query of ['to=1', 'to__ne=1', 'to__contains=a', '_sort=to', '_sort=-to'])
      expect(await call(server, 'GET', `/data/teasers?${query}`)).toMatchObject({
        status: 400,
        body: { code: 'data.unknownField', params: { field: 'to' } },
      });
    await createItem(server, 'teasers', { title: 'empty' });
    expect(await callList(server, '/data/teasers?to__isnull=1&title=empty')).toHaveLength(1);
    expect(await callList(server, '/data/teasers?to__isnull=0&title=empty')).toHaveLength(0);
  });
});

describe('use', () => {
  const usersOf = async (kind: string, id: number) =>
    asRecord((await call(server, 'GET', `/usage?kind=${kind}&id=${id}`)).body)['usage'];

  it('of a page and a file is told, and the page is kept by if_unused', async () => {
    const page = await createPage(server, ids.site, { slug: 'used' });
    const used = Number((await uploadOne(server, 'used.txt', 'used'))['id']);
    const item = await createItem(server, 'teasers', { title: 'uses', to: { page } });
    const blocks = [{ type: 'teaser', params: { to: { file: used } } }];
    const user = await createPage(server, ids.site, { title: 'user', blocks });
    expect(await usersOf('page', page)).toEqual([{ kind: 'item', id: item, title: 'uses' }]);
    expect(await usersOf('file', used)).toEqual([{ kind: 'page', id: user, title: 'user' }]);
    expect(await call(server, 'DELETE', `/pages/${page}?if_unused=1`)).toMatchObject({
      status: 409,
      body: { code: 'common.inUse' },
    });
    await callOk(server, 'PUT', `/collections/teasers/items/${item}`, { data: { to: { file: used } } });
    expect(await usersOf('page', page)).toEqual([]);
    expect((await call(server, 'DELETE', `/pages/${page}?if_unused=1`)).status).toBe(204);
  });

  it('of a file that an address names is told', async () => {
    const used = Number((await uploadOne(server, 'named.txt', 'named'))['id']);
    const item = await createItem(server, 'teasers', { title: 'names', to: { url: '/media/named.txt' } });
    expect(await usersOf('file', used)).toEqual([{ kind: 'item', id: item, title: 'names' }]);
  });
});

describe('what is gone', () => {
  it('is not named by GET and CSV, and what GET answers can be sent back', async () => {
    const page = await createPage(server, ids.site, { slug: 'short-lived', published: true });
    const id = await createItem(server, 'teasers', { title: 'left', to: { page } });
    const path = `/collections/teasers/items/${id}`;
    await callOk(server, 'DELETE', `/pages/${page}`);
    const shown = asRecord((await callOk(server, 'GET', path))['data']);
    expect(shown).toMatchObject({ title: 'left', to: null });
    expect((await call(server, 'PUT', path, { body: { data: shown } })).status).toBe(200);
    expect((await call(server, 'PUT', path, { body: { data: { to: { page } } } })).status).toBe(200);
    const other = await call(server, 'PUT', path, { body: { data: { to: { page, text: 'x' } } } });
    expect(other).toMatchObject({ status: 400, body: { code: 'item.pageMissing' } });
  });

  it('in a block that is sent as it is stored stays, in a changed one it is refused', async () => {
    const target = await createPage(server, ids.site, { slug: 'block-target' });
    const blocks = [{ id: 'one', type: 'teaser', params: { to: { page: target } } }];
    const page = await createPage(server, ids.site, { blocks });
    await callOk(server, 'DELETE', `/pages/${target}`);
    expect((await call(server, 'PUT', `/pages/${page}`, { body: { blocks } })).status).toBe(200);
    const changed = [{ id: 'one', type: 'teaser', params: { to: { page: target, text: 'x' } } }];
    expect(await call(server, 'PUT', `/pages/${page}`, { body: { blocks: changed } })).toMatchObject({
      status: 400,
      body: { code: 'block.paramInvalid', params: { path: '0', param: 'to' } },
    });
  });
});

it('a restored version has no link to what is gone', async () => {
  const page = await createPage(server, ids.site, { slug: 'versioned' });
  const id = await createItem(server, 'teasers', { title: 'first', to: { page } });
  await callOk(server, 'PUT', `/collections/teasers/items/${id}`, { data: { title: 'second', to: null } });
  await callOk(server, 'DELETE', `/pages/${page}`);
  const [version] = await callList(server, `/revisions?kind=item&id=${id}`);
  await callOk(server, 'POST', `/revisions/${version?.['id']}/restore`);
  const { data } = await callOk(server, 'GET', `/collections/teasers/items/${id}`);
  expect(data).toMatchObject({ title: 'first', to: null });
});

describe('parameters', () => {
  it.each<[string, unknown, string]>([
    ['wrong', { url: 'javascript:x' }, 'to'],
    ['gone', { page: 999_999 }, 'to'],
  ])('a value that is %s', async (_name, to, param) => {
    const blocks = [{ type: 'teaser', params: { to } }];
    expect(
      await call(server, 'POST', '/pages', {
        body: { parent_id: ids.site, slug: 'bad', title: 'x', blocks },
      }),
    ).toMatchObject({ status: 400, body: { code: 'block.paramInvalid', params: { path: '0', param } } });
  });

  it('may have a default, which must be a link', async () => {
    const schema = (value: unknown) => ({
      block: true,
      params: [{ name: 'to', type: 'link', default: value }],
    });
    await createSnippet(server, {
      name: 'with-default',
      schema: schema({ page: ids.about }),
      content: '{{ to }}',
    });
    expect(await render('{% blocks page.blocks %}', { blocks: [{ type: 'with-default' }] })).toBe('/about');
    for (const value of ['/about', 5, {}, { url: 'javascript:x' }])
      expect(
        await call(server, 'POST', '/snippets', { body: { name: 'bad', schema: schema(value) } }),
      ).toMatchObject({ status: 400, body: { code: 'block.paramDefaultInvalid' } });
  });
});

it('CSV has links as JSON, in both directions', async () => {
  await createCollection(server, { slug: 'sheet', fields: [{ name: 'to', type: 'link' }] });
  await createItem(server, 'sheet', { to: { page: ids.about, text: 'a "b"' } });
  const headers = { Authorization: `Bearer ${masterToken}` };
  const read = async () => (await fetch(`${server.url}/api/v1/collections/sheet/export`, { headers })).text();
  const csv = await read();
  expect(csv).toContain(`"{""page"":${ids.about},""text"":""a \\""b\\""""}"`);
  const importCsv = async (text: string) => {
    const form = new FormData();
    form.set('file', new Blob([text]), 'a.csv');
    const request = new Request('http://x', { method: 'POST', body: form });
    return call(server, 'POST', '/collections/sheet/import?replace=1', {
      raw: new Uint8Array(await request.arrayBuffer()),
      headers: { 'Content-Type': request.headers.get('content-type') ?? '' },
    });
  };
  expect((await importCsv(csv)).status).toBe(200);
  const [entry] = await callList(server, '/collections/sheet/items');
  expect(entry).toMatchObject({ data: { to: { page: ids.about, text: 'a "b"' } } });
  expect(await importCsv('to\n/about')).toMatchObject({
    status: 400,
    body: {
      code: 'csv.cellError',
      params: { row: 2, column: 'to', code: 'common.invalid', params: { field: 'to' } },
    },
  });
  expect(await importCsv('to\n"{""page"":999999}"')).toMatchObject({
    status: 400,
    body: {
      code: 'csv.cellError',
      params: { code: 'item.pageMissing', params: { field: 'to', id: 999_999 } },
    },
  });
});

it('a batch reaches links with @ref', async () => {
  const { results } = asRecord(
    await callOk(server, 'POST', '/batch', {
      ops: [
        { op: 'create', kind: 'page', ref: 'p', data: { parent_id: ids.site, slug: 'batched', title: 'B' } },
        { op: 'create', kind: 'item', collection: 'teasers', data: { to: { page: '@p', text: '@p' } } },
      ],
    }),
  );
  const [page, item] = results as { readonly id: number }[];
  const { data } = await callOk(server, 'GET', `/collections/teasers/items/${item?.id}`);
  expect(data).toMatchObject({ to: { page: page?.id, text: '@p' } });
  expect(
    await call(server, 'POST', '/batch', {
      body: { ops: [{ op: 'create', kind: 'item', collection: 'teasers', data: { to: { page: '@no' } } }] },
    }),
  ).toMatchObject({ status: 400, body: { code: 'batch.refUnknown' } });
});

it('a bundle keeps links', async () => {
  const id = await createItem(server, 'teasers', { title: 'bundled', to: { page: ids.about } });
  const target = await startServer();
  try {
    expect((await importBundle(target, await download(server))).status).toBe(200);
    const { data } = await callOk(target, 'GET', `/collections/teasers/items/${id}`);
    expect(data).toMatchObject({ to: { page: ids.about } });
    expect(asRecord((await call(target, 'GET', `/usage?kind=page&id=${ids.about}`)).body)['usage']).toEqual(
      expect.arrayContaining([{ kind: 'item', id, title: 'bundled' }]),
    );
  } finally {
    await target.stop();
  }
});
