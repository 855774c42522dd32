import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Connection } from '../../server/db/connection.ts';
import { call, callList, callOk } from '../support/api.ts';
import { createCollection, createItem } from '../support/content.ts';
import { makeTempDir, masterToken, startServer, type TestServer } from '../support/server.ts';

/** A large import of entries, until its commit and when the server dies before that. */

let dataDir: string;
let server: TestServer;
let topic: number;

beforeAll(async () => {
  dataDir = makeTempDir();
  server = await startServer({ dataDir });
  const topics = await createCollection(server, { slug: 'topics', fields: [{ name: 'name', type: 'text' }] });
  topic = await createItem(server, 'topics', { name: 'a' });
  const fields = [
    { name: 'title', type: 'text' },
    { name: 'topic', type: 'reference', collection: topics },
  ];
  await createCollection(server, { slug: 'things', fields });
  for (const title of ['x', 'y']) await createItem(server, 'things', { title, topic });
});
afterAll(async () => {
  await server.end('SIGKILL');
  rmSync(dataDir, { recursive: true, force: true });
});

const rows = 50_000;

/** Empties the log of the database, so that its size tells what has been written since. */
function emptyLog(): void {
  const db = new Connection<object>(join(dataDir, 'content.db'));
  while (logSize() > 0) db.pragma('wal_checkpoint(TRUNCATE)');
  db.close();
}

function logSize(): number {
  return statSync(join(dataDir, 'content.db-wal')).size;
}

function startImport(query = ''): Promise<Response> {
  const form = new FormData();
  const lines = Array.from({ length: rows }, (_, n) => `Thing ${n},${topic}`);
  form.set('file', new Blob([['title,topic', ...lines].join('\n')]), 'things.csv');
  const headers = { Authorization: `Bearer ${masterToken}` };
  const body = { method: 'POST', headers, body: form };
  return fetch(`${server.url}/api/v1/collections/things/import${query}`, body);
}

/** Resolves when entries have been written to the log. SQLite keeps the first 4 MB in memory, a small part of all. */
async function untilWriting(): Promise<void> {
  while (logSize() === 0) await new Promise((resolve) => setImmediate(resolve));
}

async function titles(): Promise<unknown[]> {
  return (await callList(server, '/data/things?_limit=5')).map(({ title }) => title);
}

it('kill -9 in the middle of an import leaves nothing of it', async () => {
  emptyLog();
  const answer = startImport('?replace=1').catch(() => undefined);
  await untilWriting();
  await server.end('SIGKILL');
  expect(await answer).toBeUndefined();

  server = await startServer({ dataDir });
  expect(await titles()).toEqual(['x', 'y']);
  expect((await callOk(server, 'GET', '/collections/things'))['item_count']).toBe(2);
  const db = new Connection<object>(join(dataDir, 'content.db'), { readonly: true });
  const count = (from: string) => db.statement(`SELECT count(*) AS n FROM ${from}`).first([])?.['n'];
  expect(count('items')).toBe(3);
  expect(count("object_references WHERE kind = 'item'")).toBe(2);
  expect(count('bulk_items')).toBe(0);
  expect(db.pragma('integrity_check')).toBe('ok');
  db.close();
});

it('an import is seen as a whole, and the next change is quick', async () => {
  const seen = new Set<number>();
  let isDone = false;
  const answer = startImport('?replace=1').finally(() => {
    isDone = true;
  });
  while (!isDone) seen.add(Number((await callOk(server, 'GET', '/collections/things'))['item_count']));
  expect(await (await answer).json()).toMatchObject({ created: rows, deleted: 2 });
  expect([2, rows]).toEqual(expect.arrayContaining([...seen]));
  expect((await callOk(server, 'GET', '/collections/things'))['item_count']).toBe(rows);
  const created = await call(server, 'POST', '/collections/things/items', { body: { data: { title: 'z' } } });
  expect(created.status).toBe(201);
});

it('the log of the database is copied into its file after a large commit', async () => {
  emptyLog();
  const { size } = statSync(join(dataDir, 'content.db'));
  await (await startImport()).body?.cancel();
  // Another process copies it; changes go on meanwhile.
  while (statSync(join(dataDir, 'content.db')).size < size + 2 ** 20)
    await call(server, 'POST', '/collections/topics/items', { body: { data: { name: 'b' } } });
  expect(server.log()).toBe('');
});
