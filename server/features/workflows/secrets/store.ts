import { contentQuery } from '../../../db/prepared.ts';
import type { ContentDb } from '../../../db/tables.ts';

declare module '../../../db/tables.ts' {
  interface ContentTables {
    workflow_secrets: StoredSecret;
  }
}

/** A secret as it is stored. */
export interface StoredSecret {
  name: string;
  /** Encrypted. */
  value: string;
  updated_at: number;
}

/** All secrets in the order of their names. */
export function listSecrets(db: ContentDb): Promise<StoredSecret[]> {
  return selectAll.all(db, {});
}

export function findSecret(db: ContentDb, name: string): Promise<StoredSecret | undefined> {
  return selectOne.first(db, { name });
}

export async function saveSecret(db: ContentDb, secret: StoredSecret): Promise<void> {
  await upsert.run(db, { ...secret });
}

/** False if there is no such secret. */
export async function deleteSecret(db: ContentDb, name: string): Promise<boolean> {
  return (await remove.run(db, { name })) > 0;
}

const selectAll = contentQuery((db, _p: object) =>
  db.selectFrom('workflow_secrets').selectAll().orderBy('name'),
);

const selectOne = contentQuery((db, p: { name: string }) =>
  db.selectFrom('workflow_secrets').selectAll().where('name', '=', p.name),
);

const upsert = contentQuery((db, p: { name: string; value: string; updated_at: number }) =>
  db
    .insertInto('workflow_secrets')
    .values({ name: p.name, value: p.value, updated_at: p.updated_at })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet({ value: p.value, updated_at: p.updated_at }),
    ),
);

const remove = contentQuery((db, p: { name: string }) =>
  db.deleteFrom('workflow_secrets').where('name', '=', p.name),
);
