import type { Generated } from 'kysely';
import { contentQuery } from '../../db/prepared.ts';
import { contentTable } from '../../db/table.ts';
import type { ContentDb } from '../../db/tables.ts';

declare module '../../db/tables.ts' {
  interface ContentTables {
    change_sets: Omit<ChangeSetRow, 'id'> & { id: Generated<number> };
    change_set_items: ItemRow;
  }
}

export interface ChangeSetRow {
  id: number;
  name: string;
  note: string;
  purpose: string;
  state: string;
  author: string;
  created_at: number;
  updated_at: number;
  publish_at: number | null;
  published_at: number | null;
  discarded_at: number | null;
  reverted_by: number | null;
  failure: string | null;
  /** JSON of a `Scheduler`. */
  scheduled_by: string | null;
  /** Who alone sees a set of purpose `dev`. */
  owner: string | null;
}

export interface ItemRow {
  change_set_id: number;
  kind: string;
  object_id: number;
  position: number;
  title: string;
  base: string | null;
  creation: string | null;
  is_deleted: number;
  fields: string;
  arrangements: string;
  authors: string;
  updated_at: number;
  size: number;
}

const sets = contentTable('change_sets');
const items = contentTable('change_set_items');

const setColumns = [
  ...(['name', 'note', 'purpose', 'state', 'author', 'created_at', 'updated_at', 'publish_at'] as const),
  ...(['published_at', 'discarded_at', 'reverted_by', 'failure', 'scheduled_by'] as const),
] as const;

export const findSet = sets.findBy(['id']);
export const listSets = sets.listBy([], ['-id']);
export const listSetsIn = sets.listBy(['state'], ['-id']);
export const deleteSet = sets.removeBy('id');
export const updateSet = sets.updateBy(['id'], setColumns);

/** Stores a new change set and answers with its ID. */
export async function insertSet(db: ContentDb, set: Omit<ChangeSetRow, 'id'>): Promise<number> {
  return Number((await insertOne.first(db, set))?.id);
}

export const listItems = items.listBy(['change_set_id'], ['position']);
export const listItemsOf = items.listBy(['kind', 'object_id'], ['change_set_id'], ['change_set_id']);
export const deleteItem = items.removeBy('change_set_id', 'kind', 'object_id');
export const upsertItem = items.upsert(
  ['change_set_id', 'kind', 'object_id'],
  [
    ...(['position', 'title', 'base', 'creation', 'is_deleted', 'fields', 'arrangements'] as const),
    ...(['authors', 'updated_at', 'size'] as const),
  ],
);

export interface ScheduledSet {
  readonly id: number;
  /** Unix seconds. */
  readonly publish_at: number;
}

/** The scheduled change sets, in the order in which they are due. */
export async function listScheduled(db: ContentDb): Promise<ScheduledSet[]> {
  const rows = await selectScheduled.all(db, {});
  return rows.map(({ id, publish_at }) => ({ id, publish_at: publish_at ?? 0 }));
}

/** The change sets of developers that may still be shown, the oldest first. */
export function listDevSets(db: ContentDb): Promise<{ readonly id: number; readonly created_at: number }[]> {
  return selectDevSets.all(db, {});
}

/** The working copy of an object; undefined if it has none. */
export async function findCopy(db: ContentDb, kind: string, id: number): Promise<ChangeSetRow | undefined> {
  const found = await selectCopy.first(db, { kind, id });
  return found === undefined ? undefined : findSet(db, found.id);
}

/** How many change sets are open, scheduled or failed. */
export async function countUnfinished(db: ContentDb): Promise<number> {
  return (await selectUnfinished.first(db, {}))?.count ?? 0;
}

/** How many objects a change set has, and the bytes of what it has of them. */
export async function measureItems(db: ContentDb, id: number): Promise<{ count: number; bytes: number }> {
  const row = await selectSizes.first(db, { id });
  return { count: row?.count ?? 0, bytes: Number(row?.bytes ?? 0) };
}

/** Deletes what was discarded before a time. */
export async function deleteDiscardedBefore(db: ContentDb, before: number): Promise<void> {
  await removeDiscarded.run(db, { before });
}

const insertOne = contentQuery((db, p: Omit<ChangeSetRow, 'id'>) =>
  db
    .insertInto('change_sets')
    .values({
      ...{ name: p.name, note: p.note, purpose: p.purpose, state: p.state, author: p.author },
      ...{ created_at: p.created_at, updated_at: p.updated_at, publish_at: p.publish_at },
      ...{ published_at: p.published_at, discarded_at: p.discarded_at, reverted_by: p.reverted_by },
      ...{ failure: p.failure, owner: p.owner },
    })
    .returning('id'),
);

const selectCopy = contentQuery((db, p: { kind: string; id: number }) =>
  db
    .selectFrom('change_set_items')
    .innerJoin('change_sets', 'change_sets.id', 'change_set_items.change_set_id')
    .select('change_sets.id')
    .where('change_set_items.kind', '=', p.kind)
    .where('change_set_items.object_id', '=', p.id)
    .where('change_sets.purpose', '=', 'copy')
    .where('change_sets.state', 'in', ['open', 'scheduled', 'failed']),
);

const selectUnfinished = contentQuery((db, _p: object) =>
  db
    .selectFrom('change_sets')
    .select((expression) => expression.fn.countAll<number>().as('count'))
    .where('state', 'in', ['open', 'scheduled', 'failed']),
);

const selectScheduled = contentQuery((db, _p: object) =>
  db
    .selectFrom('change_sets')
    .select(['id', 'publish_at'])
    .where('state', '=', 'scheduled')
    .orderBy('publish_at')
    .orderBy('id'),
);

const selectDevSets = contentQuery((db, _p: object) =>
  db
    .selectFrom('change_sets')
    .select(['id', 'created_at'])
    .where('purpose', '=', 'dev')
    .where('state', 'in', ['open', 'scheduled', 'failed'])
    .orderBy('id'),
);

const selectSizes = contentQuery((db, p: { id: number }) =>
  db
    .selectFrom('change_set_items')
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.sum<number | null>('size').as('bytes')])
    .where('change_set_id', '=', p.id),
);

const removeDiscarded = contentQuery((db, p: { before: number }) =>
  db.deleteFrom('change_sets').where('state', '=', 'discarded').where('discarded_at', '<', p.before),
);
