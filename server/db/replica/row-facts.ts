import { createHash } from 'node:crypto';
import type { Connection } from '../connection.ts';
import { tableRows } from './apply.ts';
import type { ReplicationLogName } from './lanes.ts';
import { sequenceTable, sharedTables } from './tables.ts';

/** What can be compared of two databases. */
export interface RowFacts {
  /** Number of rows by table. */
  readonly counts: ReadonlyMap<string, number>;
  /** SHA-256 of all rows in the order of their keys. */
  readonly hash: string;
}

const rowsPerSlice = 500;

/** Reads all rows of a lane. */
export function readRowFacts<Tables>(db: Connection<Tables>, lane: ReplicationLogName): RowFacts {
  const hash = createHash('sha256');
  const counts = new Map<string, number>();
  const tables = [...sharedTables(db, lane).values()].filter((table) => table !== sequenceTable);
  for (const table of tables.toSorted((left, right) => (left.name < right.name ? -1 : 1))) {
    hash.update(`${table.name}\n`);
    let count = 0;
    for (const rows of tableRows(db, table, rowsPerSlice)) {
      for (const row of rows) hash.update(`${JSON.stringify(row)}\n`);
      count += rows.length;
    }
    counts.set(table.name, count);
  }
  return { counts, hash: hash.digest('hex') };
}
