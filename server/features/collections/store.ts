import { collectionColumns, type sourceColumns } from '../../../runtime/content/tables.ts';
import { objectTable } from '../../db/object-table.ts';
import { contentQuery } from '../../db/prepared.ts';
import { contentTable } from '../../db/table.ts';
import type { ContentDb, ObjectColumns } from '../../db/tables.ts';
import type { StoredCollection } from './model.ts';

declare module '../../db/tables.ts' {
  interface ContentTables {
    collections: ObjectColumns<typeof collectionColumns>;
    item_counts: { collection_id: number; items: number; published: number };
    bulk_items: { collection_id: number };
    item_link_sets: LinkSetRow;
    sources: ObjectColumns<typeof sourceColumns>;
  }
}

const itemLinkSets = contentTable('item_link_sets');
const bulkItems = contentTable('bulk_items');
const collectionsTable = contentTable('collections');
const sources = contentTable('sources');
const pages = contentTable('pages');
const itemCounts = contentTable('item_counts');

/** The links of one field of a collection, sorted by another field (empty = manual order). */
export interface LinkSetRow {
  readonly id: number;
  readonly collection_id: number;
  readonly field: string;
  readonly sort_field: string;
  readonly descending: number;
}

export const collections = objectTable<StoredCollection>()('collections', collectionColumns);

export const findIdBySlug = collectionsTable.findCellBy(['slug'], 'id');

/** The ID of the REST source with this slug. */
export const findSourceId = sources.findCellBy(['slug'], 'id');

/** Number of entries, drafts too. */
export async function countItems(db: ContentDb, id: number): Promise<number> {
  return (await selectCount(db, id))?.items ?? 0;
}

/** Numbers of entries by the ID of their collection. */
export async function countAllItems(db: ContentDb): Promise<ReadonlyMap<number, number>> {
  return new Map((await selectCounts(db)).map(({ collection_id, items }) => [collection_id, items]));
}

export const listLinkSets = itemLinkSets.listBy(
  [],
  [],
  ['id', 'collection_id', 'field', 'sort_field', 'descending'],
);

/** The page if it is a catch-all page. */
export async function isCatchAllPage(db: ContentDb, id: number): Promise<boolean> {
  return (await selectCatchAll.first(db, { id })) !== undefined;
}

/** Whether there is a page with this ID. */
export async function isPage(db: ContentDb, id: number): Promise<boolean> {
  return (await findPageId(db, id)) !== undefined;
}

/** From now on changes of the entries are logged as one change of all of them, until {@link endBulk}. */
export async function beginBulk(db: ContentDb, id: number): Promise<void> {
  await insertBulk(db, { collection_id: id });
}

export const endBulk = bulkItems.removeBy('collection_id');

const findPageId = pages.findCellBy(['id'], 'id');

const selectCount = itemCounts.findBy(['collection_id'], ['items']);

const selectCounts = itemCounts.listBy([], [], ['collection_id', 'items']);

const selectCatchAll = contentQuery((db, p: { id: number }) =>
  db.selectFrom('pages').select('id').where('id', '=', p.id).where('catch_all', '=', 1),
);

const insertBulk = bulkItems.insert('collection_id');
