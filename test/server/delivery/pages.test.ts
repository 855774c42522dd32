import { gunzipSync } from 'node:zlib';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { type Received, SiteFixture } from './site-fixture.ts';

const site = new SiteFixture();

afterEach(() => site.reset());
afterAll(() => site.close());

/** The body of a page without the document around it. */
function bodyOf({ text }: Received): string {
  return /<body[^>]*>\n([\s\S]*)\n<\/body>/.exec(text)?.[1] ?? text;
}

const cacheState = (received: Received) => received.headers.get('x-cache');

describe('an instance without websites', () => {
  it('answers every path with the welcome page and status 404', async () => {
    for (const path of ['/', '/a/b', '/404']) {
      const page = await site.get(path);
      expect([page.status, cacheState(page)]).toEqual([404, 'BYPASS']);
      expect(page.text).toContain('Welcome to Incipit');
    }
  });
});

describe('a page', () => {
  it('is rendered once and then answered from memory, synchronously', async () => {
    site.addSite({ html: 'Hello' });
    const before = site.cache.stats();
    const first = await site.get('/');
    const second = await site.get('/');
    expect([first.status, cacheState(first), first.sync]).toEqual([200, 'MISS', false]);
    expect([second.status, cacheState(second), second.sync]).toEqual([200, 'HIT', true]);
    expect(second.text).toBe(first.text);
    expect(site.cache.stats()).toMatchObject({
      enabled: true,
      entries: 1,
      hits: before.hits + 1,
      misses: before.misses + 1,
    });
  });

  it('has the headers of the specification', async () => {
    site.addSite();
    const { headers } = await site.get('/');
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('cache-control')).toBe('no-cache');
    expect(headers.get('vary')).toBe('Accept-Encoding');
    expect(headers.get('etag')).toMatch(/^"[\w-]{22}"$/);
  });

  it.each(['MISS', 'HIT'])('is compressed for clients that accept gzip (%s)', async (state) => {
    site.addSite({ html: 'Hello '.repeat(100) });
    const identity = await site.get('/');
    if (state === 'MISS') site.cache.clear();
    const gzip = await site.get('/', { headers: { 'accept-encoding': 'gzip' } });
    expect([cacheState(gzip), gzip.headers.get('content-encoding')]).toEqual([state, 'gzip']);
    expect(gunzipSync(gzip.bytes).toString()).toBe(identity.text);
    expect(gzip.headers.get('etag')).not.toBe(identity.headers.get('etag'));
    const refused = await site.get('/', { headers: { 'accept-encoding': 'gzip;q=0' } });
    expect(refused.headers.get('content-encoding')).toBeUndefined();
  });

  it.each(['MISS', 'HIT'])('is answered with 304 for clients that have it (%s)', async (state) => {
    site.addSite({ html: 'Hello '.repeat(100) });
    const tag = (await site.get('/')).headers.get('etag') ?? '';
    if (state === 'MISS') site.cache.clear();
    const again = await site.get('/', { headers: { 'if-none-match': `W/${tag}, "other"` } });
    expect([again.status, cacheState(again), again.text]).toEqual([304, state, '']);
    expect(again.headers.get('etag')).toBe(tag);
    expect(again.headers.get('cache-control')).toBe('no-cache');
    expect(again.headers.has('content-type')).toBe(false);
  });

  it('has the same cache entry for HEAD', async () => {
    site.addSite();
    await site.get('/', { method: 'HEAD' });
    const get = await site.get('/');
    expect([cacheState(get), get.text]).toEqual(['HIT', expect.stringContaining('home')]);
  });

  it('is rendered and stored once for equal requests at the same time', async () => {
    site.addSite({ html: '{% now "u" %}' });
    const { misses } = site.cache.stats();
    const all = await Promise.all(Array.from({ length: 20 }, () => site.get('/')));
    expect(new Set(all.map(({ text }) => text)).size).toBe(1);
    expect(site.cache.stats()).toMatchObject({ entries: 1, misses: misses + 1 });
  });

  it('expires at local midnight', async () => {
    site.addSite({ html: '{{ today }}' });
    expect(bodyOf(await site.get('/'))).toBe('2024-05-06');
    site.nowMs = new Date(2024, 4, 6, 23, 59, 59, 999).getTime();
    expect(cacheState(await site.get('/'))).toBe('HIT');
    site.nowMs += 1;
    const next = await site.get('/');
    expect([cacheState(next), bodyOf(next)]).toEqual(['MISS', '2024-05-07']);
  });

  it('is rendered again after a change', async () => {
    const root = site.addSite({ html: 'old' });
    await site.get('/');
    site.change((db) => db.prepare("UPDATE pages SET html = 'new' WHERE id = ?").run(root));
    const next = await site.get('/');
    expect([cacheState(next), bodyOf(next)]).toEqual(['MISS', 'new']);
  });

  it('is a MISS with its old bytes after another page is created, also if it inherits its language', async () => {
    const id = site.addSite({ lang: 'fr' });
    site.addPage(id, 'about', { html: '<p>about</p>' });
    const before = await site.get('/about');
    const other = site.addPage(id, 'other');
    const after = await site.get('/about');
    expect([cacheState(after), after.sync, after.text]).toEqual(['MISS', true, before.text]);
    // What is inherited comes from another page by now.
    site.change((db) => db.prepare("UPDATE pages SET lang = 'en' WHERE id = ?").run(other));
    site.change((db) => db.prepare("UPDATE pages SET parent_id = ? WHERE slug = 'about'").run(other));
    expect((await site.get('/about')).text).toContain('<html lang="en">');
  });

  it('never shows the state before a change that happened during its rendering', async () => {
    site.addSite({ html: '{% include "x" %}' });
    site.addSnippet('x', 'v0');
    for (let round = 1; round <= 30; round += 1) {
      site.cache.clear();
      const asked = Array.from({ length: 4 }, () => site.get('/'));
      site.change((db) => db.prepare("UPDATE snippets SET content = ? WHERE name = 'x'").run(`v${round}`));
      const after = site.get('/');
      expect(bodyOf(await after)).toBe(`v${round}`);
      for (const answer of await Promise.all(asked)) expect(bodyOf(answer)).toBe(`v${round}`);
      expect(bodyOf(await site.get('/'))).toBe(`v${round}`);
    }
  });

  it.each([
    ['a page that must not be cached', '/private', { no_cache: 1 }],
    ['a preview', '/private?preview=1', {}],
    ['an address with a token', '/private?a=1&token=ic_x', {}],
  ])('is never stored: %s', async (_title, target, columns) => {
    site.addPage(site.addSite(), 'private', columns);
    for (let time = 0; time < 2; time += 1) {
      const page = await site.get(target);
      expect([page.status, cacheState(page)]).toEqual([200, 'BYPASS']);
    }
    expect(site.cache.stats().entries).toBe(0);
  });

  it('is never stored when the cache is off', async () => {
    const uncached = new SiteFixture({ cacheMb: 0 });
    uncached.addSite();
    expect(cacheState(await uncached.get('/'))).toBe('BYPASS');
    expect(cacheState(await uncached.get('/'))).toBe('BYPASS');
    expect(uncached.cache.stats()).toMatchObject({ enabled: false, entries: 0 });
    await uncached.close();
  });

  it('has its own cache entry for each query string', async () => {
    site.addSite({ html: '{{ route.query.a }}-{{ route.query.b }}-{{ route.query.constructor }}' });
    const bodies = [];
    for (const query of ['?a=1', '?b=1', '?a=1&b=2', '?b=2&a=1', '']) {
      bodies.push(bodyOf(await site.get(`/${query}`)));
    }
    expect(bodies).toEqual(['1--', '-1-', '1-2-', '1-2-', '--']);
    expect(site.cache.stats().entries).toBe(5);
  });
});

