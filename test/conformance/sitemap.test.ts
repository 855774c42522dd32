import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callOk } from '../support/api.ts';
import { createPage, createSite } from '../support/content.ts';
import { invalid, notFound, runScenarios } from '../support/scenarios.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { visit } from './public-client.ts';

const extdb = { type: 'extdb', connection: 'shop', table: 'articles' };
const workflow = { type: 'workflow', path: '/articles' };

let server: TestServer;
let shop: number;
let plain: number;

beforeAll(async () => {
  server = await startServer();
  const home = await createSite(server, { domains: 'one.test' });
  shop = await createPage(server, home, { slug: 'shop', published: true, catch_all: true });
  plain = await createPage(server, home, { slug: 'plain', published: true });
});
afterAll(() => server.stop());

describe('sitemap_source', () => {
  it.each([
    ['extdb', extdb],
    [
      'extdb with everything',
      {
        ...extdb,
        column: 'url',
        lastmod: 'changed',
        view: 'v1',
        rules: [{ col: 'a', op: 'eq', val: 1 }],
        match: 'or',
      },
    ],
    ['workflow', workflow],
    ['workflow with everything', { ...workflow, column: 'url', lastmod: 'changed' }],
    ['null', null],
  ])('accepts %s', async (_name, source) => {
    const saved = await callOk(server, 'PUT', `/pages/${shop}`, { sitemap_source: source });
    expect(saved['sitemap_source']).toEqual(source);
    expect((await callOk(server, 'GET', `/pages/${shop}`))['sitemap_source']).toEqual(source);
  });

  it.each([
    ['eq', 'x'],
    ['neq', 1],
    ['gt', 1.5],
    ['gte', 0],
    ['lt', -1],
    ['lte', '2030-01-01'],
    ['like', '%x%'],
    ['in', ['a', 'b']],
    ['not_in', 'a,b'],
    ['is_null', undefined],
    ['is_not_null', null],
  ])('accepts a rule with the operator %s', async (op, val) => {
    const source = { ...extdb, rules: [{ col: 'a', op, ...(val === undefined ? {} : { val }) }] };
    const saved = await callOk(server, 'PUT', `/pages/${shop}`, { sitemap_source: source });
    expect(saved['sitemap_source']).toEqual(source);
  });

  it('becomes null when catch_all is switched off', async () => {
    await callOk(server, 'PUT', `/pages/${shop}`, { sitemap_source: extdb });
    expect(
      (await callOk(server, 'PUT', `/pages/${shop}`, { catch_all: false }))['sitemap_source'],
    ).toBeNull();
    await callOk(server, 'PUT', `/pages/${shop}`, { catch_all: true });
  });

  runScenarios(
    () => server,
    [
      ['a text', 'extdb', 'sitemap_source'],
      ['a list', [], 'sitemap_source'],
      ['no type', {}, 'sitemap_source'],
      ['an unknown type', { type: 'rest' }, 'sitemap_source'],
      ['extdb without connection', { type: 'extdb', table: 't' }, 'sitemap_source.connection'],
      ['extdb without table', { type: 'extdb', connection: 'c' }, 'sitemap_source.table'],
      ['an empty connection', { ...extdb, connection: '' }, 'sitemap_source.connection'],
      ['rules that are no list', { ...extdb, rules: {} }, 'sitemap_source.rules'],
      ['a rule without op', { ...extdb, rules: [{ col: 'a' }] }, 'sitemap_source.rules.0.op'],
      ...['', '=', 'ne', 'EQ', 'eq ', 'contains', 'isnull', 'constructor', null, 1, ['eq']].map(
        (op) =>
          [
            `the operator ${JSON.stringify(op)}`,
            {
              ...extdb,
              rules: [
                { col: 'a', op: 'eq' },
                { col: 'a', op },
              ],
            },
            'sitemap_source.rules.1.op',
          ] as const,
      ),
      ['an unknown match', { ...extdb, match: 'xor' }, 'sitemap_source.match'],
      ['workflow without path', { type: 'workflow' }, 'sitemap_source.path'],
      ['a column that is a number', { ...workflow, column: 1 }, 'sitemap_source.column'],
    ].flatMap(([name, source, field]) =>
      ['PUT /pages/{id}', 'POST /pages/{id}/sitemap-preview'].map((endpoint) => ({
        name: `${endpoint} with ${name}`,
        method: endpoint.split(' ')[0] ?? '',
        path: () => (endpoint.split(' ')[1] ?? '').replace('{id}', String(shop)),
        body: { sitemap_source: source },
        ...invalid(String(field)),
      })),
    ),
  );
});

