import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, callList, callOk, outcomeOf } from '../support/api.ts';
import {
  createAsset,
  createPage,
  createSite,
  createSnippet,
  freshName,
  freshSlug,
  idOf,
} from '../support/content.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { type Visited, visit } from './public-client.ts';

/** The contract, "Change sets": preview links. */

let server: TestServer;
let site: number;
let plain: number;
const host = `${freshSlug()}.example`;

beforeAll(async () => {
  server = await startServer();
  site = await createSite(server, { domains: host });
  plain = await createSite(server, { title: 'Without a domain' });
});
afterAll(() => server.stop());

const release = async () => idOf(await callOk(server, 'POST', '/change-sets', { name: freshName('r') }));
const put = (set: number, of: string, body: object) =>
  callOk(server, 'PUT', `/change-sets/${set}/items/${of}`, body);
const link = (set: number, body: object = {}) =>
  callOk(server, 'POST', `/change-sets/${set}/preview-links`, body);
const tokenIn = (url: unknown) => new URL(String(url)).searchParams.get('ic_preview') ?? '';
const withToken = (path: string, url: unknown, of = host) =>
  visit(server, `${path}?ic_preview=${tokenIn(url)}`, { host: of });
const withCookie = (path: string, cookie: string, of = host) =>
  visit(server, path, { host: of, headers: { Cookie: cookie } });
const cookieOf = (visited: Visited) => (visited.header('set-cookie') ?? '').split(';')[0] ?? '';

/** Two pages that use a snippet, and a change set that changes the snippet and one of them. */
async function prepare() {
  const name = freshName('part');
  const snippet = await createSnippet(server, { name, content: 'live-part' });
  const html = `<html><body>{{ page.title }} {% include "${name}" %}</body></html>`;
  const [one, two] = [freshSlug(), freshSlug()];
  const first = await createPage(server, site, { slug: one, title: 'live-one', html, published: true });
  await createPage(server, site, { slug: two, title: 'live-two', html, published: true });
  const set = await release();
  await put(set, `page/${first}`, { title: 'prepared-one' });
  await put(set, `snippet/${snippet}`, { content: 'prepared-part' });
  return { set, one: `/${one}`, two: `/${two}`, first };
}

