import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Connection } from '../../server/db/connection.ts';
import type { ContentTables } from '../../server/db/tables.ts';
import { addToken, asRecord, call, callOk, outcomeOf } from '../support/api.ts';
import { createPage, createSite, createSnippet, freshName, freshSlug } from '../support/content.ts';
import { makeTempDir, startServer, type TestServer } from '../support/server.ts';
import { contentFile } from '../support/shared-database.ts';

/** `GET /changes`: the feed of changes. */

let server: TestServer;
let dataDir: string;
let site: number;

beforeAll(async () => {
  dataDir = makeTempDir();
  server = await startServer({ dataDir });
  site = await createSite(server);
});
afterAll(async () => {
  await server.stop();
  rmSync(dataDir, { recursive: true });
});

it('tells each change once, with who made it and the names of the object', async () => {
  const since = await newest();
  const token = await addToken(server, 'robot', true);
  const slug = freshSlug();
  const body = { parent_id: site, title: 'News', slug };
  const page = asRecord((await call(server, 'POST', '/pages', { token, body })).body)['id'];
  const name = freshName('card');
  const snippet = await createSnippet(server, { name });
  await call(server, 'PUT', `/pages/${page}`, {
    body: { title: 'Old' },
    headers: { 'X-IC-On-Behalf-Of': 'Anna' },
  });
  await call(server, 'DELETE', `/snippets/${snippet}`);
  const feed = await changesSince(since);
  const common = { version: expect.any(Number), at: expect.any(Number) };
  expect(feed).toEqual({
    version: expect.any(Number),
    more: false,
    changes: [
      { ...common, actor: 'robot', kind: 'page', action: 'created', id: page, slug, name: 'News' },
      { ...common, actor: 'Master-Token', kind: 'snippet', action: 'created', id: snippet, name },
      {
        ...common,
        actor: 'Master-Token (for Anna)',
        kind: 'page',
        action: 'updated',
        id: page,
        slug,
        name: 'Old',
      },
      { ...common, actor: 'Master-Token', kind: 'snippet', action: 'deleted', id: snippet, name },
    ],
  });
  const versions = listOf(feed).map(({ version }) => Number(version));
  expect(versions).toEqual([...new Set(versions)].sort((a, b) => a - b));
  expect(await changesSince(Number(feed['version']))).toEqual({
    version: feed['version'],
    changes: [],
    more: false,
  });
});

it('tells nothing of what was refused or changed nothing', async () => {
  const page = await createPage(server, site, { title: 'same' });
  const since = await newest();
  await call(server, 'PUT', `/pages/${page}`, { body: { title: 'same' } });
  await call(server, 'PUT', `/pages/${page}`, { body: { title: '' } });
  await call(server, 'DELETE', '/pages/999999');
  expect(listOf(await changesSince(since))).toEqual([]);
});

it('goes through a long log in parts, and never cuts a commit', async () => {
  const since = await newest();
  await createPage(server, site);
  const create = () => ({
    op: 'create',
    kind: 'page',
    data: { parent_id: site, title: 'x', slug: freshSlug() },
  });
  await callOk(server, 'POST', '/batch', { ops: [create(), create(), create()] });
  await createPage(server, site);
  const sizes: number[] = [];
  let version = since;
  for (let more = true; more; ) {
    const part = await callOk(server, 'GET', `/changes?since=${version}&limit=2`);
    sizes.push(listOf(part).length);
    version = Number(part['version']);
    more = part['more'] === true;
  }
  expect(sizes).toEqual([1, 3, 1]);
});

describe('refuses', () => {
  it.each([
    ['no since', '', 'since'],
    ['a negative since', '?since=-1', 'since'],
    ['a text as since', '?since=x', 'since'],
    ['limit 0', '?since=0&limit=0', 'limit'],
    ['limit 1001', '?since=0&limit=1001', 'limit'],
  ])('%s', async (_name, query, field) => {
    const answer = await call(server, 'GET', `/changes${query}`);
    expect(outcomeOf(answer)).toEqual({ status: 400, code: 'common.invalid' });
    expect(asRecord(answer.body)['params']).toMatchObject({ field });
  });

  it('a version that is still to come', async () => {
    const answer = await call(server, 'GET', '/changes?since=999999999');
    expect(outcomeOf(answer)).toEqual({ status: 410, code: 'changes.gone' });
  });

  it('a version before the beginning of the log', async () => {
    await createPage(server, site);
    const db = new Connection<ContentTables>(contentFile(dataDir));
    db.statement('DELETE FROM commits WHERE version < (SELECT max(version) FROM commits)').run([]);
    db.close();
    const answer = await call(server, 'GET', '/changes?since=0');
    expect(outcomeOf(answer)).toEqual({ status: 410, code: 'changes.gone' });
    expect((await call(server, 'GET', `/changes?since=${await newest()}`)).status).toBe(200);
  });
});

async function newest(): Promise<number> {
  const answer = await call(server, 'GET', '/changes?since=999999999');
  return Number(asRecord(asRecord(answer.body)['params'])['version']);
}

function changesSince(since: number): Promise<Record<string, unknown>> {
  return callOk(server, 'GET', `/changes?since=${since}`);
}

function listOf({ changes }: Record<string, unknown>): Record<string, unknown>[] {
  return Array.isArray(changes) ? changes.map(asRecord) : [];
}
