import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { call, callList, callOk } from '../support/api.ts';
import { createPage, createRedirect, createSite, freshName } from '../support/content.ts';
import { invalid, notFound, runScenarios } from '../support/scenarios.ts';
import { masterToken, startServer, type TestServer } from '../support/server.ts';
import { setUp } from '../support/session.ts';
import { visit } from './public-client.ts';

let server: TestServer;
/** A new website for each test. */
let site: number;
let host: string;

beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());
beforeEach(async () => {
  host = `${freshName('site')}.example`;
  site = await createSite(server, { domains: host });
});

async function miss(path: string, referer?: string): Promise<void> {
  const answer = await visit(server, path, {
    host,
    headers: referer === undefined ? {} : { Referer: referer },
  });
  expect(answer.status).toBe(404);
}

function log(): Promise<Record<string, unknown>[]> {
  return callList(server, `/notfound?root_id=${site}`);
}

async function paths(): Promise<unknown[]> {
  return (await log()).map((entry) => entry['path']);
}

function put(query: string, body: object): Promise<number> {
  return call(server, 'PUT', `/notfound?root_id=${site}${query}`, { body }).then(({ status }) => status);
}

describe('the 404 log', () => {
  it('has an entry for each missing path, with all fields', async () => {
    const before = Math.floor(Date.now() / 1000);
    await miss('/dead', 'https://elsewhere.example/page');
    const [entry] = await log();
    expect(entry).toEqual({
      path: '/dead',
      hits: 1,
      first_at: expect.any(Number),
      last_at: expect.any(Number),
      referer: 'https://elsewhere.example/page',
      ignored: false,
    });
    expect(Number(entry?.['first_at'])).toBeGreaterThanOrEqual(before);
  });

  it('counts hits, and lists the most frequent path first', async () => {
    for (const path of ['/once', '/thrice', '/twice', '/thrice', '/twice', '/thrice']) await miss(path);
    expect((await log()).map((entry) => [entry['path'], entry['hits']])).toEqual([
      ['/thrice', 3],
      ['/twice', 2],
      ['/once', 1],
    ]);
    await miss('/once');
    expect((await log()).find((entry) => entry['path'] === '/once')).toMatchObject({ hits: 2 });
  });

  it('counts each of many equal requests at the same time', async () => {
    await Promise.all(Array.from({ length: 20 }, () => miss('/burst')));
    expect(await log()).toMatchObject([{ path: '/burst', hits: 20 }]);
  });

  it('normalises paths', async () => {
    for (const path of ['/D%C3%A9ad', '/d%C3%A9ad/', '/d%c3%a9AD?x=1']) await miss(path);
    expect(await log()).toMatchObject([{ path: '/déad', hits: 3 }]);
  });

  it('counts drafts, and paths for which a catch-all page calls not_found()', async () => {
    await createPage(server, site, { slug: 'draft' });
    const html = '{% if route.rest %}{{ not_found() }}{% endif %}';
    await createPage(server, site, { slug: 'all', html, catch_all: true, published: true });
    await miss('/draft');
    await miss('/all/of/it');
    expect((await paths()).toSorted()).toEqual(['/all/of/it', '/draft']);
  });

  it('counts a missing path when the 404 page has an error, and counts no other errors', async () => {
    for (const slug of ['404', 'broken'])
      await createPage(server, site, { slug, html: '{% nonsense %}', published: true });
    for (const path of ['/dead', '/broken']) expect((await visit(server, path, { host })).status).toBe(500);
    expect(await paths()).toEqual(['/dead']);
  });

  it('does not count HEAD, pages, redirects and paths of the service itself', async () => {
    await createRedirect(server, site, { source: '/moved', target: '/' });
    await visit(server, '/dead', { host, method: 'HEAD' });
    await visit(server, '/', { host });
    await visit(server, '/moved', { host });
    for (const path of ['/favicon.ico', '/media/x.png', '/_assets/css/99.css', '/api/v1/x'])
      await visit(server, path, { host });
    expect(await log()).toEqual([]);
  });

  it('counts visitors with a token like all others, and keeps no token of an address', async () => {
    const token = 'ic_valid-or-not-0123456789';
    await miss('/dead');
    await miss(`/dead?token=${token}&x=1`, `https://${host}/?token=${token}&page=2`);
    await visit(server, `/dead?token=${masterToken}`, { host });
    await visit(server, '/dead', { host, headers: { Authorization: `Bearer ${masterToken}` } });
    const entries = await log();
    expect(entries).toMatchObject([{ path: '/dead', hits: 4, referer: `https://${host}/?page=2` }]);
    expect(JSON.stringify(entries)).not.toMatch(new RegExp(`${token}|${masterToken}`));
  });

  it('does not count administrators who look at drafts, but everybody who only says so', async () => {
    const own = await startServer();
    const root = await createSite(own);
    const session = await setUp(own);
    const look = async (target: string, cookie: string) =>
      expect((await visit(own, target, { headers: { Cookie: `ic_session=${cookie}` } })).status).toBe(404);
    const logged = async () =>
      (await callList(own, `/notfound?root_id=${root}`)).map((entry) => [entry['path'], entry['hits']]);
    await look('/dead?preview=1', session);
    await look(`/dead?_site=${root}`, session);
    expect(await logged()).toEqual([]);
    await look('/dead?preview=1', 'wrong');
    await look(`/dead?_site=${root}`, 'wrong');
    await look('/dead', session);
    expect(await logged()).toEqual([['/dead', 3]]);
    await own.stop();
  });

  it('is separate for each website', async () => {
    await miss('/dead');
    const other = await createSite(server);
    expect(await callList(server, `/notfound?root_id=${other}`)).toEqual([]);
  });

  it.each([
    ['https://a.example/p?q=1#frag', 'https://a.example/p?q=1'],
    ['https://user:secret@a.example/', 'https://a.example/'],
    ['https://a.example/p?token=T&q=1&exp=2&sig=S&b=2', 'https://a.example/p?q=1&b=2'],
    ['https://a.example/?preview=1&ic_preview=x&_site=3&%74oken=T', 'https://a.example/'],
    ['javascript:alert(1)', ''],
    ['<img src=x onerror=1>', ''],
    ['android-app://com.example', ''],
    [`https://a.example/${'x'.repeat(600)}`, `https://a.example/${'x'.repeat(600)}`.slice(0, 500)],
  ])('referer %s is logged as %s', async (header, referer) => {
    await miss('/dead', header);
    expect(await log()).toMatchObject([{ referer }]);
  });

  it('keeps the last valid referer', async () => {
    await miss('/dead', 'https://a.example/');
    await log();
    await miss('/dead', 'https://b.example/');
    expect(await log()).toMatchObject([{ referer: 'https://b.example/' }]);
    await miss('/dead');
    await miss('/dead', 'data:x');
    expect(await log()).toMatchObject([{ referer: 'https://b.example/', hits: 4 }]);
  });

  it('cuts paths after 2,000 characters', async () => {
    await miss(`/${'x'.repeat(3000)}`);
    expect(await paths()).toEqual([`/${'x'.repeat(1999)}`]);
  });

  it('answers with markup in a path unchanged', async () => {
    await miss('/%3Cimg%20src=x%20onerror=1%3E');
    expect(await paths()).toEqual(['/<img src=x onerror=1>']);
  });

  it('keeps at most 1,000 open entries', async () => {
    const all = Array.from({ length: 1010 }, (_, index) => `/dead-${index}`);
    for (let start = 0; start < all.length; start += 50)
      await Promise.all(all.slice(start, start + 50).map((path) => miss(path)));
    const kept = await paths();
    expect(kept.length).toBe(1000);
    expect(new Set(kept).size).toBe(1000);
  });

  it('is deleted with its website', async () => {
    await miss('/dead');
    await call(server, 'DELETE', `/pages/${site}`);
    expect((await call(server, 'GET', `/notfound?root_id=${site}`)).status).toBe(404);
  });
});

