/** Scans of other websites (Data, Automation and Operations, "Website import", rule 1). */
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { asRecord, call, callOk, outcomeOf } from '../support/api.ts';
import { logOf, Origin, type OriginAnswer, runJob } from '../support/origin.ts';
import { invalid, notFound, runScenarios } from '../support/scenarios.ts';
import { startServer, type TestServer } from '../support/server.ts';

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

const page = (title: string, body = 'Text. '.repeat(60), head = '') =>
  `<!doctype html><title>${title}</title>${head}<body>${body}</body>`;

const scan = (origin: Origin, options: object = {}) =>
  runJob(server, '/import/scan', { url: origin.url(), ...options });

function resultOf(job: Record<string, unknown>) {
  expect(job).toMatchObject({ kind: 'scan', status: 'done', error: '', error_code: '' });
  const result = asRecord(job['result']);
  const list = (name: string) => {
    const value = result[name];
    return (Array.isArray(value) ? value : []).map(asRecord);
  };
  return { ...result, pages: list('pages'), hosts: list('hosts') };
}

const pathsOf = (job: Record<string, unknown>) => resultOf(job).pages.map(({ path }) => path);

const sitemap = (...urls: string[]) =>
  `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls
    .map((url) => `<url><loc>${url}</loc></url>`)
    .join('')}</urlset>`;

describe('requests', () => {
  runScenarios(
    () => server,
    [
      { name: 'without url', method: 'POST', path: '/import/scan', body: {}, ...invalid('url') },
      {
        name: 'no web address',
        method: 'POST',
        path: '/import/scan',
        body: { url: 'ftp://a.example' },
        ...invalid('url'),
      },
      { name: 'nonsense', method: 'POST', path: '/import/scan', body: { url: 'http://' }, ...invalid('url') },
      {
        name: 'max_pages of 0',
        method: 'POST',
        path: '/import/scan',
        body: { url: 'a.example', max_pages: 0 },
        ...invalid('max_pages'),
      },
      {
        name: 'max_pages above the limit',
        method: 'POST',
        path: '/import/scan',
        body: { url: 'a.example', max_pages: 5001 },
        ...invalid('max_pages'),
      },
      {
        name: 'metadata service',
        method: 'POST',
        path: '/import/scan',
        body: { url: 'http://169.254.169.254/' },
        ...invalid('url'),
      },
      { name: 'unknown job', method: 'GET', path: '/import/jobs/none', ...notFound },
      { name: 'cancel an unknown job', method: 'DELETE', path: '/import/jobs/none', ...notFound },
    ],
  );
});

