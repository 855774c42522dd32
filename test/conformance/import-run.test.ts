/** Imports of websites (Data, Automation and Operations, "Website import", rules 2 to 9). */
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { asRecord, call, callList, callOk, outcomeOf } from '../support/api.ts';
import { createSite } from '../support/content.ts';
import { logOf, Origin, type OriginAnswer, runJob } from '../support/origin.ts';
import { invalid, notFound, runScenarios } from '../support/scenarios.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { visit } from './public-client.ts';

let server: TestServer;
const origins: Origin[] = [];

beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());
afterEach(async () => {
  for (const origin of origins.splice(0)) await origin.close();
});

async function serve(pages: Readonly<Record<string, OriginAnswer>>): Promise<Origin> {
  const origin = await new Origin(pages).listen();
  origins.push(origin);
  return origin;
}

let sites = 0;

/** Imports all pages of an origin into a new website. */
async function importAll(origin: Origin, options: object = {}, paths = pagePathsOf(origin)) {
  const job = await runJob(server, '/import/run', {
    base: origin.url(),
    urls: paths.map((path) => origin.url(path)),
    new_site: { title: 'Imported', domains: `site${++sites}.example` },
    publish: true,
    ...options,
  });
  expect(job).toMatchObject({ kind: 'import', status: 'done', error: '' });
  const result = asRecord(job['result']);
  const pages = (Array.isArray(result['pages']) ? result['pages'] : []).map(asRecord);
  return { job, result, pages, host: `site${sites}.example`, target: Number(result['target_page_id']) };
}

const pagePathsOf = (origin: Origin) =>
  [...origin.pages.keys()].filter((path) => !/\.\w+(?:\?.*)?$/.test(path));

const pageOf = async (pages: readonly Record<string, unknown>[], path: string) => {
  const found = pages.find((page) => page['path'] === path);
  return callOk(server, 'GET', `/pages/${found?.['id']}`);
};

const png = (width = 8) =>
  sharp({ create: { width, height: 4, channels: 3, background: 'red' } })
    .png()
    .toBuffer();

describe('requests', () => {
  const urls = ['http://a.example/'];
  const base = 'http://a.example/';
  runScenarios(
    () => server,
    [
      {
        name: 'without base',
        method: 'POST',
        path: '/import/run',
        body: { urls, target_page_id: 1 },
        ...invalid('base'),
      },
      {
        name: 'without urls',
        method: 'POST',
        path: '/import/run',
        body: { base, target_page_id: 1 },
        ...invalid('urls'),
      },
      {
        name: 'no urls',
        method: 'POST',
        path: '/import/run',
        body: { base, urls: [], target_page_id: 1 },
        ...invalid('urls'),
      },
      {
        name: 'without target',
        method: 'POST',
        path: '/import/run',
        body: { base, urls },
        ...invalid('target_page_id'),
      },
      {
        name: 'both targets',
        method: 'POST',
        path: '/import/run',
        body: { base, urls, target_page_id: 1, new_site: { title: 'x' } },
        ...invalid('target_page_id'),
      },
      {
        name: 'unknown target',
        method: 'POST',
        path: '/import/run',
        body: { base, urls, target_page_id: 999 },
        ...notFound,
      },
      { name: 'reimport of an unknown page', method: 'POST', path: '/pages/999/reimport', ...notFound },
    ],
  );

  it('with a taken domain creates nothing', async () => {
    await createSite(server, { domains: 'taken.example' });
    const before = await callList(server, '/pages');
    const answer = await call(server, 'POST', '/import/run', {
      body: { base, urls, new_site: { title: 'x', domains: 'taken.example' } },
    });
    expect(outcomeOf(answer)).toEqual({ status: 409, code: 'site.domainTaken' });
    expect(await callList(server, '/pages')).toEqual(before);
  });

  it('of a page that was never imported is refused', async () => {
    const id = await createSite(server);
    expect(outcomeOf(await call(server, 'POST', `/pages/${id}/reimport`))).toEqual({
      status: 409,
      code: 'import.notImported',
    });
  });

  it('fails if none of the addresses belongs to the base', async () => {
    const job = await runJob(server, '/import/run', {
      base: 'http://127.0.0.1:1/',
      urls: ['http://127.0.0.1:2/', 'nonsense://'],
      new_site: { title: 'x', domains: '' },
    });
    expect(job).toMatchObject({
      status: 'failed',
      error_code: 'import.noneInBase',
      error_params: { base: 'http://127.0.0.1:1/' },
    });
    expect(logOf(job)).toEqual(['import.pageOutside /', 'import.pageOutside']);
  });
});

