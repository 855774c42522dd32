import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asRecord, call, callOk, outcomeOf } from '../support/api.ts';
import { createAsset, createPage, createRedirect, createSite, createSnippet } from '../support/content.ts';
import { draw, upload } from '../support/media.ts';
import { Origin } from '../support/origin.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { exportReport, exportSite } from '../support/static-export.ts';
import { textIn } from '../support/zip.ts';

/** GET /sites/{id}/static (Core, "Static export"). */

let server: TestServer;

beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

const put = (path: string, body: object) => callOk(server, 'PUT', path, body);

describe('a website', () => {
  let site: number;
  let image: number;
  let path: string;
  let hidden: string;

  beforeAll(async () => {
    site = await createSite(server, { title: 'Light', domains: 'light.example' });
    const picture = { name: 'tower.jpg', bytes: await draw({ width: 700, height: 400 }) };
    const file = asRecord((await upload(server, [picture])).body);
    image = Number(file['id']);
    path = String(file['url']);
    const secret = await upload(server, [{ name: 'secret.txt', bytes: 'x' }], { private: 'true' });
    hidden = String(asRecord(secret.body)['url']);
    await upload(server, [{ name: 'unused.txt', bytes: 'nobody links it' }]);
    const css = await createAsset(server, { content: `main { background: url("${path}?w=320") }` });
    const js = await createAsset(server, { kind: 'js', content: `import '/_assets/css/${css}.css';` });
    await createSnippet(server, {
      name: 'plain',
      content: '<main>{% block content %}{% endblock %}</main>',
    });
    await put(`/pages/${site}`, {
      html: '<a href="/visit">Visit</a> <a href="deep/er">Deep</a>',
      published: true,
    });
    await createPage(server, site, {
      slug: 'visit',
      html: `{% extends "plain" %}{% block content %}{{ image(${image}) }}<a href="hidden">H</a><a href="${hidden}">S</a>
        <a href="https://light.example/linked?x=1#y">L</a><a href="/gone">G</a><a href="/moved">M</a>
        <a href="https://elsewhere.example/away">E</a><a href="mailto:a@b.example">@</a><a href="#top">T</a>
        <a href="/robots.txt">R</a><a href="/sitemap.xml">X</a><a href="/api/v1">A</a><img src="/media/lost.png">{% endblock %}`,
      published: true,
      assets: [{ asset_id: css }, { asset_id: js }],
    });
    const deep = await createPage(server, site, { slug: 'deep', published: false });
    await createPage(server, deep, { slug: 'er', html: '<a href="../visit">up</a>', published: true });
    await createPage(server, site, { slug: 'feed.xml', html: '<html></html>', published: true });
    await createPage(server, site, {
      slug: 'any',
      catch_all: true,
      html: '{% if not route.slug %}{{ not_found() }}{% endif %}{{ route.slug }}',
      published: true,
    });
    await createPage(server, site, {
      slug: 'index',
      html: '<a href="/any/one">1</a><a href="/Any/">?</a>',
      published: true,
    });
    await createPage(server, site, { slug: 'draft', published: false });
    await createRedirect(server, site, { source: '/moved', target: '/visit' });
  });

  it('is reported with pages, broken links and what is missing', async () => {
    expect(await exportReport(server, site)).toEqual({
      pages: ['/', '/any/one', '/deep/er', '/feed.xml', '/index', '/visit'],
      errors: {},
      broken_links: {
        '/any': '/index',
        '/api/v1': '/visit',
        '/gone': '/visit',
        '/hidden': '/visit',
        '/linked': '/visit',
      },
      media_files: 6,
      media_bytes: expect.any(Number),
      missing_media: ['/media/lost.png'],
      asset_files: 2,
      base: 'https://light.example',
      too_many: false,
      private_media: 1,
    });
  });

  it('becomes files that a file server shows', async () => {
    const { files, headers } = await exportSite(server, site);
    expect([...files.keys()]).toEqual([
      '.htaccess',
      '404.html',
      '_assets/css/1.css',
      '_assets/js/2.js',
      'any/one/index.html',
      'deep/er/index.html',
      'feed.xml',
      'index.html',
      'index/index.html',
      'media/tower.jpg',
      'media/tower.jpg.w320.webp',
      'media/tower.jpg.w640.webp',
      'media/tower.jpg.webp',
      'media/tower.w320.jpg',
      'media/tower.w640.jpg',
      'robots.txt',
      'sitemap.xml',
      'visit/index.html',
    ]);
    expect(headers.get('content-type')).toBe('application/zip');
    expect(headers.get('content-disposition')).toBe('attachment; filename="light.example.zip"');
    expect(headers.get('x-ic-export')).toMatch(/^[\w-]{43}$/);
    expect(headers.has('x-ic-export-full')).toBe(false);
  });

  it('keeps its addresses absolute from the root', async () => {
    const { files } = await exportSite(server, site);
    expect(textIn(files, 'index.html')).toContain('<a href="/visit">Visit</a> <a href="/deep/er">Deep</a>');
    expect(textIn(files, 'deep/er/index.html')).toContain('<a href="/visit">up</a>');
    const visit = textIn(files, 'visit/index.html');
    expect(visit).toContain('src="/media/tower.jpg"');
    expect(visit).toContain('/media/tower.w320.jpg 320w, /media/tower.w640.jpg 640w, /media/tower.jpg 700w');
    expect(visit).toContain('/media/tower.jpg.w320.webp 320w');
    expect(visit).toContain('<a href="https://elsewhere.example/away">');
    expect(textIn(files, '_assets/css/1.css')).toContain('/media/tower.w320.jpg');
    expect(textIn(files, 'robots.txt')).toContain('Sitemap: https://light.example/sitemap.xml');
    expect(textIn(files, 'sitemap.xml')).toContain('<loc>https://light.example/visit</loc>');
  });

  it('is relative to each file with links=relative, and behind the base with links=base', async () => {
    const relative = await exportSite(server, site, 'links=relative');
    expect(textIn(relative.files, 'index.html')).toContain('<a href="visit/index.html">');
    const visit = textIn(relative.files, 'visit/index.html');
    expect(visit).toContain('src="../media/tower.jpg"');
    expect(visit).toContain('href="../_assets/css/1.css?v=');
    expect(textIn(relative.files, '_assets/css/1.css')).toContain('../../media/tower.w320.jpg');
    const base = await exportSite(server, site, 'links=base&base=http://files.example/p/');
    expect(textIn(base.files, 'index.html')).toContain('<a href="http://files.example/p/visit">');
    expect(textIn(base.files, 'sitemap.xml')).toContain('<loc>http://files.example/p/visit</loc>');
  });

  it('puts the path of a base in front of its addresses', async () => {
    const { files } = await exportSite(server, site, 'base=https://files.example/p/');
    expect(textIn(files, 'index.html')).toContain('<a href="/p/visit">');
    expect(textIn(files, 'visit/index.html')).toContain('src="/p/media/tower.jpg"');
    expect(textIn(files, '.htaccess')).toContain('ErrorDocument 404 "/p/404.html"');
    expect(textIn(files, '.htaccess')).toContain('RedirectMatch 301 "^(?i)/p/moved/?$" "/p/visit"');
  });

  it('has all public files with media=all, never private ones', async () => {
    const { files } = await exportSite(server, site, 'media=all');
    expect(textIn(files, 'media/unused.txt')).toBe('nobody links it');
    expect([...files.keys()]).not.toContain(hidden.slice(1));
    expect((await exportReport(server, site, 'media=all'))['private_media']).toBe(1);
  });

  it('has only what is different with changed_since', async () => {
    const first = await exportSite(server, site);
    const hash = first.headers.get('x-ic-export') ?? '';
    const same = await exportSite(server, site, `changed_since=${hash}`);
    expect([...same.files.keys()]).toEqual(['_deleted.txt']);
    expect(same.headers.get('x-ic-export')).toBe(hash);

    const added = await createPage(server, site, { slug: 'new', published: true });
    const next = await exportSite(server, site, `changed_since=${hash}`);
    expect([...next.files.keys()]).toEqual(['new/index.html', 'sitemap.xml', '_deleted.txt']);
    expect(textIn(next.files, '_deleted.txt')).toBe('');

    await call(server, 'DELETE', `/pages/${added}`);
    const back = await exportSite(server, site, `changed_since=${next.headers.get('x-ic-export')}`);
    expect(textIn(back.files, '_deleted.txt')).toBe('new/index.html\n');
    expect(back.headers.get('x-ic-export')).toBe(hash);
  });

  it.each(['0'.repeat(43), '../../content', 'x'])('is whole if the state %j is not known', async (hash) => {
    const { files, headers } = await exportSite(server, site, `changed_since=${encodeURIComponent(hash)}`);
    expect(headers.get('x-ic-export-full')).toBe('1');
    expect(files.size).toBe(18);
  });

  it.each([
    ['netlify', '/moved /visit 301\n'],
    ['cloudflare', '/moved /visit 301\n'],
  ])('has files for %s', async (format, redirects) => {
    const { files } = await exportSite(server, site, `format=${format}`);
    expect(files.has('.htaccess')).toBe(false);
    expect(textIn(files, '_redirects')).toBe(redirects);
    expect(textIn(files, '_headers')).toMatch(/^\/\*\n {2}X-Content-Type-Options: nosniff\n/);
  });

  it.each([
    ['base', 'base=ftp://a.example', 'base'],
    ['base with a query', 'base=https://a.example/?x', 'base'],
    ['base with a user', 'base=https://u@a.example', 'base'],
    ['media', 'media=none', 'media'],
    ['format', 'format=nginx', 'format'],
    ['dry', 'dry=yes', 'dry'],
  ])('refuses a wrong %s', async (_name, query, field) => {
    const answer = await call(server, 'GET', `/sites/${site}/static?${query}`);
    expect(outcomeOf(answer)).toEqual({ status: 400, code: 'common.invalid' });
    expect(asRecord(answer.body)['params']).toMatchObject({ field });
  });

  it('is there for home pages only', async () => {
    expect((await call(server, 'GET', '/sites/999/static?dry=1')).status).toBe(404);
    expect((await call(server, 'GET', `/sites/${site + 1}/static?dry=1`)).status).toBe(400);
  });
});