describe('addresses', () => {
  it.each([
    ['/About', '/about'],
    ['/about/', '/about'],
    ['/ABOUT/Team/', '/about/team'],
    ['/about/?a=1&b=%20', '/about?a=1&b=%20'],
  ])('%s redirects to %s', async (target, location) => {
    site.addPage(site.addPage(site.addSite(), 'about'), 'team');
    const answer = await site.get(target);
    expect([answer.status, answer.headers.get('location'), cacheState(answer)]).toEqual([
      301,
      location,
      'BYPASS',
    ]);
  });

  it.each([
    '/about%3Fb',
    '//about',
    '/about/.',
    '/./about',
    '/%2Fabout',
    '/about%2F',
    '/about%00',
    '/a%5Cbout',
    '/%',
  ])('%s is not /about', async (target) => {
    site.addPage(site.addSite(), 'about');
    await site.get('/about');
    await site.get('/about?b');
    expect((await site.get(target)).status).toBe(404);
  });

  it('of drafts are 404, those of their subpages are not', async () => {
    const draft = site.addPage(site.addSite(), 'draft', { published: 0 });
    site.addPage(draft, 'below', { html: 'reachable' });
    expect((await site.get('/draft')).status).toBe(404);
    expect((await site.get('/Draft/')).status).toBe(404);
    expect(bodyOf(await site.get('/draft/below'))).toBe('reachable');
  });
});

