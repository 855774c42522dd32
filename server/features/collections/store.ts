import { collectionColumns, type sourceColumns } from '../../../runtime/content/tables.ts';
import { objectTable } from '../../db/object-table.ts';
import { contentQuery } from '../../db/prepared.ts';
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

/** The links of one field of a collection, sorted by another field (empty = manual order). */
export interface LinkSetRow {
  readonly id: number;
  readonly collection_id: number;
  readonly field: string;
  readonly sort_field: string;
  readonly descending: number;
}

export const collections = objectTable<StoredCollection>()('collections', collectionColumns);

export async function findIdBySlug(db: ContentDb, slug: string): Promise<number | undefined> {
  return (await selectBySlug.first(db, { slug }))?.id;
}

/** The ID of the REST source with this slug. */
export async function findSourceId(db: ContentDb, slug: string): Promise<number | undefined> {
  return (await selectSource.first(db, { slug }))?.id;
}

/** Number of entries, drafts too. */
export async function countItems(db: ContentDb, id: number): Promise<number> {
  return (await selectCount.first(db, { id }))?.items ?? 0;
}

/** Numbers of entries by the ID of their collection. */
export async function countAllItems(db: ContentDb): Promise<ReadonlyMap<number, number>> {
  return new Map((await selectCounts.all(db, {})).map(({ collection_id, items }) => [collection_id, items]));
}

export function listLinkSets(db: ContentDb): Promise<LinkSetRow[]> {
  return selectLinkSets.all(db, {});
}

/** The page if it is a catch-all page. */
export async function isCatchAllPage(db: ContentDb, id: number): Promise<boolean> {
  return (await selectCatchAll.first(db, { id })) !== undefined;
}

/** From now on changes of the entries are logged as one change of all of them, until {@link endBulk}. */
export async function beginBulk(db: ContentDb, id: number): Promise<void> {
  await insertBulk.run(db, { id });
}

export async function endBulk(db: ContentDb, id: number): Promise<void> {
  await deleteBulk.run(db, { id });
}

const selectBySlug = contentQuery((db, p: { slug: string }) =>
  db.selectFrom('collections').select('id').where('slug', '=', p.slug),
);

const selectSource = contentQuery((db, p: { slug: string }) =>
  db.selectFrom('sources').select('id').where('slug', '=', p.slug),
);

const selectCount = contentQuery((db, p: { id: number }) =>
  db.selectFrom('item_counts').select('items').where('collection_id', '=', p.id),
);

const selectCounts = contentQuery((db, _p: object) =>
  db.selectFrom('item_counts').select(['collection_id', 'items']),
);

const selectLinkSets = contentQuery((db, _p: object) =>
  db.selectFrom('item_link_sets').select(['id', 'collection_id', 'field', 'sort_field', 'descending']),
);

const selectCatchAll = contentQuery((db, p: { id: number }) =>
  db.selectFrom('pages').select('id').where('id', '=', p.id).where('catch_all', '=', 1),
);

const insertBulk = contentQuery((db, p: { id: number }) =>
  db.insertInto('bulk_items').values({ collection_id: p.id }),
);

const deleteBulk = contentQuery((db, p: { id: number }) =>
  db.deleteFrom('bulk_items').where('collection_id', '=', p.id),
);