describe('pages that cannot be files', () => {
  it('are listed, and the archive is refused', async () => {
    const site = await createSite(server, { title: 'Broken', domains: '' });
    await put(`/pages/${site}`, { html: '{% for %}' });
    const answer = await call(server, 'GET', `/sites/${site}/static`);
    expect(outcomeOf(answer)).toEqual({ status: 422, code: 'export.incomplete' });
    const { report, params } = asRecord(answer.body);
    expect(params).toEqual({ count: 1 });
    expect(asRecord(report)).toMatchObject({ base: '', errors: { '/': expect.stringContaining('/:1:') } });
    expect(await exportReport(server, site)).toEqual(report);
  });

  it('are detail pages with hostile names', async () => {
    const site = await createSite(server, { title: 'Hostile', domains: '' });
    await put(`/pages/${site}`, { html: '<a href="../../../x">x</a>' });
    const collection = await callOk(server, 'POST', '/collections', {
      name: 'Things',
      slug: 'things',
      fields: [{ name: 'key', label: 'Key', type: 'text' }],
    });
    await createPage(server, site, {
      slug: 'things',
      catch_all: true,
      published: true,
      html: '{% set thing = item("things", "key", route.slug) %}{% if not thing %}{{ not_found() }}{% endif %}{{ thing.key }}',
    });
    for (const key of ['../../x', 'C:\\x', 'a'.repeat(10_000), 'fine', 'ä b?#'])
      await callOk(server, 'POST', `/collections/${collection.id}/items`, { published: true, data: { key } });
    const report = await exportReport(server, site);
    expect(report['pages']).toEqual(['/', '/things/%C3%A4%20b%3F%23', '/things/fine']);
    expect(Object.keys(asRecord(report['errors']))).toEqual([
      '/things/../../x',
      '/things/C%3A%5Cx',
      `/things/${'a'.repeat(10_000)}`,
    ]);
    expect(report['broken_links']).toEqual({ '/x': '/' });
  });

  it('are two pages with the same file', async () => {
    const site = await createSite(server, { title: 'Same', domains: '' });
    const feed = await createPage(server, site, { slug: 'feed.xml', published: true });
    await createPage(server, feed, { slug: 'more', published: true });
    const visit = await createPage(server, site, { slug: 'visit', published: true });
    await createPage(server, visit, { slug: 'index.html', published: true });
    const { errors } = await exportReport(server, site);
    expect(errors).toEqual({
      '/feed.xml/more': 'a page above it is a file, not a folder',
      '/visit/index.html': 'it would be the same file as /visit',
    });
  });

  it('are at the path of the 404 page, unless they are this page', async () => {
    const site = await createSite(server, { title: 'Missing', domains: '' });
    const missing = await createPage(server, site, { slug: '404.html', published: true, html: 'Missing' });
    const { errors } = await exportReport(server, site);
    expect(errors).toEqual({ '/404.html': 'the export has another file of this name' });
    await put(`/pages/${site}`, { notfound_page_id: missing });
    expect(await exportReport(server, site)).toMatchObject({ errors: {} });
    const { files } = await exportSite(server, site);
    expect([...files.keys()]).toEqual(['.htaccess', '404.html', 'index.html', 'robots.txt']);
    expect(files.get('404.html')?.bytes.toString()).toContain('Missing');
  });
});

