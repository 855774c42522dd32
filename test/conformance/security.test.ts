import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { asRecord, call, callOk, outcomeOf } from '../support/api.ts';
import { createAsset, createPage, createSite } from '../support/content.ts';
import { makeTempDir, startServer, type TestServer } from '../support/server.ts';

/** Data, Automation and Operations, "System, security, mail, storage settings": security settings. */

const defaults = {
  referrer_policy: 'strict-origin-when-cross-origin',
  framing: 'sameorigin',
  frame_domains: [],
  hsts: false,
  hsts_max_age: 31_536_000,
  hsts_subdomains: false,
  hsts_preload: false,
  permissions_policy: false,
  csp: '',
  csp_report_only: false,
  hide_version: false,
};

let server: TestServer;

beforeAll(async () => {
  server = await startServer();
  await createPage(server, await createSite(server), { slug: 'a', published: true });
});
beforeEach(() => put(defaults));
afterAll(() => server.stop());

it('has the defaults of the specification', async () => {
  const { status, body } = await call(server, 'GET', '/security');
  expect(status).toBe(200);
  expect(body).toEqual({
    settings: defaults,
    headers: {
      all: [
        { name: 'X-Content-Type-Options', value: 'nosniff' },
        { name: 'Referrer-Policy', value: 'strict-origin-when-cross-origin' },
      ],
      site: [{ name: 'X-Frame-Options', value: 'SAMEORIGIN' }],
    },
  });
});

it('PUT changes only what it is sent, and answers as GET', async () => {
  const { body } = await put({ framing: 'deny' });
  expect(body).toMatchObject({ settings: { ...defaults, framing: 'deny' } });
  expect((await call(server, 'GET', '/security')).body).toEqual(body);
});

describe('the headers of pages', () => {
  const csp = "default-src 'self'";
  it.each([
    ['framing sameorigin', { framing: 'sameorigin' }, { 'x-frame-options': 'SAMEORIGIN' }],
    ['framing deny', { framing: 'deny' }, { 'x-frame-options': 'DENY' }],
    ['framing any', { framing: 'any' }, { 'x-frame-options': null, 'content-security-policy': null }],
    [
      'framing domains',
      { framing: 'domains', frame_domains: ['https://a.example', 'https://*.b.example:8443'] },
      {
        'x-frame-options': null,
        'content-security-policy': "frame-ancestors 'self' https://a.example https://*.b.example:8443",
      },
    ],
    [
      'an own policy and framing domains',
      { csp, framing: 'domains', frame_domains: ['https://a.example'] },
      { 'content-security-policy': `${csp}; frame-ancestors 'self' https://a.example` },
    ],
    [
      'an own frame-ancestors',
      { csp: `${csp}; frame-ancestors 'none'`, framing: 'domains', frame_domains: ['https://a.example'] },
      { 'content-security-policy': `${csp}; frame-ancestors 'none'`, 'x-frame-options': null },
    ],
    [
      'an own frame-ancestors and framing sameorigin',
      { csp: 'frame-ancestors https://a.example' },
      { 'content-security-policy': 'frame-ancestors https://a.example', 'x-frame-options': null },
    ],
    [
      'a policy that is only reported',
      { csp: `${csp}; frame-ancestors 'none'`, csp_report_only: true },
      {
        'content-security-policy': null,
        'content-security-policy-report-only': `${csp}; frame-ancestors 'none'`,
        'x-frame-options': 'SAMEORIGIN',
      },
    ],
    ['no policy', { csp: '' }, { 'content-security-policy': null }],
    [
      'line breaks in a policy',
      { csp: "default-src 'self';\r\n  img-src *\n" },
      { 'content-security-policy': "default-src 'self'; img-src *" },
    ],
    [
      'blocked features',
      { permissions_policy: true },
      {
        'permissions-policy':
          'camera=(), microphone=(), geolocation=(), payment=(), usb=(), serial=(), bluetooth=(), hid=(), midi=(), browsing-topics=()',
      },
    ],
    ['no referrer policy', { referrer_policy: '' }, { 'referrer-policy': null }],
    ['another referrer policy', { referrer_policy: 'same-origin' }, { 'referrer-policy': 'same-origin' }],
  ])('%s', async (_name, settings, expected) => {
    expect((await put(settings)).status).toBe(200);
    expect(await headersOf('/a', Object.keys(expected))).toEqual(expected);
  });

  it('follow the settings at once, on a cached page too', async () => {
    await headersOf('/a', []);
    expect(await headersOf('/a', ['x-cache', 'x-frame-options'])).toMatchObject({ 'x-cache': 'HIT' });
    await put({ framing: 'deny' });
    expect(await headersOf('/a', ['x-cache', 'x-frame-options'])).toEqual({
      'x-cache': 'HIT',
      'x-frame-options': 'DENY',
    });
  });
});

