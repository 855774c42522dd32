import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { asRecord, call, callOk } from '../support/api.ts';
import { createPage, createRedirect, createSite, freshName } from '../support/content.ts';
import { EventReader } from '../support/event-reader.ts';
import { uploadOne } from '../support/media.ts';
import { invalid, notFound, runScenarios } from '../support/scenarios.ts';
import { masterToken, startServer, type TestServer } from '../support/server.ts';
import { setUp } from '../support/session.ts';
import { visit } from './public-client.ts';

/** Data, Automation and Operations, "Statistics and country data": what counts, seen from outside. */

const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0';
const bot = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';

let server: TestServer;
let session: string;
/** A new website for each test. */
let site: number;
let host: string;

beforeAll(async () => {
  server = await startServer();
  session = await setUp(server);
  await uploadOne(server, 'manual.pdf', Buffer.from('%PDF-1.4 and more bytes'));
  await uploadOne(server, 'style.css', Buffer.from('a { color: red }'));
  const { id } = await uploadOne(server, 'private.pdf', Buffer.from('%PDF-1.4'));
  await callOk(server, 'PUT', `/files/${id}`, { private: true });
});
afterAll(() => server.stop());
beforeEach(async () => {
  host = `${freshName('site')}.example`;
  site = await createSite(server, { title: '=Site', domains: host });
  await createPage(server, site, { slug: 'about', published: true, html: 'about' });
});

const stats = (query = '') => callOk(server, 'GET', `/stats?root_id=${site}${query}`);

