import { nameHiddenRows } from '../../runtime/content/overlay.ts';
import { Connection, type Row } from './connection.ts';
import type { ContentDb } from './tables.ts';

/** Rows of one table that differ from what is committed. */
export interface OverlaidTable {
  readonly name: string;
  /** Committed rows with one of these values in this column count no more. */
  readonly hidden: ReadonlyMap<string, readonly number[]>;
  /** The rows in their place, with all columns in the order of the table. */
  readonly rows: readonly Row[];
}

/**
 * The rows that have one of these values now, as the connection sees them; undefined if there are more than `max`.
 *
 * @param name of a table
 * @param hidden the values by column
 */
export function readOverlaidTable(
  db: ContentDb,
  name: string,
  hidden: OverlaidTable['hidden'],
  max: number,
): OverlaidTable | undefined {
  const columns = [...hidden];
  const chosen = columns.map(([column]) => `${column} IN (SELECT value FROM json_each(?))`);
  const rows = db
    .statement(`SELECT * FROM ${name} WHERE ${chosen.join(' OR ')} LIMIT ${max + 1}`)
    .all(columns.map(([, values]) => JSON.stringify(values)));
  return rows.length > max ? undefined : { name, hidden, rows };
}

/**
 * Writes a file that `attachOverlay` lays over the content.
 *
 * @param file path of a file that does not exist
 */
export function writeOverlayFile(file: string, tables: readonly OverlaidTable[]): void {
  const db = new Connection<object>(file);
  try {
    // The file is read while this process lives, and never after.
    db.execute('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN');
    for (const table of tables) writeTable(db, table);
    db.execute('COMMIT');
  } finally {
    db.close();
  }
}

function writeTable(db: Connection<object>, { name, hidden, rows }: OverlaidTable): void {
  for (const [column, values] of hidden) {
    const table = `"${nameHiddenRows(name, column)}"`;
    db.execute(`CREATE TABLE ${table} (value INTEGER PRIMARY KEY)`);
    const insert = db.statement(`INSERT OR IGNORE INTO ${table} VALUES (?)`);
    for (const value of values) insert.run([value]);
  }
  const [first] = rows;
  if (first === undefined) return;
  const columns = Object.keys(first);
  db.execute(`CREATE TABLE "${name}" (${columns.map((column) => `"${column}"`).join(', ')})`);
  const insert = db.statement(`INSERT INTO "${name}" VALUES (${columns.map(() => '?').join(', ')})`);
  for (const row of rows) insert.run(columns.map((column) => row[column]));
}
