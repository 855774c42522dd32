import { join } from 'node:path';
import { Connection } from '../../server/db/connection.ts';
import type { ContentTables } from '../../server/db/tables.ts';

/** @param tags ID of the collection that entries refer to */
export const fieldsOf = (tags: number) => [
  { name: 'slug', type: 'text' },
  { name: 'title', type: 'text' },
  { name: 'topic', type: 'select' },
  { name: 'date', type: 'date' },
  { name: 'text', type: 'markdown' },
  { name: 'tags', type: 'references', collection: tags },
];

/** Writes entries into a database that no server uses: a quarter of them has each topic, and half each tag. */
export function fillCollection(dataDir: string, collectionId: number, count: number): void {
  const db = new Connection<ContentTables>(join(dataDir, 'content.db'));
  db.execute('BEGIN');
  db.statement('INSERT INTO bulk_items VALUES (?)').run([collectionId]);
  const insert = db.statement(
    'INSERT INTO items (collection_id, sort, published, created_at, updated_at, data) VALUES (?, ?, 1, 1, 1, ?)',
  );
  for (let n = 0; n < count; n++) insert.run([collectionId, n, JSON.stringify(entry(n))]);
  db.execute('DELETE FROM bulk_items; COMMIT');
  db.close();
}

function entry(n: number): object {
  const two = (value: number) => String(value).padStart(2, '0');
  return {
    slug: `entry-${n}`,
    title: `Entry number ${n}`,
    topic: `t${n % 4}`,
    tags: [1 + (n % 4), 1 + ((n + 1) % 4)],
    date: `20${two(n % 26)}-${two((n % 12) + 1)}-${two((n % 28) + 1)}`,
    text: `A lamp of *brass* and glass, number ${n}. `.repeat(6),
  };
}

/** Waits for the indexes and links that the pages ask for; they are made in the background. */
export async function waitForIndexes(dataDir: string, expected: number): Promise<void> {
  const db = new Connection<ContentTables>(join(dataDir, 'content.db'), { readonly: true });
  const started = performance.now();
  for (;;) {
    const made = db
      .statement(
        `SELECT (SELECT count(*) FROM sqlite_schema WHERE name LIKE 'item_index_%')
          + (SELECT count(*) FROM item_link_sets) AS made`,
      )
      .first([]);
    if (made?.['made'] === expected) break;
    if (performance.now() - started > 60_000) throw new Error('the indexes were not made in a minute');
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  db.close();
}
