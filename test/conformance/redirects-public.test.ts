import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, callList, callOk } from '../support/api.ts';
import { createPage, createRedirect, createSite, freshName } from '../support/content.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { visit } from './public-client.ts';

let server: TestServer;
let site: number;

beforeAll(async () => {
  server = await startServer();
  site = await createSite(server);
  await createPage(server, site, { slug: 'new', published: true });
  const html = "{% if route.slug == 'known' %}known{% elif route.rest %}{{ not_found() }}{% endif %}";
  await createPage(server, site, { slug: 'list', published: true, catch_all: true, html });
});
afterAll(() => server.stop());

async function redirect(fields: object): Promise<{ id: number; source: string }> {
  const body = { source: `/${freshName('old')}`, ...fields };
  return { id: await createRedirect(server, site, body), source: body.source };
}

describe('a redirect', () => {
  it('301 may be cached for an hour', async () => {
    const { source } = await redirect({});
    const answer = await visit(server, source);
    expect({
      status: answer.status,
      location: answer.header('location'),
      caching: answer.header('cache-control'),
      cache: answer.header('x-cache'),
      body: answer.text,
    }).toEqual({ status: 301, location: '/new', caching: 'max-age=3600', cache: 'BYPASS', body: '' });
  });

  it('302 may not be cached', async () => {
    const { source } = await redirect({ status: 302 });
    const answer = await visit(server, source);
    expect([answer.status, answer.header('location'), answer.header('cache-control')]).toEqual([
      302,
      '/new',
      'no-store',
    ]);
  });

  it('answers HEAD like GET', async () => {
    const { source } = await redirect({});
    const answer = await visit(server, source, { method: 'HEAD' });
    expect([answer.status, answer.header('location')]).toEqual([301, '/new']);
  });

  it.each([
    ['in upper case', (source: string) => source.toUpperCase()],
    ['with a trailing slash', (source: string) => `${source}/`],
    ['percent-encoded', (source: string) => source.replace('o', '%6f')],
    ['with a query', (source: string) => `${source}?x`],
  ])('matches its path %s', async (_name, spell) => {
    const { source } = await redirect({});
    expect((await visit(server, spell(source))).status).toBe(301);
  });

  it('works with letters beyond ASCII in source and target', async () => {
    await redirect({ source: '/über uns', target: '/café/größe x#teil' });
    const answer = await visit(server, '/%C3%9Cber%20uns');
    expect(answer.header('location')).toBe('/caf%C3%A9/gr%C3%B6%C3%9Fe%20x#teil');
  });

  it('answers with the DNS form of a host beyond ASCII', async () => {
    const { source } = await redirect({ target: 'https://bücher.example/neu' });
    expect((await visit(server, source)).header('location')).toBe('https://xn--bcher-kva.example/neu');
  });

  it('works below a catch-all page only where the page calls not_found()', async () => {
    await redirect({ source: '/list/dead' });
    await redirect({ source: '/list/known' });
    expect((await visit(server, '/list/dead')).status).toBe(301);
    expect((await visit(server, '/list/other')).status).toBe(404);
    expect((await visit(server, '/list/known')).status).toBe(200);
  });

  it('stops working when it is deleted', async () => {
    const { id: created, source } = await redirect({});
    expect((await visit(server, source)).status).toBe(301);
    await call(server, 'DELETE', `/redirects/${created}`);
    expect((await visit(server, source)).status).toBe(404);
  });

  it('works on its own website only', async () => {
    await createSite(server, { domains: 'two.example' });
    const { source } = await redirect({});
    expect((await visit(server, source, { host: 'two.example' })).status).toBe(404);
  });

  it.each([
    ['/new', 'a=1&b=%20', '/new?a=1&b=%20'],
    ['/new#part', 'a=1', '/new?a=1#part'],
    ['/new?own=1', 'a=1', '/new?own=1'],
    ['/new?', 'a=1', '/new?'],
    ['https://elsewhere.example/x', 'a=1', 'https://elsewhere.example/x?a=1'],
    ['/new', 'a=1&token=ic_secret&b=2', '/new?a=1&b=2'],
    ['/new', 'token=x&exp=1&sig=2&preview=1&ic_preview=y&_site=3', '/new'],
    ['/new', '%74oken=x&a', '/new?a'],
    ['/new', 'tokens=x', '/new?tokens=x'],
    ['/new', 'a=https://b.example/?c', '/new?a=https://b.example/?c'],
  ])('to %s, requested with ?%s, has the location %s', async (target, query, location) => {
    const { source } = await redirect({ target });
    expect((await visit(server, `${source}?${query}`)).header('location')).toBe(location);
  });
});

describe('hits', () => {
  async function use(redirectId: number): Promise<unknown[]> {
    const entry = (await callList(server, `/redirects?root_id=${site}`)).find(
      (item) => item['id'] === redirectId,
    );
    return [entry?.['hits'], entry?.['last_hit_at']];
  }

  it('count GET requests, with the time of the last', async () => {
    const { id: created, source } = await redirect({});
    expect(await use(created)).toEqual([0, 0]);
    const before = Math.floor(Date.now() / 1000);
    await visit(server, source);
    await visit(server, `${source}?x=1`);
    await visit(server, source, { method: 'HEAD' });
    const [hits, last] = await use(created);
    expect(hits).toBe(2);
    expect(Number(last)).toBeGreaterThanOrEqual(before);
    await visit(server, source);
    expect((await use(created))[0]).toBe(3);
    expect(await callOk(server, 'PUT', `/redirects/${created}`, { status: 302 })).toMatchObject({ hits: 3 });
  });

  it('survive a restart', async () => {
    const own = await startServer();
    const root = await createSite(own);
    await createRedirect(own, root, { source: '/o' });
    await visit(own, '/o');
    await own.end('SIGTERM');
    const again = await startServer({ dataDir: own.dataDir });
    const [entry] = await callList(again, `/redirects?root_id=${root}`);
    expect(entry).toMatchObject({ hits: 1 });
    await again.stop();
    await own.stop();
  });
});
