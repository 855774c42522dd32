/** The content of an instance as a bundle carries it: rows in a fixed order, and their hash. */
import { createHash } from 'node:crypto';
import type { ContentDb } from '../../db/tables.ts';
import { liveCollections } from './live.ts';
import type { Row, TableRows } from './rows.ts';
import { findHash } from './store.ts';

/** Takes the rows of a bundle as they are read. */
export interface RowSink {
  /** @param sha256 of the bytes, for a row of a file */
  row(table: TableRows, row: Row, sha256: string | undefined): Promise<void> | void;
  /** All rows of a table have been told. */
  end(table: TableRows): Promise<void>;
}

export interface ContentFacts {
  /** Of everything but entries of live collections and attached tables. */
  readonly hash: string;
  /** Rows by table. */
  readonly counts: Record<string, number>;
}

/** A file was stored after the hashes had been completed. */
export class UnknownHash extends Error {}

const nothing: RowSink = { row: () => {}, end: async () => {} };

/**
 * Reads all rows of a bundle. Equal content has an equal hash on every instance, however it came about.
 *
 * @param db in a transaction, so that all rows belong to one state
 * @throws UnknownHash if the hash of a file is not known
 */
export async function readContent(
  db: ContentDb,
  tables: readonly TableRows[],
  sink: RowSink = nothing,
): Promise<ContentFacts> {
  const live = await liveCollections(db);
  const hash = createHash('sha256');
  const counts: Record<string, number> = {};
  const ordered = tables.toSorted((left, right) => (left.table.name < right.table.name ? -1 : 1));
  for (const rows of ordered) {
    const { name, counted, attached } = rows.table;
    const hashed = counted.toSorted();
    if (attached === undefined) hash.update(`${name} ${hashed.join(' ')}\n`);
    let count = 0;
    for await (const row of rows.all(db)) {
      const sha256 = name === 'files' ? await requireHash(db, row) : undefined;
      const isLive = name === 'items' && live.has(Number(row['collection_id']));
      if (!isLive && attached === undefined)
        hash.update(`${JSON.stringify([...hashed.map((column) => row[column]), sha256])}\n`);
      await sink.row(rows, row, sha256);
      count += 1;
    }
    counts[name] = count;
    await sink.end(rows);
  }
  return { hash: hash.digest('hex'), counts };
}

async function requireHash(db: ContentDb, row: Row): Promise<string> {
  const sha256 = await findHash(db, String(row['content']));
  if (sha256 === undefined) throw new UnknownHash('the hash of a file is not known yet');
  return sha256;
}