describe('answers that are no pages', () => {
  it.each(['/api/v1', '/media/x', '/_assets/css/1.css', '/healthz'])(
    '%s has the headers of all answers only',
    async (path) => {
      await put({ csp: "default-src 'none'", permissions_policy: true, referrer_policy: 'origin' });
      const names = ['content-security-policy', 'permissions-policy', 'x-frame-options', 'referrer-policy'];
      expect(await headersOf(path, [...names, 'x-content-type-options'])).toEqual({
        'content-security-policy': null,
        'permissions-policy': null,
        'x-frame-options': null,
        'referrer-policy': 'origin',
        'x-content-type-options': 'nosniff',
      });
    },
  );
});

describe('HSTS', () => {
  it.each([
    [{}, 'max-age=31536000'],
    [{ hsts_max_age: 0 }, 'max-age=0'],
    [{ hsts_subdomains: true }, 'max-age=31536000; includeSubDomains'],
    [{ hsts_subdomains: true, hsts_preload: true }, 'max-age=31536000; includeSubDomains; preload'],
  ])('%j over HTTPS', async (settings, value) => {
    await put({ hsts: true, ...settings });
    for (const path of ['/a', '/api/v1', '/healthz', '/nothing']) {
      expect(await headersOf(path, ['strict-transport-security'], 'https')).toEqual({
        'strict-transport-security': value,
      });
    }
  });

  it('is not sent over HTTP, nor when it is off', async () => {
    await put({ hsts: true });
    expect(await headersOf('/a', ['strict-transport-security'])).toEqual({
      'strict-transport-security': null,
    });
    await put({ hsts: false });
    expect(await headersOf('/a', ['strict-transport-security'], 'https')).toEqual({
      'strict-transport-security': null,
    });
  });
});

describe('hide_version', () => {
  it('leaves status and db in /healthz', async () => {
    await put({ hide_version: true });
    expect(await health()).toEqual({ status: 'ok', db: 'ok' });
    await put({ hide_version: false });
    expect(await health()).toMatchObject({ status: 'ok', db: 'ok', version: expect.any(String) });
  });
});

describe('PUT refuses', () => {
  it.each([
    [{ referrer_policy: 'sometimes' }, 'referrer_policy'],
    [{ referrer_policy: null }, 'referrer_policy'],
    [{ framing: 'none' }, 'framing'],
    [{ framing: 'domains' }, 'frame_domains'],
    [{ frame_domains: 'https://a.example' }, 'frame_domains'],
    [{ frame_domains: ['a;script-src *'] }, 'frame_domains'],
    [{ frame_domains: ["'unsafe-inline'"] }, 'frame_domains'],
    [{ frame_domains: ['javascript:alert(1)'] }, 'frame_domains'],
    [{ frame_domains: ['https://a.example/path'] }, 'frame_domains'],
    [{ frame_domains: ['https://*.*.example'] }, 'frame_domains'],
    [{ frame_domains: [''] }, 'frame_domains'],
    [{ hsts: 'yes' }, 'hsts'],
    [{ hsts_max_age: -1 }, 'hsts_max_age'],
    [{ hsts_max_age: 63_072_001 }, 'hsts_max_age'],
    [{ hsts_max_age: 1.5 }, 'hsts_max_age'],
    [{ hsts_preload: true }, 'hsts_preload'],
    [{ hsts_preload: true, hsts_subdomains: true, hsts_max_age: 31_535_999 }, 'hsts_preload'],
    [{ csp: 'x'.repeat(4001) }, 'csp'],
    [{ csp: 'default-src \0' }, 'csp'],
    [{ csp: 'default-src “self”' }, 'csp'],
    [{ hide_version: 1 }, 'hide_version'],
  ])('%j', async (body, field) => {
    const answer = await put(body);
    expect(outcomeOf(answer)).toEqual({ status: 400, code: 'common.invalid' });
    expect(asRecord(answer.body)['params']).toMatchObject({ field });
    expect((await call(server, 'GET', '/security')).body).toMatchObject({ settings: defaults });
  });

  it('takes a policy of 4000 characters', async () => {
    const csp = `default-src https://${'x'.repeat(3980)}`;
    expect(csp).toHaveLength(4000);
    expect((await put({ csp })).body).toMatchObject({ settings: { csp } });
  });

  it('judges preloading after merging', async () => {
    await put({ hsts_subdomains: true, hsts_preload: true });
    expect(outcomeOf(await put({ hsts_subdomains: false }))).toEqual({ status: 400, code: 'common.invalid' });
  });
});

