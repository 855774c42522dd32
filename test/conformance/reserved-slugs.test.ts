import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, callList, callOk } from '../support/api.ts';
import { createPage, createSite } from '../support/content.ts';
import { check, type Scenario } from '../support/scenarios.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { bodyOf, visit } from './public-client.ts';

/** Core, "Page", reserved slugs, and the addresses that the service answers besides on every website. */
const reserved = [
  'cms-admin',
  'api',
  'media',
  '_assets',
  'sitemap.xml',
  'sitemap-1.xml',
  'sitemap-27.xml',
  'healthz',
  'metrics',
  'robots.txt',
  'favicon.ico',
];
/** A slug that begins with `_` is valid nowhere. */
const validBelow = reserved.filter((slug) => !slug.startsWith('_'));
/** Slugs that only look like reserved ones. */
const free = ['cms-admin2', 'apis', 'media.', 'sitemap', 'sitemap-.xml', 'sitemap-x.xml', 'robots', 'health'];

let server: TestServer;
let home: number;
let otherHome: number;
let section: number;

beforeAll(async () => {
  server = await startServer();
  home = await createSite(server, { domains: 'site.example' });
  await callOk(server, 'PUT', `/pages/${home}`, { catch_all: true, html: 'home' });
  otherHome = await createSite(server);
  section = await createPage(server, home, { slug: 'section', published: true });
});
afterAll(() => server.stop());

const refused = (slug: string): Pick<Scenario, 'name' | 'status' | 'code' | 'params'> => ({
  name: slug,
  status: 400,
  code: 'page.slugReserved',
  params: { slug },
});
const pages = () => callList(server, '/pages');

describe('directly below the home page', () => {
  it.each(reserved)('no page is created at %s', async (slug) => {
    const before = await pages();
    const body = { parent_id: home, title: 'T', slug };
    await check(server, { ...refused(slug), method: 'POST', path: '/pages', body });
    expect(await pages()).toEqual(before);
  });

  it.each(reserved)('no page is renamed to %s', async (slug) => {
    const before = await pages();
    const body = { slug, title: 'renamed' };
    await check(server, { ...refused(slug), method: 'PUT', path: `/pages/${section}`, body });
    expect(await pages()).toEqual(before);
  });

  it.each(validBelow)('no page is moved to %s, neither on its own website nor on another', async (slug) => {
    const page = await createPage(server, section, { slug });
    const before = await pages();
    const path = `/pages/${page}/move`;
    for (const parent_id of [home, otherHome])
      await check(server, { ...refused(slug), method: 'POST', path, body: { parent_id } });
    expect(await pages()).toEqual(before);
  });

  it.each(free)('a page may be called %s', async (slug) => {
    const page = await createPage(server, home, { slug });
    expect(await callOk(server, 'GET', `/pages/${page}`)).toMatchObject({ path: `/${slug}` });
    expect((await call(server, 'DELETE', `/pages/${page}`)).status).toBe(204);
  });

  it.each(reserved)('/%s never shows the catch-all home page', async (slug) => {
    const bodyAt = async (path: string) => bodyOf(await visit(server, path, { host: 'site.example' }));
    expect(await bodyAt('/anything')).toBe('home');
    for (const path of [`/${slug}`, `/${slug}/`, `/${slug}/x`])
      expect([path, await bodyAt(path)]).not.toEqual([path, 'home']);
  });
});

describe('on lower levels', () => {
  it.each(validBelow)('%s is a slug like any other', async (slug) => {
    const parent = await createPage(server, section, { published: true });
    const page = await createPage(server, parent, { slug, html: 'shown', published: true });
    const { path } = await callOk(server, 'GET', `/pages/${page}`);
    expect(bodyOf(await visit(server, String(path), { host: 'site.example' }))).toBe('shown');
  });
});
