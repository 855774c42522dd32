import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parseQuery } from '../../../runtime/content/items/query.ts';
import { selectSql } from '../../../runtime/content/items/sql.ts';
import { Connection } from '../../../server/db/connection.ts';
import { call, callOk } from '../../support/api.ts';
import { createCollection, createPage, createSite } from '../../support/content.ts';
import { startServer, type TestServer } from '../../support/server.ts';

/** The indexes that templates ask for, and that queries use them. */

let server: TestServer;
let site: number;
let collection: number;
const text = (name: string) => ({
  name,
  label: name,
  type: 'text' as const,
  required: false,
  options: [],
  collection: null,
});
const fields = ['slug', 'topic', 'date'].map(text);

beforeAll(async () => {
  server = await startServer();
  site = await createSite(server);
  collection = await createCollection(server, { slug: 'news', fields });
});
afterAll(() => server.stop());

/** Waits until the indexes are as many as expected; they are made in the background. */
async function indexesAre(count: number): Promise<string[]> {
  const db = new Connection<object>(join(server.dataDir, 'content.db'), { readonly: true });
  try {
    for (;;) {
      const rows = db
        .statement("SELECT sql FROM sqlite_schema WHERE name LIKE 'item_index_%' ORDER BY sql")
        .all([]);
      if (rows.length === count) return rows.map(({ sql }) => String(sql).replace(/^.* ON /, ''));
      await call(server, 'GET', '/collections');
    }
  } finally {
    db.close();
  }
}

const where = () => `WHERE collection_id = ${collection}`;

it('follow the templates, the detail page and the fields', async () => {
  const page = await createPage(server, site, {
    html: '{% for e in data("news", "topic", "x", _sort="-date") %}{% endfor %}{{ item("news", "nothing", 1) }}',
  });
  const byTopic = `items (json_extract(data, '$.topic'), json_extract(data, '$.date') DESC, sort, id) ${where()}`;
  expect(await indexesAre(1)).toEqual([byTopic]);
  const detail = await createPage(server, site, { catch_all: true });
  await callOk(server, 'PUT', '/collections/news', { detail_page_id: detail });
  const bySlug = `items (json_extract(data, '$.slug'), sort, id) ${where()}`;
  expect(await indexesAre(2)).toEqual([bySlug, byTopic]);
  await callOk(server, 'PUT', '/collections/news', { fields: fields.filter(({ name }) => name !== 'topic') });
  const byDate = `items (json_extract(data, '$.date') DESC, sort, id) ${where()}`;
  await indexesAre(2);
  for (;;) if ((await indexesAre(2)).includes(byDate)) break;
  await callOk(server, 'PUT', '/collections/news', { fields });
  await call(server, 'DELETE', `/pages/${page}`);
  expect(await indexesAre(1)).toEqual([bySlug]);
  await createPage(server, site, {
    html: '{% for e in data("news", "topic", "x", _sort="-date") %}{% endfor %}',
  });
  expect(await indexesAre(2)).toEqual([bySlug, byTopic]);
});

it.each(['slug=a', 'topic=a&_sort=-date', '_sort=sort'])('are used by %s', async (query) => {
  await indexesAre(2);
  const db = new Connection<object>(join(server.dataDir, 'content.db'), { readonly: true });
  const parsed = parseQuery({ id: collection, slug: 'news', fields }, [...new URLSearchParams(query)]);
  const { text: sql, values } = selectSql(['id'], collection, { ...parsed, limit: 5 }, false);
  const plan = db
    .statement(`EXPLAIN QUERY PLAN ${sql}`)
    .all(values)
    .map(({ detail }) => String(detail));
  db.close();
  expect(plan[0]).toMatch(query === '_sort=sort' ? /USING INDEX items_order/ : /USING INDEX item_index_/);
  expect(plan.some((step) => step.includes('TEMP B-TREE'))).toBe(false);
});
