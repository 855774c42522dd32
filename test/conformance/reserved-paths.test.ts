import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callOk } from '../support/api.ts';
import { createPage, createSite } from '../support/content.ts';
import { requestHead, sendRaw } from '../support/raw.ts';
import { startServer, type TestServer } from '../support/server.ts';

/** Paths that the service keeps for itself, on a website whose home page answers every other path. */

/** `admin` is the status of the admin's address. */
const modes: [string, readonly string[], number][] = [
  ['with an admin', [], 302],
  ['headless', ['-headless'], 404],
];

describe.each(modes)('%s', (_name, args, admin) => {
  let server: TestServer;

  beforeAll(async () => {
    server = await startServer({ args });
    const site = await createSite(server);
    await callOk(server, 'PUT', `/pages/${site}`, { catch_all: true, html: 'page {{ route.slug }}' });
    const page = await createPage(server, site, { slug: 'a', published: true, html: 'page a' });
    await createPage(server, page, { slug: 'cms-admin', published: true, html: 'page below a' });
  });
  afterAll(() => server.stop());

  /** Sends the path as it is; a browser or `fetch` would normalise it. */
  async function get(path: string): Promise<{ status: number; isPage: boolean }> {
    const head = requestHead(`GET ${path} HTTP/1.1`, 'Host: site.example', 'Connection: close');
    const answer = await sendRaw(server.port, head);
    return { status: Number(answer.split(' ')[1]), isPage: /\r\n\r\n[\s\S]*\bpage\b/.test(answer) };
  }

  it.each(['/', '/x', '/a', '/a/cms-admin', '/cms-administrator', '/apis/v1', '/sitemap-x.xml', '/x/api'])(
    '%s is a page',
    async (path) => {
      expect(await get(path)).toEqual({ status: 200, isPage: true });
    },
  );

  it.each([
    '/cms-admin/../x',
    '/cms-admin/assets/x.js',
    '/CMS-Admin/',
    '/%63ms-admin',
    '/cms%2Dadmin/x',
    '//cms-admin',
    '/cms-admin%2Fpen',
    '/api',
    '/api/',
    '/api/v2/pages',
    '/api/v1/nothing',
    '/API/v1/pages',
    '/%61pi/v1/pages',
    '/media',
    '/media/x.png',
    '/_assets',
    '/_assets/css/1.css',
    '/_assets/x',
    '/sitemap.xml/x',
    '/Sitemap.xml',
    '/sitemap-9.xml',
    '/robots.txt/x',
    '/ROBOTS.TXT',
    '/favicon.ico',
    '/favicon.ico/x',
    '/healthz/x',
    '/HEALTHZ',
    '/metrics/x',
  ])('%s is no page', async (path) => {
    expect(await get(path)).toEqual({ status: 404, isPage: false });
  });

  it.each(['/cms-admin', '/cms-admin?preview=1'])(
    '%s is no page, but may lead to the admin',
    async (path) => {
      expect(await get(path)).toEqual({ status: admin, isPage: false });
    },
  );

  it.each(['/healthz', '/robots.txt', '/sitemap.xml'])('%s is answered by the service', async (path) => {
    expect(await get(path)).toEqual({ status: 200, isPage: false });
  });
});
