import type { Columns } from '../../../runtime/content/columns.ts';
import { objectTable } from '../../db/object-table.ts';
import { contentTable } from '../../db/table.ts';
import type { ContentDb, ObjectColumns } from '../../db/tables.ts';
import type { StoredWorkflow } from './model.ts';

const columns = {
  id: 'integer',
  name: 'text',
  description: 'text',
  enabled: 'flag',
  created_at: 'integer',
  updated_at: 'integer',
  flow: 'json',
} as const satisfies Columns;

declare module '../../db/tables.ts' {
  interface ContentTables {
    workflows: ObjectColumns<typeof columns>;
    workflow_inputs: InputRow;
  }
}

const workflowInputs = contentTable('workflow_inputs');

interface InputRow {
  workflow_id: number;
  method: string;
  shape: string;
}

export const workflows = objectTable<StoredWorkflow>()('workflows', columns);

/** Replaces the inputs of a workflow; an inactive workflow has none. */
export async function replaceInputs(
  db: ContentDb,
  workflowId: number,
  inputs: readonly Pick<InputRow, 'method' | 'shape'>[],
): Promise<void> {
  await deleteInputs(db, workflowId);
  for (const { method, shape } of inputs) await insertInput(db, { workflow_id: workflowId, method, shape });
}

/** The inputs of one shape, of all active workflows. */
export const inputsOfShape = workflowInputs.listBy(['shape'], []);

const deleteInputs = workflowInputs.removeBy('workflow_id');

const insertInput = workflowInputs.insert('workflow_id', 'method', 'shape');
