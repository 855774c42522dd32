import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callOk } from '../support/api.ts';
import { createPage, createSite, createSnippet, freshSlug } from '../support/content.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { setUp } from '../support/session.ts';

/** Each address with its query has a cache entry of its own for clients, also where one render serves all of them. */
let server: TestServer;
let site: number;

beforeAll(async () => {
  server = await startServer({ args: ['-cache-mb', '3'] });
  await setUp(server);
  site = await createSite(server, { html: 'home' });
  await createSnippet(server, { name: 'reads-query', content: '{{ route.query.a }}' });
});
afterAll(() => server.stop());

async function newPage(fields: object): Promise<{ readonly id: number; readonly address: string }> {
  const slug = freshSlug();
  const id = await createPage(server, site, { slug, title: 'Page', published: true, ...fields });
  return { id, address: `/${slug}` };
}

async function visit(address: string, init: RequestInit = {}) {
  const response = await fetch(server.url + address, init);
  const html = await response.text();
  return { status: response.status, cache: response.headers.get('x-cache'), html };
}

const states = async (...addresses: readonly string[]) => {
  const seen: unknown[] = [];
  for (const address of addresses) seen.push((await visit(address)).cache);
  return seen;
};

describe('a page that does not read its query', () => {
  const pages: readonly [string, object][] = [
    ['of text', { html: 'text' }],
    [
      'that reads the rest of its route',
      { html: '{{ route.path }} {{ route.slug }} {{ route.rest|length }}' },
    ],
    [
      'that would read it elsewhere',
      { html: '{% if page.title == "Other" %}{{ route.query.a }}{% endif %}' },
    ],
  ];
  it.each(pages)('%s, looks the same with every query, and each is new once', async (_title, fields) => {
    const { address } = await newPage(fields);
    const first = await visit(`${address}?a=1`);
    expect(first).toMatchObject({ status: 200, cache: 'MISS' });
    for (const query of ['', '?a=2', '?a=1&b', '?%zz', '?a=1&a=1']) {
      const page = await visit(address + query);
      expect([page.cache, page.html]).toEqual(['MISS', first.html]);
    }
    for (const query of ['', '?a=1', '?a=2', '?a=1&b', '?%zz', '?a=1&a=1'])
      expect(await visit(address + query)).toMatchObject({ cache: 'HIT', html: first.html });
    expect(await states(`${address}?preview=1`, `${address}?token=x`)).toEqual(['BYPASS', 'BYPASS']);
    const etag = (await fetch(`${server.url}${address}?a=1`)).headers.get('etag') ?? '';
    const again = await fetch(`${server.url}${address}?new=1`, { headers: { 'If-None-Match': etag } });
    expect([again.status, again.headers.get('x-cache')]).toEqual([304, 'MISS']);
  });

  it('is new for each query after a change, and shows it', async () => {
    const { id, address } = await newPage({ html: 'before' });
    expect(await states(address, `${address}?a`, `${address}?a`)).toEqual(['MISS', 'MISS', 'HIT']);
    await callOk(server, 'PUT', `/pages/${site}`, { html: 'home changed' });
    expect(await states(`${address}?a`, `${address}?a`, address, address)).toEqual([
      'MISS',
      'HIT',
      'MISS',
      'HIT',
    ]);
    await callOk(server, 'PUT', `/pages/${id}`, { html: 'after {{ route.query.a }}' });
    const pages = [await visit(`${address}?a=1`), await visit(`${address}?a=2`), await visit(address)];
    expect(pages.map(({ html }) => /after \d?/.exec(html)?.[0])).toEqual(['after 1', 'after 2', 'after ']);
    await callOk(server, 'PUT', `/pages/${id}`, { html: 'text' });
    expect(await visit(`${address}?a=1`)).toMatchObject({
      cache: 'MISS',
      html: expect.stringContaining('text'),
    });
  });

  it('keeps other pages in the cache, however many queries are invented', async () => {
    const { address } = await newPage({ html: 'x'.repeat(8000) });
    const { address: other } = await newPage({ html: 'other' });
    expect(await states(other, address)).toEqual(['MISS', 'MISS']);
    for (let index = 0; index < 1500; index += 50) {
      const queries = Array.from({ length: 50 }, (_, offset) => `${address}?invented=${index + offset}`);
      const answers = await Promise.all(queries.map((query) => visit(query)));
      expect(new Set(answers.map(({ cache }) => cache))).toEqual(new Set(['MISS']));
    }
    expect(await states(other, address)).toEqual(['HIT', 'HIT']);
    expect(Number((await callOk(server, 'GET', '/cache'))['bytes'])).toBeLessThan(200_000);
  });
});

describe('a page that reads its query', () => {
  const query = '{{ route.query.a }}';
  const pages: readonly [string, object][] = [
    ['in its body', { html: query }],
    ['by another name', { html: '{% with r=route %}{{ r.query.a }}{% endwith %}' }],
    ['in a snippet', { html: '{% include "reads-query" %}' }],
    ['in its head', { html: 'text', head: `<meta name="a" content="${query}">` }],
    ['in its title', { html: 'text', meta_title: `T${query}` }],
    ['in a loop', { html: '{% for name, value in route.query.items %}{{ value }}{% endfor %}' }],
  ];
  it.each(pages)('%s, has an answer for each query', async (_title, fields) => {
    const { address } = await newPage(fields);
    const pages = [await visit(address), await visit(`${address}?a=1`), await visit(`${address}?a=2`)];
    expect(pages.map(({ status, cache }) => [status, cache])).toEqual(Array(3).fill([200, 'MISS']));
    expect(new Set(pages.map(({ html }) => html)).size).toBe(3);
    expect(await states(address, `${address}?a=1`, `${address}?a=2`)).toEqual(['HIT', 'HIT', 'HIT']);
    expect((await visit(`${address}?a=2`)).html).toBe(pages[2]?.html);
  });
});