describe('PUT /notfound', () => {
  it('ignores one entry, whose hits are still counted', async () => {
    await miss('/a');
    await miss('/b');
    expect(await put('&path=/A/', { ignored: true })).toBe(204);
    await miss('/a');
    expect(await log()).toMatchObject([
      { path: '/a', hits: 2, ignored: true },
      { path: '/b', hits: 1, ignored: false },
    ]);
    expect(await put('&path=/a', { ignored: false })).toBe(204);
    expect(await log()).toMatchObject([{ path: '/a', hits: 2, ignored: false }, { path: '/b' }]);
  });

  it('without path ignores all open entries, or opens all ignored ones', async () => {
    await miss('/a');
    await miss('/b');
    expect(await put('', { ignored: true })).toBe(204);
    expect((await log()).map((entry) => entry['ignored'])).toEqual([true, true]);
    await miss('/c');
    expect((await log()).find((entry) => entry['path'] === '/c')).toMatchObject({ ignored: false });
    expect(await put('', { ignored: false })).toBe(204);
    expect((await log()).map((entry) => entry['ignored'])).toEqual([false, false, false]);
  });

  it('answers 404 for a path that is not in the log', async () => {
    expect(await put('&path=/never', { ignored: true })).toBe(404);
  });
});

describe('DELETE /notfound', () => {
  it('deletes one entry', async () => {
    await miss('/a');
    await miss('/b');
    expect((await call(server, 'DELETE', `/notfound?root_id=${site}&path=/a`)).status).toBe(204);
    expect(await paths()).toEqual(['/b']);
    expect((await call(server, 'DELETE', `/notfound?root_id=${site}&path=/a`)).status).toBe(404);
  });

  it('without path deletes all entries, also ignored ones', async () => {
    await miss('/a');
    await put('', { ignored: true });
    await miss('/b');
    expect((await call(server, 'DELETE', `/notfound?root_id=${site}`)).status).toBe(204);
    expect(await log()).toEqual([]);
  });
});