describe('a scan', () => {
  it('answers 202 with the job, which is listed without log and result', async () => {
    const origin = await serve({ '/': page('Home') });
    const started = await call(server, 'POST', '/import/scan', { body: { url: origin.url() } });
    expect(started).toMatchObject({
      status: 202,
      body: { kind: 'scan', status: 'running', done: 0, files: 0, assets: 0, finished_at: 0, log: [] },
    });
    const id = String(asRecord(started.body)['id']);
    const list = await call(server, 'GET', '/import/jobs');
    expect(list.body).toMatchObject([{ id, kind: 'scan' }]);
    expect(JSON.stringify(list.body)).not.toMatch(/"(?:log|result)"/);
    expect((await call(server, 'DELETE', `/import/jobs/${id}`)).status).toBe(204);
    expect((await call(server, 'DELETE', `/import/jobs/${id}`)).status).toBe(204);
  });

  it('follows all links if there is no sitemap', async () => {
    const origin = await serve({
      '/': page('Home', '<a href="/a">a</a> <a href="b/">b</a> <a href="https://elsewhere.example/">x</a>'),
      '/a': page(
        'A',
        '<a href="/a#top">self</a><a href="/a?utm_source=x">same</a><a href="/paper.pdf">pdf</a>',
      ),
      '/b/': page('B', '<a href="../c.html">c</a> <a href="mailto:x@y.example">m</a>'),
      '/c.html': page('C'),
    });
    const job = await scan(origin);
    expect(resultOf(job)).toMatchObject({
      base: origin.url(),
      sitemaps: [],
      js_rendered: false,
      pages: [
        { url: origin.url(), path: '/', title: 'Home', source: 'start' },
        { url: origin.url('/a'), path: '/a', title: 'A', source: 'link' },
        { url: origin.url('/b/'), path: '/b', title: 'B', source: 'link' },
        { url: origin.url('/c.html'), path: '/c.html', title: 'C', source: 'link' },
      ],
    });
    expect(job).toMatchObject({ done: 3, phase: '', phase_code: '', finished_at: expect.any(Number) });
  });

  it('reads sitemaps from robots.txt: an index, compressed files, plain text', async () => {
    const origin = await serve({ '/': page('Home', `${'Text. '.repeat(60)}<a href="/unlisted">u</a>`) });
    origin.pages.set('/robots.txt', `Sitemap: ${origin.url('/index.xml')}\nSitemap: /list.txt`);
    origin.pages.set(
      '/index.xml',
      `<sitemapindex><sitemap><loc>${origin.url('/a.xml.gz')}</loc></sitemap><sitemap><loc>${origin.url('/index.xml')}</loc></sitemap></sitemapindex>`,
    );
    origin.pages.set(
      '/a.xml.gz',
      gzipSync(sitemap(origin.url('/one?a=1&amp;b=2'), 'https://elsewhere.example/')),
    );
    origin.pages.set('/list.txt', `${origin.url('/two')}\n${origin.url('/three')}\n`);
    const result = resultOf(await scan(origin));
    expect(result).toMatchObject({
      sitemaps: [origin.url('/index.xml'), origin.url('/list.txt'), origin.url('/a.xml.gz')],
    });
    expect(result.pages.map(({ url, source }) => [url, source])).toEqual([
      [origin.url(), 'start'],
      [origin.url('/two'), 'sitemap'],
      [origin.url('/three'), 'sitemap'],
      [origin.url('/one?a=1&b=2'), 'sitemap'],
    ]);
  });

  it('samples the home page, five pages and ten style sheets unless it crawls', async () => {
    const origin = await serve({});
    const urls = Array.from({ length: 9 }, (_, index) => `/p${index}`);
    const styles = Array.from({ length: 12 }, (_, index) => `<link rel=stylesheet href=/s${index}.css>`).join(
      '',
    );
    origin.pages.set('/', page('Home', 'x', styles));
    for (const url of urls) origin.pages.set(url, page(url));
    for (let index = 0; index < 12; index++) origin.pages.set(`/s${index}.css`, 'a{}');
    origin.pages.set('/sitemap.xml', sitemap(...urls.map((url) => origin.url(url))));
    const job = await scan(origin);
    const asked = origin.takeRequests();
    expect(asked.filter((path) => /^\/p\d/.test(path))).toHaveLength(5);
    expect(asked.filter((path) => path.endsWith('.css'))).toHaveLength(10);
    expect(resultOf(job).pages.map(({ title }) => title)).toEqual([
      'Home',
      '/p0',
      '/p1',
      '/p2',
      '/p3',
      '/p4',
      '',
      '',
      '',
      '',
    ]);
    await scan(origin, { crawl: true });
    expect(origin.takeRequests().filter((path) => /^\/p\d/.test(path))).toHaveLength(9);
  });

  it('lists pages that robots.txt blocks without loading them, unless it is told to', async () => {
    const origin = await serve({
      '/robots.txt': 'User-agent: *\nDisallow: /secret\nCrawl-delay: 0.001',
      '/': page('Home', '<a href="/secret/a">a</a><a href="/open">b</a>'),
      '/secret/a': page('Secret', '<a href="/behind">c</a>'),
      '/open': page('Open'),
    });
    const polite = resultOf(await scan(origin));
    expect(polite.pages.map(({ path, excluded }) => [path, excluded])).toEqual([
      ['/', undefined],
      ['/secret/a', 'robots'],
      ['/open', undefined],
    ]);
    expect(origin.takeRequests()).not.toContain('/secret/a');
    expect(pathsOf(await scan(origin, { respect_robots: false }))).toEqual([
      '/',
      '/secret/a',
      '/open',
      '/behind',
    ]);
  });

  it('tells hosts with what they are, also those that only CSS names', async () => {
    const other = await serve({});
    const origin = await serve({
      '/': page(
        'Home',
        '<img src="/a.png"><script src="https://www.googletagmanager.com/gtag/js"></script>',
        `<link rel=stylesheet href="/a.css"><script src="https://cdn.jsdelivr.net/npm/x.js"></script>
         <script src="https://scripts.example/only.js"></script><img src="https://images.example/i.png">`,
      ),
      '/a.css': `@import "https://fonts.googleapis.com/css2"; @font-face{src:url(${other.url('/f.woff2')})}`,
    });
    const { hosts } = resultOf(await scan(origin));
    expect(hosts).toEqual([
      {
        host: origin.host,
        category: 'site',
        label: 'This website',
        count: 2,
        kinds: { css: 1, img: 1 },
        suggested: true,
      },
      expect.objectContaining({ host: other.host, category: 'other', kinds: { font: 1 }, suggested: true }),
      expect.objectContaining({
        host: 'cdn.jsdelivr.net',
        category: 'cdn',
        label: 'jsDelivr',
        suggested: true,
      }),
      expect.objectContaining({
        host: 'fonts.googleapis.com',
        category: 'fonts',
        kinds: { css: 1 },
        suggested: true,
      }),
      expect.objectContaining({ host: 'images.example', category: 'other', suggested: true }),
      expect.objectContaining({ host: 'scripts.example', category: 'other', suggested: false }),
      expect.objectContaining({ host: 'www.googletagmanager.com', category: 'service', suggested: false }),
    ]);
  });

  it('follows the redirects of the start page, whose last host is the website', async () => {
    const target = await serve({ '/welcome': page('Welcome') });
    const start = await serve({ '/': { status: 301, headers: { Location: target.url('/welcome') } } });
    expect(resultOf(await scan(start))).toMatchObject({
      base: target.url(),
      pages: [{ url: target.url('/welcome'), source: 'start' }],
    });
  });

  it.each([
    [true, '<div id=root></div><script src=/app.js></script>'],
    [true, '<noscript><p>Please use scripts</noscript><div></div><script src=/app.js></script>'],
    [true, '<div id=app><p>Loading...</p></div><script src=/app.js></script>'],
    [false, '<h1>Hello</h1><p>A small page</p><script src=/menu.js></script>'],
    [false, 'Under construction<script src=/count.js></script>'],
    [false, '<img src=/poster.png><script src=/count.js></script>'],
    [false, '<div id=app></div>'],
  ])('sees that pages are made in the browser: %j of %s', async (isMade, page) => {
    const origin = await serve({ '/': page });
    expect(resultOf(await scan(origin))).toMatchObject({ js_rendered: isMade });
  });

  it.each<[string, OriginAnswer, string]>([
    ['an error', { status: 500 }, 'the host answered 500'],
    ['an image', { type: 'image/png', body: 'x' }, 'not an HTML page (content type image/png)'],
  ])('fails if the start page is %s', async (_name, answer, reason) => {
    const origin = await serve({ '/': answer });
    expect(await scan(origin)).toMatchObject({
      status: 'failed',
      error_code: 'import.startFailed',
      error_params: { url: origin.url(), reason },
    });
  });
});

