import { sql } from 'kysely';
import { contentQuery } from '../db/prepared.ts';
import type { ContentDb } from '../db/tables.ts';
import type { AssetAssignment, PageAsset } from './model.ts';

/** The assets of one page in loading order. */
export async function listAssignments(db: ContentDb, pageId: number): Promise<PageAsset[]> {
  return (await selectOfPage.all(db, { pageId })).map(toPageAsset);
}

/** The assets of every page that has some. */
export async function listAllAssignments(db: ContentDb): Promise<Map<number, PageAsset[]>> {
  const ofPages = new Map<number, PageAsset[]>();
  for (const row of await selectAll.all(db, {})) {
    const list = ofPages.get(row.page_id) ?? [];
    list.push(toPageAsset(row));
    ofPages.set(row.page_id, list);
  }
  return ofPages;
}

/** Index of the first assignment whose asset does not exist, or -1. */
export async function findUnknownAsset(
  db: ContentDb,
  assignments: readonly AssetAssignment[],
): Promise<number> {
  for (const [index, { asset_id }] of assignments.entries()) {
    if ((await selectAsset.first(db, { id: asset_id })) === undefined) return index;
  }
  return -1;
}

/** Replaces the assets of a page; of an asset that is named twice the first place counts. */
export async function replaceAssignments(
  db: ContentDb,
  pageId: number,
  assignments: readonly AssetAssignment[],
): Promise<void> {
  await deleteOfPage.run(db, { pageId });
  const placed = new Set<number>();
  for (const { asset_id, inherit } of assignments) {
    if (placed.has(asset_id)) continue;
    await insert.run(db, {
      pageId,
      assetId: asset_id,
      position: placed.size,
      inherit: Number(inherit ?? false),
    });
    placed.add(asset_id);
  }
}

function toPageAsset(row: {
  asset_id: number;
  inherit: number;
  name: string;
  kind: 'css' | 'js';
}): PageAsset {
  return { asset_id: row.asset_id, inherit: row.inherit !== 0, name: row.name, kind: row.kind };
}

const selectOfPage = contentQuery((db, p: { pageId: number }) =>
  db
    .selectFrom('page_assets')
    .innerJoin('assets', 'assets.id', 'page_assets.asset_id')
    .select(['page_assets.asset_id', 'page_assets.inherit', 'assets.name', 'assets.kind'])
    .where('page_assets.page_id', '=', p.pageId)
    .orderBy('page_assets.position'),
);

const selectAll = contentQuery((db, _p: object) =>
  db
    .selectFrom('page_assets')
    .innerJoin('assets', 'assets.id', 'page_assets.asset_id')
    .select([
      'page_assets.page_id',
      'page_assets.asset_id',
      'page_assets.inherit',
      'assets.name',
      'assets.kind',
    ])
    .orderBy('page_assets.page_id')
    .orderBy('page_assets.position'),
);

const selectAsset = contentQuery((db, p: { id: number }) =>
  db.selectFrom('assets').select(sql<number>`1`.as('found')).where('id', '=', p.id),
);

const deleteOfPage = contentQuery((db, p: { pageId: number }) =>
  db.deleteFrom('page_assets').where('page_id', '=', p.pageId),
);

const insert = contentQuery((db, p: { pageId: number; assetId: number; position: number; inherit: number }) =>
  db
    .insertInto('page_assets')
    .values({ page_id: p.pageId, asset_id: p.assetId, position: p.position, inherit: p.inherit }),
);
