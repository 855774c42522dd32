import { objectTable } from '../../../db/object-table.ts';
import { contentQuery } from '../../../db/prepared.ts';
import type { ContentDb, ObjectColumns } from '../../../db/tables.ts';
import type { Folder } from './model.ts';

const folderColumns = { id: 'integer', name: 'text', parent_id: 'integer', created_at: 'integer' } as const;

declare module '../../../db/tables.ts' {
  interface ContentTables {
    folders: ObjectColumns<typeof folderColumns>;
  }
}

export const folders = objectTable<Folder>()('folders', folderColumns);

/** Moves the folders in a folder to another one. */
export async function moveFolders(db: ContentDb, from: number, to: number): Promise<void> {
  await updateParent.run(db, { from, to });
}

const updateParent = contentQuery((db, p: { from: number; to: number }) =>
  db.updateTable('folders').set({ parent_id: p.to }).where('parent_id', '=', p.from),
);
