/**
 * Entries of live collections are made on the live server, so an import keeps those of the target (Data, Automation
 * and Operations, "Collection"). A collection of a bundle that is live belongs to the one of the target with its ID,
 * if that is live too, or else with its slug; only if there is none, its entries come from the bundle. A collection of
 * the target whose slug another live collection of the bundle has belongs to that one.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { readTargetFields, type TargetField } from '../../../../runtime/fields/targets.ts';
import { contentQuery } from '../../../db/prepared.ts';
import { contentTable } from '../../../db/table.ts';
import type { ContentDb } from '../../../db/tables.ts';

const collections = contentTable('collections');
const items = contentTable('items');

const entriesPerSlice = 100;

/** A live collection of the target, and the one of the bundle that it belongs to. */
export interface LivePair {
  /** ID on the target. */
  readonly from: number;
  /** ID in the bundle. */
  readonly to: number;
}

/** IDs of the live collections. */
export async function liveCollections(db: ContentDb): Promise<ReadonlySet<number>> {
  return new Set((await selectLive.all(db, {})).map(({ id }) => id));
}

/** The live collections of a bundle that the target has too, and whose entries therefore stay. */
export async function listPairs(staged: ContentDb, target: ContentDb): Promise<LivePair[]> {
  const pairs: LivePair[] = [];
  for (const { id, slug } of await selectLive.all(staged, {})) {
    const from = await matching(staged, target, id, slug);
    if (from !== undefined) pairs.push({ from, to: id });
  }
  return pairs;
}

async function matching(
  staged: ContentDb,
  target: ContentDb,
  id: number,
  slug: string,
): Promise<number | undefined> {
  const same = await selectCollection(target, id);
  if (same?.slug === slug) return id;
  if (same?.live === 1 && (await selectLiveBySlug.first(staged, { slug: same.slug })) === undefined)
    return id;
  return (await selectBySlug(target, slug))?.id;
}

/** The fields of a collection whose types are known. The rows may be those of any bundle. */
export async function readFields(db: ContentDb, collection: number): Promise<TargetField[]> {
  return readTargetFields(JSON.parse((await selectCollection(db, collection))?.fields ?? '[]'));
}

export type LiveEntry = Awaited<ReturnType<typeof selectEntries.all>>[number];

export async function* readEntries(db: ContentDb, collection: number): AsyncGenerator<LiveEntry> {
  for (let after = 0; ; await nextTurn()) {
    const entries = await selectEntries.all(db, { collection, after, limit: entriesPerSlice });
    yield* entries;
    const last = entries.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}

const selectLive = contentQuery((db, _p: object) =>
  db.selectFrom('collections').select(['id', 'slug']).where('live', '=', 1).orderBy('id'),
);

const selectCollection = collections.findBy(['id'], ['slug', 'live', 'fields']);

const selectBySlug = collections.findBy(['slug'], ['id']);

const selectLiveBySlug = contentQuery((db, p: { slug: string }) =>
  db.selectFrom('collections').select('id').where('slug', '=', p.slug).where('live', '=', 1),
);

const selectEntries = contentQuery((db, p: { collection: number; after: number; limit: number }) =>
  db
    .selectFrom('items')
    .selectAll()
    .where('collection_id', '=', p.collection)
    .where('id', '>', p.after)
    .orderBy('id')
    .limit(p.limit),
);

export const removeEntries = items.removeBy('collection_id');

export const insertEntry = items.insert(
  'id',
  'collection_id',
  'sort',
  'published',
  'translation_group',
  'created_at',
  'updated_at',
  'data',
);
