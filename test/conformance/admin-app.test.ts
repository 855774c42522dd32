import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asRecord, callOk } from '../support/api.ts';
import { startServer, type TestServer } from '../support/server.ts';

/** The bundled admin below `/cms-admin/`: its files, their headers, and where it is not. */

const manifest = asRecord(
  JSON.parse(readFileSync(new URL('../../admin/generated/app/manifest.json', import.meta.url), 'utf8')),
);
const script =
  Object.keys(asRecord(manifest['files'])).find((name) => /^assets\/react-.*\.js$/.test(name)) ?? '';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

function get(path: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${server.url}/cms-admin${path}`, { headers, redirect: 'manual' });
}

/** The directives of a policy by name. */
function policyOf(response: Response): ReadonlyMap<string, string> {
  const directives = (response.headers.get('Content-Security-Policy') ?? '').split('; ');
  return new Map(
    directives.map((directive) => [
      directive.split(' ', 1)[0] ?? '',
      directive.split(' ').slice(1).join(' '),
    ]),
  );
}

it.each(['/', '/s/1/pages', '/s/1/pages/7/content', '/pen/1', '/?x=1'])(
  '%s gets the document',
  async (path) => {
    const response = await get(path);
    expect(response.status).toBe(200);
    expect(response.headers.get('Content-Type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('Cache-Control')).toBe('no-cache');
    expect(response.headers.get('X-Content-Type-Options')).toBe('nosniff');
    expect(await response.text()).toContain('<div id="root">');
  },
);

it('the address without a slash leads to the document', async () => {
  const response = await get('');
  expect([response.status, response.headers.get('Location')]).toEqual([302, '/cms-admin/']);
});

it('the document runs no script but the files of the admin, and is in no frame', async () => {
  const response = await get('/');
  const policy = policyOf(response);
  expect(policy.get('default-src')).toBe("'none'");
  const scripts = `${server.url}/cms-admin/assets/`;
  expect([policy.get('script-src'), policy.get('worker-src')]).toEqual([scripts, scripts]);
  expect(policy.get('connect-src')).toBe("'self'");
  expect(policy.get('base-uri')).toBe("'none'");
  expect(policy.get('frame-ancestors')).toBe("'none'");
  expect(response.headers.get('X-Frame-Options')).toBe('DENY');
  expect(await response.text()).not.toMatch(/<script(?![^>]* src=)|\son\w+=/);
});

it('the frame of previews has an origin of its own and runs no script but the files of the admin', async () => {
  const policy = policyOf(await get('/frame'));
  expect(policy.get('sandbox')).toBe('allow-scripts');
  expect(policy.get('default-src')).toBe("'none'");
  expect(policy.get('script-src')).toBe(`${server.url}/cms-admin/assets/`);
  expect(policy.get('frame-ancestors')).toBe("'self'");
});

it('the frame of pens has an origin of its own, and only the admin may show it', async () => {
  const response = await get('/pen-frame');
  expect(response.headers.get('Content-Type')).toBe('text/html; charset=utf-8');
  const policy = policyOf(response);
  expect(policy.get('sandbox')?.split(' ')).not.toContain('allow-same-origin');
  expect(policy.get('sandbox')?.split(' ')).toContain('allow-scripts');
  expect(policy.get('frame-ancestors')).toBe("'self'");
  expect(response.headers.get('Referrer-Policy')).toBe('no-referrer');
});

it('files have their hash in the name and are kept by browsers', async () => {
  const response = await get(`/${script}`);
  expect(response.status).toBe(200);
  expect(response.headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable');
  expect(response.headers.get('Content-Type')).toBe('text/javascript; charset=utf-8');
  expect(response.headers.get('Vary')).toBe('Accept-Encoding');
});

it.each([
  ['br, gzip', 'br'],
  ['gzip', 'gzip'],
  ['gzip;q=1, br;q=0', 'gzip'],
  ['*', 'br'],
  ['identity', null],
])('a browser that takes %s gets %s', async (accept, encoding) => {
  const response = await get(`/${script}`, { 'Accept-Encoding': accept });
  expect(response.headers.get('Content-Encoding')).toBe(encoding);
  // Decoded by fetch: the same text in every encoding.
  expect((await response.text()).length).toBeGreaterThan(50_000);
});

it('a file that the browser has is not sent again', async () => {
  const { headers } = await get('/');
  const again = await get('/', { 'If-None-Match': headers.get('ETag') ?? '' });
  expect([again.status, await again.text()]).toEqual([304, '']);
});

it.each([
  '/assets/x.js',
  '/assets/',
  '/manifest.json',
  '/index.html',
  '/frame.html',
  '/pen-frame.html',
  '/index.html.br',
  '/%2e%2e/manifest.json',
  '/assets/%2e%2e/manifest.json',
  '/s/%00',
  '/__proto__.js',
])('%s is nothing', async (path) => {
  expect((await get(path)).status).toBe(404);
});

it('X-IC-Build and /healthz tell the build of the admin', async () => {
  const health = asRecord(await (await fetch(`${server.url}/healthz`)).json());
  expect(health['build']).toBe(manifest['build']);
  const { headers } = await fetch(`${server.url}/api/v1/auth/status`);
  expect(headers.get('X-IC-Build')).toBe(manifest['build']);
});

describe('where it is not', () => {
  it('switched off', async () => {
    await callOk(server, 'PUT', '/system', { headless: true });
    for (const path of ['', '/', `/${script}`, '/frame']) expect((await get(path)).status).toBe(404);
  });

  it('on another host than -admin-host', async () => {
    const other = await startServer({ args: ['-admin-host', 'admin.example'] });
    const status = async (host: string) =>
      (await fetch(`${other.url}/cms-admin/`, { headers: { 'X-Forwarded-Host': host } })).status;
    expect([await status('admin.example'), await status('site.example')]).toEqual([200, 404]);
    await other.stop();
  });
});
