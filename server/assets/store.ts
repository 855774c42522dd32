import { contentQuery } from '../db/prepared.ts';
import type { ContentDb } from '../db/tables.ts';
import type { Asset } from './model.ts';

export function findAsset(db: ContentDb, id: number): Promise<Asset | undefined> {
  return selectAsset.first(db, { id });
}

export function listAssets(db: ContentDb): Promise<Omit<Asset, 'content'>[]> {
  return selectAssets.all(db, {});
}

/** Which pages and snippets every asset is directly assigned to. */
export async function listUses(
  db: ContentDb,
): Promise<{ pages: Map<number, number[]>; snippets: Map<number, number[]> }> {
  return {
    pages: group(await selectPageUses.all(db, {})),
    snippets: group(await selectSnippetUses.all(db, {})),
  };
}

export async function insertAsset(db: ContentDb, asset: Omit<Asset, 'id'>): Promise<number> {
  return (await insert.first(db, asset))?.id ?? 0;
}

export async function updateAsset(db: ContentDb, asset: Asset): Promise<void> {
  await update.run(db, asset);
}

/** Its assignments to pages and snippets go with it, by the foreign keys. */
export async function deleteAsset(db: ContentDb, id: number): Promise<void> {
  await remove.run(db, { id });
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

const selectAsset = contentQuery((db, p: { id: number }) =>
  db.selectFrom('assets').selectAll().where('id', '=', p.id),
);

const selectAssets = contentQuery((db, _p: object) =>
  db.selectFrom('assets').select(['id', 'name', 'kind', 'folder', 'created_at', 'updated_at']),
);

const selectPageUses = contentQuery((db, _p: object) =>
  db.selectFrom('page_assets').select(['asset_id', 'page_id as user_id']).orderBy('page_id'),
);

const selectSnippetUses = contentQuery((db, _p: object) =>
  db.selectFrom('snippet_assets').select(['asset_id', 'snippet_id as user_id']).orderBy('snippet_id'),
);

const insert = contentQuery((db, p: Omit<Asset, 'id'>) =>
  db
    .insertInto('assets')
    .values({
      name: p.name,
      kind: p.kind,
      content: p.content,
      folder: p.folder,
      created_at: p.created_at,
      updated_at: p.updated_at,
    })
    .returning('id'),
);

const update = contentQuery((db, p: Asset) =>
  db
    .updateTable('assets')
    .set({ name: p.name, content: p.content, folder: p.folder, updated_at: p.updated_at })
    .where('id', '=', p.id),
);

const remove = contentQuery((db, p: { id: number }) => db.deleteFrom('assets').where('id', '=', p.id));
