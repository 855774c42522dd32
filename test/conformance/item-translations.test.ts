import { afterAll, beforeAll, expect, it } from 'vitest';
import { call, callList, callOk, outcomeOf } from '../support/api.ts';
import { createCollection, createItem, createPage, createSite } from '../support/content.ts';
import { notFound } from '../support/scenarios.ts';
import { startServer, type TestServer } from '../support/server.ts';

/** Language versions of entries (Data, Automation and Operations, "Collections and entries"). */

let server: TestServer;
const item: Record<string, number> = {};

beforeAll(async () => {
  server = await startServer();
  const site = await createSite(server);
  const page = await createPage(server, site, { slug: 'news', catch_all: true, published: true });
  const fields = [
    { name: 'title', type: 'text' },
    { name: 'slug', type: 'text' },
  ];
  for (const lang of ['en', 'de', 'fr', ''])
    await createCollection(server, {
      slug: `news-${lang || 'none'}`,
      lang,
      fields,
      detail_page_id: lang === 'en' ? page : 0,
    });
});
afterAll(() => server.stop());

/** New entries of all collections. */
async function entries(): Promise<void> {
  for (const lang of ['en', 'de', 'fr', 'none'])
    item[lang] = await createItem(server, `news-${lang}`, { title: lang.toUpperCase(), slug: `s-${lang}` });
}

const pathOf = (lang: string) => `/collections/news-${lang}/items/${item[lang]}/translations`;
const link = (from: string, to: string, more: object = {}) =>
  call(server, 'POST', pathOf(from), { body: { collection: `news-${to}`, item_id: item[to], ...more } });

it('are linked from either side and listed by language, with the address below the detail page', async () => {
  await entries();
  const answer = await link('de', 'en');
  const en = {
    collection: 'news-en',
    item_id: item['en'],
    lang: 'en',
    title: 'EN',
    url: '/news/s-en',
    path: '/news/s-en',
    published: true,
  };
  expect([answer.status, answer.body]).toEqual([200, [en]]);
  await link('en', 'fr');
  const fr = {
    ...en,
    collection: 'news-fr',
    item_id: item['fr'],
    lang: 'fr',
    title: 'FR',
    url: '',
    path: '',
  };
  expect(await callList(server, pathOf('de'))).toEqual([en, fr]);
  const { translation_group: group } = await callOk(
    server,
    'GET',
    `/collections/news-de/items/${item['de']}`,
  );
  expect(group).toEqual(expect.stringMatching(/./));
  expect((await link('de', 'en')).status).toBe(200);

  expect((await call(server, 'DELETE', pathOf('en'))).status).toBe(204);
  expect(await callList(server, pathOf('de'))).toEqual([fr]);
  expect((await call(server, 'DELETE', `/collections/news-fr/items/${item['fr']}`)).status).toBe(204);
  expect(await callOk(server, 'GET', `/collections/news-de/items/${item['de']}`)).toMatchObject({
    translation_group: '',
  });
});

it('are refused without a language, in a taken language, and when linked elsewhere', async () => {
  await entries();
  expect(await link('en', 'none')).toMatchObject({
    status: 400,
    body: { code: 'translation.noLang', params: { item_id: item['none'] } },
  });
  expect(outcomeOf(await link('none', 'en'))).toEqual({ status: 400, code: 'translation.noLang' });
  const second = await createItem(server, 'news-en', { title: 'second' });
  const body = { item_id: second };
  expect(outcomeOf(await call(server, 'POST', pathOf('en'), { body }))).toEqual({
    status: 409,
    code: 'translation.langTaken',
  });
  await link('en', 'de');
  const other = { collection: 'news-en', item_id: second };
  await call(server, 'POST', pathOf('fr'), { body: other });
  expect(await link('fr', 'de')).toMatchObject({
    status: 409,
    body: { code: 'translation.alreadyLinked', params: { item_id: item['de'] } },
  });
  expect((await link('fr', 'de', { move: true })).body).toMatchObject([
    { lang: 'de' },
    { lang: 'en', item_id: second },
  ]);
  expect(await callList(server, pathOf('en'))).toEqual([]);
  for (const wrong of [
    { collection: 'nothing', item_id: 1 },
    { collection: 'news-de', item_id: 99_999 },
  ])
    expect(outcomeOf(await call(server, 'POST', pathOf('en'), { body: wrong }))).toEqual(notFound);
  expect(outcomeOf(await link('en', 'en'))).toEqual({ status: 400, code: 'common.invalid' });
});

it('hold the languages of their collections', async () => {
  await entries();
  await link('en', 'de');
  const put = (slug: string, lang: string) => call(server, 'PUT', `/collections/${slug}`, { body: { lang } });
  expect(outcomeOf(await put('news-de', 'en'))).toEqual({ status: 409, code: 'translation.langTaken' });
  expect(outcomeOf(await put('news-de', ''))).toEqual({ status: 409, code: 'translation.collectionLinked' });
  expect((await put('news-de', 'de-at')).status).toBe(200);
  expect((await put('news-de', 'de')).status).toBe(200);
  expect((await put('news-none', 'it')).status).toBe(200);
  expect((await call(server, 'DELETE', '/collections/news-de')).status).toBe(204);
  expect(await callList(server, pathOf('en'))).toEqual([]);
});
