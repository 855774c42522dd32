/** Changes of very many entries in one change: in slices, so that the thread serves others in between. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Change } from '../../../changes/changes.ts';
import type { StoredCollection } from '../model.ts';
import * as collections from '../store.ts';
import { itemGroups } from './groups.ts';
import * as store from './store.ts';

/** Entries that are deleted between two turns of the event loop; one takes about 20 µs. */
const entriesPerRead = 100;

/**
 * Runs changes of many entries of a collection, which the change log names once and not one by one.
 */
export async function runInBulk<T>(
  { tx }: Change,
  { id }: Pick<StoredCollection, 'id'>,
  work: () => Promise<T>,
): Promise<T> {
  await collections.beginBulk(tx, id);
  // After an error the whole change is undone, this row too.
  const result = await work();
  await collections.endBulk(tx, id);
  return result;
}

/** Deletes one entry. */
export async function removeItem(
  { tx, now }: Change,
  { id, translation_group: group }: { readonly id: number; readonly translation_group: string },
): Promise<void> {
  await store.items.remove(tx, id);
  if (group !== '') await itemGroups.dissolveSingle(tx, group, now);
}

/** Deletes all entries of a collection with `remove`, except those in `kept`. Resolves with their number. */
export async function removeAllItems(
  change: Change,
  collection: StoredCollection,
  kept: ReadonlySet<number> = new Set(),
  remove: typeof removeItem = removeItem,
): Promise<number> {
  const { tx } = change;
  let removed = 0;
  let rows = await store.listGrouped(tx, collection.id, store.firstPlace, entriesPerRead);
  while (rows.length > 0) {
    for (const row of rows) {
      if (kept.has(row.id)) continue;
      await remove(change, row);
      removed++;
    }
    await nextTurn();
    rows = await store.listGrouped(tx, collection.id, rows.at(-1) ?? store.firstPlace, entriesPerRead);
  }
  return removed;
}
