import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addToken, asRecord, call, callOk } from '../support/api.ts';
import { createPage, createSite } from '../support/content.ts';
import { invalid, notFound, runScenarios } from '../support/scenarios.ts';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let home: number;
let shop: number;

async function dataOf(page: number, body?: unknown): Promise<Record<string, unknown>> {
  return callOk(server, 'POST', `/pages/${page}/template-data`, body);
}

async function variablesOf(page: number, body?: unknown): Promise<Record<string, unknown>> {
  return asRecord((await dataOf(page, body))['variables']);
}

beforeAll(async () => {
  server = await startServer();
  home = await createSite(server, { domains: 'one.test' });
  await callOk(server, 'PUT', `/pages/${home}`, { lang: 'en' });
  shop = await createPage(server, home, {
    slug: 'shop',
    published: true,
    catch_all: true,
    meta_title: '{{ page.title|upper }}',
    html: '{{ nope',
  });
  await createPage(server, shop, { slug: 'draft' });
  await createPage(server, shop, { slug: 'hidden', published: true, hide_in_nav: true });
});
afterAll(() => server.stop());

describe('POST /pages/{id}/template-data', () => {
  it('answers with the values of the variables', async () => {
    const variables = await variablesOf(shop);
    expect(Object.keys(variables).sort()).toEqual(['now', 'page', 'preview', 'route', 'site', 'today']);
    expect(variables).toMatchObject({
      preview: true,
      today: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      now: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$/),
      site: { id: home, title: 'Site', url: 'http://one.test', domain: 'one.test', lang: 'en' },
      route: { path: '/shop', slug: '', rest: [], query: {} },
    });
    const page = asRecord(variables['page']);
    expect(page).toMatchObject({
      id: shop,
      title: 'shop',
      meta_title: 'SHOP',
      url: '/shop',
      effective_lang: 'en',
      blocks: [],
      parent: { id: home, parent: null },
    });
    expect(Object.keys(page)).not.toContain('html');
    expect(Object.keys(page)).not.toContain('head');
  });

  it('contains the current time', async () => {
    const { now } = await variablesOf(shop);
    expect(Math.abs(Date.parse(String(now)) - Date.now())).toBeLessThan(60_000);
  });

  it('accepts unsaved texts, a query and a subpath', async () => {
    const variables = await variablesOf(shop, {
      title: 'new',
      meta_title: '{{ page.title }}-{{ route.slug }}',
      description: '{{ route.query.a }}',
      query: { a: '1', b: true },
      rest: ['x', 'y'],
    });
    expect(variables).toMatchObject({
      page: { title: 'new', meta_title: 'new-x/y', description: '1' },
      route: { path: '/shop/x/y', slug: 'x/y', rest: ['x', 'y'], query: { a: '1', b: 'true' } },
    });
    expect(asRecord((await variablesOf(shop))['page'])['title']).toBe('shop');
  });

  it('contains navigation and children with drafts, without hidden pages', async () => {
    const { nav, children } = await dataOf(shop);
    expect(nav).toMatchObject([{ slug: 'shop', active: true, current: true, children: [{ slug: 'draft' }] }]);
    expect(children).toEqual([
      {
        id: expect.any(Number),
        title: 'draft',
        path: '/shop/draft',
        url: '/shop/draft',
        slug: 'draft',
        lang: 'en',
        active: false,
        current: false,
        children: [],
      },
    ]);
  });

  it('lists collections and sources', async () => {
    expect(await dataOf(shop)).toMatchObject({ collections: [], sources: [] });
  });

  it('accepts read-only tokens', async () => {
    const token = await addToken(server, 'reader', false);
    expect((await call(server, 'POST', `/pages/${shop}/template-data`, { token })).status).toBe(200);
  });

  it('names the place of an error in a title', async () => {
    const body = { meta_title: '{{ 1|nope }}' };
    const answer = await call(server, 'POST', `/pages/${shop}/template-data`, { body });
    expect(answer.status).toBe(422);
    expect(answer.body).toEqual({ error: expect.stringMatching(/^\/shop \(meta_title\):1:\d+: .*nope/) });
  });

  runScenarios(
    () => server,
    [
      { name: 'an unknown page', method: 'POST', path: '/pages/9999/template-data', body: {}, ...notFound },
      {
        name: 'a query that is a text',
        method: 'POST',
        path: () => `/pages/${shop}/template-data`,
        body: { query: 'a' },
        ...invalid('query'),
      },
      {
        name: 'a rest that is a text',
        method: 'POST',
        path: () => `/pages/${shop}/template-data`,
        body: { rest: 'a' },
        ...invalid('rest'),
      },
    ],
  );
});
