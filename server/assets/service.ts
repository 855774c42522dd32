import type { Change } from '../change.ts';
import { nextUpdatedAt } from '../clock.ts';
import type { ContentDb } from '../db/tables.ts';
import { apiError } from '../errors.ts';
import { checkBase, requireText } from '../model.ts';
import { keepRevision } from '../revisions/keep.ts';
import { compareText } from '../text.ts';
import type { Asset, AssetCreate, AssetListEntry, AssetListQuery, AssetUpdate } from './model.ts';
import * as store from './store.ts';

/** GET /assets: all assets of a kind, or all, by name. */
export async function listAssets(db: ContentDb, query: AssetListQuery): Promise<AssetListEntry[]> {
  const uses = await store.listUses(db);
  const assets = await store.listAssets(db);
  return assets
    .filter((asset) => query.kind === undefined || asset.kind === query.kind)
    .sort((left, right) => compareText(left.name, right.name) || left.id - right.id)
    .map((asset) => ({
      ...asset,
      page_ids: uses.pages.get(asset.id) ?? [],
      snippet_ids: uses.snippets.get(asset.id) ?? [],
    }));
}

/** @throws ApiError `common.notFound` */
export async function getAsset(db: ContentDb, id: number): Promise<Asset> {
  const asset = await store.findAsset(db, id);
  if (asset === undefined) throw apiError('common.notFound', {});
  return asset;
}

export async function createAsset(change: Change, body: AssetCreate): Promise<Asset> {
  requireText('name', body.name);
  const asset = {
    name: body.name,
    kind: body.kind,
    content: body.content ?? '',
    folder: body.folder ?? '',
    created_at: change.now,
    updated_at: change.now,
  };
  const id = await store.insertAsset(change.tx, asset);
  change.record({ kind: 'asset', action: 'create', id });
  return { id, ...asset };
}

/** PUT /assets/{id}: merges name, folder and content; the kind is for good. */
export async function updateAsset(change: Change, id: number, body: AssetUpdate): Promise<Asset> {
  const before = await getAsset(change.tx, id);
  checkBase(body, before);
  if (body.name !== undefined) requireText('name', body.name);
  await keepRevision(change, { kind: 'asset', id }, async () => before);
  const asset = {
    ...before,
    name: body.name ?? before.name,
    content: body.content ?? before.content,
    folder: body.folder ?? before.folder,
    updated_at: nextUpdatedAt(change.now, before.updated_at),
  };
  await store.updateAsset(change.tx, asset);
  change.record({ kind: 'asset', action: 'update', id });
  return asset;
}

export async function deleteAsset(change: Change, id: number): Promise<void> {
  await getAsset(change.tx, id);
  await store.deleteAsset(change.tx, id);
  change.record({ kind: 'asset', action: 'delete', id });
}
