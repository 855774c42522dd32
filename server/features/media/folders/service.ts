import { collectFaults, invalid, requireText } from '../../../base/errors.ts';
import { compareIgnoringCase } from '../../../base/text.ts';
import type { Change } from '../../../changes/changes.ts';
import type { Kind } from '../../../content/kinds/kind.ts';
import { createObject } from '../../../content/kinds/objects.ts';
import type { ContentDb } from '../../../db/tables.ts';
import { moveFiles } from '../store.ts';
import { Folder, FolderCreate, FolderUpdate } from './model.ts';
import { folders, moveFolders } from './store.ts';

/** A folder of files. */
export const folderKind: Kind<Folder, typeof FolderCreate, typeof FolderUpdate> = {
  name: 'folder',
  path: '/folders',
  noun: 'a folder',
  about: 'Folders of files.',
  schemas: { create: FolderCreate, update: FolderUpdate, answer: Folder },
  list: { summary: 'List all folders', entry: Folder, read: listFolders },
  endpoints: ['list', 'create', 'update', 'delete'],
  find: folders.find,
  faultsIn: (db, { name, parent_id }, before) =>
    collectFaults([
      () => name !== undefined && requireText('name', name),
      () => parent_id !== undefined && requirePlace(db, parent_id, before?.id),
    ]),
  async create({ tx, now }, { name, parent_id = 0 }) {
    const folder = { name, parent_id, created_at: now };
    return { id: await folders.insert(tx, folder), ...folder };
  },
  async merge(_change, before, { name = before.name, parent_id = before.parent_id }) {
    return { ...before, name, parent_id };
  },
  async write({ tx }, after) {
    await folders.update(tx, after);
    return after;
  },
  /** The content moves one level up. */
  async remove({ tx }, { id, parent_id }) {
    await moveFiles(tx, id, parent_id);
    await moveFolders(tx, id, parent_id);
    await folders.remove(tx, id);
  },
  rights: { code: [] },
  namesOf: ({ name }) => ({ name }),
  batch: { ops: ['create', 'update', 'delete'], idFields: ['parent_id'] },
  trash: {
    parentOf: ({ parent_id: id }) => (id === 0 ? undefined : { kind: 'folder', id }),
    survivesParent: true,
    async beforeRestore({ tx }, { id, parent_id: parent }) {
      const isThere = parent === 0 || (await folders.find(tx, parent)) !== undefined;
      return {
        folders: (row) => (row['id'] === id && !isThere ? { ...row, parent_id: 0 } : row),
      };
    },
  },
  tables: ['folders'],
};

/** @throws ApiError `common.invalid` unless `id` is 0 or a folder */
export async function requireFolder(db: ContentDb, id: number): Promise<void> {
  if (id !== 0 && (await folders.find(db, id)) === undefined)
    throw invalid('folder_id', `must be 0 or the ID of a folder, not ${id}`);
}

async function listFolders(db: ContentDb): Promise<Folder[]> {
  return (await folders.list(db)).sort(
    (left, right) => compareIgnoringCase(left.name, right.name) || left.id - right.id,
  );
}

/** @throws ApiError `common.invalid` unless the folder may lie there: not in itself or below itself */
async function requirePlace(db: ContentDb, parentId: number, ownId: number | undefined): Promise<void> {
  const seen = new Set<number>();
  for (let id = parentId; id !== 0; ) {
    if (id === ownId) throw invalid('parent_id', 'must not be the folder itself or a folder in it');
    const folder = await folders.find(db, id);
    if (folder === undefined) throw invalid('parent_id', `must be 0 or the ID of a folder, not ${parentId}`);
    if (seen.has(id)) return;
    seen.add(id);
    id = folder.parent_id;
  }
}

/** The ID of the folder of this name at the top; it is created if there is none. */
export async function ensureFolder(change: Change, name: string): Promise<number> {
  const found = (await folders.list(change.tx)).find(
    (folder) => folder.name === name && folder.parent_id === 0,
  );
  return found?.id ?? (await createObject(change, folderKind, { name })).id;
}
