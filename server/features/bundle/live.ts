/**
 * Entries of live collections are made on the live server, so an import keeps those of the target (Data, Automation
 * and Operations, "Collection"). A collection of a bundle that is live belongs to the one of the target with its ID,
 * if that is live too, or else with its slug; only if there is none, its entries come from the bundle. A collection of
 * the target whose slug another live collection of the bundle has belongs to that one.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { contentQuery } from '../../db/prepared.ts';
import { contentTable } from '../../db/table.ts';
import type { ContentDb } from '../../db/tables.ts';

const collections = contentTable('collections');
const items = contentTable('items');

const entriesPerSlice = 100;

/** IDs of the live collections. */
export async function liveCollections(db: ContentDb): Promise<ReadonlySet<number>> {
  return new Set((await selectLive.all(db, {})).map(({ id }) => id));
}

/**
 * Puts the entries that stay into the content of a bundle, in place of those that it has.
 *
 * @param staged the content of the bundle
 * @param target the content that it will replace
 */
export async function keepLiveEntries(staged: ContentDb, target: ContentDb): Promise<void> {
  const moved = new Map<number, number>();
  const kept: LivePair[] = [];
  for (const { id, slug } of await selectLive.all(staged, {})) {
    const found = await matching(staged, target, id, slug);
    if (found === undefined) continue;
    kept.push({ from: found, to: id });
    await deleteEntries(staged, id);
  }
  let free = 1 + Math.max(await newestEntry(staged), await newestEntry(target));
  for (const { from, to } of kept) {
    for await (const entry of entriesOf(target, from)) {
      const isTaken = (await selectId(staged, entry.id)) !== undefined;
      const id = isTaken ? free++ : entry.id;
      if (isTaken) moved.set(entry.id, id);
      await insertEntry(staged, { ...entry, id, collection_id: to });
    }
  }
  if (moved.size > 0) for (const pair of kept) await followMoves(staged, pair, kept, moved);
}

/** A live collection of the target, and the one of the bundle that it belongs to. */
interface LivePair {
  readonly from: number;
  readonly to: number;
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

/** References between live entries follow those that had to take another ID. */
async function followMoves(
  staged: ContentDb,
  { to }: LivePair,
  kept: readonly LivePair[],
  moved: ReadonlyMap<number, number>,
): Promise<void> {
  const collection = await selectCollection(staged, to);
  const own = new Set(kept.map((pair) => pair.to));
  const fields = fieldsOf(collection?.fields ?? '[]').filter((field) => own.has(field.collection));
  if (fields.length === 0) return;
  for await (const { id, data } of entriesOf(staged, to)) {
    const values: Record<string, unknown> = JSON.parse(data);
    for (const { name } of fields) values[name] = movedValue(values[name], moved);
    const text = JSON.stringify(values);
    if (text !== data) await updateData(staged, id, text);
  }
}

function movedValue(value: unknown, moved: ReadonlyMap<number, number>): unknown {
  if (typeof value === 'number') return moved.get(value) ?? value;
  return Array.isArray(value) ? value.map((part) => movedValue(part, moved)) : value;
}

/** The fields that refer to entries. */
function fieldsOf(text: string): { readonly name: string; readonly collection: number }[] {
  const fields: unknown = JSON.parse(text);
  return (Array.isArray(fields) ? fields : []).flatMap((field: unknown) => {
    if (typeof field !== 'object' || field === null) return [];
    const name: unknown = Reflect.get(field, 'name');
    const collection: unknown = Reflect.get(field, 'collection');
    return typeof name === 'string' && typeof collection === 'number' ? [{ name, collection }] : [];
  });
}

async function newestEntry(db: ContentDb): Promise<number> {
  return (await selectNewest.first(db, {}))?.id ?? 0;
}

async function* entriesOf(db: ContentDb, collection: number) {
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

const selectId = items.findBy(['id'], ['id']);

const selectNewest = contentQuery((db, _p: object) =>
  db.selectFrom('items').select((expression) => expression.fn.max<number | null>('id').as('id')),
);

const deleteEntries = items.removeBy('collection_id');

const insertEntry = items.insert(
  'id',
  'collection_id',
  'sort',
  'published',
  'translation_group',
  'created_at',
  'updated_at',
  'data',
);

const updateData = items.updateBy(['id'], ['data']);