interface Request {
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

function ask({ path = '/about', method = 'GET', headers = {} }: Request = {}) {
  return visit(server, path, { method, host, headers: { 'User-Agent': browser, ...headers } });
}

describe('views of pages', () => {
  const counted: readonly [string, Request][] = [
    ['a page', {}],
    ['a page with a query', { path: '/about?utm=1' }],
    ['a link of another website', { headers: { Referer: 'https://other.example/' } }],
    ['a cookie that is no session', { headers: { Cookie: 'ic_session=made-up' } }],
  ];
  it.each(counted)('count: %s', async (_name, request) => {
    for (let round = 0; round < 3; round++) expect((await ask(request)).status).toBe(200);
    expect(await stats()).toMatchObject({
      views: 3,
      visitors: 1,
      pages: [{ root_id: site, name: '/about', views: 3, visitors: 1 }],
    });
  });

  it('count when the browser has the page already', async () => {
    const etag = (await ask()).header('etag') ?? '';
    expect((await ask({ headers: { 'If-None-Match': etag } })).status).toBe(304);
    expect(await stats()).toMatchObject({ views: 2, visitors: 1 });
  });

  const ignored: readonly [string, number, Request][] = [
    ['HEAD', 200, { method: 'HEAD' }],
    ['POST', 405, { method: 'POST' }],
    ['a bot', 200, { headers: { 'User-Agent': bot } }],
    ['no User-Agent', 200, { headers: { 'User-Agent': '' } }],
    ['a prefetch', 200, { headers: { 'Sec-Purpose': 'prefetch;prerender' } }],
    ['a prefetch of an old browser', 200, { headers: { Purpose: 'prefetch' } }],
    ['a prefetch of an old Firefox', 200, { headers: { 'X-Moz': 'prefetch' } }],
    ['a preview of an old Safari', 200, { headers: { 'X-Purpose': 'preview' } }],
    ['a missing page', 404, { path: '/missing' }],
    ['a redirect', 301, { path: '/old' }],
    ['a page with an error', 500, { path: '/broken' }],
    ['robots.txt', 200, { path: '/robots.txt' }],
    ['the sitemap', 200, { path: '/sitemap.xml' }],
  ];
  it.each(ignored)('do not count: %s', async (_name, status, request) => {
    await createRedirect(server, site, { source: '/old', target: '/about' });
    await createPage(server, site, { slug: 'broken', published: true, html: '{% nothing %}' });
    expect((await ask(request)).status).toBe(status);
    expect(await stats()).toMatchObject({ views: 0, visitors: 0, has_data: false, pages: [] });
  });

  it('do not count for administrators who are logged in, nor previews', async () => {
    await createPage(server, site, { slug: 'draft' });
    const Cookie = `ic_session=${session}`;
    expect((await ask({ headers: { Cookie } })).status).toBe(200);
    expect((await ask({ path: '/draft?preview=1', headers: { Cookie } })).status).toBe(200);
    expect(await stats()).toMatchObject({ views: 0 });
  });
});

describe('downloads', () => {
  const counted: readonly [string, number, Request][] = [
    ['a file', 200, {}],
    ['opened by a person', 200, { headers: { 'Sec-Fetch-Dest': 'document' } }],
    ['saved by a script', 200, { headers: { 'Sec-Fetch-Dest': 'empty' } }],
    ['from its beginning', 206, { headers: { Range: 'bytes=0-3' } }],
  ];
  it.each(counted)('count: %s', async (_name, status, request) => {
    for (let round = 0; round < 2; round++)
      expect((await ask({ path: '/media/manual.pdf', ...request })).status).toBe(status);
    expect(await stats()).toMatchObject({
      views: 0,
      days: [],
      downloads: [{ root_id: site, name: 'manual.pdf', views: 2, visitors: 1 }],
      downloads_total: 2,
    });
  });

  it('count when the browser has the file already', async () => {
    const etag = (await ask({ path: '/media/manual.pdf', method: 'HEAD' })).header('etag') ?? '';
    const headers = { 'If-None-Match': etag };
    expect((await ask({ path: '/media/manual.pdf', headers })).status).toBe(304);
    expect(await stats()).toMatchObject({ downloads_total: 1 });
  });

  const embedded = [
    'image',
    'font',
    'style',
    'script',
    'audio',
    'video',
    'embed',
    'object',
    'iframe',
    'track',
  ];
  const ignored: readonly [string, number, Request][] = [
    ...embedded.map((type) => [`embedded as ${type}`, 200, { headers: { 'Sec-Fetch-Dest': type } }] as const),
    ['a later part', 206, { headers: { Range: 'bytes=5-9' } }],
    ['the last bytes', 206, { headers: { Range: 'bytes=-4' } }],
    ['HEAD', 200, { method: 'HEAD' }],
    ['a bot', 200, { headers: { 'User-Agent': bot } }],
    ['a prefetch', 200, { headers: { 'Sec-Purpose': 'prefetch' } }],
    ['a prefetch of an old Firefox', 200, { headers: { 'X-Moz': 'prefetch' } }],
    ['a preview of an old Safari', 200, { headers: { 'X-Purpose': 'preview' } }],
    ['a range outside', 416, { headers: { Range: 'bytes=0900-' } }],
    ['a missing file', 404, { path: '/media/none.pdf' }],
    ['a missing file with a condition', 404, { path: '/media/none.pdf', headers: { 'If-None-Match': '*' } }],
    ['a part of a missing file', 404, { path: '/media/none.pdf', headers: { Range: 'bytes=0-3' } }],
    ['a private file', 404, { path: '/media/private.pdf' }],
    ['a private file with a wrong signature', 404, { path: '/media/private.pdf?exp=9999999999&sig=00' }],
    [
      'a private file with a condition',
      404,
      { path: '/media/private.pdf', headers: { 'If-None-Match': '*' } },
    ],
    ['a style sheet', 200, { path: '/media/style.css' }],
  ].map(([name, status, request]) => [name, status, request] as [string, number, Request]);
  it.each(ignored)('do not count: %s', async (_name, status, request) => {
    expect((await ask({ path: '/media/manual.pdf', ...request })).status).toBe(status);
    expect(await stats()).toMatchObject({ downloads: [], downloads_total: 0, has_data: false });
  });

  it('do not count for administrators who are logged in', async () => {
    await ask({ path: '/media/manual.pdf', headers: { Cookie: `ic_session=${session}` } });
    expect(await stats()).toMatchObject({ downloads_total: 0 });
  });
});

describe('GET /stats', () => {
  const query = (text: string) => () => `/stats?root_id=${site}${text}`;
  runScenarios(
    () => server,
    [
      {
        name: 'an empty website',
        method: 'GET',
        path: query(''),
        status: 200,
        fields: { has_data: false, first_day: '', days: [] },
      },
      { name: 'one day', method: 'GET', path: query('&from=2026-01-01&to=2026-01-01'), status: 200 },
      {
        name: 'an unknown website',
        method: 'GET',
        path: '/stats?root_id=999999',
        ...notFound,
        params: { field: 'root_id' },
      },
      { name: 'no number', method: 'GET', path: '/stats?root_id=x', ...invalid('root_id') },
      { name: 'no date', method: 'GET', path: query('&from=today'), ...invalid('from') },
      { name: 'no day of the calendar', method: 'GET', path: query('&to=2026-02-30'), ...invalid('to') },
      {
        name: 'from after to',
        method: 'GET',
        path: query('&from=2026-01-02&to=2026-01-01'),
        ...invalid('from'),
      },
      { name: 'from in the future', method: 'GET', path: query('&from=9999-01-01'), ...invalid('from') },
    ],
  );

  it('refuses a subpage', async () => {
    const page = await createPage(server, site, {});
    expect((await call(server, 'GET', `/stats?root_id=${page}`)).status).toBe(400);
  });

  it('is about the website of the domain, unless it names one, or all', async () => {
    await ask();
    const headers = { Host: host, Authorization: `Bearer ${masterToken}` };
    const own = JSON.parse((await visit(server, '/api/v1/stats', { host, headers })).text);
    expect(own).toMatchObject({ views: 1, pages: [{ root_id: site }] });
    for (const all of ['0', 'all']) {
      const { pages, views } = await callOk(server, 'GET', `/stats?root_id=${all}`);
      expect(Number(views)).toBeGreaterThan(1);
      expect(new Set([pages].flat().map((page) => asRecord(page)['root_id'])).size).toBeGreaterThan(1);
    }
  });

  it('answers the last 30 days unless it names others', async () => {
    await ask();
    const { last_day: today } = await stats();
    expect(await stats(`&from=${today}`)).toMatchObject({ views: 1, days: [{ day: today, views: 1 }] });
    expect(await stats('&to=2020-01-01')).toMatchObject({ views: 0, has_data: true, days: [], pages: [] });
  });
});

describe('GET /stats/paths', () => {
  it('is one page over time, with the hosts that led to it', async () => {
    for (const referer of ['https://a.example/', 'https://b.example/', 'https://a.example/other'])
      await ask({ headers: { Referer: referer } });
    await ask({ path: '/' });
    const report = await callOk(server, 'GET', `/stats/paths?root_id=${site}&path=/about`);
    expect(report).toEqual({
      path: '/about',
      views: 3,
      visitors: 1,
      days: [{ day: expect.any(String), views: 3, visitors: 1 }],
      referrers: [
        { name: 'a.example', visitors: 1 },
        { name: 'b.example', visitors: 1 },
      ],
    });
    expect(await callOk(server, 'GET', `/stats/paths?root_id=${site}&path=/never`)).toEqual({
      path: '/never',
      views: 0,
      visitors: 0,
      days: [],
      referrers: [],
    });
  });

  runScenarios(
    () => server,
    [
      { name: 'no path', method: 'GET', path: () => `/stats/paths?root_id=${site}`, ...invalid('path') },
      {
        name: 'an unknown website',
        method: 'GET',
        path: '/stats/paths?root_id=999999&path=/',
        ...notFound,
        params: { field: 'root_id' },
      },
    ],
  );
});

describe('GET /stats/values', () => {
  const oneValue = (query: string) => callOk(server, 'GET', `/stats/values?root_id=${site}&${query}`);

  it('is one referrer over time, with the pages that it led to', async () => {
    await ask({ headers: { Referer: 'https://a.example/' } });
    await ask({ path: '/', headers: { Referer: 'https://a.example/' } });
    await ask({
      path: '/',
      headers: { Referer: 'https://a.example/', 'X-Forwarded-For': '203.0.113.1' },
    });
    await ask({ headers: { Referer: 'https://b.example/' } });
    expect(await oneValue('dimension=referrer&name=a.example')).toEqual({
      dimension: 'referrer',
      name: 'a.example',
      visitors: 2,
      days: [{ day: expect.any(String), visitors: 2 }],
      pages: [
        { root_id: site, name: '/', visitors: 2 },
        { root_id: site, name: '/about', visitors: 1 },
      ],
    });
    expect(
      await callOk(server, 'GET', '/stats/values?root_id=all&dimension=referrer&name=a.example'),
    ).toEqual(expect.objectContaining({ visitors: 2 + (await visitorsElsewhere('a.example')) }));
  });

  it('is one browser over time, without pages; what nobody had is empty', async () => {
    await ask();
    expect(await oneValue('dimension=browser&name=Firefox')).toEqual({
      dimension: 'browser',
      name: 'Firefox',
      visitors: 1,
      days: [{ day: expect.any(String), visitors: 1 }],
      pages: [],
    });
    const nobody = { name: 'Never', visitors: 0, days: [], pages: [] };
    expect(await oneValue('dimension=os&name=Never')).toEqual({ dimension: 'os', ...nobody });
    // No lists of countries are loaded.
    expect(await oneValue('dimension=country&name=DE')).toMatchObject({ visitors: 0, days: [] });
  });

  /** Visitors of the websites of other tests. */
  async function visitorsElsewhere(referrer: string): Promise<number> {
    const all = await callOk(server, 'GET', '/stats?root_id=all');
    const own = await stats();
    const count = (report: Readonly<Record<string, unknown>>) =>
      [asRecord(report['dims'])['referrer']]
        .flat()
        .map(asRecord)
        .filter(({ name }) => name === referrer)
        .reduce((sum, { visitors }) => sum + Number(visitors), 0);
    return count(all) - count(own);
  }

  runScenarios(
    () => server,
    [
      {
        name: 'no dimension',
        method: 'GET',
        path: () => `/stats/values?root_id=${site}&name=x`,
        ...invalid('dimension'),
      },
      {
        name: 'an unknown dimension',
        method: 'GET',
        path: () => `/stats/values?root_id=${site}&dimension=page&name=x`,
        ...invalid('dimension'),
      },
      {
        name: 'no name',
        method: 'GET',
        path: () => `/stats/values?root_id=${site}&dimension=os`,
        ...invalid('name'),
      },
      {
        name: 'an unknown website',
        method: 'GET',
        path: '/stats/values?root_id=999999&dimension=os&name=Linux',
        ...notFound,
        params: { field: 'root_id' },
      },
    ],
  );
});

describe('GET /stats/export', () => {
  const exported = async () => {
    const headers = { Authorization: `Bearer ${masterToken}` };
    return fetch(`${server.url}/api/v1/stats/export?root_id=${site}`, { headers });
  };

  it('is CSV with a row for each day, website and kind', async () => {
    await ask({ headers: { Referer: 'https://a.example/' } });
    await ask({ path: '/', headers: { 'X-Forwarded-For': '203.0.113.1' } });
    await ask({ path: '/media/manual.pdf' });
    const { last_day: day } = await stats();
    const answer = await exported();
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toContain('statistics.csv');
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    expect(bytes.subarray(3).toString()).toBe(
      [
        'Datum;Website;Art;Name;Aufrufe;Besucher',
        ...[
          'Gesamt;;2;2',
          'Seite;/;1;1',
          'Seite;/about;1;1',
          'Herkunft;(direkt);;1',
          'Herkunft;a.example;;1',
          'Browser;Firefox;;2',
          'Betriebssystem;Linux;;2',
          'Gerät;desktop;;2',
          'Download;manual.pdf;1;1',
        ].map((row) => `${day};'=Site;${row}`),
        '',
      ].join('\n'),
    );
  });

  it('has only its header without visits', async () => {
    expect(await (await exported()).text()).toBe('Datum;Website;Art;Name;Aufrufe;Besucher\n');
  });
});

describe('GET /stats/live', () => {
  it('is what was read in the last minutes', async () => {
    await ask();
    await ask({ path: '/' });
    await ask();
    expect(await callOk(server, 'GET', `/stats/live?root_id=${site}`)).toEqual({
      views: 3,
      visitors: 1,
      pages: [
        { root_id: site, name: '/about', views: 2 },
        { root_id: site, name: '/', views: 1 },
      ],
    });
    expect(Number((await callOk(server, 'GET', '/stats/live'))['views'])).toBeGreaterThanOrEqual(3);
  });

  it('comes as events', async () => {
    await ask();
    const events = await EventReader.open(server.url, `/stats/live?root_id=${site}`);
    const [event, data = ''] = (await events.block())?.split('\n') ?? [];
    events.close();
    expect(event).toBe('event: live');
    expect(JSON.parse(data.replace(/^data: /, ''))).toMatchObject({ views: 1, visitors: 1 });
  });
});

describe('DELETE /stats', () => {
  it('deletes one website, with what is not written yet', async () => {
    const other = { host, site };
    await ask();
    await stats();
    await ask();
    host = `${freshName('site')}.example`;
    site = await createSite(server, { domains: host });
    await ask({ path: '/' });
    expect((await call(server, 'DELETE', `/stats?root_id=${other.site}`)).status).toBe(204);
    expect(await callOk(server, 'GET', `/stats?root_id=${other.site}`)).toMatchObject({
      views: 0,
      has_data: false,
    });
    expect(await stats()).toMatchObject({ views: 1 });
    await visit(server, '/about', { host: other.host, headers: { 'User-Agent': browser } });
    expect(await callOk(server, 'GET', `/stats?root_id=${other.site}`)).toMatchObject({
      views: 1,
      visitors: 1,
    });
  });

  it('deletes all websites', async () => {
    await ask();
    expect((await call(server, 'DELETE', '/stats?root_id=all')).status).toBe(204);
    expect(await callOk(server, 'GET', '/stats?root_id=all')).toMatchObject({ views: 0, has_data: false });
  });

  it('happens when a website is deleted', async () => {
    await ask();
    const before = await stats();
    expect(before).toMatchObject({ views: 1 });
    expect((await call(server, 'DELETE', `/pages/${site}`)).status).toBe(204);
    expect((await call(server, 'GET', `/stats?root_id=${site}`)).status).toBe(404);
    const { pages } = await callOk(server, 'GET', '/stats?root_id=all');
    expect([pages].flat().filter((page) => asRecord(page)['root_id'] === site)).toEqual([]);
  });

  runScenarios(
    () => server,
    [
      {
        name: 'an unknown website',
        method: 'DELETE',
        path: '/stats?root_id=999999',
        ...notFound,
        params: { field: 'root_id' },
      },
    ],
  );
});