describe('a preview link of a change set', () => {
  it('has the form of those of pages, and the address of the website', async () => {
    const { set } = await prepare();
    const made = await call(server, 'POST', `/change-sets/${set}/preview-links`, {
      body: { ttl: 60, note: 'for you' },
    });
    expect(made.status).toBe(201);
    const [id, time] = [expect.any(Number), expect.any(Number)];
    const common = { id, note: 'for you', site_id: site, created_at: time, expires_at: time };
    const url = `http://${host}/?ic_preview=`;
    expect(made.body).toEqual({ ...common, url: expect.stringContaining(url) });
    expect(await callList(server, `/change-sets/${set}/preview-links`)).toEqual([
      { ...common, url: `http://${host}/` },
    ]);
  });

  it('shows the whole website with the change set, link by link', async () => {
    const { set, one, two } = await prepare();
    const { url } = await link(set);
    const opened = await withToken(one, url);
    expect({ status: opened.status, text: opened.text }).toMatchObject({ status: 200 });
    expect(opened.text).toContain('prepared-one prepared-part');
    const cookie = cookieOf(opened);
    expect((await withCookie(two, cookie)).text).toContain('live-two prepared-part');
    expect((await withCookie(one, cookie)).text).toContain('prepared-one prepared-part');
    expect((await withToken('/', url)).status).toBe(200);
  });

  it('is never cached, not for search engines, and visitors see nothing of it', async () => {
    const { set, one } = await prepare();
    const before = await visit(server, one, { host });
    const { url } = await link(set);
    for (let round = 0; round < 2; round++) {
      const opened = await withToken(one, url);
      expect(opened.header('cache-control')).toBe('private, no-store');
      expect(opened.header('x-robots-tag')).toContain('noindex');
      expect(opened.header('x-cache')).toBe('BYPASS');
      const cookie = await withCookie(one, cookieOf(opened));
      expect(cookie.header('cache-control')).toBe('private, no-store');
    }
    expect((await visit(server, one, { host })).text).toBe(before.text);
  });

  it('shows the published state: drafts stay hidden', async () => {
    const { set } = await prepare();
    const slug = freshSlug();
    await createPage(server, site, { slug, title: 'draft', html: 'draft' });
    const { url } = await link(set);
    expect((await withToken(`/${slug}`, url)).status).toBe(404);
  });

  it('shows pages that the change set creates and CSS that it changes', async () => {
    const set = await release();
    const slug = freshSlug();
    const data = { parent_id: site, title: 'New', slug, html: '<p>created</p>', published: true };
    await callOk(server, 'POST', `/change-sets/${set}/items`, { op: 'create', kind: 'page', data });
    const asset = await createAsset(server, { kind: 'css', content: 'a{color:#654321}' });
    await put(set, `asset/${asset}`, { content: 'a{color:#123456}' });
    const { url } = await link(set);
    const opened = await withToken(`/${slug}`, url);
    expect(opened.text).toContain('created');
    const cookie = cookieOf(opened);
    const css = `/_assets/css/${asset}.css`;
    expect((await withCookie(css, cookie)).text).toContain('#123456');
    expect((await visit(server, css, { host })).text).toContain('#654321');
    expect((await visit(server, `/${slug}`, { host })).status).toBe(404);
  });

  it('has a bar that leads out of it', async () => {
    const { set, one } = await prepare();
    const { url } = await link(set);
    const opened = await withToken(one, url);
    const [, leave = ''] = /data-ic-preview-bar[\s\S]*?href="([^"]+)"/.exec(opened.text) ?? [];
    const left = await withCookie(`${one}${leave}`, cookieOf(opened));
    expect({ status: left.status, location: left.header('location') }).toEqual({
      status: 303,
      location: one,
    });
    expect(left.header('set-cookie')).toMatch(/^ic_preview=;.*Max-Age=0/);
    const after = await visit(server, one, { host });
    expect(after.text).toContain('live-one live-part');
    expect(after.text).not.toContain('data-ic-preview-bar');
  });

  it('of a website without a domain uses the host of the request', async () => {
    const set = await release();
    const slug = freshSlug();
    const id = await createPage(server, plain, {
      slug,
      title: 'live',
      html: '{{ page.title }}',
      published: true,
    });
    await put(set, `page/${id}`, { title: 'prepared' });
    const { url, site_id: shown } = await link(set);
    expect({ host: new URL(String(url)).host, shown }).toEqual({
      host: `127.0.0.1:${server.port}`,
      shown: plain,
    });
    // Also where another website has the host.
    const opened = await withToken(`/${slug}`, url, host);
    expect(opened.text).toContain('prepared');
  });

  it('takes the website that the request names', async () => {
    const { set } = await prepare();
    expect(await link(set, { site_id: plain })).toMatchObject({ site_id: plain });
    const { first } = await prepare();
    for (const id of [999_999, first]) {
      const answer = await call(server, 'POST', `/change-sets/${set}/preview-links`, {
        body: { site_id: id },
      });
      expect(outcomeOf(answer)).toEqual({ status: 404, code: 'common.notFound' });
    }
  });

  it('can be revoked', async () => {
    const { set, one } = await prepare();
    const { id, url } = await link(set);
    expect((await call(server, 'DELETE', `/preview-links/${id}`)).status).toBe(204);
    expect((await withToken(one, url)).text).toContain('live-one live-part');
    expect(await callList(server, `/change-sets/${set}/preview-links`)).toEqual([]);
  });

  it.each(['discarded', 'published'])('ends when the change set is %s', async (state) => {
    const { set, one } = await prepare();
    const { url } = await link(set);
    const cookie = cookieOf(await withToken(one, url));
    if (state === 'discarded') await call(server, 'DELETE', `/change-sets/${set}`);
    else await callOk(server, 'POST', `/change-sets/${set}/publish`, {});
    const shown = await withCookie(one, cookie);
    expect(shown.text).not.toContain('data-ic-preview-bar');
    expect(shown.text).toContain(state === 'discarded' ? 'live-one live-part' : 'prepared-one prepared-part');
    const refused = await call(server, 'POST', `/change-sets/${set}/preview-links`, { body: {} });
    expect(outcomeOf(refused)).toEqual({ status: 409, code: 'changeset.closed' });
    expect(await callList(server, `/change-sets/${set}/preview-links`)).toEqual([]);
  });

  it('shows what was changed in the set or live since the last look', async () => {
    const { set, one, first } = await prepare();
    const { url } = await link(set);
    await withToken(one, url);
    await put(set, `page/${first}`, { title: 'prepared-again' });
    expect((await withToken(one, url)).text).toContain('prepared-again');
    await callOk(server, 'PUT', `/pages/${first}`, { html: 'new html {{ page.title }}' });
    expect((await withToken(one, url)).text).toContain('new html prepared-again');
  });

  it('is not listed among those of pages', async () => {
    const { set } = await prepare();
    await link(set);
    expect(await callList(server, `/pages/${site}/preview-links`)).toEqual([]);
  });
});