describe('catch-all pages', () => {
  const html = '{{ page.path }}|{{ route.path }}|{{ route.slug }}|{{ route.rest|join:"," }}';

  it('answer paths below them, with the rest of the path', async () => {
    const root = site.addSite();
    const shop = site.addPage(root, 'shop', { catch_all: 1, html });
    site.addPage(shop, 'help', { html: 'help' });
    site.addPage(shop, 'draft', { published: 0 });
    expect(bodyOf(await site.get('/shop'))).toBe('/shop|/shop||');
    expect(bodyOf(await site.get('/shop/a/b%20c'))).toBe('/shop|/shop/a/b c|a/b c|a,b c');
    expect(bodyOf(await site.get('/shop/help'))).toBe('help');
    expect((await site.get('/shop/draft')).status).toBe(404);
    expect((await site.get('/shopping')).status).toBe(404);
    expect((await site.get('/shop/a%2Fb')).status).toBe(404);
  });

  it('are used by the nearest one above; drafts are skipped', async () => {
    const root = site.addSite({ catch_all: 1, html });
    const a = site.addPage(root, 'a', { catch_all: 1, html });
    site.addPage(a, 'b', { catch_all: 1, published: 0, html });
    expect(bodyOf(await site.get('/a/b/c'))).toBe('/a|/a/b/c|b/c|b,c');
    expect(bodyOf(await site.get('/x'))).toBe('/|/x|x|x');
  });

  it('may answer 404 with not_found()', async () => {
    site.addPage(site.addSite(), 'shop', {
      catch_all: 1,
      html: '{% if route.slug %}{{ not_found() }}{% endif %}ok',
    });
    expect(bodyOf(await site.get('/shop'))).toBe('ok');
    const missing = await site.get('/shop/x');
    expect([missing.status, cacheState(missing)]).toEqual([404, 'BYPASS']);
    expect(missing.text).not.toContain('ok');
  });
});