describe('POST /pages/{id}/sitemap-preview', () => {
  it('counts the addresses of the automatic source', async () => {
    const none = { count: 0, sample: [], duration_ms: expect.any(Number) };
    expect(await callOk(server, 'POST', `/pages/${shop}/sitemap-preview`)).toEqual(none);
    expect(await callOk(server, 'POST', `/pages/${shop}/sitemap-preview`, { sitemap_source: null })).toEqual(
      none,
    );
    expect(await callOk(server, 'POST', `/pages/${plain}/sitemap-preview`, {})).toEqual(none);
  });

  it('uses the saved source unless the request has another', async () => {
    await callOk(server, 'PUT', `/pages/${shop}`, { sitemap_source: workflow });
    const other = await callOk(server, 'POST', `/pages/${shop}/sitemap-preview`, { sitemap_source: null });
    expect(other['count']).toBe(0);
  });

  runScenarios(
    () => server,
    [
      {
        name: 'a saved source that fails',
        method: 'POST',
        path: () => `/pages/${shop}/sitemap-preview`,
        body: {},
        status: 502,
        code: 'page.sitemapSourceFailed',
      },
      {
        name: 'a workflow that does not exist',
        method: 'POST',
        path: () => `/pages/${shop}/sitemap-preview`,
        body: { sitemap_source: workflow },
        status: 502,
        code: 'page.sitemapSourceFailed',
        params: {},
      },
      {
        name: 'a database that does not exist',
        method: 'POST',
        path: () => `/pages/${shop}/sitemap-preview`,
        body: { sitemap_source: extdb },
        status: 502,
        code: 'page.sitemapSourceFailed',
        params: {},
      },
      {
        name: 'a source for a page that is not catch-all',
        method: 'POST',
        path: () => `/pages/${plain}/sitemap-preview`,
        body: { sitemap_source: extdb },
        ...invalid('sitemap_source'),
      },
      { name: 'an unknown page', method: 'POST', path: '/pages/9999/sitemap-preview', body: {}, ...notFound },
    ],
  );

  it('a source that fails adds nothing to the sitemap', async () => {
    const { status, text } = await visit(server, '/sitemap.xml', { host: 'one.test' });
    expect(status).toBe(200);
    expect([...text.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, url]) => url)).toEqual([
      'http://one.test/',
      'http://one.test/shop',
      'http://one.test/plain',
    ]);
  });
});

describe('GET /sitemap.xml of a website without domains', () => {
  let own: TestServer;
  beforeAll(async () => {
    own = await startServer();
    await createPage(own, await createSite(own), { slug: 'a', published: true });
  });
  afterAll(() => own.stop());

  it('names the host of each request, compressed or not, also when hosts are invented', async () => {
    for (const number of Array(12).keys()) {
      const host = `host-${number}.example`;
      const plain = await visit(own, '/sitemap.xml', { host });
      expect([...plain.text.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, url]) => url)).toEqual([
        `http://${host}/`,
        `http://${host}/a`,
      ]);
      const packed = await visit(own, '/sitemap.xml', { host, headers: { 'Accept-Encoding': 'gzip' } });
      const isPacked = packed.header('content-encoding') === 'gzip';
      expect(isPacked ? gunzipSync(packed.bytes).toString() : packed.text).toBe(plain.text);
      expect(packed.header('vary')).toBe('Accept-Encoding');
    }
  });

  it('answers HEAD with the headers of GET, and 404 for parts that do not exist', async () => {
    const get = await visit(own, '/sitemap.xml');
    const head = await visit(own, '/sitemap.xml', { method: 'HEAD' });
    expect([head.status, head.bytes.length]).toEqual([200, 0]);
    for (const name of ['content-type', 'content-length', 'etag', 'cache-control', 'x-content-type-options'])
      expect([name, head.header(name)]).toEqual([name, get.header(name)]);
    for (const path of ['/sitemap-1.xml', '/sitemap-2.xml', '/sitemap-0.xml', '/sitemap-999999.xml'])
      expect((await visit(own, path)).status).toBe(404);
  });
});
