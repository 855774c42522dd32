import { contentQuery } from '../../db/prepared.ts';
import { contentTable } from '../../db/table.ts';
import type { ContentDb } from '../../db/tables.ts';

declare module '../../db/tables.ts' {
  interface ContentTables {
    extdb_connections: ConnectionRow;
  }
}

const extdbConnections = contentTable('extdb_connections');

interface ConnectionRow {
  name_key: string;
  name: string;
  url: string;
  token: string;
  position: number;
}

/** A connection as it is stored. */
export interface StoredConnection {
  /** The name without regard to case (`nameKey`). */
  readonly name_key: string;
  readonly name: string;
  readonly url: string;
  /** Encrypted; empty = none. */
  readonly token: string;
}

/** All connections, in their order. */
export const listConnections = extdbConnections.listBy(
  [],
  ['position'],
  ['name_key', 'name', 'url', 'token'],
);

/** Stores a list in place of the stored one. */
export async function replaceConnections(
  db: ContentDb,
  connections: readonly StoredConnection[],
): Promise<void> {
  await removeAll.run(db, {});
  for (const [position, connection] of connections.entries()) await insert(db, { ...connection, position });
}

const removeAll = contentQuery((db, _p: object) => db.deleteFrom('extdb_connections'));

const insert = extdbConnections.insert('name_key', 'name', 'url', 'token', 'position');
