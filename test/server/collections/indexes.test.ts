import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accessPath } from '../../../runtime/content/items/access.ts';
import { parseQuery } from '../../../runtime/content/items/query.ts';
import { sameValueSql, selectSql } from '../../../runtime/content/items/sql.ts';
import { openSqliteContent } from '../../../runtime/content/sqlite.ts';
import type { FieldDefinition } from '../../../runtime/fields/definition.ts';
import { Connection } from '../../../server/db/connection.ts';
import { call, callList, callOk } from '../../support/api.ts';
import { createCollection, createItem, createPage, createSite, idOf } from '../../support/content.ts';
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
let tags: FieldDefinition = { ...text('tags'), type: 'references' };

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

/** How SQLite finds the entries of a query. */
function planOf(query: string): string[] {
  const reader = openSqliteContent(join(server.dataDir, 'content.db'));
  const db = new Connection<object>(join(server.dataDir, 'content.db'), { readonly: true });
  const queried = { id: collection, slug: 'news', fields: [...fields, tags] };
  const parsed = parseQuery(queried, [...new URLSearchParams(query)]);
  const path = accessPath(reader, queried, parsed);
  const { text: sql, values } = selectSql(['id'], collection, { ...parsed, limit: 5 }, false, path);
  const plan = db.statement(`EXPLAIN QUERY PLAN ${sql}`).all(values);
  reader.close();
  db.close();
  return plan.map(({ detail }) => String(detail));
}

it.each(['slug=a', 'topic=a&_sort=-date', '_sort=sort'])('are used by %s', async (query) => {
  await indexesAre(2);
  const plan = planOf(query);
  expect(plan[0]).toMatch(query === '_sort=sort' ? /USING INDEX items_order/ : /USING INDEX item_index_/);
  expect(plan.some((step) => step.includes('TEMP B-TREE'))).toBe(false);
});

const many = Array.from({ length: 30 }, (_, n) => `t${n}`).join();

it.each(['slug__in=a,b', 'topic__in=a,b&_sort=-date', `topic__in=${many}&_sort=-date`])(
  'are used by %s, which has several values',
  async (query) => {
    await indexesAre(2);
    const plan = planOf(query);
    expect(plan[0]).toMatch(/^SEARCH items USING INDEX item_index_\w+ \(<expr>=\?\)/);
  },
);

it('are not needed for a query of another shape, and for values that no entry can have', async () => {
  await indexesAre(2);
  expect(planOf('topic__in=a,b&_sort=date')[0]).toMatch(/items_order/);
  expect(planOf('topic__in=a,b&tags=x')[0]).toMatch(/items_order/);
});

it.each(['text', 'number'] as const)('find an equal value of a unique field of the type %s', async (type) => {
  const id = await createCollection(server, {
    slug: 'codes',
    fields: [{ ...text('code'), type, unique: true }],
  });
  const indexes = await indexesAre(3);
  if (type === 'text')
    expect(indexes).toContain(`items (json_extract(data, '$.code'), sort, id) WHERE collection_id = ${id}`);
  const operand = { field: 'code', compares: type } as const;
  const db = new Connection<object>(join(server.dataDir, 'content.db'), { readonly: true });
  const plan = db.statement(`EXPLAIN QUERY PLAN ${sameValueSql(id, operand)}`).all(['x', 0]);
  db.close();
  expect(String(plan[0]?.['detail'])).toMatch(/^SEARCH items USING INDEX item_index_\w+ \(<expr>=\?\)/);
  expect(plan).toHaveLength(1);
  await call(server, 'DELETE', '/collections/codes');
  await indexesAre(2);
});

