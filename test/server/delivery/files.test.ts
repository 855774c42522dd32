import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { SiteFixture } from './site-fixture.ts';

const site = new SiteFixture();

afterEach(() => site.reset());
afterAll(() => site.close());

describe('CSS and JS assets', () => {
  it('are minified, and immutable at the address with their updated_at', async () => {
    const id = site.addAsset('css', 'a {\n  color: red;\n}\n', 1234);
    const exact = await site.get(`/_assets/css/${id}.css?v=1234`);
    expect([exact.status, exact.text]).toEqual([200, 'a{color:red}\n']);
    expect(exact.headers.get('content-type')).toBe('text/css; charset=utf-8');
    expect(exact.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(exact.headers.get('access-control-allow-origin')).toBe('*');
    expect(exact.headers.has('x-cache')).toBe(false);
    for (const query of ['', '?v=1233', '?v=', '?x=1234']) {
      const other = await site.get(`/_assets/css/${id}.css${query}`);
      expect([other.text, other.headers.get('cache-control'), other.sync]).toEqual([
        exact.text,
        'no-cache',
        true,
      ]);
    }
  });

  it('are delivered, like pages, when the cache folder cannot be written', async () => {
    const full = new SiteFixture();
    try {
      writeFileSync(join(full.dir, 'cache'), 'in the way');
      full.addSite({ html: '<p>{{ 1 + 1 }}</p>' });
      const id = full.addAsset('css', 'a { color: red }');
      expect((await full.get(`/_assets/css/${id}.css`)).text).toBe('a{color:red}\n');
      expect((await full.get('/')).text).toContain('<p>2</p>');
      expect(full.errors).toEqual([]);
    } finally {
      await full.close();
    }
  });

  it('answer conditional requests, and are compressed', async () => {
    const id = site.addAsset('js', `console.log("${'x'.repeat(600)}")`);
    const gzip = await site.get(`/_assets/js/${id}.js`, { headers: { 'accept-encoding': 'gzip' } });
    expect(gzip.headers.get('content-encoding')).toBe('gzip');
    expect(gzip.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    const again = await site.get(`/_assets/js/${id}.js`, {
      headers: { 'accept-encoding': 'gzip', 'if-none-match': gzip.headers.get('etag') ?? '' },
    });
    expect(again.status).toBe(304);
    expect(again.headers.get('access-control-allow-origin')).toBe('*');
  });

  it.each([
    ['css', '/*! license */\na { color: red }', '/*! license */a{color:red}\n'],
    ['css', 'a { color: red', 'a { color: red'],
    ['css', 'a { color: red } /* open', 'a { color: red } /* open'],
    ['css', 'a { content: "x\n}', 'a { content: "x\n}'],
    ['css', 'a { color: red } }', 'a { color: red } }'],
    ['css', 'a { width: calc(1px }', 'a { width: calc(1px }'],
    ['css', 'a { colour: red }', 'a{colour:red}\n'],
    ['css', 'a { *zoom: 1; color: red }', 'a{*zoom: 1;color:red}\n'],
    ['js', '/*! license */\nvar a = 1 + 1;', '/*! license */var a=2;\n'],
    ['js', 'var = 1', 'var = 1'],
    ['js', '', ''],
  ] as const)('of kind %s: %j becomes %j', async (kind, content, expected) => {
    const id = site.addAsset(kind, content);
    expect((await site.get(`/_assets/${kind}/${id}.${kind}`)).text).toBe(expected);
  });

  it.each([
    '/_assets/js/1.js',
    '/_assets/css/1.js',
    '/_assets/css/2.css',
    '/_assets/css/01.css',
    '/_assets/css/1',
    '/_assets/',
  ])('are 404 at %s', async (path) => {
    expect(site.addAsset('css', 'a{}')).toBe(1);
    expect((await site.get(path)).status).toBe(404);
  });

  it('are delivered in the new state after a change', async () => {
    const id = site.addAsset('css', 'a{color:red}', 10);
    await site.get(`/_assets/css/${id}.css?v=10`);
    site.change((db) =>
      db.prepare("UPDATE assets SET content = 'a{color:#00f}', updated_at = 11 WHERE id = ?").run(id),
    );
    const old = await site.get(`/_assets/css/${id}.css?v=10`);
    expect([old.text, old.headers.get('cache-control')]).toEqual(['a{color:#00f}\n', 'no-cache']);
  });

  it('are linked once each in loading order, modules with type=module', async () => {
    const root = site.addSite();
    const page = site.addPage(root, 'a', { html: '{% include "x" %}', description: '{% include "y" %}' });
    const assets = {
      home: site.addAsset('css', 'a{}', 1),
      homeOnly: site.addAsset('css', 'b{}', 2),
      own: site.addAsset('css', 'c{}', 3),
      script: site.addAsset('js', 'var a', 4),
      module: site.addAsset('js', 'import "/x.js"', 5),
      text: site.addAsset('css', 'd{}', 6),
    };
    const x = site.addSnippet('x', 'x');
    const y = site.addSnippet('y', 'y');
    site.change((db) => {
      const toPage = db.prepare(
        'INSERT INTO page_assets (page_id, asset_id, position, inherit) VALUES (?, ?, ?, ?)',
      );
      toPage.run(root, assets.homeOnly, 0, 0);
      toPage.run(root, assets.home, 1, 1);
      toPage.run(page, assets.own, 0, 0);
      toPage.run(page, assets.home, 1, 0);
      const toSnippet = db.prepare(
        'INSERT INTO snippet_assets (snippet_id, asset_id, position) VALUES (?, ?, ?)',
      );
      toSnippet.run(x, assets.module, 0);
      toSnippet.run(x, assets.script, 1);
      toSnippet.run(x, assets.own, 2);
      toSnippet.run(y, assets.text, 0);
    });
    const { text } = await site.get('/a');
    expect(text.match(/<link rel="stylesheet".*/g)).toEqual([
      `<link rel="stylesheet" href="/_assets/css/${assets.home}.css?v=1">`,
      `<link rel="stylesheet" href="/_assets/css/${assets.own}.css?v=3">`,
    ]);
    expect(text.match(/<script.*/g)).toEqual([
      `<script type="module" src="/_assets/js/${assets.module}.js?v=5"></script>`,
      `<script src="/_assets/js/${assets.script}.js?v=4"></script>`,
    ]);
  });
});

describe('sitemap.xml', () => {
  it('lists published pages that may be indexed, also below drafts', async () => {
    const root = site.addSite({ domains: 'one.test' });
    site.addPage(root, 'a', { updated_at: 86_400 });
    const draft = site.addPage(root, 'draft', { published: 0 });
    site.addPage(draft, 'below');
    site.addPage(root, 'excluded', { sitemap_exclude: 1 });
    site.addPage(root, 'noindex', { noindex: 1 });
    site.addPage(root, '404');
    const sitemap = await site.get('/sitemap.xml');
    expect(sitemap.headers.get('content-type')).toBe('application/xml; charset=utf-8');
    expect(sitemap.text.match(/<loc>.*?<\/loc>/g)).toEqual([
      '<loc>http://one.test/</loc>',
      '<loc>http://one.test/a</loc>',
      '<loc>http://one.test/draft/below</loc>',
    ]);
    expect(sitemap.text).toContain('<lastmod>1970-01-02</lastmod>');
    expect((await site.get('/sitemap.xml')).sync).toBe(true);
    expect((await site.get('/sitemap-1.xml')).status).toBe(404);
  });

  it('is empty without a website', async () => {
    const sitemap = await site.get('/sitemap.xml');
    expect(sitemap.status).toBe(200);
    expect(sitemap.text).not.toContain('<loc>');
  });

  it('contains new pages at once', async () => {
    const root = site.addSite();
    await site.get('/sitemap.xml');
    site.addPage(root, 'new');
    expect((await site.get('/sitemap.xml')).text).toContain('/new</loc>');
  });
});

describe('robots.txt', () => {
  it.each([
    ['', 'User-agent: *\nAllow: /\nSitemap: http://one.test/sitemap.xml\n'],
    ['User-agent: x\nDisallow: /', 'User-agent: x\nDisallow: /\nSitemap: http://one.test/sitemap.xml\n'],
    ['sitemap: http://a.test/s.xml\n', 'sitemap: http://a.test/s.xml\n'],
  ])('of a website with %j', async (own, expected) => {
    site.addSite({ domains: 'one.test', robots_txt: own });
    const robots = await site.get('/robots.txt');
    expect([robots.status, robots.text]).toEqual([200, expected]);
    expect(robots.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  });

  it('allows all without a website', async () => {
    expect((await site.get('/robots.txt')).text).toBe('User-agent: *\nAllow: /\n');
  });
});

describe('favicon.ico', () => {
  it('is 404 without an icon', async () => {
    site.addSite({ catch_all: 1 });
    expect((await site.get('/favicon.ico')).status).toBe(404);
  });
});
