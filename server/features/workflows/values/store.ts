import { contentQuery } from '../../../db/prepared.ts';
import { contentTable } from '../../../db/table.ts';
import type { ContentDb } from '../../../db/tables.ts';

declare module '../../../db/tables.ts' {
  interface ContentTables {
    workflow_values: ValueRow;
  }
}

const workflowValues = contentTable('workflow_values');

interface ValueRow {
  workflow_id: number;
  key: string;
  /** JSON */
  value: string;
  updated_at: number;
}

/** All values of a workflow, by key. */
export const listValues = workflowValues.listBy(['workflow_id'], ['key'], ['key', 'value', 'updated_at']);

export async function listKeys(db: ContentDb, workflowId: number): Promise<string[]> {
  return (await selectKeys(db, workflowId)).map(({ key }) => key);
}

export const findValue = workflowValues.findCellBy(['workflow_id', 'key'], 'value');

export async function countValues(db: ContentDb, workflowId: number): Promise<number> {
  return Number((await selectCount.first(db, { workflowId }))?.count);
}

export const saveValue = workflowValues.upsert(['workflow_id', 'key'], ['value', 'updated_at']);

export async function deleteValue(db: ContentDb, workflowId: number, key: string): Promise<void> {
  await removeOne(db, workflowId, key);
}

export async function deleteValues(db: ContentDb, workflowId: number): Promise<void> {
  await removeAll(db, workflowId);
}

const selectKeys = workflowValues.listBy(['workflow_id'], ['key'], ['key']);

const selectCount = contentQuery((db, p: { workflowId: number }) =>
  db
    .selectFrom('workflow_values')
    .select((count) => count.fn.countAll().as('count'))
    .where('workflow_id', '=', p.workflowId),
);

const removeOne = workflowValues.removeBy('workflow_id', 'key');

const removeAll = workflowValues.removeBy('workflow_id');
