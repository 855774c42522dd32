import { contentQuery } from '../../db/prepared.ts';
import { contentTable } from '../../db/table.ts';
import type { ContentDb } from '../../db/tables.ts';

declare module '../../db/tables.ts' {
  interface ContentTables {
    batches: BatchRow;
  }
}

const batches = contentTable('batches');

interface BatchRow {
  idempotency_key: string;
  /** SHA-256 of the request without its key, hex. */
  hash: string;
  /** JSON of the answer. */
  answer: string;
  applied_at: number;
}

/** The batch that was applied with a key, unless that was before `since` (Unix seconds). */
export function findBatch(db: ContentDb, key: string, since: number): Promise<BatchRow | undefined> {
  return selectBatch.first(db, { key, since });
}

export const insertBatch = batches.insert('idempotency_key', 'hash', 'answer', 'applied_at');

export async function deleteBatchesBefore(db: ContentDb, since: number): Promise<void> {
  await removeOld.run(db, { since });
}

const selectBatch = contentQuery((db, p: { key: string; since: number }) =>
  db
    .selectFrom('batches')
    .selectAll()
    .where('idempotency_key', '=', p.key)
    .where('applied_at', '>=', p.since),
);

const removeOld = contentQuery((db, p: { since: number }) =>
  db.deleteFrom('batches').where('applied_at', '<', p.since),
);
