import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callOk } from '../support/api.ts';
import { createPage, createSite } from '../support/content.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { visit } from './public-client.ts';

let server: TestServer;
let home: number;

beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

describe('without a website', () => {
  it.each([
    ['/', 404, 'Welcome to Incipit'],
    ['/any/path?q=1', 404, '<meta name="robots" content="noindex">'],
    ['/robots.txt', 200, 'User-agent: *\nAllow: /\n'],
    ['/sitemap.xml', 200, '<urlset'],
    ['/favicon.ico', 404, 'Not found'],
    ['/_assets/css/1.css', 404, 'Not found'],
  ])('GET %s answers %i', async (path, status, text) => {
    const answer = await visit(server, path);
    expect(answer.status).toBe(status);
    expect(answer.text).toContain(text);
    expect(answer.text).not.toContain('<loc>');
  });
});

it('without a website, the page names the next commands and no secret', async () => {
  const { text } = await visit(server, '/?<script>', { host: 'fresh.test' });
  const start = `npm start -- -data ${server.dataDir}`;
  for (const command of [`${start} -create-token editor`, 'http://fresh.test/api/v1/sites', `${start} -demo`])
    expect(text).toContain(command);
  expect(text).toContain('<a href="/cms-admin/">the admin</a>');
  expect(text).toContain('-d &#');
  expect(text).not.toMatch(/<script|setup.?token/i);
});

describe('with a website', () => {
  beforeAll(async () => {
    home = await createSite(server, { domains: 'one.test' });
  });

  it('an asset is minified, and immutable at the address with its updated_at', async () => {
    const asset = await callOk(server, 'POST', '/assets', {
      name: 'a',
      kind: 'css',
      content: 'a {\n color: red }\n',
    });
    const path = `/_assets/css/${asset['id']}.css`;
    const exact = await visit(server, `${path}?v=${asset['updated_at']}`);
    expect([exact.text, exact.header('cache-control')]).toEqual([
      'a{color:red}\n',
      'public, max-age=31536000, immutable',
    ]);
    expect(exact.header('access-control-allow-origin')).toBe('*');
    expect((await visit(server, path)).header('cache-control')).toBe('no-cache');
    const changed = await callOk(server, 'PUT', `/assets/${asset['id']}`, { content: 'a { color: #00f }' });
    expect(changed['updated_at']).toBeGreaterThan(Number(asset['updated_at']));
    const old = await visit(server, `${path}?v=${asset['updated_at']}`);
    expect([old.text, old.header('cache-control')]).toEqual(['a{color:#00f}\n', 'no-cache']);
    const again = await visit(server, path, { headers: { 'If-None-Match': old.header('etag') ?? '' } });
    expect([again.status, again.bytes.length]).toEqual([304, 0]);
    await callOk(server, 'DELETE', `/assets/${asset['id']}`);
    expect((await visit(server, path)).status).toBe(404);
  });

  it('a page links its assets with their updated_at', async () => {
    const css = await callOk(server, 'POST', '/assets', { name: 'c', kind: 'css', content: 'a{}' });
    const js = await callOk(server, 'POST', '/assets', {
      name: 'j',
      kind: 'js',
      content: 'export const a = 1',
    });
    await callOk(server, 'PUT', `/pages/${home}`, {
      assets: [
        { asset_id: js['id'], inherit: true },
        { asset_id: css['id'], inherit: false },
      ],
    });
    const { text } = await visit(server, '/');
    expect(text).toContain(
      `<link rel="stylesheet" href="/_assets/css/${css['id']}.css?v=${css['updated_at']}">\n`,
    );
    expect(text).toContain(
      `<script type="module" src="/_assets/js/${js['id']}.js?v=${js['updated_at']}"></script>\n</body>`,
    );
  });

  it('the sitemap and robots.txt show every change at once', async () => {
    await visit(server, '/sitemap.xml');
    const page = await createPage(server, home, { slug: 'new', published: true });
    const locations = async () =>
      [...(await visit(server, '/sitemap.xml')).text.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, url]) => url);
    expect(await locations()).toEqual(['http://one.test/', 'http://one.test/new']);
    await callOk(server, 'PUT', `/pages/${page}`, { noindex: true });
    expect(await locations()).toEqual(['http://one.test/']);
    expect((await visit(server, '/robots.txt')).text).toBe(
      'User-agent: *\nAllow: /\nSitemap: http://one.test/sitemap.xml\n',
    );
    await callOk(server, 'PUT', `/pages/${home}`, { robots_txt: 'User-agent: *\nDisallow: /x' });
    expect((await visit(server, '/robots.txt')).text).toBe(
      'User-agent: *\nDisallow: /x\nSitemap: http://one.test/sitemap.xml\n',
    );
  });
});