describe('an import', () => {
  it('takes over pages as a tree with drafts for missing levels', async () => {
    const origin = await serve({
      '/': '<title> Home  page </title><meta name=description content="About us"><p>Hello',
      '/about/team/':
        '<title>Team</title><a href="../../">Home</a> <a href="/contact.html?x=1#map">Contact</a>',
      '/contact.html': '<title>Contact</title><a href="/missing">m</a>',
    });
    const { job, result, pages, host, target } = await importAll(origin, {}, [
      '/',
      '/about/team/',
      '/contact.html',
    ]);
    expect(result).toMatchObject({ created: 2, updated: 1, placeholders: 1, failed: 0, files: 0, assets: 0 });
    expect(pages.map(({ path, action, source }) => [path, action, source])).toEqual([
      ['/', 'updated', origin.url('/')],
      ['/contact.html', 'created', origin.url('/contact.html')],
      ['/about/team', 'created', origin.url('/about/team/')],
    ]);
    expect(job).toMatchObject({ done: 3, total: 3 });
    expect(await callOk(server, 'GET', `/pages/${target}`)).toMatchObject({
      title: 'Home page',
      description: 'About us',
      html: '<p>Hello</p>',
      source_url: origin.url('/'),
      import_root: target,
      local_modified: false,
    });
    expect(await pageOf(pages, '/about/team')).toMatchObject({
      html: '<a href="/">Home</a> <a href="/contact.html?x=1#map">Contact</a>',
      published: true,
      local_modified: false,
    });
    expect((await pageOf(pages, '/contact.html'))['html']).toBe(`<a href="${origin.url('/missing')}">m</a>`);
    const all = await callList(server, '/pages');
    expect(all.find(({ path, root_id }) => path === '/about' && root_id === target)).toMatchObject({
      published: false,
      import_root: target,
      source_url: '',
    });
    expect((await visit(server, '/about/team', { host })).status).toBe(200);
    expect((await visit(server, '/about', { host })).status).toBe(404);
  });

  it('normalises paths, and gives reserved names and collisions a suffix', async () => {
    const paths = [
      '/',
      '/%C3%9Cber Uns',
      '/über-uns/',
      '/api',
      '/a/api',
      '/Straße & Co',
      '/日本',
      '/x?id=1',
      '/x?id=2',
      '/Index.HTML',
    ];
    const origin = await serve({});
    for (const path of paths)
      origin.pages.set(new URL(path, 'http://a').pathname + new URL(path, 'http://a').search, path);
    const { pages } = await importAll(origin, {}, paths);
    expect(pages.map(({ path }) => path).sort()).toEqual([
      '/',
      '/a/api',
      '/api-seite',
      '/seite',
      '/strasse-co',
      '/ueber-uns',
      '/ueber-uns-2',
      '/x',
      '/x-2',
    ]);
  });

  it('gives the same paths whatever answers first, is skipped or fails', async () => {
    const paths = ['/', '/Sub/A', '/sub/ä', '/sub/a?x=1', '/old', '/Gone', '/gone', '/sub/a', '/sub/doc'];
    const at = (path: string) => new URL(path, 'http://a').pathname + new URL(path, 'http://a').search;
    /** Answers are held until all of these have been asked for, and then given in this order. */
    const importInOrder = async (order: readonly string[]) => {
      const origin = await serve({});
      for (const path of paths) origin.pages.set(at(path), path);
      origin.pages.set('/old', { status: 302, headers: { Location: '/sub/b' } });
      origin.pages.set('/sub/b', 'b');
      origin.pages.set('/Gone', { status: 500 });
      origin.pages.set('/sub/doc', { type: 'application/json', body: '{}' });
      const held = new Map<string, () => void>();
      for (const path of order) {
        const answer = origin.pages.get(at(path));
        origin.pages.set(at(path), (_request, response) => {
          held.set(path, () => response.writeHead(200, { 'Content-Type': 'text/html' }).end(String(answer)));
          if (held.size === order.length) for (const next of order) held.get(next)?.();
          return undefined;
        });
      }
      const { pages, result } = await importAll(origin, {}, paths);
      expect(result).toMatchObject({ failed: 1, skipped: 1 });
      return Object.fromEntries(
        pages.map(({ source, path }) => {
          const { pathname, search } = new URL(String(source));
          return [decodeURIComponent(pathname) + search, path];
        }),
      );
    };
    const expected = {
      '/': '/',
      '/sub/a': '/sub/a',
      '/Sub/A': '/sub/a-2',
      '/sub/ä': '/sub/ae',
      '/sub/a?x=1': '/sub/a-3',
      '/sub/b': '/sub/b',
      '/gone': '/gone',
      '/Gone': '',
      '/sub/doc': '',
    };
    expect(await importInOrder(['/Sub/A', '/sub/a?x=1', '/'])).toEqual(expected);
    expect(await importInOrder(['/sub/a?x=1', '/', '/Sub/A'])).toEqual(expected);
    paths.reverse();
    expect(await importInOrder(['/sub/a', '/gone'])).toEqual(expected);
  });

  it('gives the path of a page that cannot be read to the next one', async () => {
    const origin = await serve({});
    // A document that is nested too deeply is refused when it is read, after it has answered.
    origin.pages.set('/deep', `<!doctype html>${'<div>'.repeat(200_000)}`);
    origin.pages.set('/Deep', 'flat');
    const { pages, result } = await importAll(origin, {}, ['/deep', '/Deep']);
    expect(result).toMatchObject({ failed: 1, created: 1 });
    expect(pages.map(({ path, action }) => `${action} ${path}`).sort()).toEqual(['created /deep', 'failed ']);
  });

  it('gives the path of a page that cannot be converted to the next one, and links to its original', async () => {
    const origin = await serve({});
    // It can be read, but is larger than a page may be.
    origin.pages.set('/large', `<title>L</title>${'x'.repeat(2 * 2 ** 20 + 1)}`);
    origin.pages.set('/Large', '<title>S</title><a href="/large">large</a>');
    const { pages, result, job } = await importAll(origin, {}, ['/large', '/Large']);
    expect(result).toMatchObject({ failed: 1, created: 1 });
    expect(pages.map(({ path, action }) => `${action} ${path}`).sort()).toEqual([
      'created /large',
      'failed ',
    ]);
    expect((await pageOf(pages, '/large'))['html']).toContain(`href="${origin.url('/large')}"`);
    expect(logOf(job).filter((line) => line.startsWith('import.pageNotRead'))).toHaveLength(1);
  });

  it('shares no code through a home page that cannot be converted', async () => {
    const head = '<link rel=stylesheet href=/a.css><title>T</title>';
    const origin = await serve({ '/a.css': { type: 'text/css', body: 'a{color:red}' } });
    origin.pages.set('/', `${head}${'x'.repeat(2 * 2 ** 20 + 1)}`);
    origin.pages.set('/a', `${head}a`);
    const { pages } = await importAll(origin, {}, ['/', '/a']);
    expect(await pageOf(pages, '/a')).toMatchObject({ assets: [{ inherit: false }] });
  });

  it('takes the language of the home page, and keeps the type of a manifest', async () => {
    const manifest = { type: 'application/manifest+json', body: '{"name":"Shop"}' };
    const head = '<html lang=fr><link rel=manifest href=/site.webmanifest><title>T</title>';
    const origin = await serve({
      '/': `${head}<p>a`,
      '/en': '<html lang=en><p>b',
      '/site.webmanifest': manifest,
    });
    const { pages, host } = await importAll(origin);
    expect((await pageOf(pages, '/'))['lang']).toBe('fr');
    expect((await pageOf(pages, '/en'))['lang']).toBe('en');
    const [file] = await callList(server, '/files?limit=1');
    expect(file).toMatchObject({
      name: 'site.webmanifest',
      mime: 'application/manifest+json',
      url: expect.stringMatching(/\.webmanifest$/),
    });
    const answer = await fetch(`${server.url}${file?.['url']}`);
    expect(answer.headers.get('content-type')).toContain('application/manifest+json');
    expect(await answer.text()).toBe('{"name":"Shop"}');
    const { text } = await visit(server, '/', { host });
    expect(text).toContain('lang="fr"');
    expect(text).toContain(String(file?.['url']));
  });

  it('makes assets of CSS and JS, shared ones inherited from the target page, others in position', async () => {
    const head = '<link rel=stylesheet href="/css/base.css?v=3" integrity="sha256-x" crossorigin>';
    const foot = '<script src=/js/lib.js></script><script defer src=/js/app.js></script>';
    const origin = await serve({
      '/': `<head>${head}<link rel=preload as=style href="/css/base.css?v=3"></head><p>home</p>${foot}`,
      '/a': `<head>${head}<link rel=stylesheet href=/css/print.css media=print></head><p>a<script src=/js/mid.js integrity=x></script><p>b</p>${foot}`,
      '/css/base.css?v=3': '@charset "utf-8";@import "more.css" screen; a{background:url( "../img/x.png" )}',
      '/css/more.css': '@import url(base.css?v=3); b{color:red}',
      '/css/print.css': 'c{}',
      '/js/lib.js': 'lib()',
      '/js/app.js': 'app()',
      '/js/mid.js': 'mid()',
      '/img/x.png': await png(),
    });
    const { result, pages, target, host } = await importAll(origin, {}, ['/', '/a']);
    expect(result).toMatchObject({ assets: 6, shared_css: 1, shared_js: 2, files: 1 });
    const home = await callOk(server, 'GET', `/pages/${target}`);
    expect(home).toMatchObject({
      html: '<p>home</p>',
      head: '',
      assets: [
        { name: 'base.css', kind: 'css', inherit: true },
        { name: 'lib.js', kind: 'js', inherit: true },
        { name: 'app.js', kind: 'js', inherit: true },
      ],
    });
    const a = await pageOf(pages, '/a');
    expect(a).toMatchObject({ assets: [] });
    expect(a['head']).toMatch(/^<link rel="stylesheet" href="\{\{ asset_url\(\d+\) \}\}" media="print">$/);
    expect(a['html']).toMatch(/^<p>a<script src="\{\{ asset_url\(\d+\) \}\}"><\/script><\/p><p>b<\/p>$/);
    const assets = await callList(server, '/assets');
    const contentOf = async (name: string) => {
      const { id } = assets.find((asset) => asset['name'] === name) ?? {};
      return (await callOk(server, 'GET', `/assets/${id}`))['content'];
    };
    expect(await contentOf('base.css')).toMatch(
      /^@import url\("\/_assets\/css\/\d+\.css"\) screen; a\{background:url\("\/media\/x\.png"\)\}$/,
    );
    expect(await contentOf('more.css')).toBe('@import url("data:text/css,"); b{color:red}');
    const html = (await visit(server, '/a', { host })).text;
    expect(html).toMatch(/_assets\/css\/\d+\.css\?v=\d+"[\s\S]*media="print"/);
  });

  it('gives each page its own assets if the home page is not imported', async () => {
    const origin = await serve({
      '/a': '<link rel=stylesheet href=/s.css><p>a',
      '/b': '<link rel=stylesheet href=/s.css><p>b',
      '/s.css': 'a{}',
    });
    const { result, pages } = await importAll(origin, {}, ['/a', '/b']);
    expect(result).toMatchObject({ created: 2, shared_css: 0, assets: 1 });
    for (const path of ['/a', '/b'])
      expect(await pageOf(pages, path)).toMatchObject({
        head: '',
        assets: [{ name: 's.css', inherit: false }],
      });
  });

  it('takes over media into a folder, of images in several sizes the largest', async () => {
    const origin = await serve({
      '/small.png': await png(100),
      '/large.png': await png(800),
      '/og.png': await png(5),
    });
    origin.pages.set(
      '/',
      `<!doctype html><head><meta property=og:image content=/og.png><link rel=icon href=/og.png></head>
       <img src=small.png srcset="small.png 100w, large.png 800w" sizes=50vw><a href="doc.pdf#page=2">d</a>
       <p style="background:url(small.png)">x</p><img data-src=/og.png src="data:image/gif;base64,R0lGODlhAQABAAAAACw="><img src=/gone.png>`,
    );
    origin.pages.set('/doc.pdf', '%PDF-1.4 text');
    const { job, result, target } = await importAll(origin, {}, ['/']);
    expect(result).toMatchObject({ files: 4 });
    const { html, head } = await callOk(server, 'GET', `/pages/${target}`);
    expect(html).toMatch(/<img src="\/media\/large\.png" srcset="[^"]*320w[^"]*800w" sizes="50vw">/);
    expect(html).toMatch(/href="\/media\/doc\.pdf#page=2"/);
    expect(html).toMatch(/style="background:url\(&quot;\/media\/small\.png&quot;\)"/);
    expect(html).toContain(`<img src="${origin.url('/gone.png')}">`);
    expect(html).toMatch(/data-src="\/media\/og\.png" src="data:image\/gif/);
    expect(head).toContain(`<meta property="og:image" content="${origin.url('/media/og.png')}">`);
    expect(logOf(job)).toEqual(['import.fileNotImported /gone.png']);
    const [folder] = (await callList(server, '/folders')).filter(
      ({ name }) => name === `Import ${origin.host}`,
    );
    expect(await callList(server, `/files?folder_id=${folder?.['id']}`)).toHaveLength(4);
  });

  it('takes files of other hosts only if they are named', async () => {
    const other = await serve({ '/a.png': await png() });
    const third = await serve({ '/b.png': await png() });
    const origin = await serve({
      '/': `<img src="${other.url('/a.png')}"><img src="${third.url('/b.png')}">`,
    });
    const { target } = await importAll(origin, { download_hosts: [other.host] });
    const { html } = await callOk(server, 'GET', `/pages/${target}`);
    expect(html).toMatch(/^<img src="\/media\/a[^"]*"><img src="http:\/\/127[^"]*\/b\.png">$/);
  });

  it('prints what looks like template syntax as it is', async () => {
    const body =
      '<p>{{ name }} {% if x %} {# c #} {{ open</p><script>var x = {{a:1}}; "{% endverbatim %}"</script>';
    const origin = await serve({
      '/': `<head><title>T {{ x }}</title><meta name=description content="{{ d }}"></head><body data-x="{{ y }}">${body}</body>`,
    });
    const { host } = await importAll(origin);
    const html = (await visit(server, '/', { host })).text;
    expect(html).toContain(body);
    expect(html).toContain('<body data-x="{{ y }}">');
    expect(html).toContain('<title>T {{ x }}</title>');
    expect(html).toContain('content="{{ d }}"');
  });

  it('is told as one change, and its versions have the author Import', async () => {
    const since = (await callOk(server, 'GET', '/changes?since=now'))['version'];
    const origin = await serve({ '/': '<p>1<img src=/a.png>', '/a.png': await png() });
    const { target } = await importAll(origin, {}, ['/']);
    const { changes } = await callOk(server, 'GET', `/changes?since=${since}`);
    expect(changes).toMatchObject([
      { kind: 'page', action: 'created', id: target, actor: 'Import' },
      { kind: 'import', action: 'imported', id: target, actor: 'Import', name: origin.host },
    ]);
    expect(await callList(server, `/revisions?kind=page&id=${target}`)).toMatchObject([{ author: 'Import' }]);
  });
});
