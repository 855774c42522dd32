import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callOk } from '../support/api.ts';
import { createPage, createSite, createSnippet } from '../support/content.ts';
import { withPossibleFronts } from '../support/possible-fronts.ts';
import { requestHead, sendRaw } from '../support/raw.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { bodyOf, visit } from './public-client.ts';

let server: TestServer;
let home: number;

function addPage(fields: Record<string, unknown>): Promise<number> {
  return createPage(server, home, { published: true, ...fields });
}

beforeAll(async () => {
  server = await startServer();
  home = await createSite(server, { domains: 'one.test\ntwo.test' });
  await addPage({ slug: 'about', html: `<p>${'About us. '.repeat(100)}</p>` });
  await addPage({ slug: 'draft', published: false });
  await addPage({ slug: 'live', html: '{{ route.query.preview }}-{{ route.query.token }}', no_cache: false });
  await addPage({ slug: 'private', no_cache: true });
  await addPage({
    slug: 'shop',
    catch_all: true,
    html: '{% if route.slug == "gone" %}{{ not_found() }}{% endif %}[{{ route.slug }}]',
  });
  await addPage({ slug: 'url', html: '{{ site.url }}' });
});
afterAll(() => server.stop());

describe('a public page', () => {
  it('is rendered once, then cached, then answered with 304', async () => {
    await callOk(server, 'DELETE', '/cache');
    const first = await visit(server, '/about');
    const second = await visit(server, '/about');
    expect([first.status, first.header('x-cache'), second.header('x-cache')]).toEqual([200, 'MISS', 'HIT']);
    expect(second.text).toBe(first.text);
    expect(first.header('content-type')).toBe('text/html; charset=utf-8');
    expect(first.header('cache-control')).toBe('no-cache');
    const tag = first.header('etag') ?? '';
    for (const value of [tag, `W/${tag}`, `"x", ${tag}`, '*']) {
      const third = await visit(server, '/about', { headers: { 'If-None-Match': value } });
      expect([third.status, third.bytes.length, third.header('etag'), third.header('x-cache')]).toEqual([
        304,
        0,
        tag,
        'HIT',
      ]);
    }
    expect((await visit(server, '/about', { headers: { 'If-None-Match': '"x"' } })).status).toBe(200);
  });

  it('has the same headers for HEAD, and no body', async () => {
    await callOk(server, 'DELETE', '/cache');
    const head = requestHead('HEAD /about HTTP/1.1', `Host: 127.0.0.1:${server.port}`, 'Connection: close');
    const cold = await sendRaw(server.port, head, '\r\n\r\n');
    expect(cold).toContain('X-Cache: MISS');
    const get = await visit(server, '/about');
    expect(get.header('x-cache')).toBe('HIT');
    const warm = await sendRaw(server.port, head, '\r\n\r\n');
    expect(warm).toContain(`Content-Length: ${get.bytes.length}\r\n`);
    expect(warm).toContain(`ETag: ${get.header('etag')}\r\n`);
    expect(warm.split('\r\n\r\n')[1]).toBe('');
  });

  it('is the same with gzip and without', async () => {
    const plain = await visit(server, '/about');
    const gzip = await visit(server, '/about', { headers: { 'Accept-Encoding': 'gzip' } });
    expect([plain.header('content-encoding'), gzip.header('content-encoding')]).toEqual([undefined, 'gzip']);
    expect([plain.header('vary'), gzip.header('vary')]).toEqual(['Accept-Encoding', 'Accept-Encoding']);
    expect(gunzipSync(gzip.bytes).toString()).toBe(plain.text);
    expect(gzip.bytes.length).toBeLessThan(plain.bytes.length);
    const refused = await visit(server, '/about', { headers: { 'Accept-Encoding': 'gzip;q=0' } });
    expect(refused.header('content-encoding')).toBeUndefined();
  });

  it.each([
    ['/private', 200],
    ['/draft', 404],
    ['/nothing', 404],
    ['/live?preview=1', 200],
    ['/live?token=ic_x', 200],
    ['/About', 301],
  ])('%s is never stored', async (target, status) => {
    for (let time = 0; time < 2; time += 1) {
      const page = await visit(server, target);
      expect([page.status, page.header('x-cache')]).toEqual([status, 'BYPASS']);
    }
  });

  it('shows the next visitor nothing of a request with preview or token', async () => {
    await visit(server, '/live?token=ic_secret');
    await visit(server, '/live?preview=1');
    expect(bodyOf(await visit(server, '/live'))).toBe('-');
  });
});

