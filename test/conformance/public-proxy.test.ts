import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asRecord, call } from '../support/api.ts';
import { createSite } from '../support/content.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { visit } from './public-client.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startServer();
  await createSite(server, { domains: 'one.test' });
  await createSite(server, { domains: 'two.test' });
});
afterAll(() => server.stop());

/** Core, "Public non-API routes": domain and scheme come from the request or from the headers of a local proxy. */
describe('behind a local proxy', () => {
  const visitOf = (path: string, headers: Record<string, string>) =>
    visit(server, path, { host: 'inside:8080', headers });

  it.each([
    [{ 'X-Forwarded-Host': 'two.test', 'X-Forwarded-Proto': 'https' }, 'https://two.test/'],
    [{ 'X-Forwarded-Host': 'two.test' }, 'http://two.test/'],
    [{ 'X-Forwarded-Proto': 'https' }, 'https://one.test/'],
    [{ 'X-Forwarded-Host': 'unknown.test', 'X-Forwarded-Proto': 'https' }, 'https://one.test/'],
    [{}, 'http://one.test/'],
  ])('%j shows the website at %s', async (headers, url) => {
    const sitemap = await visitOf('/sitemap.xml', headers);
    expect(sitemap.text).toContain(`<loc>${url}</loc>`);
    const robots = await visitOf('/robots.txt', headers);
    expect(robots.text).toContain(`Sitemap: ${url}sitemap.xml`);
    for (const round of ['MISS or HIT', 'HIT']) {
      const page = await visitOf('/', headers);
      expect(round).toContain(page.header('x-cache'));
      expect(page.text).toContain(`<meta property="og:url" content="${url}">`);
    }
  });

  it('preview links have the host and the scheme that the caller used', async () => {
    const home = await createSite(server, { domains: 'three.test' });
    const link = await call(server, 'POST', `/pages/${home}/preview-links`, {
      body: {},
      headers: { 'X-Forwarded-Host': 'three.test', 'X-Forwarded-Proto': 'https' },
    });
    expect(asRecord(link.body)['url']).toMatch(/^https:\/\/three\.test\/\?ic_preview=/);
  });
});
