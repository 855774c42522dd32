import { contentQuery } from '../../db/prepared.ts';
import type { ContentDb } from '../../db/tables.ts';

declare module '../../db/tables.ts' {
  interface ContentTables {
    extdb_connections: ConnectionRow;
  }
}

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
export function listConnections(db: ContentDb): Promise<StoredConnection[]> {
  return selectAll.all(db, {});
}

/** Stores a list in place of the stored one. */
export async function replaceConnections(
  db: ContentDb,
  connections: readonly StoredConnection[],
): Promise<void> {
  await removeAll.run(db, {});
  for (const [position, connection] of connections.entries())
    await insert.run(db, { ...connection, position });
}

const selectAll = contentQuery((db, _p: object) =>
  db.selectFrom('extdb_connections').select(['name_key', 'name', 'url', 'token']).orderBy('position'),
);

const removeAll = contentQuery((db, _p: object) => db.deleteFrom('extdb_connections'));

const insert = contentQuery((db, p: ConnectionRow) =>
  db.insertInto('extdb_connections').values({
    name_key: p.name_key,
    name: p.name,
    url: p.url,
    token: p.token,
    position: p.position,
  }),
);
