import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { ChangeRecord } from '../../../server/changes/record.ts';
import { asRecord, call, callOk } from '../../support/api.ts';
import { createCollection, idOf } from '../../support/content.ts';
import { type InProcessServer, startInProcess } from '../../support/in-process.ts';
import { masterToken } from '../../support/server.ts';

/**
 * What a commit tells of entries (Data, Automation and Operations, "Collection events"): for each created, changed and
 * deleted entry the entry as the API shows it, deleted ones as they were, and the slug of its collection.
 */

let server: InProcessServer;
let records: ChangeRecord[] = [];
const items = '/collections/news/items';

beforeAll(async () => {
  server = await startInProcess({
    moreFeatures: () => [
      {
        followers: [
          {
            of: 'content',
            react: (commits) => void records.push(...commits.flatMap((commit) => commit.records)),
          },
        ],
      },
    ],
  });
  const fields = [{ name: 'title', type: 'text' }];
  await createCollection(server, { slug: 'news', lang: 'en', fields });
  await createCollection(server, { slug: 'neues', lang: 'de', fields });
  await createCollection(server, { slug: 'single', singleton: true, fields });
});
afterAll(() => server.stop());
beforeEach(() => {
  records = [];
});

/** The events in order, as the listeners of a collection get them. */
function events(): unknown[] {
  return records
    .filter(({ kind, action }) => kind === 'item' && action !== 'moved')
    .map(({ action, collection, entry }) => ({ action, collection, entry }));
}

async function entryAt(path: string): Promise<Record<string, unknown>> {
  return callOk(server, 'GET', path);
}

it('a new, a changed and a deleted entry', async () => {
  const created = await callOk(server, 'POST', items, { data: { title: 'a' } });
  const path = `${items}/${idOf(created)}`;
  const updated = await callOk(server, 'PUT', path, { data: { title: 'b' } });
  await call(server, 'DELETE', path);
  expect(events()).toEqual([
    { action: 'created', collection: 'news', entry: created },
    { action: 'updated', collection: 'news', entry: updated },
    { action: 'deleted', collection: 'news', entry: updated },
  ]);
});

it('each entry of a list and of a batch; the entry of a singleton', async () => {
  const { body: list } = await call(server, 'POST', items, { body: [{ data: {} }, { data: {} }] });
  const op = { op: 'create', kind: 'item', collection: 'news', data: { title: 'c' } };
  const { results } = await callOk(server, 'POST', '/batch', { ops: [op] });
  const id = Array.isArray(results) ? idOf(asRecord(results[0])) : 0;
  const single = await callOk(server, 'PUT', '/collections/single/item', { data: { title: 's' } });
  const expected = [...(Array.isArray(list) ? list : []), await entryAt(`${items}/${id}`)];
  expect(events()).toEqual([
    ...expected.map((entry) => ({ action: 'created', collection: 'news', entry })),
    { action: 'created', collection: 'single', entry: single },
  ]);
});

it('entries that are linked as language versions, and taken apart', async () => {
  const own = idOf(await callOk(server, 'POST', items, { data: {} }));
  const other = idOf(await callOk(server, 'POST', '/collections/neues/items', { data: {} }));
  records = [];
  const path = `${items}/${own}`;
  const link = { collection: 'neues', item_id: other };
  await call(server, 'POST', `${path}/translations`, { body: link });
  const linked = [await entryAt(path), await entryAt(`/collections/neues/items/${other}`)];
  expect(events()).toEqual([
    { action: 'updated', collection: 'news', entry: linked[0] },
    { action: 'updated', collection: 'neues', entry: linked[1] },
  ]);
  records = [];
  await call(server, 'DELETE', `${path}/translations`);
  expect(events()).toEqual([{ action: 'updated', collection: 'news', entry: await entryAt(path) }]);
});

it('no event for an order, a refused save, a save that changes nothing, and an import', async () => {
  const created = await callOk(server, 'POST', items, { data: { title: 'same' } });
  const id = idOf(created);
  const first = idOf(await callOk(server, 'POST', items, { data: {} }));
  records = [];
  await call(server, 'POST', `${items}/reorder`, { body: [first, id] });
  await call(server, 'PUT', `${items}/${id}`, { body: { data: { title: 'same' } } });
  await call(server, 'PUT', `${items}/${id}`, { body: { data: {}, base_updated_at: 1 } });
  const form = new FormData();
  form.set('file', new Blob(['title\nx\ny']), 'a.csv');
  const headers = { Authorization: `Bearer ${masterToken}` };
  const imported = await fetch(`${server.url}/api/v1/collections/news/import`, {
    method: 'POST',
    headers,
    body: form,
  });
  expect(imported.status).toBe(200);
  expect(events()).toEqual([]);
  expect(records.map(({ kind, action }) => `${kind} ${action}`)).toEqual([
    'item moved',
    'item moved',
    'items imported',
  ]);
});