describe('a hostile website', () => {
  it('cannot make a scan endless', async () => {
    const month = ({ path }: { path: string }) => {
      const number = Number(/=(\d+)/.exec(path)?.[1] ?? 0);
      return page('Month', `<a href="/cal?m=${number + 1}">next</a><a href="deeper/and/deeper/">d</a>`);
    };
    const origin = await serve({
      '/': page('Home', '<a href="/cal?m=0">c</a><a href="/x/x/x/x/x/">loop</a>'),
      '/cal?*': month,
    });
    const job = await scan(origin, { max_pages: 40 });
    expect(resultOf(job).pages).toHaveLength(40);
    expect(logOf(job)).toContain('import.pagesLimited');
    expect(
      pathsOf(await scan(origin, { max_pages: 5000 })).filter((path) => String(path).startsWith('/cal')),
    ).toHaveLength(50);
  });

  it.each<[string, OriginAnswer]>([
    [
      'an entity bomb',
      '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]><urlset><url><loc>&b;</loc></url></urlset>',
    ],
    ['other XML', '<rss><channel></channel></rss>'],
    ['a page', { type: 'text/plain', body: '<html><p>no sitemap</p></html>' }],
    ['a compression bomb', gzipSync(Buffer.alloc(60 * 2 ** 20))],
    ['an error', { status: 500 }],
  ])('has %s as its sitemap, which is noted', async (_name, answer) => {
    const origin = await serve({ '/': page('Home'), '/s.xml': answer });
    origin.pages.set('/robots.txt', `Sitemap: ${origin.url('/s.xml')}`);
    const job = await scan(origin);
    expect(pathsOf(job)).toEqual(['/']);
    expect(logOf(job)).toEqual(['import.sitemapBroken /s.xml']);
  });

  it('has a robots.txt without end, and pages that are too large or nested too deeply', async () => {
    const origin = await serve({
      '/robots.txt': '#'.repeat(2 ** 20),
      '/': page('Home', '<a href=/big>b</a><a href=/deep>d</a><a href=/fine>f</a>'),
      '/big': 'x'.repeat(9 * 2 ** 20),
      '/deep': '<div>'.repeat(20_000),
      '/fine': page('Fine'),
    });
    const job = await scan(origin);
    expect(resultOf(job).pages.map(({ title }) => title)).toEqual(['Home', '', '', 'Fine']);
    expect(logOf(job).sort()).toEqual([
      'import.pageNotLoaded /big',
      'import.pageNotRead /deep',
      'import.robotsBroken /robots.txt',
    ]);
  });

  it('cannot keep a scan from being cancelled', async () => {
    const origin = await serve({ '/': () => undefined });
    const { id } = await callOk(server, 'POST', '/import/scan', { url: origin.url() });
    expect((await call(server, 'DELETE', `/import/jobs/${id}`)).status).toBe(204);
    expect(await callOk(server, 'GET', `/import/jobs/${id}`)).toMatchObject({
      status: 'cancelled',
      finished_at: expect.any(Number),
    });
  });

  it('is not scanned more than four times at once', async () => {
    const origin = await serve({ '/': () => undefined });
    const started = await Promise.all(
      Array.from({ length: 5 }, () => call(server, 'POST', '/import/scan', { body: { url: origin.url() } })),
    );
    const refused = started.map(outcomeOf).filter(({ status }) => status !== 202);
    // Scans of the tests before may still be ending.
    expect(refused.length).toBeGreaterThan(0);
    for (const outcome of refused) expect(outcome).toEqual({ status: 409, code: 'import.tooMany' });
    for (const { body } of started) {
      const { id } = asRecord(body);
      if (id !== undefined) await call(server, 'DELETE', `/import/jobs/${id}`);
    }
  });
});
