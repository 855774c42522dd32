import { TimeSlices } from '../../base/timers.ts';
import type { Connection } from '../connection.ts';
import { computeRowLength, stepsFromJson } from './changed-rows.ts';
import { type Cell, columnList, derivedTables, quoted, type SharedTable, sequenceTable } from './tables.ts';

/**
 * Applies rows that another node has changed, in a transaction that the caller has begun.
 *
 * @param db a connection without triggers and without checks of references: the rows of the other node are complete
 * @returns names of the tables that were touched
 */
export async function applySteps<Tables>(
  db: Connection<Tables>,
  tables: ReadonlyMap<string, SharedTable>,
  json: string,
): Promise<ReadonlySet<string>> {
  const touched = new Set<string>();
  const slices = new TimeSlices();
  for (const step of stepsFromJson(json)) {
    const table = tables.get(step.table);
    // A table of a newer version of the program, which this one neither reads nor writes.
    if (table === undefined) continue;
    touched.add(step.table);
    const rows = 'add' in step ? step.add : step.remove;
    // All rows of a step were written by one program, so they have the same cells.
    if (rows.length === 0) continue;
    const statement = db.statement('add' in step ? insertSql(table, rows[0]?.length ?? 0) : deleteSql(table));
    for (const cells of rows) {
      // SQLite has made a row of its own for a table that has just got its first row.
      if (table === sequenceTable) db.statement(deleteSql(table)).run(cells.slice(0, 1));
      statement.run(cells);
      const pause = slices.next();
      if (pause !== undefined) await pause;
    }
  }
  return touched;
}

/** Adds rows to a table that `clearTables` has emptied. */
export function insertRows<Tables>(
  db: Connection<Tables>,
  table: SharedTable,
  rows: Iterable<readonly Cell[]>,
): void {
  const statement = db.statement(insertSql(table, table.columns.length));
  for (const cells of rows) statement.run(cells);
}

/** Deletes all rows of all shared tables. */
export function clearTables<Tables>(db: Connection<Tables>, tables: ReadonlyMap<string, SharedTable>): void {
  for (const table of tables.values()) clearTable(db, table);
}

/** Deletes all rows of a table; of the highest IDs those of shared tables. */
export function clearTable<Tables>(db: Connection<Tables>, table: SharedTable): void {
  if (table !== sequenceTable) db.execute(`DELETE FROM main.${quoted(table.name)}`);
  else
    db.statement('DELETE FROM main.sqlite_sequence WHERE name NOT IN (SELECT value FROM json_each(?))').run([
      JSON.stringify([...derivedTables]),
    ]);
}

/** Characters after which a slice of rows is long enough. */
const sliceLength = 2 ** 20;

/** The rows of a table in slices of at most `size` rows, in the order of their keys. */
export function* tableRows<Tables>(
  db: Connection<Tables>,
  { name, columns, key }: SharedTable,
  size: number,
): Generator<Cell[][]> {
  const statement = db.statement(
    `SELECT ${columnList(columns)} FROM main.${quoted(name)} ORDER BY ${columnList(key)}`,
  );
  let slice: Cell[][] = [];
  let length = 0;
  for (const row of statement.iterate([])) {
    // Type boundary: `sharedTables` accepts no columns with values of other types.
    const cells = columns.map((column) => row[column.name] as Cell);
    slice.push(cells);
    length += computeRowLength(cells);
    if (slice.length < size && length < sliceLength) continue;
    yield slice;
    slice = [];
    length = 0;
  }
  if (slice.length > 0) yield slice;
}

/** @param width number of cells: rows that were written before a column was added lack its cell */
function insertSql({ name, columns }: SharedTable, width: number): string {
  if (width > columns.length) throw new Error(`the log has more columns of ${name} than this node`);
  const marks = Array.from({ length: width }, () => '?').join(', ');
  return `INSERT INTO main.${quoted(name)} (${columnList(columns.slice(0, width))}) VALUES (${marks})`;
}

function deleteSql({ name, key }: SharedTable): string {
  return `DELETE FROM main.${quoted(name)} WHERE ${key.map((column) => `${quoted(column.name)} = ?`).join(' AND ')}`;
}
