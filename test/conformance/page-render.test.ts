import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addToken, call } from '../support/api.ts';
import { createAsset, createPage, createSite } from '../support/content.ts';
import { notFound, runScenarios } from '../support/scenarios.ts';
import { masterToken, startServer, type TestServer } from '../support/server.ts';
import { visit } from './public-client.ts';

let server: TestServer;
let home: number;
const ids = new Map<string, number>();

async function addPage(slug: string, fields: Record<string, unknown> = {}): Promise<void> {
  ids.set(slug, await createPage(server, home, { slug, published: true, ...fields }));
}

async function get(slug: string, rest: string, token = masterToken): Promise<Response & { body: unknown }> {
  const headers = { Authorization: `Bearer ${token}` };
  return fetch(`${server.url}/api/v1/pages/${ids.get(slug)}/${rest}`, { headers });
}

beforeAll(async () => {
  server = await startServer();
  home = await createSite(server, { domains: 'one.test' });
  ids.set('home', home);
  const assets = [{ asset_id: await createAsset(server, { content: '.a { }' }) }];
  await addPage('live', { html: '<p>{{ route.query.a }}{{ route.query.token }}|{{ preview }}</p>', assets });
  await addPage('draft', { published: false, html: 'draft' });
  await addPage('menu', { html: '{% for entry in nav() %}{{ entry.slug }} {% endfor %}' });
  await addPage('missing', { html: '{{ not_found() }}' });
  await addPage('wrong', { html: '<p>\n{{ 1|nope }}' });
  await addPage('umlaut', {
    title: 'Größe \u2013 ein sehr langer Titel mit vielen Zeichen äöü',
    html: '<p>äöü €</p>',
  });
});
afterAll(() => server.stop());

describe('GET /pages/{id}/render', () => {
  it('answers with the page that a visitor gets', async () => {
    const answer = await get('live', 'render?a=1%262');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const live = await visit(server, '/live?a=1%262', { host: 'one.test' });
    expect(await answer.text()).toBe(live.text);
    expect(live.text).toContain('<p>1&amp;2|False</p>');
    expect(live.text).toContain('<link rel="stylesheet" href="/_assets/');
  });

  it('renders a draft, and leaves drafts out of navigation', async () => {
    expect(await (await get('draft', 'render')).text()).toContain('draft');
    expect(await (await get('menu', 'render')).text()).not.toContain('draft ');
  });

  it("hides the caller's token from the template", async () => {
    const reader = await addToken(server, 'reader', false);
    const answer = await fetch(`${server.url}/api/v1/pages/${ids.get('live')}/render?a=1&token=${reader}`);
    expect(await answer.text()).toContain('<p>1|False</p>');
  });

  it('runs scripts in a sandbox and may not be stored', async () => {
    const { headers } = await get('live', 'render');
    expect(headers.get('content-security-policy')).toMatch(/^sandbox (?!.*allow-same-origin)/);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-ic-build')).toBeTruthy();
  });

  it('answers with the 404 page and its status when the page calls not_found()', async () => {
    const standard = await get('missing', 'render');
    expect([standard.status, await standard.text()]).toEqual([
      404,
      expect.stringContaining('Page not found'),
    ]);
    await addPage('404', { html: 'own 404' });
    const own = await get('missing', 'render');
    expect([own.status, await own.text()]).toEqual([404, expect.stringContaining('own 404')]);
  });

  it('names the place of a template error', async () => {
    const answer = await call(server, 'GET', `/pages/${ids.get('wrong')}/render`);
    expect(answer.status).toBe(422);
    expect(answer.body).toEqual({ error: expect.stringMatching(/^\/wrong:2:\d+: .*nope/) });
  });
});

describe('GET /pages/{id}/mhtml', () => {
  /** The archive of a page: header lines and decoded content of its only part, the whole text, the content type. */
  async function archived(slug: string): Promise<{ head: string; html: string; text: string; type: string }> {
    const answer = await get(slug, 'mhtml');
    const text = await answer.text();
    const type = answer.headers.get('content-type') ?? '';
    const boundary = /boundary="([^"]+)"/.exec(type)?.[1] ?? '';
    const part = text.split(`\r\n--${boundary}`)[1] ?? '';
    const [head = '', content = ''] = part.split('\r\n\r\n');
    return { head, html: Buffer.from(content, 'base64').toString(), text, type };
  }

  it('answers with a multipart file named after the slug', async () => {
    const answer = await get('live', 'mhtml');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toMatch(
      /^multipart\/related; type="text\/html"; boundary="[^"]+"$/,
    );
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="live.mhtml"');
    const homePage = await get('home', 'mhtml');
    expect(homePage.headers.get('content-disposition')).toBe('attachment; filename="index.mhtml"');
  });

  it('contains the page with its CSS inlined', async () => {
    const { head, html } = await archived('live');
    expect(head).toContain('Content-Location: http://one.test/live');
    expect(head).toContain('Content-Type: text/html; charset=utf-8');
    expect(html).toContain('<style>\n.a { }\n</style>');
    expect(html).not.toContain('/_assets/');
  });

  it('is a complete MIME message in short lines of ASCII', async () => {
    const { text, html, type } = await archived('umlaut');
    expect(html).toContain('<p>äöü €</p>');
    const head = text.slice(0, text.indexOf('\r\n\r\n'));
    expect(head).toContain('MIME-Version: 1.0');
    expect(head).toContain(`Content-Type: ${type}`);
    const words = [...head.matchAll(/=\?utf-8\?B\?([^?]*)\?=/g)].map(([, word = '']) => word);
    expect(words.map((word) => Buffer.from(word, 'base64').toString()).join('')).toContain('Größe – ein');
    for (const line of text.split('\r\n')) expect(line.length).toBeLessThanOrEqual(110);
    expect(text).not.toMatch(/[^\r]\n/);
    expect(text).toMatch(/^\p{ASCII}*$/u);
  });

  it('archives drafts, and answers an error for a page that cannot be rendered', async () => {
    expect((await archived('draft')).html).toContain('draft');
    expect((await call(server, 'GET', `/pages/${ids.get('missing')}/mhtml`)).status).toBe(404);
    const wrong = await call(server, 'GET', `/pages/${ids.get('wrong')}/mhtml`);
    expect([wrong.status, wrong.body]).toEqual([422, { error: expect.stringContaining('/wrong:2:') }]);
  });
});

describe('unknown pages', () => {
  runScenarios(
    () => server,
    [
      { name: 'render', method: 'GET', path: '/pages/9999/render', ...notFound },
      { name: 'mhtml', method: 'GET', path: '/pages/9999/mhtml', ...notFound },
    ],
  );
});
