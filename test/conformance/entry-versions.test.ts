import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { call, callOk } from '../support/api.ts';
import { createCollection, createItem, createPage, createSite } from '../support/content.ts';
import { startServer, type TestServer } from '../support/server.ts';

/** Language versions of entries on their detail pages: in the head, and in `page.translations`. */

let server: TestServer;
let site: number;
const pages = { en: 0, de: 0 };
const collections = { en: 0, de: 0 };
const entries = { en: 0, de: 0 };

const template = (slug: string) =>
  `{% set entry = item("${slug}", "slug", route.slug) %}` +
  '<p>{{ entry.title }}</p>' +
  '{% for t in page.translations %}<i>{{ t.lang }} {{ t.url }} {{ t.title }}</i>{% endfor %}';

beforeAll(async () => {
  server = await startServer();
  site = await createSite(server, { title: 'Museum', lang: 'en' });
  for (const [lang, path] of [['en', 'objects'] as const, ['de', 'objekte'] as const]) {
    const html = template(path);
    pages[lang] = await createPage(server, site, {
      slug: path,
      lang,
      catch_all: true,
      published: true,
      html,
    });
    const names = ['title', 'slug'] as const;
    const fields = names.map((name) => ({ name, type: 'text' }));
    collections[lang] = await createCollection(server, {
      ...{ slug: path, lang, fields },
      detail_page_id: pages[lang],
    });
  }
  await callOk(server, 'PUT', `/pages/${site}`, { published: true });
});
afterAll(() => server.stop());

let count = 0;
beforeEach(async () => {
  count++;
  entries.en = await createItem(server, 'objects', { title: `Lamp ${count}`, slug: `lamp-${count}` });
  entries.de = await createItem(server, 'objekte', { title: `Lampe ${count}`, slug: `lampe ${count}` });
});

const link = () =>
  call(server, 'POST', `/collections/objects/items/${entries.en}/translations`, {
    body: { collection: 'objekte', item_id: entries.de },
  });

/** What a page names as its language versions: in the head, and in the template. */
async function versionsAt(path: string): Promise<{ head: string[]; shown: string[] }> {
  const text = await (await fetch(server.url + path)).text();
  const head = [...text.matchAll(/hreflang="(\w+)" href="http:\/\/[^/]+([^"]*)"/g)];
  return {
    head: head.map(([, lang, url]) => `${lang} ${url}`),
    shown: [...text.matchAll(/<i>(.*?)<\/i>/g)].map(([, found]) => String(found)),
  };
}

const english = () => versionsAt(`/objects/lamp-${count}`);
const german = () => versionsAt(`/objekte/lampe%20${count}`);
const none = { head: [], shown: [] };

describe('a detail page', () => {
  it('names the other versions of its entry, as long as they are linked', async () => {
    expect([await english(), await german()]).toEqual([none, none]);
    await link();
    const head = [`de /objekte/lampe%20${count}`, `en /objects/lamp-${count}`];
    expect(await english()).toEqual({ head, shown: [`de /objekte/lampe%20${count} Lampe ${count}`] });
    expect(await german()).toEqual({ head, shown: [`en /objects/lamp-${count} Lamp ${count}`] });
    await call(server, 'DELETE', `/collections/objekte/items/${entries.de}/translations`);
    expect([await english(), await german()]).toEqual([none, none]);
  });

  it.each<[string, () => Promise<unknown>, () => Promise<unknown>]>([
    [
      'is a draft',
      () => callOk(server, 'PUT', `/collections/objekte/items/${entries.de}`, { published: false }),
      async () => {},
    ],
    ['is deleted', () => call(server, 'DELETE', `/collections/objekte/items/${entries.de}`), async () => {}],
    [
      'has no address',
      () => callOk(server, 'PUT', `/collections/objekte/items/${entries.de}`, { data: { slug: '' } }),
      async () => {},
    ],
    [
      'has a page that is a draft',
      () => callOk(server, 'PUT', `/pages/${pages.de}`, { published: false }),
      () => callOk(server, 'PUT', `/pages/${pages.de}`, { published: true }),
    ],
    [
      'has no detail page any more',
      () => callOk(server, 'PUT', '/collections/objekte', { detail_page_id: 0 }),
      () => callOk(server, 'PUT', '/collections/objekte', { detail_page_id: pages.de }),
    ],
  ])('does not name a version that %s', async (_name, change, back) => {
    await link();
    expect((await english()).head).toHaveLength(2);
    await change();
    expect(await english()).toEqual(none);
    await back();
  });

  it('follows a new address and a new title', async () => {
    await link();
    await english();
    const data = { slug: `leuchte-${count}`, title: 'Leuchte' };
    await callOk(server, 'PUT', `/collections/objekte/items/${entries.de}`, { data });
    expect((await english()).shown).toEqual([`de /objekte/leuchte-${count} Leuchte`]);
    await callOk(server, 'PUT', `/pages/${pages.de}`, { slug: 'dinge' });
    expect((await english()).shown).toEqual([`de /dinge/leuchte-${count} Leuchte`]);
    await callOk(server, 'PUT', `/pages/${pages.de}`, { slug: 'objekte' });
  });

  it('follows a third version, which changes no row of the others', async () => {
    await link();
    await english();
    const slug = `objets-${count}`;
    const page = await createPage(server, site, { slug, lang: 'fr', catch_all: true, published: true });
    const fields = ['title', 'slug'].map((name) => ({ name, type: 'text' }));
    await createCollection(server, { slug, lang: 'fr', fields, detail_page_id: page });
    const french = await createItem(server, slug, { title: 'Lampe', slug: 'lampe' });
    await call(server, 'POST', `/collections/objekte/items/${entries.de}/translations`, {
      body: { collection: slug, item_id: french },
    });
    expect((await english()).shown).toEqual([
      `de /objekte/lampe%20${count} Lampe ${count}`,
      `fr /${slug}/lampe Lampe`,
    ]);
  });

  it('shows its page in a language that the entry does not have; the head does not', async () => {
    await call(server, 'POST', `/pages/${pages.en}/translations`, { body: { page_id: pages.de } });
    expect(await english()).toEqual({ head: [], shown: ['de /objekte objekte'] });
    await link();
    expect((await english()).shown).toEqual([`de /objekte/lampe%20${count} Lampe ${count}`]);
    const list = await versionsAt('/objects');
    expect(list).toEqual({ head: ['de /objekte', 'en /objects'], shown: ['de /objekte objekte'] });
    await call(server, 'DELETE', `/pages/${pages.en}/translations`);
  });
});