describe('links', () => {
  const sql = 'SELECT field, sort_field, descending FROM item_link_sets ORDER BY sort_field';
  const rowsOf = (statement: string) => {
    const db = new Connection<object>(join(server.dataDir, 'content.db'), { readonly: true });
    try {
      return db.statement(statement).all([]);
    } finally {
      db.close();
    }
  };
  const setsAre = async (count: number) => {
    for (;;) {
      const rows = rowsOf(sql);
      if (rows.length === count) return rows.map((row) => Object.values(row).join(' '));
      await call(server, 'GET', '/collections');
    }
  };
  let page: number;

  beforeAll(async () => {
    const topics = await createCollection(server, { slug: 'topics', fields: [text('name')] });
    for (const name of ['a', 'b', 'c']) topicIds.push(await createItem(server, 'topics', { name }));
    tags = { ...tags, collection: topics };
    await callOk(server, 'PUT', '/collections/news', { fields: [...fields, tags] });
    // Stored before there are links.
    for (const [slug, ...numbers] of entries.slice(0, 3)) await create(String(slug), numbers);
    page = await createPage(server, site, {
      html: `{% for e in data("news", "tags", 1, _limit=9) %}{% endfor %}
        {% for e in data("news", tags__in=x, _sort="-date", _limit=9) %}{% endfor %}`,
    });
    await setsAre(2);
    for (const [slug, ...numbers] of entries.slice(3)) await create(String(slug), numbers);
  });

  const topicIds: number[] = [];
  /** Slugs with the topics that they have. */
  const entries: (readonly [string, ...number[]])[] = [
    ['n1', 0, 1],
    ['n2', 1],
    ['n3'],
    ['n4', 2, 0],
    ['n5', 1, 2],
    ['n6', 0],
  ];
  const create = (slug: string, numbers: (string | number)[]) =>
    createItem(server, 'news', {
      slug,
      date: slug === 'n2' ? null : `2026-01-0${slug.at(1)}`,
      tags: numbers.map((n) => topicIds[Number(n)]),
    });
  const slugsOf = async (query: string) =>
    (await callList(server, `/data/news?${query}`)).map(({ slug }) => slug).join(' ');
  const of = (...numbers: number[]) => numbers.map((n) => topicIds[n]).join();

  it('are made for the fields of references that templates filter by, one set for each order', async () => {
    expect(await setsAre(2)).toEqual(['tags  0', 'tags date 1']);
  });

  it.each([
    ['one value, manual order', () => `tags=${of(0)}`, 'n1 n4 n6'],
    ['one value, sorted', () => `tags=${of(1)}&_sort=-date`, 'n5 n1 n2'],
    ['one value, sorted the other way', () => `tags=${of(1)}&_sort=date`, 'n2 n1 n5'],
    ['one value, sorted by two fields', () => `tags=${of(1)}&_sort=-date,slug`, 'n5 n1 n2'],
    ['several values', () => `tags__in=${of(0, 2)}`, 'n1 n4 n5 n6'],
    ['several values, sorted', () => `tags__in=${of(0, 1, 2)}&_sort=-date`, 'n6 n5 n4 n1 n2'],
    ['contains', () => `tags__contains=${of(2)}`, 'n4 n5'],
    ['another condition', () => `tags=${of(0)}&slug__gt=n1`, 'n4 n6'],
    ['limit and offset', () => `tags=${of(0)}&_limit=1&_offset=1`, 'n4'],
    ['the opposite', () => `tags__ne=${of(0)}`, 'n2 n3 n5'],
    ['no value', () => 'tags=', 'n3'],
  ])('find the same entries as without them: %s', async (_, query, expected) => {
    expect(await slugsOf(query())).toBe(expected);
    const count = await call(server, 'GET', `/collections/news/items?${query()}`);
    const { length } = expected.split(' ');
    if (!query().includes('_limit')) expect(count.headers.get('x-total-count')).toBe(String(length));
  });

  it.each([
    ['tags=1', 0],
    ['tags=1&_sort=-date', 0],
    ['tags__in=1,2', 1],
    ['tags__in=1,2&_sort=slug', 1],
    ['tags=1&_sort=slug', 1],
  ])('no query reads the whole collection: %s', (query, sorts) => {
    const plan = planOf(query);
    expect(plan.filter((step) => /^(?:SEARCH item_links|SEARCH items)/.test(step))).toEqual([
      expect.stringMatching(/^SEARCH item_links USING COVERING INDEX item_links_(?:up|down)/),
      'SEARCH items USING INTEGER PRIMARY KEY (rowid=?)',
    ]);
    expect(plan.filter((step) => /^SCAN items/.test(step))).toEqual([]);
    expect(plan.filter((step) => step.includes('FOR ORDER BY'))).toHaveLength(sorts);
  });

  it('follow changes, reordering and deletion of entries', async () => {
    const [n6] = (await callList(server, '/data/news?slug=n6')).map(idOf);
    const [n1] = (await callList(server, '/data/news?slug=n1')).map(idOf);
    await callOk(server, 'PUT', `/collections/news/items/${n6}`, { data: { tags: [topicIds[2]] } });
    expect(await slugsOf(`tags=${of(2)}`)).toBe('n4 n5 n6');
    await call(server, 'POST', '/collections/news/items/reorder', { body: [n6, n1] });
    expect(await slugsOf(`tags=${of(2)}`)).toBe('n6 n4 n5');
    expect(await slugsOf(`tags=${of(0)}`)).toBe('n4 n1');
    await callOk(server, 'PUT', `/collections/news/items/${n1}`, { data: { date: '2027-01-01' } });
    expect(await slugsOf(`tags=${of(1)}&_sort=-date`)).toBe('n1 n5 n2');
    await call(server, 'DELETE', `/collections/news/items/${n6}`);
    expect(await slugsOf(`tags=${of(2)}`)).toBe('n4 n5');
  });

  it('go when no template asks, with the field, and with the collection', async () => {
    await callOk(server, 'PUT', '/collections/news', { fields });
    expect(await setsAre(0)).toEqual([]);
    await callOk(server, 'PUT', '/collections/news', { fields: [...fields, tags] });
    await setsAre(2);
    expect(rowsOf('SELECT count(*) AS n FROM item_links')[0]?.['n']).toBeGreaterThan(0);
    await call(server, 'DELETE', '/collections/news');
    expect(await setsAre(0)).toEqual([]);
    expect(rowsOf('SELECT count(*) AS n FROM item_links')).toEqual([{ n: 0 }]);
    await call(server, 'DELETE', `/pages/${page}`);
  });
});
