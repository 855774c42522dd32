import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asRecord, call, callOk } from '../support/api.ts';
import {
  createCollection,
  createItem,
  createPage,
  createSite,
  createSnippet,
  freshName,
} from '../support/content.ts';
import { masterToken, startServer, type TestServer } from '../support/server.ts';

/** Entries in templates: `data()`, `item()`, detail pages, previews, findings, sitemap. */

let server: TestServer;
let site: number;
let topics: number;
let detail: number;
const topic: Record<string, number> = {};
const news: Record<string, number> = {};

beforeAll(async () => {
  server = await startServer();
  site = await createSite(server, { domains: 'entries.test' });
  detail = await createPage(server, site, {
    slug: 'news',
    catch_all: true,
    published: true,
    html: '{% set e = item("news", "slug", route.slug) %}{% if not e %}{{ not_found() }}{% endif %}<h1>{{ e.title }}</h1>{{ e.text|markdown }}',
  });
  topics = await createCollection(server, { slug: 'topics', fields: [{ name: 'label', type: 'text' }] });
  for (const label of ['art', 'music']) topic[label] = await createItem(server, 'topics', { label });
  await createCollection(server, {
    slug: 'news',
    name: 'News',
    detail_page_id: detail,
    fields: [
      { name: 'title', type: 'text', required: true },
      { name: 'slug', type: 'text' },
      { name: 'text', type: 'markdown' },
      { name: 'date', type: 'date' },
      { name: 'topic', type: 'reference', collection: topics },
      { name: 'topics', type: 'references', collection: topics },
    ],
  });
  for (const [slug, label, date] of [
    ['spring', 'art', '2026-03-01'],
    ['summer', 'music', '2026-06-01'],
    ['autumn', 'art', '2026-09-01'],
  ] as const)
    news[slug] = await createItem(server, 'news', {
      title: `About ${slug}`,
      slug,
      text: '**bold**',
      date,
      topic: topic[label],
      topics: [topic['music'], topic['art']],
    });
  await callOk(server, 'POST', '/collections/news/items', {
    data: { title: 'Draft', slug: 'draft' },
    published: false,
  });
});
afterAll(() => server.stop());

/** Renders a template on a page of its own. */
async function render(html: string, fields: object = {}): Promise<string> {
  const page = await createPage(server, site, { html, published: true, ...fields });
  const response = await fetch(`${server.url}/api/v1/pages/${page}/render`, {
    headers: { Authorization: `Bearer ${masterToken}` },
  });
  const text = await response.text();
  return /<body[^>]*>([\s\S]*)<\/body>/.exec(text)?.[1]?.trim() ?? text;
}

async function visit(path: string): Promise<Response> {
  return fetch(server.url + path, { headers: { Host: 'entries.test' } });
}

describe('data() and item()', () => {
  it.each([
    ['{% for e in data("news") %}{{ e.slug }} {% endfor %}', 'spring summer autumn'],
    ['{% for e in data("news", "_sort", "-date", "_limit", 2) %}{{ e.slug }} {% endfor %}', 'autumn summer'],
    [
      '{% for e in data("news", _sort="-date", _limit=2, _offset=1) %}{{ e.slug }} {% endfor %}',
      'summer spring',
    ],
    ['{% for e in data("news", "date__gte", "2026-06-01") %}{{ e.slug }} {% endfor %}', 'summer autumn'],
    [
      '{% for t in data("topics") %}{{ t.label }}:{% for e in data("news", "topic", t) %}{{ e.slug }} {% endfor %}{% endfor %}',
      'art:spring autumn music:summer',
    ],
    ['{% for t in data("topics") %}{{ data("news", topics=t.id)|length }}{% endfor %}', '33'],
    ['{{ data("news", "_search", "SUMMER").0.title }}', 'About summer'],
    ['{{ item("news", "slug", "spring").title }}', 'About spring'],
    ['{{ item("news", "slug", "spring").topic.label }}', 'art'],
    ['{% for t in item("news", "slug", "spring").topics %}{{ t.label }} {% endfor %}', 'music art'],
    ['{{ item("news", "slug", "spring")._url }}', '/news/spring'],
    ['{{ item("news", "slug", "spring")._created|date:"Y" }}', String(new Date().getFullYear())],
    ['{{ item("news", "slug", "draft").title }}{{ item("news", "slug", "nothing") }}', 'None'],
    ['{{ item("news", "slug", "") }}', 'None'],
    ['{% if item("news", "id", "x") %}yes{% else %}no{% endif %}', 'no'],
    ['{{ data("nothing")|length }}{{ item("nothing", "a", "b") }}', '0None'],
    ['{{ data("news", "nothing", "x")|length }}', '0'],
    ['{{ data("news", "topic__isnull", true)|length }}', '0'],
    ['{{ item("topics", "label", "art")|json }}', ''],
  ])('%s', async (html, expected) => {
    const text = await render(html);
    if (expected === '') expect(text).toContain('{&quot;label&quot;:&quot;art&quot;');
    else expect(text.replaceAll(/\s+/g, ' ')).toBe(expected);
  });

  it('give the entry of a singleton', async () => {
    await createCollection(server, {
      slug: 'about',
      singleton: true,
      fields: [{ name: 'text', type: 'text' }],
    });
    expect(await render('{{ data("about") }}')).toBe('None');
    await callOk(server, 'PUT', '/collections/about/item', { data: { text: 'us' } });
    expect(await render('{{ data("about").text }}{{ item("about", "text", "us").id }}')).toMatch(/^us\d+$/);
  });

  it('stop with an error for what cannot be asked', async () => {
    expect(await render('{{ data("news", "title") }}')).toContain('a name and a value');
    expect(await render('{{ data("news", "title__like", "x") }}')).toContain('cannot be compared with');
    expect(await render('{{ data("news", "_limit", 5000) }}')).toContain('_limit must be a whole number');
  });
});

