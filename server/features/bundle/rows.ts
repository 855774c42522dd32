/** Rows of the tables of a bundle: reading them in the order of their keys, comparing and writing them. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Compilable, type Kysely, type RawBuilder, sql } from 'kysely';
import type { Row } from '../../db/connection.ts';
import { contentQuery, type PreparedQuery } from '../../db/prepared.ts';
import type { ContentDb, ContentTables } from '../../db/tables.ts';
import type { BundleTable } from './tables.ts';

export type { Row } from '../../db/connection.ts';

/** Rows that are read at once; the thread serves others in between. */
const rowsPerSlice = 64;

/** The queries of one table. */
export class TableRows {
  readonly table: BundleTable;
  readonly #first: Query;
  readonly #next: Query;
  readonly #find: Query;
  readonly #insert: Command;
  readonly #update: Command;
  readonly #remove: Command;

  constructor(table: BundleTable) {
    this.table = table;
    const { name, columns, key } = table;
    const others = columns.filter((column) => !key.includes(column));
    const order = sql.join(key.map((column) => sql.ref(column)));
    this.#first = query((db) => db.selectFrom(name).select(columns).orderBy(order).limit(rowsPerSlice));
    this.#next = query((db, p) =>
      db
        .selectFrom(name)
        .select(columns)
        .where(sql<boolean>`(${order}) > (${sql.join(key.map((column) => p[column]))})`)
        .orderBy(order)
        .limit(rowsPerSlice),
    );
    this.#find = query((db, p) => db.selectFrom(name).select(columns).where(isRow(key, p)));
    this.#insert = query((db, p) => db.insertInto(name).values(pick(p, columns)));
    this.#update = query((db, p) =>
      db
        .updateTable(name)
        .set(pick(p, others.length === 0 ? key : others))
        .where(isRow(key, p)),
    );
    this.#remove = query((db, p) => db.deleteFrom(name).where(isRow(key, p)));
  }

  /** All rows in the order of their keys. The same connection may be used for other queries meanwhile. */
  async *all(db: ContentDb): AsyncGenerator<Row> {
    let rows = await this.#first.all(db, {});
    for (let last = rows.at(-1); last !== undefined; last = rows.at(-1)) {
      yield* rows;
      if (rows.length < rowsPerSlice) return;
      await nextTurn();
      rows = await this.#next.all(db, last);
    }
  }

  /** The row with the key that `key` has. */
  find(db: ContentDb, key: Row): Promise<Row | undefined> {
    return this.#find.first(db, key);
  }

  async insert(db: ContentDb, row: Row): Promise<void> {
    await this.#insert.run(db, row);
  }

  async update(db: ContentDb, row: Row): Promise<void> {
    await this.#update.run(db, row);
  }

  async remove(db: ContentDb, key: Row): Promise<void> {
    await this.#remove.run(db, key);
  }

  /** The values of the key of a row. */
  keyOf(row: Row): Row {
    return Object.fromEntries(this.table.key.map((column) => [column, row[column]]));
  }

  /** Less than 0 if the first row comes before the other one. */
  compareKeys(left: Row, right: Row): number {
    for (const column of this.table.key) {
      const order = compareValues(left[column], right[column]);
      if (order !== 0) return order;
    }
    return 0;
  }
}

type Query = PreparedQuery<ContentTables, Row, Row>;
type Command = PreparedQuery<ContentTables, Row, unknown>;

function query<Result>(
  build: (db: Kysely<Record<string, Row>>, p: Row) => Compilable<Result>,
): PreparedQuery<ContentTables, Row, Result> {
  // Type boundary: names of tables and columns are run-time values here, which Kysely's types cannot check.
  return contentQuery((db, p: Row) => build(db as unknown as Kysely<Record<string, Row>>, p));
}

function isRow(key: readonly string[], p: Row): RawBuilder<boolean> {
  return sql<boolean>`${sql.join(
    key.map((column) => sql`${sql.ref(column)} = ${p[column]}`),
    sql` AND `,
  )}`;
}

/** By name, because the parameters of a prepared query hold markers and cannot be listed. */
function pick(p: Row, names: readonly string[]): Row {
  return Object.fromEntries(names.map((name) => [name, p[name]]));
}

/** The order of SQLite: numbers, then texts by their bytes. */
function compareValues(left: unknown, right: unknown): number {
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  return Buffer.compare(Buffer.from(String(left)), Buffer.from(String(right)));
}

/** A row of a table that is not the same on both sides. */
export type RowDifference =
  | { readonly action: 'created'; readonly after: Row }
  | { readonly action: 'updated'; readonly after: Row; readonly before: Row }
  | { readonly action: 'deleted'; readonly before: Row };

/** Whether a row is the same on both sides. */
export type SameRow = (before: Row, after: Row) => boolean | Promise<boolean>;

/**
 * What has to happen so that a table of `from` becomes that of `to`.
 *
 * @param isSame default: nothing differs that counts, nor any column of the instance
 */
export async function* differences(
  rows: TableRows,
  from: ContentDb,
  to: ContentDb,
  isSame: SameRow = sameColumns(rows),
): AsyncGenerator<RowDifference> {
  const before = rows.all(from);
  const after = rows.all(to);
  let old = await nextRow(before);
  let next = await nextRow(after);
  while (old !== undefined || next !== undefined) {
    const order = old === undefined ? 1 : next === undefined ? -1 : rows.compareKeys(old, next);
    if (old !== undefined && order < 0) yield { action: 'deleted', before: old };
    else if (next !== undefined && order > 0) yield { action: 'created', after: next };
    else if (old !== undefined && next !== undefined && !(await isSame(old, next)))
      yield { action: 'updated', before: old, after: next };
    if (order <= 0) old = await nextRow(before);
    if (order >= 0) next = await nextRow(after);
  }
}

function sameColumns({ table }: TableRows): SameRow {
  const compared = table.columns.filter(
    (column) => table.counted.includes(column) || !table.carried.includes(column),
  );
  return (before, after) => compared.every((column) => before[column] === after[column]);
}

async function nextRow(rows: AsyncGenerator<Row>): Promise<Row | undefined> {
  const { value, done } = await rows.next();
  return done === true ? undefined : value;
}
