import { assetColumns } from '../../../runtime/content/tables.ts';
import { objectTable } from '../../db/object-table.ts';
import { contentQuery } from '../../db/prepared.ts';
import { contentTable } from '../../db/table.ts';
import type { ContentDb, ObjectColumns } from '../../db/tables.ts';
import type { Asset } from './model.ts';

declare module '../../db/tables.ts' {
  interface ContentTables {
    assets: ObjectColumns<typeof assetColumns>;
  }
}

const assetsTable = contentTable('assets');

export const assets = objectTable<Asset>()('assets', assetColumns, { keptByUpdates: ['kind'] });

export const listAssets = assetsTable.listBy(
  [],
  [],
  ['id', 'name', 'kind', 'folder', 'created_at', 'updated_at'],
);

/** Which pages and snippets every asset is directly assigned to. */
export async function listUses(
  db: ContentDb,
): Promise<{ pages: Map<number, number[]>; snippets: Map<number, number[]> }> {
  return {
    pages: group(await selectPageUses.all(db, {})),
    snippets: group(await selectSnippetUses.all(db, {})),
  };
}

function group(uses: readonly { asset_id: number; user_id: number }[]): Map<number, number[]> {
  const users = new Map<number, number[]>();
  for (const { asset_id, user_id } of uses) {
    const list = users.get(asset_id) ?? [];
    list.push(user_id);
    users.set(asset_id, list);
  }
  return users;
}

const selectPageUses = contentQuery((db, _p: object) =>
  db.selectFrom('page_assets').select(['asset_id', 'page_id as user_id']).orderBy('page_id'),
);

const selectSnippetUses = contentQuery((db, _p: object) =>
  db.selectFrom('snippet_assets').select(['asset_id', 'snippet_id as user_id']).orderBy('snippet_id'),
);
