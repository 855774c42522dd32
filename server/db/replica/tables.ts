/** The tables that nodes share: what their rows look like, in SQLite and in PostgreSQL. */
import type { Connection } from '../connection.ts';

/** A value of a row. */
export type Cell = string | number | null;

export interface SharedColumn {
  readonly name: string;
  readonly type: 'bigint' | 'double precision' | 'text';
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

/**
 * Tables of visitor statistics, which each node counts for itself: they are written by a thread with a database of its
 * own, and what a visitor is known by is never the same on two nodes.
 */
const ownTables: ReadonlySet<string> = new Set([
  'statistics',
  'statistics_names',
  'statistics_seen',
  'country_lists',
]);

/** Where SQLite keeps the highest ID that each table has ever had, so that none is given again. */
export const sequenceTable: SharedTable = {
  name: 'sqlite_sequence',
  columns: [
    { name: 'name', type: 'text' },
    { name: 'seq', type: 'bigint' },
  ],
  key: [{ name: 'name', type: 'text' }],
};

/** The shared tables of a database, by name; the numbers of the next IDs are one of them. */
export function sharedTables<Tables>(db: Connection<Tables>): ReadonlyMap<string, SharedTable> {
  const names = db
    .statement(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'",
    )
    .all([])
    .map(({ name }) => String(name))
    .filter((name) => !derivedTables.has(name) && !ownTables.has(name) && name !== stateTable);
  const tables = names.map((name) => [name, readTable(db, name)] as const);
  const hasSequences = db.statement("SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_sequence'").first([]);
  return new Map(hasSequences === undefined ? tables : [...tables, [sequenceTable.name, sequenceTable]]);
}

/** Table of a replica that says which state it has; no other node sees it. */
export const stateTable = 'replica_state';

function readTable<Tables>(db: Connection<Tables>, name: string): SharedTable {
  const rows = db.statement('SELECT name, upper(type) AS type, pk FROM pragma_table_info(?)').all([name]);
  const columns = rows.map((row) => ({
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
