import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callOk } from '../support/api.ts';
import { createPage, createSite } from '../support/content.ts';
import { possibleFronts } from '../support/possible-fronts.ts';
import { requestHead, sendRaw } from '../support/raw.ts';
import { startServer, type TestServer } from '../support/server.ts';

/** What each form of a path and of a host leads to (Core, "Pages", "Public non-API routes"). */

/** The page that answers, `->` and where a redirect leads, or the status. */
type Outcome = string;

const paths: readonly (readonly [path: string, outcome: Outcome])[] = [
  ['/', 'A /'],
  ['/?', 'A /'],
  ['/?x', 'A /'],
  ['/a', 'A /a'],
  ['/a?b', 'A /a'],
  ['/%61', 'A /a'],
  ['/a/b', 'A /a/b'],
  ['/a.b', 'A /a.b'],
  ['/draft/below', 'A /draft/below'],
  ['/all', 'A /all'],
  ['/all/x', 'A /all x'],
  ['/all/X/Y', 'A /all X/Y'],
  ['/all/x/', 'A /all x'],
  ['/all/%C3%A4', 'A /all ä'],
  // Other spellings of a page lead to its address, with the query.
  ['/a/', '-> /a'],
  ['/A', '-> /a'],
  ['/%41', '-> /a'],
  ['/a/B/', '-> /a/b'],
  ['/A.B', '-> /a.b'],
  ['/a/b/?q=1', '-> /a/b?q=1'],
  ['/A?q=%2F', '-> /a?q=%2F'],
  ['/all/', '-> /all'],
  ['/cms-admin', '-> /cms-admin/'],
  // An encoded slash, a dot segment or a doubled slash is never the page.
  ['/a//', '404'],
  ['//a', '404'],
  ['/a/.', '404'],
  ['/a/..', '404'],
  ['/a/../a', '404'],
  ['/./a', '404'],
  ['/a/%2e', '404'],
  ['/%2e%2e/a', '404'],
  ['/..%2fa', '404'],
  ['/a%2Fb', '404'],
  ['/a%2fb', '404'],
  ['/%2F', '404'],
  ['/all//x', '404'],
  ['/all/%2F', '404'],
  ['/a%3Fb', '404'],
  ['/a%23', '404'],
  ['/a%5Cb', '404'],
  // What cannot be decoded, or is no slug.
  ['/a%00', '404'],
  ['/a%', '404'],
  ['/a%zz', '404'],
  ['/%ff', '404'],
  ['/%C3%A4', '404'],
  ['/%E2%80%8B', '404'],
  ['/a%20', '404'],
  ['/a+b', '404'],
  ['/a;x', '404'],
  ['/a,b', '404'],
  ['/~', '404'],
  ['/*', '404'],
  ['/index.html', '404'],
  ['/index.php', '404'],
  ['/a.html', '404'],
  ['/draft', '404'],
  ['/404', '404'],
  [`/a${'/x'.repeat(200)}`, '404'],
  // Names of the service, in this spelling only.
  ['/robots.txt', '200'],
  ['/Robots.txt', '404'],
  ['/robots.txt/', '404'],
  ['/sitemap.xml', '200'],
  ['/sitemap.xml/', '404'],
  ['/SITEMAP.XML', '404'],
  ['/sitemap-0.xml', '404'],
  ['/sitemap-1.xml', '404'],
  ['/sitemap-01.xml', '404'],
  ['/favicon.ico', '404'],
  ['/healthz', '200'],
  ['/healthz/', '404'],
  ['/media', '404'],
  ['/media/', '404'],
  ['/media/../x', '404'],
  ['/media/%2e%2e/x', '404'],
  ['/_assets', '404'],
  ['/_assets/css/0.css', '404'],
  ['/_assets/css/1.js', '404'],
  ['/cms-admin/', '200'],
  ['/CMS-admin/', '404'],
  ['/api', '404'],
  ['/api/', '404'],
  ['/API/v1', '404'],
  ['/api/v1', '200'],
];

