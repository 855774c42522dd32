/** The recipes of detail pages and menus as the reference of templates shows them. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { callOk } from '../support/api.ts';
import { createCollection, createItem, createPage, createSite, createSnippet } from '../support/content.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { visit } from './public-client.ts';

const reference = readFileSync(new URL('../../runtime/TEMPLATES.md', import.meta.url), 'utf8');
const example = (name: string) =>
  new RegExp(`^\`\`\`html ${name}\n([^]*?)\n\`\`\`$`, 'm').exec(reference)?.[1] ?? '';

let server: TestServer;
let home: number;
const host = 'one.test';

beforeAll(async () => {
  server = await startServer();
  home = await createSite(server, { domains: host });
  const fields = [
    ...['title', 'slug', 'date'].map((name) => ({ name, type: 'text' })),
    { name: 'text', type: 'markdown' },
    { name: 'picture', type: 'image' },
  ];
  await createCollection(server, { slug: 'news', fields });
  await createItem(server, 'news', { title: 'Spring', slug: 'spring', text: '*new*' });
  await createSnippet(server, { name: 'news-layout', content: example('news-layout') });
  const page = (slug: string, html: string) =>
    createPage(server, home, { slug, html, catch_all: true, published: true });
  const recipe =
    '{% set entry = item("news", "slug", route.slug) %}{% if not entry %}{{ not_found() }}{% endif %}<h1>{{ entry.title }}</h1>';
  await page('plain', recipe);
  await page('news', example('news-page'));
  await page('both', example('news-both'));
});
afterAll(() => server.stop());

it.each([
  ['plain', 404],
  ['news', 404],
  ['both', 200],
])('/%s shows its entries, answers 404 for others, and %i itself', async (slug, own) => {
  const found = await visit(server, `/${slug}/spring`, { host });
  expect([found.status, found.text]).toEqual([200, expect.stringContaining('<h1>Spring</h1>')]);
  expect((await visit(server, `/${slug}/winter`, { host })).status).toBe(404);
  expect((await visit(server, `/${slug}`, { host })).status).toBe(own);
  const { text } = await visit(server, '/sitemap.xml', { host });
  expect(text).toContain(`/${slug}/spring<`);
  expect(text.includes(`/${slug}<`)).toBe(own === 200);
});

it('the menu of a second language is below its home page, as deep as the tree', async () => {
  const german = await createPage(server, home, { slug: 'de', title: 'Start', lang: 'de', published: true });
  const html = `{% set menu = children(${german}) if page.effective_lang == "de" else nav() %}{% for a in menu %}{{ a.url }} {% for b in a.children %}{{ b.url }} {% for c in b.children %}{{ c.url }} {% endfor %}{% endfor %}{% endfor %}`;
  await callOk(server, 'PUT', `/pages/${german}`, { html });
  let parent = german;
  for (const slug of ['a', 'b', 'c'])
    parent = await createPage(server, parent, { slug, title: slug, published: true, html });
  for (const path of ['/de', '/de/a/b/c'])
    expect((await visit(server, path, { host })).text).toContain('/de/a /de/a/b /de/a/b/c ');
});

it('a field of the file of an entry is a warning, because the value is an ID', async () => {
  const html =
    '{% for e in data("news") %}{{ e.picture.url }}{{ image(e.picture).url }}{% endfor %}{{ item("news", "id", 1).picture["alt"] }}';
  const { warnings } = await callOk(server, 'POST', '/snippets', { name: 'pictures', content: html });
  expect(warnings).toMatchObject(
    ['picture.url', 'picture.alt'].map((field) => ({
      code: 'template.unknownField',
      level: 'warning',
      params: { collection: 'news', field },
    })),
  );
});
