/** A website that is public cannot lead an import to hosts that only this server reaches. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { asRecord, callOk } from '../../support/api.ts';
import { type InProcessServer, startInProcess } from '../../support/in-process.ts';
import { logOf, Origin, runJob } from '../../support/origin.ts';
import { publicAddress } from '../outgoing/fake-internet.ts';

const names = new Map([
  ['public.example', [publicAddress]],
  ['inner.example', ['10.0.0.7']],
  ['local.example', ['127.0.0.1']],
  ['both.example', [publicAddress, '127.0.0.1']],
]);

let server: InProcessServer;
let inner: Origin;
let origin: Origin;
/** An address of the public website. */
const at = (path: string) => origin.url(path).replace('127.0.0.1', 'public.example');

beforeAll(async () => {
  server = await startInProcess({
    outgoing: {
      async resolve(host) {
        const addresses = names.get(host);
        if (addresses === undefined) throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
        return addresses;
      },
      route: (address) => (address === publicAddress ? '127.0.0.1' : address),
    },
  });
  inner = await new Origin({ '/': 'secret', '/a.png': 'secret', '/s.xml': 'secret' }).listen();
  origin = await new Origin().listen();
  const port = new URL(inner.url()).port;
  const hosts = [
    '127.0.0.1',
    'inner.example',
    'local.example',
    'both.example',
    '[::ffff:7f00:1]',
    '2130706433',
  ];
  const images = hosts.map((host) => `<img src="http://${host}:${port}/a.png">`).join('');
  const redirect = (to: string) => ({ status: 302, headers: { Location: to } });
  origin.pages.set('/', `<link rel=stylesheet href=/a.css>${images}<a href=/fine>f</a><a href=/leads>l</a>`);
  origin.pages.set('/fine', '<p>fine');
  origin.pages.set('/leads', redirect(inner.url('/')));
  origin.pages.set('/twice', redirect('/leads'));
  origin.pages.set('/leads.png', redirect(inner.url('/a.png')));
  origin.pages.set('/a.css', `@import "${inner.url('/i.css')}"; a{b:url(/leads.png)}`);
  origin.pages.set('/robots.txt', `Sitemap: ${inner.url('/s.xml')}\nSitemap: /s.xml`);
  origin.pages.set('/s.xml', redirect(inner.url('/s.xml')));
});
afterAll(async () => {
  await origin.close();
  await inner.close();
  await server.stop();
});

it('an import refuses redirects, files and style sheets of private hosts', async () => {
  const port = new URL(inner.url()).port;
  const job = await runJob(server, '/import/run', {
    base: at('/'),
    urls: ['/', '/fine', '/leads', '/twice'].map(at),
    new_site: { title: 'Public', domains: '' },
    download_hosts: [...names.keys(), '127.0.0.1', '[::ffff:7f00:1]'].map((host) => `${host}:${port}`),
  });
  expect(job).toMatchObject({ status: 'done', result: { created: 1, updated: 1, failed: 2, files: 0 } });
  const { html } = await callOk(server, 'GET', `/pages/${asRecord(job['result'])['target_page_id']}`);
  expect(html).toContain(`<img src="${inner.url('/a.png')}">`);
  expect(logOf(job).sort()).toEqual([
    ...Array(5).fill('import.fileNotImported /a.png'),
    'import.fileNotImported /i.css',
    'import.fileNotImported /leads.png',
    'import.pageNotLoaded /leads',
    'import.pageNotLoaded /twice',
    'import.pageQuirks /',
    'import.pageQuirks /fine',
  ]);
  expect(inner.takeRequests()).toEqual([]);
});

it('so does a scan, with sitemaps too', async () => {
  const job = await runJob(server, '/import/scan', { url: at('/'), crawl: true });
  expect(logOf(job).sort()).toEqual([
    'import.pageNotLoaded /leads',
    'import.sitemapBroken /s.xml',
    'import.sitemapBroken /s.xml',
  ]);
  expect(inner.takeRequests()).toEqual([]);
});

it('a start page that leads to a private host ends the scan', async () => {
  const job = await runJob(server, '/import/scan', { url: at('/leads') });
  expect(job).toMatchObject({ status: 'failed', error_code: 'import.startFailed' });
  expect(inner.takeRequests()).toEqual([]);
});
