import { invalid } from '../../base/errors.ts';
import { contentQuery } from '../../db/prepared.ts';
import { contentTable } from '../../db/table.ts';
import type { ContentDb } from '../../db/tables.ts';
import type { AssetAssignment, PageAsset } from './model.ts';

declare module '../../db/tables.ts' {
  interface ContentTables {
    page_assets: { page_id: number; asset_id: number; position: number; inherit: number };
  }
}

const assetsTable = contentTable('assets');
const pageAssets = contentTable('page_assets');

/** The assets of one page in loading order. */
export async function listAssignments(db: ContentDb, pageId: number): Promise<PageAsset[]> {
  return (await selectOfPage.all(db, { pageId })).map(toPageAsset);
}

/** The assets of every page that has some, by page ID. Reads in slices, so it needs a snapshot. */
export async function listAllAssignments(db: ContentDb): Promise<Map<number, PageAsset[]>> {
  const ofPages = new Map<number, PageAsset[]>();
  for await (const rows of selectAll.slices(db, {}, sliceSize)) {
    for (const row of rows) {
      const list = ofPages.get(row.page_id) ?? [];
      list.push(toPageAsset(row));
      ofPages.set(row.page_id, list);
    }
  }
  return ofPages;
}

/** Reading so many assignments takes about 2 ms. */
const sliceSize = 1000;

/**
 * Adds the name and kind of each asset to the assignments of a body. If an asset is named twice, its first
 * place counts.
 *
 * @throws ApiError `common.invalid` for an asset that does not exist
 */
export async function resolveAssignments(
  db: ContentDb,
  assignments: readonly AssetAssignment[],
): Promise<PageAsset[]> {
  const resolved = new Map<number, PageAsset>();
  for (const [index, assignment] of assignments.entries()) {
    const { asset_id, inherit = false } = assignment;
    const asset = await requireAsset(db, assignment, `assets.${index}`);
    if (!resolved.has(asset_id)) resolved.set(asset_id, { asset_id, inherit, ...asset });
  }
  return [...resolved.values()];
}

/** @param at path of the assignment in the body @throws ApiError `common.invalid` if its asset does not exist */
export async function requireAsset(
  db: ContentDb,
  { asset_id }: AssetAssignment,
  at: string,
): Promise<Pick<PageAsset, 'name' | 'kind'>> {
  const asset = await selectAsset(db, asset_id);
  if (asset === undefined) throw invalid(`${at}.asset_id`, 'is not the id of an asset');
  return asset;
}

/** The assignments whose assets exist. */
export async function existingAssignments(
  db: ContentDb,
  assignments: readonly AssetAssignment[],
): Promise<AssetAssignment[]> {
  const existing: AssetAssignment[] = [];
  for (const assignment of assignments) {
    if ((await selectAsset(db, assignment.asset_id)) !== undefined) existing.push(assignment);
  }
  return existing;
}

/** Replaces the assets of a page. */
export async function replaceAssignments(
  db: ContentDb,
  pageId: number,
  assets: readonly PageAsset[],
): Promise<void> {
  await deleteOfPage(db, pageId);
  for (const [position, { asset_id, inherit }] of assets.entries()) {
    await insert(db, { page_id: pageId, asset_id, position, inherit: Number(inherit) });
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

const selectAsset = assetsTable.findBy(['id'], ['name', 'kind']);

const deleteOfPage = pageAssets.removeBy('page_id');

const insert = pageAssets.insert('page_id', 'asset_id', 'position', 'inherit');
