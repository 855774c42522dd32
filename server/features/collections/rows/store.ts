import { type SqlBool, sql } from 'kysely';
import { itemColumns } from '../../../../runtime/content/tables.ts';
import { computeNextUpdate, objectTable } from '../../../db/object-table.ts';
import { contentQuery } from '../../../db/prepared.ts';
import { contentTable } from '../../../db/table.ts';
import type { ContentDb, ObjectColumns } from '../../../db/tables.ts';
import type { Entry } from './model.ts';

declare module '../../../db/tables.ts' {
  interface ContentTables {
    items: ObjectColumns<typeof itemColumns>;
  }
}

const itemCounts = contentTable('item_counts');
const itemsTable = contentTable('items');

export const items = objectTable<Entry>()('items', itemColumns);

/** The entries of a collection in manual order, in slices. @param drafts whether drafts are among them */
export async function* listItems(
  db: ContentDb,
  collectionId: number,
  drafts: boolean,
): AsyncGenerator<Entry[]> {
  const query = drafts ? selectAll : selectPublished;
  for await (const rows of query.slices(db, { collectionId }, rowsPerSlice))
    yield rows.map((row) => items.fromRow(row));
}

/** The first entry in manual order. */
export async function findFirst(
  db: ContentDb,
  collectionId: number,
  drafts: boolean,
): Promise<Entry | undefined> {
  const row = await selectFirst.first(db, { collectionId, published: drafts ? 0 : 1 });
  return row === undefined ? undefined : items.fromRow(row);
}

/** Number of entries, drafts too. */
export async function countItems(db: ContentDb, collectionId: number): Promise<number> {
  return (await selectCount(db, collectionId))?.items ?? 0;
}

/** Whether a collection has more published entries than `max`. */
export async function hasMorePublished(db: ContentDb, collectionId: number, max: number): Promise<boolean> {
  return (await selectPublishedAfter.first(db, { collectionId, max })) !== undefined;
}

/** The place behind the last entry. */
export async function nextSort(db: ContentDb, collectionId: number): Promise<number> {
  return ((await selectLastSort.first(db, { collectionId }))?.sort ?? 0) + 1;
}

/** The entries of a collection in their manual order. */
export const listIdsInOrder = itemsTable.listBy(['collection_id'], ['sort', 'id'], ['id']);

/** Whether a collection has an entry with this ID. */
export async function isItemOf(db: ContentDb, collectionId: number, id: number): Promise<boolean> {
  return (await selectOfCollection(db, id, collectionId)) !== undefined;
}

/** The place of an entry of a collection; undefined if it has no such entry. */
export async function findSort(db: ContentDb, collectionId: number, id: number): Promise<number | undefined> {
  return (await selectOfCollection(db, id, collectionId))?.sort;
}

export async function setSort(db: ContentDb, id: number, sort: number, now: number): Promise<void> {
  await updateSort.run(db, { id, sort, now });
}

/** The place of an entry in the manual order, from which a list goes on. */
export type ItemPlace = Pick<Entry, 'sort' | 'id'>;

/** The place before all entries. */
export const firstPlace: ItemPlace = { sort: Number.MIN_SAFE_INTEGER, id: 0 };

/** The data of the entries of a collection after a place, in manual order. For code that writes meanwhile. */
export async function listData(
  db: ContentDb,
  collectionId: number,
  after: ItemPlace,
  limit: number,
): Promise<Pick<Entry, 'id' | 'sort' | 'data'>[]> {
  const rows = await selectData.all(db, { collectionId, sort: after.sort, id: after.id, limit });
  return rows.map((row) => items.fromRow(row));
}

/** Replaces the data of an entry and nothing else. */
export async function setData(db: ContentDb, id: number, data: Entry['data']): Promise<void> {
  await updateData(db, id, JSON.stringify(data));
}

/** The entries of a collection after a place, in manual order. For code that writes meanwhile. */
export async function listGrouped(
  db: ContentDb,
  collectionId: number,
  after: ItemPlace,
  limit: number,
): Promise<Pick<Entry, 'id' | 'sort' | 'translation_group'>[]> {
  return selectGrouped.all(db, { collectionId, sort: after.sort, id: after.id, limit });
}

/** A member of a group of language versions, with what its title and address are made from. */
export interface GroupedItem {
  readonly id: number;
  /** That of its collection; null if the collection has none. */
  readonly lang: string | null;
  readonly collection_id: number;
  readonly published: number;
  readonly data: string;
}

/** The entries of a group by ID; none for the empty group, which stands for no group. */
export async function listMembers(db: ContentDb, group: string): Promise<GroupedItem[]> {
  const rows = group === '' ? [] : await selectMembers.all(db, { group });
  return rows.map((row) => ({ ...row, lang: row.lang === '' ? null : row.lang }));
}

/** Puts an entry into a group; an empty `group` takes it out of its group. */
export async function setGroup(db: ContentDb, id: number, group: string, now: number): Promise<void> {
  await updateGroup.run(db, { id, group, now });
}

/** Dissolves a group that has only one entry left. */
export async function dissolveSingle(db: ContentDb, group: string, now: number): Promise<void> {
  const [single, ...others] = await selectGroup.all(db, { group });
  if (single !== undefined && others.length === 0) await setGroup(db, single.id, '', now);
}

