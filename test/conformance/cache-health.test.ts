import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Connection } from '../../server/db/connection.ts';
import { call, callList, callOk } from '../support/api.ts';
import { createAsset, createPage, createSite, createSnippet } from '../support/content.ts';
import { masterToken, startServer, type TestServer } from '../support/server.ts';
import { setUp } from '../support/session.ts';
import { contentFile, isAlone } from '../support/shared-database.ts';

let server: TestServer;
let site: number;

beforeAll(async () => {
  server = await startServer({ args: ['-cache-mb', '3'] });
  site = await createSite(server);
});
afterAll(() => server.stop());

const authorization = { Authorization: `Bearer ${masterToken}` };

async function fetchText(path: string): Promise<void> {
  expect((await fetch(server.url + path, { headers: authorization })).status).toBe(200);
}

async function fetchPreview(): Promise<void> {
  const headers = { ...authorization, 'Content-Type': 'application/json' };
  const path = `${server.url}/api/v1/pages/${site}/preview`;
  const response = await fetch(path, { method: 'POST', headers, body: '{"html":"unsaved"}' });
  expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('unsaved')]);
}

const visit = async () => (await fetch(`${server.url}/`)).headers.get('x-cache');

describe('GET /cache', () => {
  it('counts entries, bytes, hits and misses', async () => {
    await callOk(server, 'DELETE', '/cache');
    const before = await callOk(server, 'GET', '/cache');
    expect(before).toEqual({
      enabled: true,
      entries: 0,
      bytes: 0,
      max_bytes: 3 * 2 ** 20,
      hits: expect.any(Number),
      misses: expect.any(Number),
    });
    expect(await visit()).toBe('MISS');
    expect(await visit()).toBe('HIT');
    expect(await callOk(server, 'GET', '/cache')).toEqual({
      ...before,
      entries: 1,
      bytes: expect.any(Number),
      hits: Number(before['hits']) + 1,
      misses: Number(before['misses']) + 1,
    });
  });
});

describe('the page cache is cleared', () => {
  const changes: [string, () => Promise<unknown>][] = [
    ['DELETE /cache', () => callOk(server, 'DELETE', '/cache')],
    ['a page change', () => callOk(server, 'PUT', `/pages/${site}`, { title: 'x' })],
    ['a new snippet', () => createSnippet(server)],
    ['a new asset', () => createAsset(server)],
    ['a changed asset', () => callOk(server, 'PUT', '/assets/1', { content: 'a{}' })],
    ['assets of a page', () => callOk(server, 'PUT', `/pages/${site}/assets`, [{ asset_id: 1 }])],
    ['a deleted asset', () => callOk(server, 'DELETE', '/assets/1')],
    ['a changed snippet', () => callOk(server, 'PUT', '/snippets/1', { content: 'x' })],
    ['a deleted snippet', () => callOk(server, 'DELETE', '/snippets/1')],
    ['a new page', () => createPage(server, site)],
    ['a second page', () => createPage(server, site)],
    [
      'a move',
      () => call(server, 'POST', `/pages/${site + 1}/move`, { body: { parent_id: site, index: 1 } }),
    ],
    ['a deleted page', () => callOk(server, 'DELETE', `/pages/${site + 1}`)],
    ['a new website', () => createSite(server, { domains: 'other.test' })],
    [
      'a restored version',
      async () => {
        const [version] = await callList(server, `/revisions?kind=page&id=${site}`);
        const answer = await call(server, 'POST', `/revisions/${version?.['id']}/restore`);
        expect(answer.status).toBe(200);
      },
    ],
  ];
  it.each(changes)('by %s', async (_name, change) => {
    await visit();
    expect(await visit()).toBe('HIT');
    await change();
    expect(await visit()).toBe('MISS');
  });

  const others: [string, () => Promise<unknown>][] = [
    [
      'a move to the same place',
      async () => {
        const page = await createPage(server, site);
        await visit();
        expect(await visit()).toBe('HIT');
        expect(
          (await call(server, 'POST', `/pages/${page}/move`, { body: { parent_id: site } })).status,
        ).toBe(200);
      },
    ],
    ['a refused change', () => call(server, 'PUT', `/pages/${site}`, { body: { title: '' } })],
    [
      'a change that fails in the middle',
      () => call(server, 'PUT', `/pages/${site}`, { body: { title: 'y', assets: [{ asset_id: 9 }] } }),
    ],
    [
      'a save that changes nothing',
      async () => {
        const asset = await createAsset(server);
        const { title } = await callOk(server, 'GET', `/pages/${site}`);
        await visit();
        await callOk(server, 'PUT', `/pages/${site}`, {});
        await callOk(server, 'PUT', `/pages/${site}`, { title });
        await callOk(server, 'PUT', `/assets/${asset}`, { folder: '' });
      },
    ],
    ['a preview link', () => callOk(server, 'POST', `/pages/${site}/preview-links`, {})],
    ['reading', () => callOk(server, 'GET', `/pages/${site}`)],
    ['a preview', () => fetchPreview()],
    ['template data', () => call(server, 'POST', `/pages/${site}/template-data`, { body: {} })],
    ['a rendered page', () => fetchText(`/api/v1/pages/${site}/render`)],
    ['an administrator who signs in', () => setUp(server)],
    ['the description of the API', () => call(server, 'GET', '/openapi.json')],
  ];
  it.each(others)('not by %s', async (_name, action) => {
    await visit();
    await action();
    expect(await visit()).toBe('HIT');
  });
});

describe('-cache-mb 0', () => {
  it('turns the page cache off', async () => {
    const uncached = await startServer({ args: ['-cache-mb=0'] });
    try {
      await createSite(uncached);
      for (let round = 0; round < 2; round++) {
        expect((await fetch(`${uncached.url}/`)).headers.get('x-cache')).toBe('BYPASS');
      }
      expect(await callOk(uncached, 'GET', '/cache')).toMatchObject({
        enabled: false,
        entries: 0,
        max_bytes: 0,
      });
    } finally {
      await uncached.stop();
    }
  });
});

describe('GET /healthz', () => {
  it('answers without a credential and is never cached', async () => {
    const response = await fetch(`${server.url}/healthz`);
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.json()).toEqual({
      status: 'ok',
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      db: 'ok',
      build: expect.stringMatching(/./),
      commit: expect.any(String),
      uptime_s: expect.any(Number),
      headless: false,
      ...(isAlone
        ? {}
        : { node: { lease: true, lag: 0, version: expect.any(Number), leader: expect.any(Boolean) } }),
    });
  });

  it('answers 503 without details while the database fails', async () => {
    const broken = await startServer();
    const db = new Connection<object>(contentFile(broken.dataDir));
    db.execute('ALTER TABLE pages RENAME TO lost');
    const down = await fetch(`${broken.url}/healthz`);
    expect([down.status, down.headers.get('cache-control')]).toEqual([503, 'no-store']);
    const text = await down.text();
    expect(JSON.parse(text)).toMatchObject({ status: 'error', db: 'error', version: expect.any(String) });
    expect(text).not.toMatch(/table|lost/);
    db.execute('ALTER TABLE lost RENAME TO pages');
    db.close();
    expect(await (await fetch(`${broken.url}/healthz`)).json()).toMatchObject({ status: 'ok', db: 'ok' });
    await broken.stop();
  });
});