describe('a detail page', () => {
  it('shows the entry with the address, and is not found without one', async () => {
    const page = await visit('/news/spring');
    expect([page.status, await page.text()]).toEqual([
      200,
      expect.stringContaining('<h1>About spring</h1><p><strong>bold'),
    ]);
    for (const path of ['/news/nothing', '/news/draft', '/news'])
      expect((await visit(path)).status).toBe(404);
  });

  it('follows its entry', async () => {
    const id = await createItem(server, 'news', { title: 'One', slug: 'follow' });
    const text = async () => /<h1>(.*)<\/h1>/.exec(await (await visit('/news/follow')).text())?.[1];
    expect(await text()).toBe('One');
    await callOk(server, 'PUT', `/collections/news/items/${id}`, { data: { title: 'Two' } });
    expect(await text()).toBe('Two');
    await call(server, 'DELETE', `/collections/news/items/${id}`);
    expect((await visit('/news/follow')).status).toBe(404);
  });

  it('is in the sitemap, with language versions', async () => {
    const page = await createPage(server, site, {
      slug: 'nachrichten',
      catch_all: true,
      published: true,
      html: '{% include "german-entry" %}',
    });
    await createSnippet(server, {
      name: 'german-entry',
      content: '{{ item("news-de", "slug", route.slug).title }}',
    });
    await createCollection(server, {
      slug: 'news-de',
      lang: 'de',
      detail_page_id: page,
      fields: [{ name: 'slug', type: 'text' }],
    });
    await callOk(server, 'PUT', '/collections/news', { lang: 'en' });
    const german = await createItem(server, 'news-de', { slug: 'früh ling' });
    await call(server, 'POST', `/collections/news/items/${news['spring']}/translations`, {
      body: { collection: 'news-de', item_id: german },
    });
    const sitemap = await (await visit('/sitemap.xml')).text();
    const path = '/nachrichten/fr%C3%BCh%20ling';
    expect(sitemap).toContain(`<loc>http://entries.test${path}</loc>`);
    for (const slug of ['spring', 'summer', 'autumn'])
      expect(sitemap).toContain(`<loc>http://entries.test/news/${slug}</loc>`);
    expect(sitemap).not.toContain('draft');
    expect(sitemap).toContain(`hreflang="de" href="http://entries.test${path}"`);
    expect(sitemap.match(/hreflang="en" href="http:\/\/entries.test\/news\/spring"/g)).toHaveLength(2);
    expect(await callOk(server, 'POST', `/pages/${detail}/sitemap-preview`, {})).toMatchObject({
      count: 3,
      sample: [{ path: '/news/spring', lastmod: expect.stringMatching(/^\d{4}-/) }, {}, {}],
    });
  });

  it('is in the sitemap once, and only if visitors find it there', async () => {
    const html = '{{ item("odd", "slug", route.slug).slug }}';
    const odd = await createPage(server, site, { slug: 'odd', catch_all: true, published: true, html });
    const own = await createPage(server, odd, { slug: 'own', published: true });
    await createPage(server, own, { slug: 'deep', published: true });
    await createPage(server, own, { slug: 'hidden', published: false });
    const near = await createPage(server, odd, { slug: 'near', catch_all: true, published: true });
    await createPage(server, near, { slug: 'x', published: true, sitemap_exclude: true });
    await createCollection(server, { slug: 'odd', fields: [{ name: 'slug', type: 'text' }] });
    const found = ['a', 'b/c', 'own/other', '50% off?', 'NEAR/z'];
    const elsewhere = ['own', 'OWN', 'own/deep', 'own/hidden', 'near/x', 'near/y'];
    const nowhere = ['..', '.', '../up', 'a//b', '/a', 'a/', 'a\\b', 'a\nb'];
    for (const slug of [...found, ...elsewhere, ...nowhere]) await createItem(server, 'odd', { slug });
    const sitemap = await (await visit('/sitemap.xml')).text();
    const listed = [...sitemap.matchAll(/<loc>http:\/\/entries\.test\/odd\/?(.*?)<\/loc>/g)].map(
      ([, rest]) => rest,
    );
    expect(listed.sort()).toEqual(
      ['', 'NEAR/z', '50%25%20off%3F', 'a', 'b/c', 'near', 'own', 'own/deep', 'own/other'].sort(),
    );
    for (const rest of listed) expect((await visit(`/odd/${rest}`)).status).toBe(200);
  });
});