const hosts: readonly (readonly [host: string, outcome: Outcome])[] = [
  ['a.test', 'A /'],
  ['A.TEST', 'A /'],
  ['a.test:80', 'A /'],
  ['a.test:8080', 'A /'],
  ['a.test.', 'A /'],
  ['www.a.test', 'A /'],
  ['b.test', 'B /'],
  ['B.test.', 'B /'],
  // No website lists these: the oldest one answers.
  ['unknown.test', 'A /'],
  ['127.0.0.1', 'A /'],
  ['[::1]', 'A /'],
  ['[::1]:80', 'A /'],
  ['localhost', 'A /'],
  ['xn--bcher-kva.test', 'A /'],
  ['a_b.test', 'A /'],
  ['evil-a.test', 'A /'],
  // No hosts.
  ['', '400'],
  ['bücher.test', '400'],
  ['a.test:', '400'],
  ['a.test:x', '400'],
  ['a.test:99999999', '400'],
  ['.a.test', '400'],
  ['-a.test', '400'],
  ['a test', '400'],
  ['a.test/x', '400'],
  ['a.test@b', '400'],
  ['user:a.test@b.test', '400'],
  ['a.test#', '400'],
  ['a.test\\b', '400'],
  ['*.test', '400'],
  ['%61.test', '400'],
  ['[::1', '400'],
  ['a.test, b.test', '400'],
  ['http://a.test', '400'],
  [`${'a'.repeat(300)}.test`, '400'],
];

describe.each(possibleFronts)('with -front %s', (front) => {
  let server: TestServer;

  beforeAll(async () => {
    server = await startServer({ args: ['-front', front] });
    const html = '[{{ site.title }} {{ page.path }} {{ route.slug }}]';
    const site = await createSite(server, { title: 'A', domains: 'a.test\nwww.a.test' });
    const other = await createSite(server, { title: 'B', domains: 'b.test' });
    for (const id of [site, other]) await callOk(server, 'PUT', `/pages/${id}`, { html });
    const page = await createPage(server, site, { slug: 'a', published: true, html });
    await createPage(server, page, { slug: 'b', published: true, html });
    await createPage(server, site, { slug: 'a.b', published: true, html });
    await createPage(server, site, { slug: 'all', published: true, catch_all: true, html });
    const draft = await createPage(server, site, { slug: 'draft', html });
    await createPage(server, draft, { slug: 'below', published: true, html });
  });
  afterAll(() => server.stop());

  async function outcomeOf(path: string, host: string): Promise<Outcome> {
    const head = requestHead(`GET ${path} HTTP/1.1`, `Host: ${host}`, 'Connection: close');
    const answer = Buffer.from(await sendRaw(server.port, head), 'latin1').toString();
    const [, status = ''] = /^HTTP\/1\.1 (\d+)/.exec(answer) ?? [];
    const [, location] = /\r\nLocation: ([^\r]*)/.exec(answer) ?? [];
    const [, page] = /<body[^>]*>\s*\[([^\]]*)\]/.exec(answer) ?? [];
    return location === undefined ? (page?.trim() ?? status) : `-> ${location}`;
  }

  it.each(paths)('%.60s: %s', async (path, expected) => {
    expect(await outcomeOf(path, 'a.test')).toBe(expected);
  });

  it.each(hosts)('Host: %.60s: %s', async (host, expected) => {
    expect(await outcomeOf('/', host)).toBe(expected);
  });

  it.each(['/a"b', '/a<b>', '/a|b', '/a\\b', '/a{b}', '/a^b', '/a`b', '/a#x', '/ä'])(
    'a character that no address may have, unencoded, is never a 5xx: %s',
    async (path) => {
      expect(await outcomeOf(path, 'a.test')).toMatch(/^40[04]$/);
    },
  );

  it('a page knows no ranges: the whole page comes', async () => {
    const answer = await sendRaw(
      server.port,
      requestHead('GET /a HTTP/1.1', 'Host: a.test', 'Range: bytes=0-3', 'Connection: close'),
    );
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(answer).not.toMatch(/\r\n(?:Accept-Ranges|Content-Range):/i);
    expect(answer).toContain('[A /a ]');
  });
});
