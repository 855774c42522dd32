import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asRecord, call, callOk, outcomeOf } from '../support/api.ts';
import { createSite } from '../support/content.ts';
import { upload } from '../support/media.ts';
import { invalid, runScenarios } from '../support/scenarios.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { visit } from './public-client.ts';

/** Country data (Data, Automation and Operations, "Statistics and country data"). */

const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0';
const list = (rir: string, country = 'DE') =>
  `2|${rir}|20260301|1|19830705|20260228|+0100\n${rir}|${country}|ipv4|198.51.100.0|256|19930901|allocated\n`;

let server: TestServer;

beforeAll(async () => {
  // Nothing but the list of allowed hosts is asked, and no registry is on it.
  server = await startServer({ args: ['-outgoing', 'allowlist', '-outgoing-allow', 'nobody.example'] });
});
afterAll(() => server.stop());

const send = (...files: readonly (string | Uint8Array)[]) =>
  upload(
    server,
    files.map((bytes, index) => ({ name: `${index}.txt`, bytes })),
    {},
    { path: '/geo/upload' },
  );

const empty = (rir: string) => ({ rir, ranges: 0, updated_at: 0, checked_at: 0, error: '' });

describe('country data', () => {
  it('is not there at first', async () => {
    expect(await callOk(server, 'GET', '/geo')).toEqual({
      enabled: true,
      running: false,
      ranges: 0,
      updated_at: 0,
      checked_at: 0,
      sources: ['afrinic', 'apnic', 'arin', 'lacnic', 'ripencc'].map(empty),
    });
  });

  it('a sync that reaches nobody ends quietly in the errors of the sources', async () => {
    const started = await call(server, 'POST', '/geo/update');
    expect(started).toMatchObject({ status: 202, body: { running: true } });
    let state = await callOk(server, 'GET', '/geo');
    while (state['running'] === true) state = await callOk(server, 'GET', '/geo');
    expect(state).toMatchObject({
      ranges: 0,
      sources: [{ rir: 'afrinic', ranges: 0, error: expect.stringMatching(/./) }, {}, {}, {}, {}],
    });
  });

  it('is uploaded, in several files, compressed or not', async () => {
    const answer = await send(list('ripencc'), gzipSync(list('apnic', 'JP').replaceAll('198.51', '198.52')));
    expect(answer).toMatchObject({ status: 200, body: { ranges: 2, running: false } });
    const state = await callOk(server, 'GET', '/geo');
    expect(state).toEqual(answer.body);
    expect(state['sources']).toContainEqual({
      rir: 'ripencc',
      ranges: 1,
      updated_at: expect.any(Number),
      checked_at: expect.any(Number),
      error: '',
    });
  });

  it.each([
    ['no list', ['<html>'], 'geo.fileInvalid'],
    ['one of two is no list', [list('arin'), 'nonsense'], 'geo.fileInvalid'],
    ['two lists of a registry', [list('arin'), list('arin')], 'geo.fileInvalid'],
  ])('refuses %s and stores nothing', async (_name, files, code) => {
    expect(outcomeOf(await send(...files))).toEqual({ status: 400, code });
    expect(await callOk(server, 'GET', '/geo')).toMatchObject({ ranges: 2 });
    expect(readdirSync(join(server.dataDir, 'media', '.staging'))).toEqual([]);
  });

  it('refuses a form without a file, and what is no form', async () => {
    const other = await upload(
      server,
      [{ name: 'a', bytes: 'a', field: 'other' }],
      {},
      { path: '/geo/upload' },
    );
    expect(outcomeOf(other)).toEqual({ status: 400, code: 'file.missing' });
    const json = await call(server, 'POST', '/geo/upload', { body: {} });
    expect(outcomeOf(json)).toEqual({ status: 415, code: 'common.contentType' });
  });

  it('shows the countries of visitors while it is switched on', async () => {
    const site = await createSite(server);
    await callOk(server, 'PUT', `/pages/${site}`, { html: 'home' });
    const ask = (address: string) =>
      visit(server, '/', { headers: { 'User-Agent': userAgent, 'X-Forwarded-For': address } });
    const countries = async () => {
      const { dims } = await callOk(server, 'GET', `/stats?root_id=${site}`);
      return asRecord(dims)['country'];
    };
    for (const address of ['198.51.100.9', '198.52.100.9', '198.51.100.10', '203.0.113.1'])
      await ask(address);
    const all = [
      { name: 'DE', visitors: 2 },
      { name: '(unbekannt)', visitors: 1 },
      { name: 'JP', visitors: 1 },
    ];
    expect(await countries()).toEqual(all);
    expect(await callOk(server, 'PUT', '/geo', { enabled: false })).toMatchObject({
      enabled: false,
      ranges: 2,
    });
    await ask('198.51.100.11');
    expect(await countries()).toEqual([]);
    expect(outcomeOf(await call(server, 'POST', '/geo/update'))).toEqual({
      status: 409,
      code: 'geo.disabled',
    });
    expect(await callOk(server, 'PUT', '/geo', { enabled: true })).toMatchObject({ enabled: true });
    expect(await countries()).toEqual(all);
  });

  runScenarios(
    () => server,
    [
      { name: 'no flag', method: 'PUT', path: '/geo', body: {}, ...invalid('enabled') },
      { name: 'no boolean', method: 'PUT', path: '/geo', body: { enabled: 'no' }, ...invalid('enabled') },
    ],
  );
});
