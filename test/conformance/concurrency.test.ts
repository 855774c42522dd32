import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Connection } from '../../server/db/connection.ts';
import { addToken, call, callList, callOk, countOutcomes } from '../support/api.ts';
import { createSite, createSnippet } from '../support/content.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { activityFile } from '../support/shared-database.ts';

let server: TestServer;
let site: number;

beforeAll(async () => {
  server = await startServer();
  site = await createSite(server);
});
afterAll(() => server.stop());

/** Sends the same call 100 times at once and counts the answers by status and code. */
async function race(
  method: string,
  path: string,
  body: (index: number) => unknown,
): Promise<Record<string, number>> {
  const calls = Array.from({ length: 100 }, (_, index) => call(server, method, path, { body: body(index) }));
  return countOutcomes(await Promise.all(calls));
}

describe('of 100 calls at once exactly one succeeds', () => {
  it('with the same slug', async () => {
    const outcome = await race('POST', '/pages', () => ({ parent_id: site, title: 'x', slug: 'same' }));
    expect(outcome).toEqual({ '201': 1, '409 page.slugTaken': 99 });
  });

  it('with the same domain', async () => {
    const outcome = await race('POST', '/sites', (index) => ({
      title: `s${index}`,
      domains: 'same.example',
    }));
    expect(outcome).toEqual({ '201': 1, '409 site.domainTaken': 99 });
    expect(await callList(server, '/pages?roots=1')).toHaveLength(2);
  });

  it('with the same snippet name', async () => {
    const outcome = await race('POST', '/snippets', () => ({ name: 'same' }));
    expect(outcome).toEqual({ '201': 1, '409 snippet.nameTaken': 99 });
  });

  it('with the same base_updated_at', async () => {
    const { updated_at } = await callOk(server, 'GET', `/pages/${site}`);
    const outcome = await race('PUT', `/pages/${site}`, (index) => ({
      title: `t${index}`,
      base_updated_at: updated_at,
    }));
    expect(outcome).toEqual({ '200': 1, '409 common.conflict': 99 });
  });
});

describe('100 new pages at once', () => {
  it('get different positions', async () => {
    const outcome = await race('POST', '/pages', (index) => ({
      parent_id: site,
      title: 'x',
      slug: `many-${index}`,
    }));
    expect(outcome).toEqual({ '201': 100 });
    const sorts = (await callList(server, '/pages'))
      .filter((page) => page['parent_id'] === site)
      .map((page) => page['sort']);
    expect(new Set(sorts).size).toBe(sorts.length);
  });
});

describe('a saved change', () => {
  it('is visible to every later request, on the page and in the API', async () => {
    await callOk(server, 'PUT', `/pages/${site}`, { html: '{% include "counter" %}', default_site: true });
    const snippet = await createSnippet(server, { name: 'counter', content: 'count 0.' });
    for (let round = 1; round <= 30; round++) {
      await callOk(server, 'PUT', `/snippets/${snippet}`, { content: `count ${round}.` });
      const visits = Array.from({ length: 8 }, async () => (await fetch(`${server.url}/`)).text());
      for (const page of await Promise.all(visits)) expect(page).toContain(`count ${round}.`);
      expect(await callOk(server, 'GET', `/snippets/${snippet}`)).toMatchObject({
        content: `count ${round}.`,
      });
    }
  });
});

describe('the last use of a token', () => {
  it('is written at the latest when the server stops', async () => {
    const other = await startServer({ dataDir: server.dataDir }).catch((error: Error) => error);
    expect(String(other)).toContain('another server is running');
    const token = await addToken(server, 'used', false);
    await addToken(server, 'unused', false);
    await call(server, 'GET', '/pages', { token });
    await server.end('SIGTERM');
    const db = new Connection<object>(activityFile(server.dataDir));
    const uses = db
      .statement('SELECT token_id, last_used_at > 1700000000 AS recent FROM token_usage')
      .all([]);
    db.close();
    expect(uses).toEqual([{ token_id: 1, recent: 1 }]);
  });
});