describe('addresses', () => {
  it.each([
    ['/About', '/about'],
    ['/about/', '/about'],
    ['/ABOUT/?a=1', '/about?a=1'],
    ['/ABOUT?a=%E2%82%AC', '/about?a=%E2%82%AC'],
  ])('%s redirects to %s', async (target, location) => {
    const answer = await visit(server, target);
    expect([answer.status, answer.header('location')]).toEqual([301, location]);
  });

  it.each(
    withPossibleFronts([
      // A target has only ASCII characters (RFC 3986, 2), and one parser insists on it.
      ['node', 400, undefined],
      ['uws', 301, '/about?a=%E2%82%AC&b=%C3%BC'],
    ]),
  )('with bytes that are no ASCII characters, with -front %s: %i', async (front, status, location) => {
    const own = await startServer({ args: ['-front', front] });
    try {
      await createSite(own);
      await createPage(own, 1, { slug: 'about', published: true });
      // The bytes of ü, since characters are sent as bytes here.
      const answer = await visit(own, '/ABOUT?a=%E2%82%AC&b=\u00c3\u00bc');
      expect([answer.status, answer.header('location')]).toEqual([status, location]);
    } finally {
      await own.stop();
    }
  });

  it.each([
    '/about%3Fa',
    '//about',
    '/about/.',
    '/x/../about',
    '/%2fabout',
    '/about%2f',
    '/about%00',
    '/about%',
    '/about%5c',
  ])('%s is 404', async (target) => {
    await visit(server, '/about?a');
    await visit(server, '/about');
    expect((await visit(server, target)).status).toBe(404);
  });

  it('below a catch-all page show that page', async () => {
    expect(bodyOf(await visit(server, '/shop/a/b%20c'))).toBe('[a/b c]');
    expect(bodyOf(await visit(server, '/shop'))).toBe('[]');
    const gone = await visit(server, '/shop/gone');
    expect([gone.status, gone.header('x-cache')]).toEqual([404, 'BYPASS']);
  });

  it('without a page show the 404 page', async () => {
    expect((await visit(server, '/nothing')).text).toContain('Page not found');
    const own = await addPage({ slug: '404', html: 'Lost at {{ route.path }}' });
    expect(bodyOf(await visit(server, '/nothing'))).toBe('Lost at /nothing');
    await callOk(server, 'PUT', `/pages/${own}`, { published: false });
    expect((await visit(server, '/nothing')).text).toContain('Page not found');
  });
});

describe('hosts', () => {
  it('that no website lists never appear in pages, sitemap and robots.txt', async () => {
    await callOk(server, 'DELETE', '/cache');
    const evil = await visit(server, '/url', { host: 'evil.test' });
    expect(bodyOf(evil)).toBe('http://one.test');
    const real = await visit(server, '/url', { host: 'one.test' });
    expect([real.header('x-cache'), bodyOf(real)]).toEqual(['HIT', 'http://one.test']);
    expect(real.text).toContain('<meta property="og:url" content="http://one.test/url">');
    expect((await visit(server, '/sitemap.xml', { host: 'evil.test' })).text).not.toContain('evil');
    expect((await visit(server, '/robots.txt', { host: 'evil.test' })).text).not.toContain('evil');
  });

  it('of one website get pages with absolute addresses of the same host', async () => {
    expect(bodyOf(await visit(server, '/url', { host: 'two.test:81' }))).toBe('http://two.test');
    expect(bodyOf(await visit(server, '/url', { host: 'one.test' }))).toBe('http://one.test');
  });

  it('of another website show the page of that website at the same path', async () => {
    const other = await createSite(server, { domains: 'other.test' });
    await createPage(server, other, { slug: 'url', published: true, html: 'other' });
    expect(bodyOf(await visit(server, '/url', { host: 'one.test' }))).toBe('http://one.test');
    expect(bodyOf(await visit(server, '/url', { host: 'other.test' }))).toBe('other');
    await callOk(server, 'DELETE', `/pages/${other}`);
    expect(bodyOf(await visit(server, '/url', { host: 'other.test' }))).toBe('http://one.test');
  });
});

describe('a template error', () => {
  it('is a 500 without details for visitors, and with its place in the log', async () => {
    const page = await addPage({ slug: 'bad', html: 'fine\n{% include "bad-part" %}' });
    await createSnippet(server, { name: 'bad-part', content: 'secret text\n\n  {{ 1|nosuch }}' });
    const answer = await visit(server, '/bad');
    expect([answer.status, answer.header('x-cache')]).toEqual([500, 'BYPASS']);
    expect(answer.text).not.toMatch(/secret|nosuch|bad-part/);
    const line = server
      .log()
      .split('\n')
      .find((text) => text.includes('"template":"bad-part"'));
    expect(JSON.parse(line ?? '{}')).toMatchObject({
      page: '/bad',
      template: 'bad-part',
      line: 3,
      column: expect.any(Number),
    });
    expect((await visit(server, '/about')).status).toBe(200);
    await callOk(server, 'DELETE', `/pages/${page}`);
  });
});

describe('a changed snippet', () => {
  it('is visible to every request that starts after the answer, under load', async () => {
    await addPage({ slug: 'shared', html: '{% include "shared" %}' });
    const id = await createSnippet(server, { name: 'shared', content: '0' });
    let acknowledged = 0;
    let running = true;
    const stale: string[] = [];
    let hits = 0;
    const client = async () => {
      while (running) {
        const least = acknowledged;
        const page = await visit(server, '/shared');
        if (page.header('x-cache') === 'HIT') hits += 1;
        if (page.status !== 200 || Number(bodyOf(page)) < least) stale.push(`${bodyOf(page)} after ${least}`);
      }
    };
    const clients = Array.from({ length: 64 }, client);
    for (let value = 1; value <= 25; value += 1) {
      await callOk(server, 'PUT', `/snippets/${id}`, { content: String(value) });
      acknowledged = value;
      await visit(server, '/shared');
    }
    running = false;
    await Promise.all(clients);
    expect(stale).toEqual([]);
    expect(hits).toBeGreaterThan(0);
    expect(bodyOf(await visit(server, '/shared'))).toBe('25');
  });
});
