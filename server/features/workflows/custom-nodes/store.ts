import type { Columns } from '../../../../runtime/content/columns.ts';
import { objectTable } from '../../../db/object-table.ts';
import { contentQuery } from '../../../db/prepared.ts';
import { contentTable } from '../../../db/table.ts';
import type { ContentDb, ObjectColumns } from '../../../db/tables.ts';
import type { FlowNode } from './model.ts';

declare module '../../../db/tables.ts' {
  interface ContentTables {
    flow_nodes: ObjectColumns<typeof flowNodeColumns>;
  }
}

/** The code comes last, so that the other columns are read without it. */
const flowNodeColumns = {
  id: 'integer',
  key: 'text',
  name: 'text',
  description: 'text',
  color: 'text',
  inputs: 'integer',
  outputs: 'json',
  params: 'json',
  created_at: 'integer',
  updated_at: 'integer',
  code: 'text',
} as const satisfies Columns;

export const flowNodes = objectTable<FlowNode>()('flow_nodes', flowNodeColumns, { keptByUpdates: ['key'] });

export const findIdByKey = contentTable('flow_nodes').findCellBy(['key'], 'id');

/** The keys of all custom nodes. */
export async function listKeys(db: ContentDb): Promise<string[]> {
  return (await selectKeys.all(db, {})).map(({ key }) => key);
}

const selectKeys = contentQuery((db, _p: object) => db.selectFrom('flow_nodes').select('key').orderBy('key'));
