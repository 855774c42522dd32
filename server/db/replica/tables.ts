/** The tables that nodes share: what their rows look like, in SQLite and in PostgreSQL. */
import type { Connection } from '../connection.ts';
import { hasTable, type ReplicationLogName } from './lanes.ts';

/** A value of a row. */
export type Cell = string | number | null;

export interface SharedColumn {
  readonly name: string;
  readonly type: 'bigint' | 'double precision' | 'text';
}

/** A column with the SQL of its default; undefined: none. */
export interface ColumnWithDefault extends SharedColumn {
  readonly default: string | undefined;
}

export interface SharedTable {
  readonly name: string;
  readonly columns: readonly SharedColumn[];
  /** The columns of the primary key. */
  readonly key: readonly SharedColumn[];
}

/**
 * Tables that each node makes for itself from rows that all nodes share. Triggers keep them right on every
 * connection (`triggers.ts`).
 */
export const derivedTables: ReadonlySet<string> = new Set(['item_link_sets', 'item_links']);

/** Where SQLite keeps the highest ID that each table has ever had, so that none is given again. */
export const sequenceTable: SharedTable = {
  name: 'sqlite_sequence',
  columns: [
    { name: 'name', type: 'text' },
    { name: 'seq', type: 'bigint' },
  ],
  key: [{ name: 'name', type: 'text' }],
};

/** The shared tables of a lane, by name; the numbers of the next IDs are one of them. */
export function sharedTables<Tables>(
  db: Connection<Tables>,
  lane: ReplicationLogName,
): ReadonlyMap<string, SharedTable> {
  const found = db
    .statement(
      "SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'",
    )
    .all([])
    .map(({ name, sql }) => ({ name: String(name), sql: String(sql) }))
    .filter(({ name }) => !derivedTables.has(name) && name !== stateTable && hasTable(lane, name));
  const tables = found.map(({ name }) => [name, readTable(db, name)] as const);
  const hasSequences = found.some(({ sql }) => /\bAUTOINCREMENT\b/i.test(sql));
  return new Map(hasSequences ? [...tables, [sequenceTable.name, sequenceTable]] : tables);
}

/** The columns of a table, with their defaults. */
export function readColumns<Tables>(db: Connection<Tables>, table: string): readonly ColumnWithDefault[] {
  return readColumnRows(db, table).map((row) => ({
    name: String(row['name']),
    type: typeOf(`${table}.${row['name']}`, String(row['type'])),
    default: row['standard'] === null ? undefined : String(row['standard']),
  }));
}

function readColumnRows<Tables>(
  db: Connection<Tables>,
  table: string,
): readonly Readonly<Record<string, unknown>>[] {
  return db
    .statement('SELECT name, upper(type) AS type, pk, dflt_value AS standard FROM pragma_table_info(?)')
    .all([table]);
}

/** Table of a replica that says which state it has; no other node sees it. */
export const stateTable = 'replica_state';

function readTable<Tables>(db: Connection<Tables>, name: string): SharedTable {
  const columns = readColumnRows(db, name).map((row) => ({
    name: String(row['name']),
    type: typeOf(`${name}.${row['name']}`, String(row['type'])),
    place: Number(row['pk']),
  }));
  const key = columns.filter(({ place }) => place > 0).sort((left, right) => left.place - right.place);
  if (key.length === 0) throw new Error(`the table ${name} has no primary key`);
  const named = ({ name, type }: SharedColumn): SharedColumn => ({ name, type });
  return { name, columns: columns.map(named), key: key.map(named) };
}

const types: ReadonlyMap<string, SharedColumn['type']> = new Map([
  ['INTEGER', 'bigint'],
  ['REAL', 'double precision'],
  ['TEXT', 'text'],
]);

/** @throws Error for a type of PostgreSQL that shared tables do not have */
export function toColumnType(name: string): SharedColumn['type'] {
  for (const type of types.values()) if (type === name) return type;
  throw new Error(`nodes cannot share values of the type ${name}`);
}

export function toSqliteType(type: SharedColumn['type']): string {
  const [name = 'TEXT'] = [...types].find(([, known]) => known === type) ?? [];
  return name;
}

function typeOf(column: string, type: string): SharedColumn['type'] {
  const known = types.get(type);
  if (known === undefined) throw new Error(`${column}: nodes cannot share values of the type ${type}`);
  return known;
}

/** A name in SQL, of SQLite and of PostgreSQL. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** The names of columns in SQL, separated by commas. */
export function columnList(columns: readonly SharedColumn[], prefix = ''): string {
  return columns.map(({ name }) => prefix + quoted(name)).join(', ');
}
