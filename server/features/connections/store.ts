import type { Generated } from 'kysely';
import { contentQuery } from '../../db/prepared.ts';
import type { ContentDb } from '../../db/tables.ts';

declare module '../../db/tables.ts' {
  interface ContentTables {
    connections: Omit<StoredConnection, 'id'> & { id: Generated<number> };
  }
}

/** A connection as it is stored. */
export interface StoredConnection {
  readonly id: number;
  readonly name: string;
  readonly url: string;
  /** Encrypted. */
  readonly token: string;
  readonly token_prefix: string;
  readonly last_sync_at: number | null;
  readonly last_sync: string;
  /** Hash that both sides had after the last push or pull; empty before the first. */
  readonly sync_hash: string;
  readonly created_at: number;
}

export function listConnections(db: ContentDb): Promise<StoredConnection[]> {
  return selectAll.all(db, {});
}

export function findConnection(db: ContentDb, id: number): Promise<StoredConnection | undefined> {
  return selectOne.first(db, { id });
}

export async function insertConnection(db: ContentDb, fields: Omit<StoredConnection, 'id'>): Promise<number> {
  return Number((await insert.first(db, fields))?.id);
}

export async function updateConnection(db: ContentDb, connection: StoredConnection): Promise<void> {
  await update.run(db, connection);
}

/** False if there is no such connection. */
export async function deleteConnection(db: ContentDb, id: number): Promise<boolean> {
  return (await remove.run(db, { id })) > 0;
}

const selectAll = contentQuery((db, _p: object) => db.selectFrom('connections').selectAll().orderBy('id'));

const selectOne = contentQuery((db, p: { id: number }) =>
  db.selectFrom('connections').selectAll().where('id', '=', p.id),
);

const insert = contentQuery((db, p: Omit<StoredConnection, 'id'>) =>
  db
    .insertInto('connections')
    .values({
      name: p.name,
      url: p.url,
      token: p.token,
      token_prefix: p.token_prefix,
      last_sync_at: p.last_sync_at,
      last_sync: p.last_sync,
      sync_hash: p.sync_hash,
      created_at: p.created_at,
    })
    .returning('id'),
);

const update = contentQuery((db, p: StoredConnection) =>
  db
    .updateTable('connections')
    .set({
      name: p.name,
      url: p.url,
      token: p.token,
      token_prefix: p.token_prefix,
      last_sync_at: p.last_sync_at,
      last_sync: p.last_sync,
      sync_hash: p.sync_hash,
    })
    .where('id', '=', p.id),
);

const remove = contentQuery((db, p: { id: number }) => db.deleteFrom('connections').where('id', '=', p.id));