it('the settings outlive a restart', async () => {
  const dataDir = makeTempDir();
  const first = await startServer({ dataDir });
  await call(first, 'PUT', '/security', { body: { framing: 'deny' } });
  await first.stop();
  const second = await startServer({ dataDir });
  expect((await call(second, 'GET', '/security')).body).toMatchObject({ settings: { framing: 'deny' } });
  expect((await fetch(second.url)).headers.get('x-frame-options')).toBe('DENY');
  await second.stop();
  rmSync(dataDir, { recursive: true });
});

function put(body: object) {
  return call(server, 'PUT', '/security', { body });
}

async function health(): Promise<unknown> {
  return (await fetch(`${server.url}/healthz`)).json();
}

/** The values of headers; null for those that are not there. The address is local, so the scheme counts. */
async function headersOf(
  path: string,
  names: readonly string[],
  scheme: 'http' | 'https' = 'http',
): Promise<Record<string, string | null>> {
  const { headers } = await fetch(`${server.url}${path}`, { headers: { 'X-Forwarded-Proto': scheme } });
  return Object.fromEntries(names.map((name) => [name, headers.get(name)]));
}

describe('GET /security/sources', () => {
  const sourcesOf = async () => asRecord((await call(server, 'GET', '/security/sources')).body);

  it('tells what published pages load, and the strictest policy under which they work', async () => {
    const home = await createSite(server, { domains: 'sources.test' });
    const style =
      '@font-face{font-family:a;src:url(https://fonts.test/a.woff2)} b{background:url(/media/b.png)}';
    const asset = await createAsset(server, { kind: 'css', content: style });
    const html =
      '<img src="https://cdn.test/a.png"><script>one()</script><iframe src="https://maps.test/x"></iframe>';
    await callOk(server, 'PUT', `/pages/${home}`, { html, published: true, assets: [{ asset_id: asset }] });
    await createPage(server, home, { slug: 'draft', html: '<img src="https://draft.test/a.png">' });
    await createPage(server, home, { slug: 'broken', published: true, html: '{% nothing %}' });
    const before = await sourcesOf();
    expect(before).toMatchObject({ complete: true, skipped: 1 });
    const directives = new Map(
      asList(before.directives).map((entry) => [
        entry.directive,
        asList(entry.sources).map(({ source }) => source),
      ]),
    );
    expect(directives.get('img-src')).toEqual(["'self'", 'https://cdn.test']);
    expect(directives.get('font-src')).toEqual(['https://fonts.test']);
    expect(directives.get('frame-src')).toEqual(['https://maps.test']);
    expect(directives.get('style-src')).toEqual(["'self'"]);
    const hash = `'sha256-${createHash('sha256').update('one()').digest('base64')}'`;
    expect(asList(before.inline)[0]).toEqual({ kind: 'script', different: 1, hashes: [{ hash, pages: 1 }] });
    const policy = String(before.policy);
    expect(policy).toContain(`script-src ${hash};`);
    expect(policy).toContain("object-src 'none';");
    await put({ csp: policy });
    const page = await fetch(`${server.url}/a`);
    expect(page.headers.get('content-security-policy')).toBe(policy);
  });

  it('asks for what only unsafe-inline allows', async () => {
    const home = await createSite(server, { domains: 'inline.test' });
    await callOk(server, 'PUT', `/pages/${home}`, {
      html: '<p onclick="x()" style="color:red">',
      published: true,
    });
    const { policy, inline } = await sourcesOf();
    expect(policy).toMatch(/script-src 'unsafe-inline'/);
    expect(policy).toMatch(/style-src 'unsafe-inline' 'self'/);
    expect(asList(inline).map(({ kind, different }) => [kind, different])).toEqual([
      ['script', 1],
      ['event handler', 1],
      ['style', 0],
      ['style attribute', 1],
    ]);
  });
});

function asList(value: unknown): Record<string, unknown>[] {
  if (!Array.isArray(value)) throw new TypeError('no list');
  return value.map(asRecord);
}
