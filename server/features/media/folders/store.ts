import { objectTable } from '../../../db/object-table.ts';
import { contentTable } from '../../../db/table.ts';
import type { ObjectColumns } from '../../../db/tables.ts';
import type { Folder } from './model.ts';

const folderColumns = { id: 'integer', name: 'text', parent_id: 'integer', created_at: 'integer' } as const;

declare module '../../../db/tables.ts' {
  interface ContentTables {
    folders: ObjectColumns<typeof folderColumns>;
  }
}

const foldersTable = contentTable('folders');

export const folders = objectTable<Folder>()('folders', folderColumns);

/** Moves the folders in a folder to another one. */
export const moveFolders = foldersTable.updateBy(['parent_id'], ['parent_id']);
