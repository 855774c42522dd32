import { snippetColumns } from '../../../runtime/content/tables.ts';
import { objectTable } from '../../db/object-table.ts';
import { contentQuery } from '../../db/prepared.ts';
import { contentTable } from '../../db/table.ts';
import type { ContentDb, ObjectColumns } from '../../db/tables.ts';
import type { SnippetAsset, StoredSnippet } from './model.ts';

declare module '../../db/tables.ts' {
  interface ContentTables {
    snippets: ObjectColumns<typeof snippetColumns>;
    snippet_assets: { snippet_id: number; asset_id: number; position: number };
  }
}

const collections = contentTable('collections');
const snippetAssets = contentTable('snippet_assets');

export const snippets = objectTable<StoredSnippet>()('snippets', snippetColumns);

/** Whether a snippet other than `exceptId` has this name. */
export async function isNameTaken(db: ContentDb, name: string, exceptId: number): Promise<boolean> {
  return (await selectByName.first(db, { name, exceptId })) !== undefined;
}

export const findIdByName = contentTable('snippets').findCellBy(['name'], 'id');

/** Whether there is a collection with this ID. */
export const hasCollection = collections.existsBy('id');

/** The assets of one snippet in loading order. */
export function listAssets(db: ContentDb, snippetId: number): Promise<SnippetAsset[]> {
  return selectAssets.all(db, { snippetId });
}

/** The assets of every snippet that has some, by snippet ID. */
export async function listAllAssets(db: ContentDb): Promise<Map<number, SnippetAsset[]>> {
  const ofSnippets = new Map<number, SnippetAsset[]>();
  for (const { snippet_id, ...asset } of await selectAllAssets.all(db, {})) {
    const list = ofSnippets.get(snippet_id) ?? [];
    list.push(asset);
    ofSnippets.set(snippet_id, list);
  }
  return ofSnippets;
}

/** The assets with these IDs, each once, in the order of its first place. Unknown IDs are left out. */
export async function findAssets(db: ContentDb, ids: readonly number[]): Promise<SnippetAsset[]> {
  const found: SnippetAsset[] = [];
  for (const id of new Set(ids)) {
    const asset = await selectAsset.first(db, { id });
    if (asset !== undefined) found.push(asset);
  }
  return found;
}

export async function replaceAssets(
  db: ContentDb,
  snippetId: number,
  assets: readonly SnippetAsset[],
): Promise<void> {
  await deleteAssets(db, snippetId);
  for (const [position, { asset_id }] of assets.entries()) {
    await insertAsset(db, { snippet_id: snippetId, asset_id, position });
  }
}

const selectByName = contentQuery((db, p: { name: string; exceptId: number }) =>
  db.selectFrom('snippets').select('id').where('name', '=', p.name).where('id', '<>', p.exceptId),
);

const selectAssets = contentQuery((db, p: { snippetId: number }) =>
  db
    .selectFrom('snippet_assets')
    .innerJoin('assets', 'assets.id', 'snippet_assets.asset_id')
    .select(['snippet_assets.asset_id', 'assets.name', 'assets.kind'])
    .where('snippet_assets.snippet_id', '=', p.snippetId)
    .orderBy('snippet_assets.position'),
);

const selectAllAssets = contentQuery((db, _p: object) =>
  db
    .selectFrom('snippet_assets')
    .innerJoin('assets', 'assets.id', 'snippet_assets.asset_id')
    .select(['snippet_assets.snippet_id', 'snippet_assets.asset_id', 'assets.name', 'assets.kind'])
    .orderBy('snippet_assets.snippet_id')
    .orderBy('snippet_assets.position'),
);

const deleteAssets = snippetAssets.removeBy('snippet_id');

const selectAsset = contentQuery((db, p: { id: number }) =>
  db.selectFrom('assets').select(['id as asset_id', 'name', 'kind']).where('id', '=', p.id),
);

const insertAsset = snippetAssets.insert('snippet_id', 'asset_id', 'position');
