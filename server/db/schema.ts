/** What SQLite knows of its own tables. Another database has other questions for it. */
import type { Row } from './connection.ts';
import type { ContentDb } from './tables.ts';

/** Names of the indexes of a table, as SQLite knows them. */
export function listIndexes(db: ContentDb, table: string): string[] {
  const rows = db
    .statement("SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = ?")
    .all([table]);
  return rows.map(({ name }) => String(name));
}

/**
 * The first row of a query for a partial index. SQLite uses such an index only if the text of the query itself shows
 * that it fits, so the query cannot be declared with parameters alone.
 */
export function findIndexedRow(
  db: ContentDb,
  sql: string,
  values: readonly (string | number)[],
): Row | undefined {
  return db.statement(sql).first(values);
}

/** A column of a table. */
export interface ColumnInfo {
  readonly name: string;
  readonly type: 'integer' | 'real' | 'text';
  readonly isRequired: boolean;
  /** Place in the primary key, from 1; 0 if it is no part of it. */
  readonly keyPlace: number;
}

/** The columns of a table in their order; none if there is no such table. */
export function listColumns(db: ContentDb, table: string): ColumnInfo[] {
  const rows = db
    .statement('SELECT name, lower(type) AS type, "notnull" AS required, pk FROM pragma_table_info(?)')
    .all([table]);
  return rows.map(({ name, type, required, pk }) => ({
    name: String(name),
    type: type === 'integer' || type === 'real' ? type : 'text',
    isRequired: Number(required) === 1,
    keyPlace: Number(pk),
  }));
}

/** The columns of a table that are part of an index in which no two rows may be equal, besides the primary key. */
export function listUniqueColumns(db: ContentDb, table: string): string[] {
  const rows = db
    .statement(
      `SELECT DISTINCT part.name FROM pragma_index_list(?) AS list, pragma_index_info(list.name) AS part
       WHERE list."unique" = 1 AND list.origin <> 'pk' AND part.name IS NOT NULL`,
    )
    .all([table]);
  return rows.map(({ name }) => String(name));
}

/** The column of a table that refers to another table; undefined if there is none. */
export function findReferringColumn(db: ContentDb, table: string, to: string): string | undefined {
  const row = db
    .statement('SELECT "from" AS name FROM pragma_foreign_key_list(?) WHERE "table" = ? ORDER BY id LIMIT 1')
    .first([table, to]);
  return row === undefined ? undefined : String(row['name']);
}

/** The highest ID that a table has ever given; 0 before the first. */
export function readLastId(db: ContentDb, table: string): number {
  const row = db.statement('SELECT seq FROM sqlite_sequence WHERE name = ?').first([table]);
  return Number(row?.['seq'] ?? 0);
}

/** Takes the next ID of a table, so that no row gets it by itself. A row gets it by `Connection.promisedIds`. */
export function reserveId(db: ContentDb, table: string): number {
  const id = readLastId(db, table) + 1;
  const { changes } = db.statement('UPDATE sqlite_sequence SET seq = ? WHERE name = ?').run([id, table]);
  if (changes === 0) db.statement('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)').run([table, id]);
  return id;
}

/** The first reference of a row to a row that does not exist, as text; undefined if all references lead somewhere. */
export function findBrokenReference(db: ContentDb): string | undefined {
  const row = db.statement('SELECT "table", rowid, parent FROM pragma_foreign_key_check LIMIT 1').first([]);
  return row === undefined
    ? undefined
    : `row ${row['rowid']} of ${row['table']} refers to a row of ${row['parent']} that is not there`;
}

/**
 * The first table, index, view or trigger that a database has besides those of another one, or lacks, or has with another
 * text, in words; undefined if there is none. Indexes that are made for queries of templates may differ.
 */
export function findForeignObject(db: ContentDb, model: ContentDb): string | undefined {
  const [found, expected] = [db, model].map(objectsOf);
  for (const [name, text] of found ?? [])
    if (expected?.get(name) !== text)
      return `its ${name} ${expected?.has(name) === true ? 'is another one' : 'is not known'}`;
  for (const name of expected?.keys() ?? []) if (found?.has(name) !== true) return `its ${name} is missing`;
  return undefined;
}

function objectsOf(db: ContentDb): Map<string, string> {
  const rows = db
    .statement(
      `SELECT type || ' ' || name AS name, tbl_name || ' ' || coalesce(sql, '') AS text FROM sqlite_schema
       WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND NOT (type = 'index' AND name LIKE 'item\\_index\\_%' ESCAPE '\\')`,
    )
    .all([]);
  return new Map(rows.map(({ name, text }) => [String(name), String(text)]));
}

/** References between rows are checked at the end of the transaction, so that rows may come in any order. */
export function deferReferences(db: ContentDb): void {
  db.execute('PRAGMA defer_foreign_keys = ON');
}

/** Removes all triggers, for a database whose rows are only read afterwards. */
export function dropTriggers(db: ContentDb): void {
  const rows = db.statement("SELECT name FROM sqlite_schema WHERE type = 'trigger'").all([]);
  for (const { name } of rows) db.execute(`DROP TRIGGER ${quoteName(String(name))}`);
}

/**
 * Adds a row to a table of a file that always belongs to SQLite, whatever the instance itself runs on.
 *
 * @param row values by the names of columns that the table has
 */
export function insertRow(db: ContentDb, table: string, row: ReadonlyMap<string, unknown>): void {
  const names = [...row.keys()];
  const columns = names.map(quoteName).join(', ');
  const marks = names.map(() => '?').join(', ');
  db.statement(`INSERT INTO ${quoteName(table)} (${columns}) VALUES (${marks})`).run([...row.values()]);
}

/** A name of a table or column in SQL. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
