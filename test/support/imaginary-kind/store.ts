import type { Columns } from '../../../runtime/content/columns.ts';
import { objectTable } from '../../../server/db/object-table.ts';
import type { ObjectColumns } from '../../../server/db/tables.ts';
import type { Note } from './model.ts';

declare module '../../../server/db/tables.ts' {
  interface ContentTables {
    notes: ObjectColumns<typeof noteColumns>;
  }
}

const noteColumns = {
  id: 'integer',
  title: 'text',
  pinned: 'flag',
  tags: 'json?',
  created_at: 'integer',
  updated_at: 'integer',
} as const satisfies Columns;

export const notes = objectTable<Note>()('notes', noteColumns);