describe('a website without a base', () => {
  it('has no sitemap, and no host in its addresses', async () => {
    const site = await createSite(server, { title: 'Nowhere', domains: '' });
    await put(`/pages/${site}`, {
      html: '<a href="{{ site.url }}/x">x</a>',
      head: '<link rel="canonical" href="{{ page.url }}">',
    });
    const { files } = await exportSite(server, site);
    expect([...files.keys()]).toEqual(['.htaccess', '404.html', 'index.html', 'robots.txt']);
    expect(textIn(files, 'index.html')).toContain('<a href="/x">');
    for (const { bytes } of files.values()) expect(bytes.toString()).not.toMatch(/invalid|127\.0\.0\.1/);
    expect(textIn(files, 'robots.txt')).not.toContain('Sitemap');
  });
});

describe('the progress of an export', () => {
  const progressOf = (id: number) => call(server, 'GET', `/sites/${id}/static/progress`);
  const none = { rendering: false, done: 0, total: 0 };

  it('tells how many pages are rendered while one of them waits, and nothing of other websites', async () => {
    const answer = Promise.withResolvers<void>();
    const origin = await new Origin({
      '/list': (_request, response) => {
        void answer.promise.then(() => response.end('[1, 2]'));
        return undefined;
      },
    }).listen();
    const [site, other] = [await createSite(server), await createSite(server)];
    await put(`/pages/${site}`, { html: '<p>Home</p>', published: true });
    await callOk(server, 'POST', '/sources', { slug: 'slow', name: 'Slow', url: origin.url('/list') });
    await createPage(server, site, { slug: 'list', html: '{{ data("slow")|length }}', published: true });
    expect((await progressOf(site)).body).toEqual(none);
    const made = exportSite(server, site);
    await expect
      .poll(async () => (await progressOf(site)).body)
      .toEqual({ rendering: true, done: 1, total: 2 });
    expect((await progressOf(other)).body).toEqual(none);
    answer.resolve();
    expect((await made).files.has('list/index.html')).toBe(true);
    expect((await progressOf(site)).body).toEqual(none);
    await origin.close();
  });

  it('is there for home pages only', async () => {
    const page = await createPage(server, await createSite(server), { slug: 'below' });
    expect(outcomeOf(await progressOf(999))).toEqual({ status: 404, code: 'common.notFound' });
    expect((await progressOf(page)).status).toBe(400);
  });
});