describe('the 404 page', () => {
  it('is the one of the website, else the one with slug 404, else the default', async () => {
    const root = site.addSite();
    expect((await site.get('/x')).text).toContain('Page not found');
    const automatic = site.addPage(root, '404', { html: 'automatic {{ route.path }}' });
    expect(bodyOf(await site.get('/x'))).toBe('automatic /x');
    const named = site.addPage(root, 'lost', { html: 'named' });
    site.change((db) => db.prepare('UPDATE pages SET notfound_page_id = ? WHERE id = ?').run(named, root));
    expect(bodyOf(await site.get('/x'))).toBe('named');
    site.change((db) => db.prepare('UPDATE pages SET published = 0 WHERE id = ?').run(named));
    expect(bodyOf(await site.get('/x'))).toBe('automatic /x');
    site.change((db) => db.prepare('UPDATE pages SET published = 0 WHERE id = ?').run(automatic));
    const page = await site.get('/x');
    expect([page.status, cacheState(page)]).toEqual([404, 'BYPASS']);
    expect(page.text).toContain('Page not found');
  });

  it('has no og:url', async () => {
    site.addPage(site.addSite(), '404');
    expect((await site.get('/nowhere')).text).not.toContain('og:url');
  });

  it('that calls not_found() is replaced by the default', async () => {
    site.addPage(site.addSite(), '404', { html: '{{ not_found() }}' });
    expect((await site.get('/x')).text).toContain('Page not found');
  });
});

describe('websites and hosts', () => {
  it('are matched by domain; other hosts get the default website', async () => {
    site.addSite({ domains: 'one.test', html: 'one {{ site.url }}' });
    site.addSite({ domains: 'two.test\nalias.test', default_site: 1, html: 'two {{ site.url }}' });
    const seen = [];
    for (const host of [
      'one.test',
      'ONE.test:80'.toLowerCase(),
      'two.test',
      'alias.test',
      'evil.test',
      '[::1]:9',
    ]) {
      seen.push(bodyOf(await site.get('/', { host })));
    }
    expect(seen).toEqual([
      'one http://one.test',
      'one http://one.test',
      'two http://two.test',
      'two http://alias.test',
      'two http://two.test',
      'two http://two.test',
    ]);
    expect(site.cache.stats().entries).toBe(3);
  });

  it('never show a foreign host in a page, its head or the sitemap', async () => {
    site.addSite({ domains: 'real.test', html: '{{ site.url }} {{ site.domain }}' });
    for (const host of ['evil.test', 'real.test']) {
      for (const path of ['/', '/sitemap.xml', '/robots.txt']) {
        const { text, status } = await site.get(path, { host });
        expect(status).toBe(200);
        expect(text).toContain('real.test');
        expect(text).not.toContain('evil');
      }
    }
  });

  it('of a website without domains have their own cache entries, at most eight', async () => {
    site.addSite({ html: '{{ site.url }}' });
    const states = [];
    for (let index = 0; index < 10; index += 1) {
      const page = await site.get('/', { host: `h${index}.test:81` });
      expect(bodyOf(page)).toBe(`http://h${index}.test:81`);
      states.push(cacheState(page));
    }
    expect(states).toEqual([...Array(8).fill('MISS'), 'BYPASS', 'BYPASS']);
    expect(cacheState(await site.get('/', { host: 'h0.test:81' }))).toBe('HIT');
    expect(cacheState(await site.get('/', { host: 'h9.test:81' }))).toBe('BYPASS');
  });

  it('with invalid names are refused', async () => {
    site.addSite();
    expect((await site.get('/', { host: 'a"><script>' })).status).toBe(400);
  });
});

describe('errors', () => {
  it('are shown without details, and logged with their place', async () => {
    site.addPage(site.addSite(), 'bad', { html: 'a\n  {% include "broken" %}' });
    site.addSnippet('broken', 'secret\n {{ x|nosuchfilter }}');
    const page = await site.get('/bad');
    expect([page.status, cacheState(page)]).toEqual([500, 'BYPASS']);
    expect(page.text).not.toMatch(/secret|broken|nosuchfilter/);
    expect(site.errors).toMatchObject([
      { page: '/bad', template: 'broken', line: 2, column: expect.any(Number) },
    ]);
    expect(site.cache.stats().entries).toBe(0);
    expect((await site.get('/')).status).toBe(200);
  });

  it('in the last line show no part of the page', async () => {
    site.addSite({ html: `${'x'.repeat(1000)}{{ missing() }}` });
    const page = await site.get('/');
    expect(page.status).toBe(500);
    expect(page.text).not.toContain('xxx');
  });
});