describe('a preview', () => {
  const preview = async (page: number, body: object): Promise<string> => {
    const response = await fetch(`${server.url}/api/v1/pages/${page}/preview`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${masterToken}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    return response.text();
  };

  it('shows drafts', async () => {
    expect(await preview(detail, { rest: ['draft'] })).toContain('<h1>Draft</h1>');
  });

  it('shows an unsaved entry in place of the stored one, and stores nothing', async () => {
    const item = { collection: 'news', id: news['spring'], data: { title: 'Unsaved', slug: 'new-slug' } };
    expect(await preview(detail, { item, rest: ['new-slug'] })).toContain('<h1>Unsaved</h1>');
    expect(await preview(detail, { item, rest: ['spring'] })).toContain('not_found()');
    expect(await preview(detail, { rest: ['spring'] })).toContain('<h1>About spring</h1>');
  });

  it('shows a new entry behind the others', async () => {
    const list = await createPage(server, site, {
      html: '{% for e in data("news") %}{{ e.title }};{% endfor %}',
    });
    const item = { collection: 'news', id: 0, data: { title: 'New' } };
    expect(await preview(list, { item })).toMatch(/About autumn;(?:Draft;)?New;/);
    expect(await preview(list, { item: { collection: 'nothing', id: 0, data: {} } })).toContain(
      'About spring',
    );
  });

  it('shows an unsaved entry where others refer to it', async () => {
    const page = await createPage(server, site, { html: '{{ item("news", "slug", "spring").topic.label }}' });
    const item = { collection: 'topics', id: topic['art'], data: { label: 'Fine art' } };
    expect(await preview(page, { item })).toContain('Fine art');
  });
});

it('template-data lists the collections with their first entries', async () => {
  const answer = await callOk(server, 'POST', `/pages/${detail}/template-data`, {});
  const list = Object.values(Object(answer['collections'])).map(asRecord);
  expect(list.find(({ slug }) => slug === 'news')).toMatchObject({
    slug: 'news',
    name: 'News',
    fields: [{ name: 'title', type: 'text' }, {}, {}, {}, {}, {}],
    count: 4,
    items: [
      { title: 'About spring', topic: { label: 'art' }, _created: expect.any(String), _url: '/news/spring' },
      {},
      {},
      { title: 'Draft', published: false },
    ],
  });
});

describe('findings', () => {
  it.each([
    ['{{ data("nws")|length }}', 'template.unknownCollection', { collection: 'nws' }],
    [
      '{{ item("news", "slgu", route.slug).title }}',
      'template.unknownField',
      { collection: 'news', field: 'slgu', suggestion: 'slug' },
    ],
    [
      '{% for e in data("news", tpic=1) %}{{ e.title }}{% endfor %}',
      'template.unknownField',
      { field: 'tpic' },
    ],
    [
      '{% for e in data("news") %}{{ e.titel }}{% endfor %}',
      'template.unknownField',
      { field: 'titel', suggestion: 'title' },
    ],
    [
      '{{ item("news", "slug", "x").topic.lable }}',
      'template.unknownField',
      { collection: 'topics', field: 'lable' },
    ],
    [
      '{% for t in item("news", "slug", "x").topics %}{{ t.lable }}{% endfor %}',
      'template.unknownField',
      { collection: 'topics' },
    ],
  ])('%s', async (html, code, params) => {
    const page = await callOk(server, 'POST', '/pages', {
      parent_id: site,
      title: 'F',
      slug: freshName('f'),
      html,
    });
    expect(page['warnings']).toMatchObject([{ code, params }]);
  });

  it.each([
    '{% for e in data("news", _sort="-date") %}{{ e.title }}{{ e.id }}{{ e._url }}{{ e._created }}{{ e.topic.label }}{{ e.topic._updated }}{% endfor %}',
    '{% for t in item("news", "slug", "x").topics %}{{ t.label }}{% endfor %}',
    '<a href="{{ item("news", "slug", "x").topic._url }}">x</a>{{ item("news", "slug", "x").text|markdown }}',
  ])('nothing about %s', async (html) => {
    const page = await callOk(server, 'POST', '/pages', {
      parent_id: site,
      title: 'F',
      slug: freshName('f'),
      html,
    });
    expect(page['warnings']).toEqual([]);
  });

  it('Markdown that visitors may have written', async () => {
    await createCollection(server, {
      slug: 'guests',
      live: true,
      fields: [{ name: 'text', type: 'markdown' }],
    });
    const save = async (html: string) => {
      const page = await callOk(server, 'POST', '/pages', {
        parent_id: site,
        title: 'F',
        slug: freshName('f'),
        html,
      });
      return page['warnings'];
    };
    expect(await save('{% for g in data("guests") %}{{ g.text|markdown }}{% endfor %}')).toMatchObject([
      { code: 'template.unsafeContext', params: { place: 'markdown', name: 'text' } },
    ]);
    expect(await save('{% for g in data("guests") %}{{ g.text|markdown:"safe" }}{% endfor %}')).toEqual([]);
  });
});
