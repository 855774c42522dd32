import { request } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ViewEvent, ViewEventBuffer } from '../../server/http/view-event-buffer.ts';
import { callOk } from '../support/api.ts';
import { createPage, createRedirect, createSite } from '../support/content.ts';
import { type InProcessServer, startInProcess } from '../support/in-process.ts';
import { possibleThreads } from '../support/possible-fronts.ts';

/** What counts as a view of a page (Data, Automation and Operations, "Statistics"). */

describe.each(possibleThreads)('views with -front-threads %s', (threads) => {
  let server: InProcessServer;
  let site: number;
  let views: ViewEvent[] = [];
  let flush: () => void;

  beforeAll(async () => {
    server = await startInProcess({
      args: ['-front-threads', threads],
      moreFeatures: (parts) => {
        flush = () => parts.views.flush();
        parts.views.consumeWith((seen) => views.push(...seen));
        return [];
      },
    });
    site = await createSite(server);
    await callOk(server, 'PUT', `/pages/${site}`, { html: 'home' });
    await createPage(server, site, { slug: 'live', published: true, no_cache: true });
    await createPage(server, site, { slug: 'draft' });
    await createPage(server, site, { slug: 'broken', published: true, html: '{% nothing %}' });
    await createRedirect(server, site, { source: '/old', target: '/live' });
  });
  afterAll(() => server.stop());

  const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    new Promise<{ status: number | undefined; etag: string }>((resolve, reject) => {
      request({ port: server.port, path, method, headers, agent: false }, (answer) => {
        answer.resume();
        answer.on('end', () => resolve({ status: answer.statusCode, etag: String(answer.headers['etag']) }));
      })
        .on('error', reject)
        .end();
    });

  it('tell what statistics need, from the cache too', async () => {
    const headers = {
      referer: 'https://search.test/',
      'user-agent': 'Test/1',
      'x-forwarded-for': '203.0.113.7',
    };
    const count = 12;
    const seen: ViewEvent[] = [];
    views = [];
    for (let number = 0; number < count; number++) await ask('/?a=b', headers);
    const countOf = (list: readonly ViewEvent[]) => list.reduce((sum, { times }) => sum + times, 0);
    while (countOf(seen) < count) {
      flush();
      seen.push(...views.splice(0));
      await nextTurn();
    }
    for (const view of seen) {
      expect(view).toEqual({
        at: expect.any(Number),
        siteId: site,
        host: `localhost:${server.port}`,
        path: '/',
        status: 200,
        referer: 'https://search.test/',
        userAgent: 'Test/1',
        peer: '127.0.0.1',
        forwardedFor: '203.0.113.7',
        cookie: '',
        times: expect.any(Number),
      });
    }
    expect(countOf(seen)).toBe(count);
  });

  // The rules are those of the main thread, which hands answers over together with them.
  describe.runIf(threads === '1')('are no views, unless', () => {
    it.each([
      ['a page that is not cached', '/live?x', {}, 'GET', 1],
      ['HEAD', '/', {}, 'HEAD', 0],
      ['a missing page', '/nothing', {}, 'GET', 0],
      ['a draft', '/draft', {}, 'GET', 0],
      ['an error', '/broken', {}, 'GET', 0],
      ['a redirect', '/old', {}, 'GET', 0],
      ['the canonical address', '/LIVE', {}, 'GET', 0],
      ['POST', '/', {}, 'POST', 0],
      ['robots.txt', '/robots.txt', {}, 'GET', 0],
      ['a page that is loaded in advance', '/', { 'sec-purpose': 'prefetch;prerender' }, 'GET', 0],
      ['the same with the old header', '/', { purpose: 'prefetch' }, 'GET', 0],
      ['the same of an old Firefox', '/', { 'x-moz': 'prefetch' }, 'GET', 0],
      ['the same of an old Safari', '/', { 'x-purpose': 'preview' }, 'GET', 0],
    ] satisfies [string, string, Record<string, string>, string, number][])(
      '%s',
      async (_name, path, headers, method, expected) => {
        views = [];
        await ask(path, headers, method);
        flush();
        expect(views.length).toBe(expected);
      },
    );

    it('a page that has not changed', async () => {
      const { etag } = await ask('/');
      flush();
      views = [];
      expect((await ask('/', { 'if-none-match': etag, cookie: 'a=b; ic_session=x' })).status).toBe(304);
      flush();
      expect(views).toMatchObject([{ status: 304, cookie: 'a=b; ic_session=x' }]);
    });
  });
});

describe('the views that wait', () => {
  const view: ViewEvent = {
    at: 0,
    siteId: 1,
    host: 'site.test',
    path: '/',
    status: 200,
    referer: '',
    userAgent: '',
    peer: '',
    forwardedFor: '',
    cookie: '',
    times: 1,
  };

  it('are bounded: many are handed over at once', () => {
    const views = new ViewEventBuffer();
    const seen: number[] = [];
    views.consumeWith((waiting) => seen.push(waiting.reduce((sum, { times }) => sum + times, 0)));
    for (let count = 0; count < 10_005; count++) views.push({ ...view, path: `/${count}` });
    expect(seen).toEqual([10_000]);
    views.flush();
    views.push(view);
    views.flush();
    views.flush();
    expect(seen).toEqual([10_000, 5, 1]);
  });

  it('are one with their number if they are equal within a second', () => {
    const views = new ViewEventBuffer();
    const seen: ViewEvent[] = [];
    views.consumeWith((waiting) => seen.push(...waiting));
    const others: Partial<ViewEvent>[] = [
      ...[{ at: 1000 }, { siteId: 2 }, { host: 'other.test' }, { path: '/other' }, { status: 304 as const }],
      ...[{ referer: 'https://other.test/' }, { userAgent: 'Other' }, { peer: '10.0.0.1' }],
      ...[{ forwardedFor: '192.0.2.1' }, { cookie: 'ic_session=1' }],
    ];
    for (let turn = 0; turn < 3; turn++)
      for (const other of [{}, { at: 999 }, ...others]) views.push({ ...view, ...other });
    views.flush();
    expect(seen).toEqual([
      { ...view, times: 6 },
      ...others.map((other) => ({ ...view, ...other, times: 3 })),
    ]);
  });
});
