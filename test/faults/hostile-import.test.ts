/** Websites that try to fill the memory of a server that scans and imports them. */
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { asRecord } from '../support/api.ts';
import { logOf, Origin, type OriginAnswer, runJob } from '../support/origin.ts';
import { startServer, type TestServer } from '../support/server.ts';

/** Most memory of the server itself, in MB. */
const maxMb = 300;
const megabyte = Buffer.alloc(2 ** 20, 'x');

/** A body without end. */
const endless =
  (type: string): OriginAnswer =>
  (_request, response) =>
    void pour(response.writeHead(200, { 'Content-Type': type }));

function pour(response: ServerResponse): void {
  if (response.destroyed) return;
  if (response.write(megabyte)) setImmediate(pour, response);
  else response.once('drain', () => pour(response));
}

const long = 'a'.repeat(900);
/** 5,000 addresses of nearly 1,000 characters, which no other page has. */
const many = (path: string, element: (address: string) => string) =>
  Array.from({ length: 5000 }, (_, index) =>
    element(`https://elsewhere.example/${path}/${index}/${long}`),
  ).join('');

let server: TestServer;
let origin: Origin;

const hostile: Readonly<Record<string, OriginAnswer>> = {
  '/endless': endless('text/html'),
  '/deep': '<div>'.repeat(500_000),
  '/bomb': { headers: { 'Content-Encoding': 'gzip' }, body: gzipSync(Buffer.alloc(64 * 2 ** 20)) },
  '/title': `<title>${'t'.repeat(4 * 2 ** 20)}</title>`,
  '/styles': '<link rel=stylesheet href=/s.css>'.repeat(50_000),
  '/links': ({ path }) => many(path, (address) => `<a href="${address}">`),
  '/images': ({ path }) => many(path, (address) => `<img src="${address}">`),
  '/attributes': `<p ${Array.from({ length: 200_000 }, (_, index) => `a${index}`).join(' ')}>`,
};

beforeAll(async () => {
  server = await startServer();
  origin = await new Origin(hostile).listen();
  const paths = Object.keys(hostile);
  origin.pages.set('/', paths.map((path) => `<a href="${path}">x</a>`).join(''));
  origin.pages.set('/s.css', ({ path }) => many(path, (address) => `a{b:url(${address})}`));
  origin.pages.set('/robots.txt', endless('text/plain'));
  origin.pages.set(
    '/sitemap.xml',
    `<sitemapindex><sitemap><loc>${origin.url('/loop.xml')}</loc></sitemap></sitemapindex>`,
  );
  origin.pages.set(
    '/loop.xml',
    `<sitemapindex>${`<sitemap><loc>${origin.url('/sitemap.xml')}</loc></sitemap>`.repeat(10_000)}</sitemapindex>`,
  );
});
afterAll(async () => {
  await origin.close();
  await server.stop();
});

it('a scan ends with what it can read, in bounded memory', async () => {
  const job = await runJob(server, '/import/scan', { url: origin.url(), crawl: true });
  expect(job).toMatchObject({
    status: 'done',
    result: { sitemaps: [origin.url('/sitemap.xml'), origin.url('/loop.xml')] },
  });
  expect(logOf(job)).toEqual(
    expect.arrayContaining([
      'import.robotsBroken /robots.txt',
      'import.pageNotLoaded /endless',
      'import.pageNotLoaded /bomb',
      'import.pageNotRead /deep',
    ]),
  );
  expect(server.peakMb() ?? 0).toBeLessThan(maxMb);
  expect(JSON.stringify(job).length).toBeLessThan(2 ** 20);
});

it('so does an import', async () => {
  const job = await runJob(server, '/import/run', {
    base: origin.url(),
    urls: ['/', ...Object.keys(hostile)].map((path) => origin.url(path)),
    new_site: { title: 'Hostile', domains: '' },
  });
  expect(job).toMatchObject({ status: 'done' });
  const { failed, created } = asRecord(job['result']);
  expect(Number(failed) + Number(created)).toBe(Object.keys(hostile).length);
  expect(server.peakMb() ?? 0).toBeLessThan(maxMb);
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
});
