/** The content of an instance as a bundle carries it: rows in a fixed order, and their hash. */
import { createHash } from 'node:crypto';
import { contentTable } from '../../db/table.ts';
import type { ContentDb } from '../../db/tables.ts';
import { liveCollections } from './live/entries.ts';
import { RowRewriter } from './live/row-rewriter.ts';
import { type NumberedKind, type OriginId, type OriginIds, readOriginIds } from './origins.ts';
import type { Row, TableRows } from './rows.ts';
import { findHash } from './store.ts';

/** Takes the rows of a bundle as they are read. */
export interface RowSink {
  row(table: TableRows, row: Row, facts: BundleRowFacts): Promise<void> | void;
  /** All rows of a table have been told. */
  end(table: TableRows): Promise<void>;
}

/** What is known of a row besides its columns. */
export interface BundleRowFacts {
  /** Of the bytes of a file. */
  readonly sha256: string | undefined;
  /** Set if the object is known under another ID or path where it comes from. */
  readonly origin: OriginId | undefined;
  /** Whether it is live data, which the hash leaves out. */
  readonly isLive: boolean;
}

export interface ContentFacts {
  /** Of everything but live data and attached tables. */
  readonly hash: string;
  /** Rows by table. */
  readonly counts: Record<string, number>;
}

/** A file was stored after the hashes had been completed. */
export class UnknownHash extends Error {}

const nothing: RowSink = { row: () => {}, end: async () => {} };

/**
 * Reads all rows of a bundle. Equal content has an equal hash on every instance, however it came about: objects count
 * with the IDs and paths that they have where they come from.
 *
 * @param db in a transaction, so that all rows belong to one state
 * @param liveFiles files that are live data
 * @throws UnknownHash if the hash of a file is not known
 */
export async function readContent(
  db: ContentDb,
  tables: readonly TableRows[],
  liveFiles: ReadonlySet<number>,
  sink: RowSink = nothing,
): Promise<ContentFacts> {
  const live = await liveCollections(db);
  const origins = await readMovedOrigins(db);
  const rewriter = rewriterTo(origins, db);
  const hash = createHash('sha256');
  const counts: Record<string, number> = {};
  const ordered = tables.toSorted((left, right) => (left.table.name < right.table.name ? -1 : 1));
  for (const rows of ordered) {
    const { name, counted, attached, kind } = rows.table;
    const hashed = counted.toSorted();
    if (attached === undefined) hash.update(`${name} ${hashed.join(' ')}\n`);
    let count = 0;
    const numbered =
      (name === 'files' || name === 'items') && isNumbered(kind.name) ? origins[kind.name] : none;
    for await (const row of inOrderOfOrigins(rows, db, numbered)) {
      const sha256 = name === 'files' ? await requireHash(db, row) : undefined;
      const isLive =
        (name === 'items' && live.has(Number(row['collection_id']))) ||
        (name === 'files' && liveFiles.has(Number(row['id'])));
      if (!isLive && attached === undefined) {
        const shown = rewriter.isNeeded ? await rewriter.rewrite(rows.table, row) : row;
        hash.update(`${JSON.stringify([...hashed.map((column) => shown[column]), sha256])}\n`);
      }
      await sink.row(rows, row, { sha256, isLive, origin: numbered.get(Number(row['id'])) });
      count += 1;
    }
    counts[name] = count;
    await sink.end(rows);
  }
  return { hash: hash.digest('hex'), counts };
}

const none: ReadonlyMap<number, OriginId> = new Map();

function isNumbered(kind: string): kind is NumberedKind {
  return kind === 'file' || kind === 'item';
}

/** Without objects that have the same ID and path where they come from. */
async function readMovedOrigins(db: ContentDb): Promise<MovedOrigins> {
  const { item, file: brought } = await readOriginIds(db);
  const file = new Map<number, OriginId>();
  const paths = new Map<string, string>();
  for (const [id, origin] of brought) {
    const path = await findPath(db, id);
    if (path === undefined || (origin.origin_id === id && origin.origin_path === path)) continue;
    file.set(id, origin);
    if (origin.origin_path !== path) paths.set(path, origin.origin_path);
  }
  return { item, file, paths };
}

interface MovedOrigins extends OriginIds {
  /** Paths where files come from, by their paths here. */
  readonly paths: ReadonlyMap<string, string>;
}

function rewriterTo({ file, item, paths }: MovedOrigins, db: ContentDb): RowRewriter {
  const moves = (origins: ReadonlyMap<number, OriginId>) =>
    new Map([...origins].map(([id, { origin_id }]) => [id, origin_id] as const));
  const ids = new Map([
    ['file', moves(file)],
    ['item', moves(item)],
  ]);
  return new RowRewriter(db, { ids, paths });
}

/** Rows in the order of their keys, those that come from elsewhere at the place of their key there. */
async function* inOrderOfOrigins(
  rows: TableRows,
  db: ContentDb,
  origins: ReadonlyMap<number, OriginId>,
): AsyncGenerator<Row> {
  const moved = [...origins.values()].sort((left, right) => left.origin_id - right.origin_id);
  let next = 0;
  for await (const row of rows.all(db)) {
    const id = Number(row['id']);
    if (origins.has(id)) continue;
    for (let origin = moved[next]; origin !== undefined && origin.origin_id < id; origin = moved[++next]) {
      const other = await rows.find(db, { id: origin.id });
      if (other !== undefined) yield other;
    }
    yield row;
  }
  for (const { id } of moved.slice(next)) {
    const other = await rows.find(db, { id });
    if (other !== undefined) yield other;
  }
}

async function requireHash(db: ContentDb, row: Row): Promise<string> {
  const sha256 = await findHash(db, String(row['content']));
  if (sha256 === undefined) throw new UnknownHash('the hash of a file is not known yet');
  return sha256;
}

const findPath = contentTable('files').findCellBy(['id'], 'path');
