import { contentQuery } from '../../../db/prepared.ts';
import { contentTable } from '../../../db/table.ts';
import type { ContentDb } from '../../../db/tables.ts';

declare module '../../../db/tables.ts' {
  interface ContentTables {
    workflow_secrets: StoredSecret;
  }
}

const workflowSecrets = contentTable('workflow_secrets');

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

export const findSecret = workflowSecrets.findBy(['name']);

export async function saveSecret(db: ContentDb, secret: StoredSecret): Promise<void> {
  await upsert(db, { ...secret });
}

/** False if there is no such secret. */
export async function deleteSecret(db: ContentDb, name: string): Promise<boolean> {
  return (await remove(db, name)) > 0;
}

const selectAll = contentQuery((db, _p: object) =>
  db.selectFrom('workflow_secrets').selectAll().orderBy('name'),
);

const upsert = workflowSecrets.upsert(['name'], ['value', 'updated_at']);

const remove = workflowSecrets.removeBy('name');
