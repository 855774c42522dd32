import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, callOk } from '../support/api.ts';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let site: number;

beforeAll(async () => {
  server = await startServer({ args: ['-cache-mb', '3'] });
  site = Number((await callOk(server, 'POST', '/sites', { title: 'Cached' }))['id']);
});
afterAll(() => server.stop());

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
    ['a new snippet', () => callOk(server, 'POST', '/snippets', { name: 'clears' })],
    ['a new asset', () => callOk(server, 'POST', '/assets', { name: 'a', kind: 'css' })],
  ];
  it.each(changes)('by %s', async (_name, change) => {
    await visit();
    expect(await visit()).toBe('HIT');
    await change();
    expect(await visit()).toBe('MISS');
  });

  const others: [string, () => Promise<unknown>][] = [
    ['a refused change', () => call(server, 'PUT', `/pages/${site}`, { body: { title: '' } })],
    [
      'a change that fails in the middle',
      () => call(server, 'PUT', `/pages/${site}`, { body: { title: 'y', assets: [{ asset_id: 9 }] } }),
    ],
    ['reading', () => callOk(server, 'GET', `/pages/${site}`)],
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
      await callOk(uncached, 'POST', '/sites', { title: 'x' });
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
    });
  });
});
