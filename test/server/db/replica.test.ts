import { rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { saveStateAuthor } from '../../../server/content/kinds/store.ts';
import { applySteps } from '../../../server/db/replica/apply.ts';
import { stepsFromJson } from '../../../server/db/replica/changed-rows.ts';
import { openReplica, type Replica } from '../../../server/db/replica/open.ts';
import { readRowFacts } from '../../../server/db/replica/row-facts.ts';
import { openScratch, type Scratch } from '../../../server/db/replica/scratch.ts';
import type { ContentTables } from '../../../server/db/tables.ts';
import { makeTempDir } from '../../support/server.ts';

/** What a replica notes of its transactions, and what another one makes of it, without PostgreSQL. */

let folder: string;
let source: Replica<ContentTables>;
let target: Replica<ContentTables>;
let plain: Scratch;

beforeAll(() => {
  folder = makeTempDir();
  const options = { name: 'content', instance: 'test', busyTimeoutMs: 1000 } as const;
  source = openReplica({ ...options, folder: join(folder, 'source') });
  target = openReplica({ ...options, folder: join(folder, 'target') });
  plain = openScratch(join(folder, 'plain.db'), 'content');
});
afterAll(() => {
  for (const replica of [source, target]) replica.close();
  plain.db.close();
  rmSync(folder, { recursive: true });
});

/** Runs statements as one transaction and applies to the other replica what was noted. */
async function transfer(statements: readonly string[]): Promise<void> {
  const { writer, capture } = source;
  writer.execute('BEGIN IMMEDIATE');
  capture.begin();
  for (const statement of statements) {
    try {
      writer.execute(statement);
    } catch (error) {
      // A statement that breaks a rule leaves nothing behind; the transaction goes on, as that of a change does.
      if (!isConstraint(error)) throw error;
    }
  }
  const parts = [...capture.parts()];
  capture.clear();
  writer.execute('COMMIT');
  target.applier.execute('BEGIN IMMEDIATE');
  for (const { json } of parts) await applySteps(target.applier, target.tables, json);
  target.applier.execute('COMMIT');
}

function isConstraint(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_CONSTRAINT');
}

const page = (id: number, slug: string) =>
  `INSERT INTO pages (id, root_id, slug, path, sort, title, created_at, updated_at)
   VALUES (${id}, 1, '${slug}', '/${slug}', 0, 'Page', 1, 1) ON CONFLICT (id) DO UPDATE SET title = title || '!'`;
const ids = fc.integer({ min: 1, max: 8 });
const slugs = fc.constantFrom('a', 'b', 'c', 'd');
const statement = fc.oneof(
  fc.tuple(ids, slugs).map(([id, slug]) => page(id, `${slug}${id}`)),
  ids.map((id) => `DELETE FROM pages WHERE id = ${id}`),
  fc.tuple(ids, slugs).map(([id, slug]) => `UPDATE pages SET path = '/x-${slug}-${id}' WHERE id = ${id}`),
  fc.tuple(ids, ids).map(([left, right]) => `UPDATE pages SET sort = ${right} WHERE id >= ${left}`),
  slugs.map(
    (name) =>
      `INSERT INTO settings (key, value) VALUES ('${name}', 'x' || char(0) || '${name}')
       ON CONFLICT (key) DO UPDATE SET value = value || excluded.value`,
  ),
  slugs.map((name) => `UPDATE settings SET key = key || '${name}' WHERE key = '${name}'`),
  ids.map(
    (id) =>
      `INSERT INTO collections (id, slug, name, created_at, updated_at) VALUES (${id}, 'c${id}', 'C', 1, 1)
       ON CONFLICT DO NOTHING`,
  ),
  ids.map(
    (id) =>
      `INSERT INTO items (collection_id, sort, created_at, updated_at, data)
       SELECT id, 1, 1, 1, '{"n":${id}}' FROM collections WHERE id = ${id}`,
  ),
  ids.map((id) => `DELETE FROM items WHERE id % ${id + 1} = 0`),
  fc.constant("SAVEPOINT a; DELETE FROM items; UPDATE settings SET value = 'gone'; ROLLBACK TO a; RELEASE a"),
);

describe('a replica', () => {
  it('has what another one has, after any transactions', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(statement, { minLength: 1, maxLength: 8 }), { maxLength: 6 }),
        async (groups) => {
          for (const group of groups) await transfer(group);
          expect(readRowFacts(target.applier, 'content')).toEqual(readRowFacts(source.writer, 'content'));
          expect(target.applier.statement('SELECT * FROM sqlite_sequence ORDER BY name').all([])).toEqual(
            source.writer.statement('SELECT * FROM sqlite_sequence ORDER BY name').all([]),
          );
        },
      ),
      { numRuns: 60 },
    );
  });

  it('has the same rows as a database with the triggers of the product', async () => {
    const statements = [
      page(1, 'one'),
      page(2, 'two'),
      "UPDATE pages SET title = 'New'",
      'DELETE FROM pages WHERE id = 2',
    ];
    const all = [
      'DELETE FROM pages',
      'DELETE FROM items',
      'DELETE FROM collections',
      'DELETE FROM settings',
      'DELETE FROM changes',
      'DELETE FROM revisions',
      'DELETE FROM commits',
      'DELETE FROM log_positions',
      // Migrations make the built-in ones; a replica has rows only from others.
      'DELETE FROM roles',
    ];
    await transfer(all);
    await transfer(['DELETE FROM changes']);
    await transfer(statements);
    for (const sql of [...all, 'DELETE FROM changes', ...statements]) plain.db.execute(sql);
    expect(readRowFacts(target.applier, 'content')).toEqual(readRowFacts(plain.db, 'content'));
    expect(readRowFacts(target.applier, 'content').counts.get('changes')).toBeGreaterThan(3);
  });

  it('is told to remove only rows that were there before', async () => {
    await transfer(['DELETE FROM settings', "INSERT INTO settings VALUES ('old', '1'), ('moved', '1')"]);
    const { writer, capture } = source;
    writer.execute('BEGIN');
    capture.begin();
    writer.execute(`
      INSERT INTO settings VALUES ('new', '1'), ('brief', '1');
      UPDATE settings SET value = '2' WHERE key IN ('new', 'old');
      UPDATE settings SET key = 'away' WHERE key = 'moved';
      DELETE FROM settings WHERE key IN ('brief', 'old');
      INSERT INTO settings VALUES ('old', '3');
    `);
    const steps = [...capture.parts()].flatMap(({ json }) => stepsFromJson(json));
    writer.execute('ROLLBACK');
    expect(steps).toEqual([
      { table: 'settings', remove: [['moved'], ['old']] },
      {
        table: 'settings',
        add: [
          ['away', '1'],
          ['new', '2'],
          ['old', '3'],
        ],
      },
    ]);
  });

  it('is told nothing of a row that is stored as it was', async () => {
    const { writer, capture } = source;
    const author = { kind: 'page', object_id: 7, author: 'Ada', at: 1 };
    writer.execute('BEGIN');
    capture.begin();
    await saveStateAuthor(writer, author);
    capture.clear();
    await saveStateAuthor(writer, author);
    expect([...capture.changedTables()]).toEqual([]);
    await saveStateAuthor(writer, { ...author, at: 2 });
    expect([...capture.changedTables()]).toEqual(['state_authors']);
    writer.execute('ROLLBACK');
  });

  it('never gives an ID again that another one has given', async () => {
    await transfer(['DELETE FROM items', page(100, 'hundred'), 'DELETE FROM pages WHERE id = 100']);
    target.writer.execute('BEGIN');
    target.writer.execute(
      "INSERT INTO pages (root_id, slug, path, sort, title, created_at, updated_at) VALUES (1, 'n', '/n', 0, 'N', 1, 1)",
    );
    expect(target.writer.statement('SELECT max(id) AS id FROM pages').first([])).toEqual({ id: 101 });
    target.writer.execute('ROLLBACK');
  });

  it('keeps links between entries right by itself', async () => {
    const set = `INSERT INTO collections (id, slug, name, created_at, updated_at) VALUES (50, 'links', 'L', 1, 1)`;
    await transfer([set]);
    target.applier.execute(
      "INSERT INTO item_link_sets (collection_id, field, sort_field, descending) VALUES (50, 'to', '', 0)",
    );
    await transfer([
      `INSERT INTO items (id, collection_id, sort, created_at, updated_at, data) VALUES (500, 50, 1, 1, 1, '{"to":[7,8]}')`,
    ]);
    const links = () =>
      target.applier.statement('SELECT to_id FROM item_links WHERE item_id = 500 ORDER BY to_id').all([]);
    expect(links()).toEqual([{ to_id: 7 }, { to_id: 8 }]);
    await transfer([`UPDATE items SET data = '{"to":[9]}' WHERE id = 500`]);
    expect(links()).toEqual([{ to_id: 9 }]);
    await transfer(['DELETE FROM items WHERE id = 500']);
    expect(links()).toEqual([]);
  });

  it('tells of large transactions in parts', async () => {
    await transfer([
      `INSERT INTO settings (key, value) WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
       SELECT 'many' || i, hex(zeroblob(1000)) FROM n`,
    ]);
    expect(
      target.applier.statement("SELECT count(*) AS n FROM settings WHERE key LIKE 'many%'").first([]),
    ).toEqual({
      n: 3000,
    });
    source.writer.execute('BEGIN');
    source.capture.begin();
    source.writer.execute(
      "DELETE FROM settings WHERE key LIKE 'many%'; INSERT INTO settings VALUES ('x', hex(zeroblob(1500000))), ('y', hex(zeroblob(1500000)))",
    );
    expect([...source.capture.parts()].length).toBeGreaterThan(1);
    source.writer.execute('ROLLBACK');
    expect([...source.capture.changedTables()]).toEqual([]);
  });
});
