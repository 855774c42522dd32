import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { asRecord, call, callOk, outcomeOf } from '../support/api.ts';
import { createPage, createSite } from '../support/content.ts';
import { neutral } from '../support/extdb/neutral.ts';
import { fakeRows, token } from '../support/extdb/rows.ts';
import { type FakeService, startService } from '../support/extdb/service.ts';
import { type InProcessServer, startInProcess } from '../support/in-process.ts';
import { visit } from './public-client.ts';

/** Core, `sitemap_source` of type extdb, with a database service behind it. */

let server: InProcessServer;
let service: FakeService;
let shop: number;
let now = Date.UTC(2026, 4, 10, 9);
const minutes = 60_000;

beforeAll(async () => {
  service = await startService(neutral);
  server = await startInProcess({ clock: () => now });
  await callOk(server, 'PUT', '/extdb', [{ name: 'Shop', url: service.url, token }]);
  const home = await createSite(server, { domains: 'one.test' });
  shop = await createPage(server, home, { slug: 'shop', published: true, catch_all: true });
});
beforeEach(() => {
  service.override = undefined;
  service.rows = fakeRows().map((row) => ({
    ...row,
    title: ['hammer', 'tools/saw', '', null, 'größe 1'][Number(row['id']) - 1],
  }));
});
afterAll(async () => {
  await server.stop();
  await service.close();
});

const source = { type: 'extdb', connection: 'shop', table: 'articles', column: 'title' };
const preview = (sitemap_source: object) =>
  call(server, 'POST', `/pages/${shop}/sitemap-preview`, { body: { sitemap_source } });
const lastQuery = () => asRecord(service.seen.findLast(({ path }) => path.endsWith('/query'))?.body);

async function listed(): Promise<string[]> {
  const { text } = await visit(server, '/sitemap.xml', { host: 'one.test' });
  return [...text.matchAll(/<loc>https?:\/\/one\.test(\/shop\/[^<]*)<\/loc>/g)].map(([, path = '']) => path);
}

describe('the preview', () => {
  it('shows what the rows give, and asks for no other columns', async () => {
    const { status, body } = await preview({ ...source, lastmod: 'country' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ count: 3, duration_ms: expect.any(Number) });
    const { sample } = asRecord(body);
    expect(Array.isArray(sample) && sample.map((one: { path: string }) => decodeURI(one.path))).toEqual([
      '/shop/hammer',
      '/shop/tools/saw',
      '/shop/größe 1',
    ]);
    expect(lastQuery()).toMatchObject({ fields: ['title', 'country'], limit: 1000, page: 1 });
    await preview(source);
    expect(lastQuery()['fields']).toEqual(['title']);
  });

  it('takes view, rules and match', async () => {
    const rules = [
      { col: 'id', op: 'eq', val: 1 },
      { col: 'id', op: 'eq', val: 5 },
    ];
    expect((await preview({ ...source, rules, match: 'or' })).body).toMatchObject({ count: 2 });
    expect((await preview({ ...source, rules })).body).toMatchObject({ count: 0 });
    expect((await preview({ ...source, view: 'v1' })).body).toMatchObject({ count: 2 });
  });

  it.each([
    ['an unknown connection', { connection: 'zoo' }, 'no database connection "zoo"'],
    ['an unknown table', { table: 'articels' }, 'did you mean "articles"?'],
    ['no such column', { column: 'slug' }, 'no column "slug"'],
  ])('%s is 502', async (_name, more, message) => {
    const answer = await preview({ ...source, ...more });
    expect(outcomeOf(answer)).toEqual({ status: 502, code: 'page.sitemapSourceFailed' });
    expect(asRecord(answer.body)['error']).toContain(message);
  });

  it('a service that fails is 502', async () => {
    service.override = () => ({ status: 500, body: { error: 'out of order' } });
    const answer = await preview(source);
    expect(outcomeOf(answer)).toEqual({ status: 502, code: 'page.sitemapSourceFailed' });
    expect(asRecord(answer.body)['error']).toContain('out of order');
  });
});

describe('the sitemap', () => {
  it('keeps the rows for ten minutes, and the last state while the service fails', async () => {
    await callOk(server, 'PUT', `/pages/${shop}`, { sitemap_source: source });
    const paths = await listed();
    expect(paths.map(decodeURI)).toEqual(['/shop/hammer', '/shop/tools/saw', '/shop/größe 1']);
    service.rows = service.rows.slice(0, 1);
    now += 9 * minutes;
    expect(await listed()).toEqual(paths);
    now += 2 * minutes;
    expect(await listed()).toEqual(['/shop/hammer']);
    service.override = () => ({ status: 503 });
    now += 11 * minutes;
    expect(await listed()).toEqual(['/shop/hammer']);
    service.override = undefined;
    service.rows = fakeRows().map((row) => ({ ...row, title: `n${String(row['id'])}` }));
    now += 11 * minutes;
    expect(await listed()).toEqual(['/shop/n1', '/shop/n2', '/shop/n3', '/shop/n4', '/shop/n5']);
  });
});
