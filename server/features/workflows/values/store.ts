import { contentQuery } from '../../../db/prepared.ts';
import type { ContentDb } from '../../../db/tables.ts';

declare module '../../../db/tables.ts' {
  interface ContentTables {
    workflow_values: ValueRow;
  }
}

interface ValueRow {
  workflow_id: number;
  key: string;
  /** JSON */
  value: string;
  updated_at: number;
}

/** All values of a workflow, by key. */
export function listValues(db: ContentDb, workflowId: number): Promise<Omit<ValueRow, 'workflow_id'>[]> {
  return selectAll.all(db, { workflowId });
}

export async function listKeys(db: ContentDb, workflowId: number): Promise<string[]> {
  return (await selectKeys.all(db, { workflowId })).map(({ key }) => key);
}

export async function findValue(db: ContentDb, workflowId: number, key: string): Promise<string | undefined> {
  return (await selectOne.first(db, { workflowId, key }))?.value;
}

export async function countValues(db: ContentDb, workflowId: number): Promise<number> {
  return Number((await selectCount.first(db, { workflowId }))?.count);
}

export async function saveValue(db: ContentDb, row: ValueRow): Promise<void> {
  await upsert.run(db, row);
}

export async function deleteValue(db: ContentDb, workflowId: number, key: string): Promise<void> {
  await removeOne.run(db, { workflowId, key });
}

export async function deleteValues(db: ContentDb, workflowId: number): Promise<void> {
  await removeAll.run(db, { workflowId });
}

const selectAll = contentQuery((db, p: { workflowId: number }) =>
  db
    .selectFrom('workflow_values')
    .select(['key', 'value', 'updated_at'])
    .where('workflow_id', '=', p.workflowId)
    .orderBy('key'),
);

const selectKeys = contentQuery((db, p: { workflowId: number }) =>
  db.selectFrom('workflow_values').select('key').where('workflow_id', '=', p.workflowId).orderBy('key'),
);

const selectOne = contentQuery((db, p: { workflowId: number; key: string }) =>
  db
    .selectFrom('workflow_values')
    .select('value')
    .where('workflow_id', '=', p.workflowId)
    .where('key', '=', p.key),
);

const selectCount = contentQuery((db, p: { workflowId: number }) =>
  db
    .selectFrom('workflow_values')
    .select((count) => count.fn.countAll().as('count'))
    .where('workflow_id', '=', p.workflowId),
);

const upsert = contentQuery((db, p: ValueRow) =>
  db
    .insertInto('workflow_values')
    .values({ workflow_id: p.workflow_id, key: p.key, value: p.value, updated_at: p.updated_at })
    .onConflict((conflict) =>
      conflict.columns(['workflow_id', 'key']).doUpdateSet({ value: p.value, updated_at: p.updated_at }),
    ),
);

const removeOne = contentQuery((db, p: { workflowId: number; key: string }) =>
  db.deleteFrom('workflow_values').where('workflow_id', '=', p.workflowId).where('key', '=', p.key),
);

const removeAll = contentQuery((db, p: { workflowId: number }) =>
  db.deleteFrom('workflow_values').where('workflow_id', '=', p.workflowId),
);
