import type { Columns } from '../../../runtime/content/columns.ts';
import { objectTable } from '../../db/object-table.ts';
import { contentQuery } from '../../db/prepared.ts';
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
  await deleteInputs.run(db, { workflowId });
  for (const { method, shape } of inputs)
    await insertInput.run(db, { workflow_id: workflowId, method, shape });
}

/** The inputs of one shape, of all active workflows. */
export function inputsOfShape(db: ContentDb, shape: string): Promise<InputRow[]> {
  return selectInputs.all(db, { shape });
}

const deleteInputs = contentQuery((db, p: { workflowId: number }) =>
  db.deleteFrom('workflow_inputs').where('workflow_id', '=', p.workflowId),
);

const insertInput = contentQuery((db, p: InputRow) =>
  db.insertInto('workflow_inputs').values({ workflow_id: p.workflow_id, method: p.method, shape: p.shape }),
);

const selectInputs = contentQuery((db, p: { shape: string }) =>
  db.selectFrom('workflow_inputs').selectAll().where('shape', '=', p.shape),
);
