/** Collections and entries that come back from the trash. */

import { apiError } from '../../base/errors.ts';
import { TimeSlices } from '../../base/timers.ts';
import type { Change } from '../../changes/changes.ts';
import type { KindTrash, RestoredName } from '../../content/kinds/trash/declaration.ts';
import type { ContentDb } from '../../db/tables.ts';
import type { StoredCollection } from './model.ts';
import { itemGroups } from './rows/groups.ts';
import type { ItemState } from './rows/model.ts';
import * as rows from './rows/store.ts';
import * as store from './store.ts';

/** The slug of a collection or a source, as a name that must be free. */
export function dataSlugName(db: ContentDb, slug: string): RestoredName {
  return {
    what: 'name',
    name: slug,
    async findHolder(wanted) {
      const collection = await store.findIdBySlug(db, wanted);
      if (collection !== undefined) return { kind: 'collection', id: collection };
      const source = await store.findSourceId(db, wanted);
      return source === undefined ? undefined : { kind: 'source', id: source };
    },
    next: (number) => `${slug}-${number}`,
  };
}

/** @param present as the API shows it, without its entries */
export function collectionTrash(
  present: (db: ContentDb, collection: StoredCollection) => Promise<object>,
): KindTrash<StoredCollection> {
  return {
    ...trash,
    present: async (db, collection, counts) => ({
      ...(await present(db, collection)),
      item_count: counts['items'] ?? 0,
    }),
  };
}

const trash: KindTrash<StoredCollection> = {
  async beforeRestore({ tx }, { id, slug, detail_page_id: page }, names) {
    const free = await names.claim(dataSlugName(tx, slug));
    const hasPage = page === 0 || (await store.isCatchAllPage(tx, page));
    return {
      collections: (row) =>
        row['id'] === id ? { ...row, slug: free, ...(hasPage ? {} : { detail_page_id: 0 }) } : row,
    };
  },
  /** Entries whose language versions have another one in this language by now are none of them any more. */
  async afterRestore(change, id) {
    const slices = new TimeSlices();
    for (let place = rows.firstPlace; ; ) {
      const entries = await rows.listGrouped(change.tx, id, place, entriesPerRead);
      for (const entry of entries) await leaveWrongGroup(change, entry.id, entry.translation_group);
      const last = entries.at(-1);
      if (last === undefined) return;
      place = last;
      await slices.next();
    }
  },
};

const entriesPerRead = 200;

export const itemTrash: KindTrash<ItemState> = {
  parentOf: ({ collection_id: id }) => ({ kind: 'collection', id }),
  async beforeRestore({ tx }, { collection_id: id }) {
    const collection = await store.collections.find(tx, id);
    if (collection?.singleton === true && (await rows.findFirst(tx, id, true)) !== undefined)
      throw apiError('collection.hasEntry', {});
    return undefined;
  },
  async afterRestore(change, id) {
    const entry = await rows.items.find(change.tx, id);
    if (entry !== undefined) await leaveWrongGroup(change, id, entry.translation_group);
  },
};

/** Takes an entry out of a group in which it has no place any more. */
async function leaveWrongGroup({ tx, now }: Change, id: number, group: string): Promise<void> {
  if (group === '') return;
  const members = await itemGroups.listMembers(tx, group);
  const lang = members.find((member) => member.id === id)?.lang ?? null;
  const fits = lang !== null && !members.some((member) => member.id !== id && member.lang === lang);
  if (!fits) await itemGroups.setGroup(tx, id, '', now);
  await itemGroups.dissolveSingle(tx, group, now);
}