/** A group that has an entry of the collection; undefined if there is none. */
export async function findGroupOf(db: ContentDb, collectionId: number): Promise<string | undefined> {
  return (await selectGroupOf.first(db, { collectionId }))?.translation_group;
}

/** Whether an entry of the collection is in a group with an entry of another collection in this language. */
export async function isLangTaken(db: ContentDb, collectionId: number, lang: string): Promise<boolean> {
  return (await selectTaken.first(db, { collectionId, lang })) !== undefined;
}

const rowsPerSlice = 200;
const all = [
  'id',
  'collection_id',
  'sort',
  'published',
  'translation_group',
  'created_at',
  'updated_at',
  'data',
] as const;

const selectAll = contentQuery((db, p: { collectionId: number }) =>
  db
    .selectFrom('items')
    .select(all)
    .where('collection_id', '=', p.collectionId)
    .orderBy('sort')
    .orderBy('id'),
);

const selectPublished = contentQuery((db, p: { collectionId: number }) =>
  db
    .selectFrom('items')
    .select(all)
    .where('collection_id', '=', p.collectionId)
    .where('published', '=', 1)
    .orderBy('sort')
    .orderBy('id'),
);

const selectFirst = contentQuery((db, p: { collectionId: number; published: number }) =>
  db
    .selectFrom('items')
    .select(all)
    .where('collection_id', '=', p.collectionId)
    .where('published', '>=', p.published)
    .orderBy('sort')
    .orderBy('id')
    .limit(1),
);

const selectCount = itemCounts.findBy(['collection_id'], ['items']);

const selectLastSort = contentQuery((db, p: { collectionId: number }) =>
  db
    .selectFrom('items')
    .select('sort')
    .where('collection_id', '=', p.collectionId)
    .orderBy('sort', 'desc')
    .limit(1),
);

const selectOfCollection = itemsTable.findBy(['id', 'collection_id'], ['sort']);

interface AfterPlace extends ItemPlace {
  readonly collectionId: number;
  readonly limit: number;
}

/** By the index of the manual order: in order of their IDs, all entries of all collections would be read. */
const isAfter = ({ sort, id }: ItemPlace) => sql<SqlBool>`(sort, id) > (${sort}, ${id})`;

const selectGrouped = contentQuery((db, p: AfterPlace) =>
  db
    .selectFrom('items')
    .select(['id', 'sort', 'translation_group'])
    .where('collection_id', '=', p.collectionId)
    .where(isAfter(p))
    .orderBy('sort')
    .orderBy('id')
    .limit(p.limit),
);

const selectMembers = contentQuery((db, p: { group: string }) =>
  db
    .selectFrom('items')
    .innerJoin('collections', 'collections.id', 'items.collection_id')
    .select(['items.id', 'collections.lang', 'items.collection_id', 'items.published', 'items.data'])
    .where('items.translation_group', '=', p.group)
    .where('items.translation_group', '<>', sql.lit(''))
    .orderBy('items.id'),
);

const selectGroup = contentQuery((db, p: { group: string }) =>
  db
    .selectFrom('items')
    .select('id')
    .where('translation_group', '=', p.group)
    .where('translation_group', '<>', sql.lit(''))
    .limit(2),
);

const selectGroupOf = contentQuery((db, p: { collectionId: number }) =>
  db
    .selectFrom('items')
    .select('translation_group')
    .where('translation_group', '<>', sql.lit(''))
    .where('collection_id', '=', p.collectionId)
    .limit(1),
);

const selectTaken = contentQuery((db, p: { collectionId: number; lang: string }) =>
  db
    .selectFrom('items')
    .innerJoin('items as other', 'other.translation_group', 'items.translation_group')
    .innerJoin('collections', 'collections.id', 'other.collection_id')
    .select('items.id')
    .where('items.translation_group', '<>', sql.lit(''))
    .where('other.translation_group', '<>', sql.lit(''))
    .where('items.collection_id', '=', p.collectionId)
    .whereRef('other.collection_id', '<>', 'items.collection_id')
    .where('collections.lang', '=', p.lang)
    .limit(1),
);

const updateGroup = contentQuery((db, p: { id: number; group: string; now: number }) =>
  db
    .updateTable('items')
    .set({ translation_group: p.group, updated_at: computeNextUpdate(p.now) })
    .where('id', '=', p.id),
);

const selectData = contentQuery((db, p: AfterPlace) =>
  db
    .selectFrom('items')
    .select(['id', 'sort', 'data'])
    .where('collection_id', '=', p.collectionId)
    .where(isAfter(p))
    .orderBy('sort')
    .orderBy('id')
    .limit(p.limit),
);

const updateData = itemsTable.updateBy(['id'], ['data']);

const updateSort = contentQuery((db, p: { id: number; sort: number; now: number }) =>
  db
    .updateTable('items')
    .set({ sort: p.sort, updated_at: computeNextUpdate(p.now) })
    .where('id', '=', p.id),
);

const selectPublishedAfter = contentQuery((db, p: { collectionId: number; max: number }) =>
  db
    .selectFrom('items')
    .select('id')
    .where('collection_id', '=', p.collectionId)
    .where('published', '=', 1)
    .limit(1)
    .offset(p.max),
);