describe('creating a redirect', () => {
  it('removes its source from the log, open or ignored, and so does PUT', async () => {
    for (const path of ['/a', '/b', '/c', '/d']) await miss(path);
    await put('&path=/b', { ignored: true });
    await miss('/a');
    const redirect = await createRedirect(server, site, { source: '/A' });
    await createRedirect(server, site, { source: '/b' });
    await callOk(server, 'PUT', `/redirects/${redirect}`, { source: '/c' });
    expect(await paths()).toEqual(['/d']);
  });
});

describe('refused', () => {
  runScenarios(
    () => server,
    [
      { name: 'GET without root_id', method: 'GET', path: '/notfound', ...invalid('root_id') },
      {
        name: 'PUT without root_id',
        method: 'PUT',
        path: '/notfound',
        body: { ignored: true },
        ...invalid('root_id'),
      },
      { name: 'DELETE without root_id', method: 'DELETE', path: '/notfound', ...invalid('root_id') },
      ...['GET', 'PUT', 'DELETE'].map((method) => ({
        name: `${method} of an unknown website`,
        method,
        path: '/notfound?root_id=999999',
        ...(method === 'PUT' ? { body: { ignored: true } } : {}),
        ...notFound,
      })),
      {
        name: 'PUT without ignored',
        method: 'PUT',
        path: () => `/notfound?root_id=${site}`,
        body: {},
        ...invalid('ignored'),
      },
      {
        name: 'PUT with ignored as a text',
        method: 'PUT',
        path: () => `/notfound?root_id=${site}`,
        body: { ignored: 'yes' },
        ...invalid('ignored'),
      },
    ],
  );

  it('a subpage as website', async () => {
    const page = await createPage(server, site);
    expect(await call(server, 'GET', `/notfound?root_id=${page}`)).toMatchObject({
      status: 400,
      body: { code: 'common.invalid', params: { field: 'root_id' } },
    });
  });
});

it('an instance without websites answers 404', async () => {
  const empty = await startServer();
  const answer = await visit(empty, '/dead');
  expect(answer.status).toBe(404);
  await empty.stop();
});
