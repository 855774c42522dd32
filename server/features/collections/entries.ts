import type { Actor } from '../../base/actor.ts';
import { createObject, removeObject, updateObject } from '../../content/kinds/objects.ts';
import type { ContentDb } from '../../db/tables.ts';
import type { SharedServices } from '../../feature.ts';
import { type ItemKind, presentItem, requireItem, toEntry } from './items/service.ts';
import type { StoredCollection } from './model.ts';
import { KnownTargets } from './rows/known-targets.ts';
import type { Entry } from './rows/model.ts';
import * as store from './rows/store.ts';
import { findCollection } from './service.ts';

/** What is stored in an entry. */
export interface EntryFields {
  readonly data: Readonly<Record<string, unknown>>;
  /** Default: true for a new entry, as it is for another one. */
  readonly published?: boolean;
}

/** Entries for other parts of the server, by the rules and in the form of the API. Errors name the collection. */
export interface CollectionEntries {
  /** Whether there is such a collection. @param db where to look */
  isThere(db: ContentDb, slug: string): Promise<boolean>;
  /** In manual order. @throws Error if they take more than 10 MB */
  list(slug: string, onlyPublished: boolean): Promise<readonly Entry[]>;
  /** Null if there is no such entry. */
  get(slug: string, id: number, onlyPublished: boolean): Promise<Entry | null>;
  create(actor: Actor, slug: string, fields: EntryFields): Promise<Entry>;
  /** @throws Error if there is no such entry */
  update(actor: Actor, slug: string, id: number, fields: EntryFields): Promise<Entry>;
  /** The entry as it was. @throws Error if there is no such entry */
  remove(actor: Actor, slug: string, id: number): Promise<Entry>;
}

/** Most characters of JSON of a list. */
const maxListLength = 10 * 2 ** 20;

export function collectionEntries(
  { reader, snapshots, changes }: Pick<SharedServices, 'reader' | 'snapshots' | 'changes'>,
  kind: ItemKind,
): CollectionEntries {
  return {
    isThere: async (db, slug) => (await findCollection(db, slug)) !== undefined,
    list: (slug, onlyPublished) =>
      snapshots.read(async (db) => {
        const collection = await named(db, slug);
        const entries: Entry[] = [];
        const targets = new KnownTargets(db);
        let length = 0;
        for await (const slice of store.listItems(db, collection.id, !onlyPublished)) {
          for (const item of slice) {
            const entry = await presentItem(item, collection, onlyPublished, targets);
            length += JSON.stringify(entry).length;
            if (length > maxListLength) throw new Error(`the entries of "${slug}" have more than 10 MB`);
            entries.push(entry);
          }
        }
        return entries;
      }),
    async get(slug, id, onlyPublished) {
      const collection = await named(reader, slug);
      const item = id === 0 ? undefined : await store.items.find(reader, id);
      const isMeant = item?.collection_id === collection.id && (item.published || !onlyPublished);
      return isMeant ? presentItem(item, collection, onlyPublished, new KnownTargets(reader)) : null;
    },
    create: (actor, slug, fields) =>
      changes.change(actor, async (change) => {
        const { id } = await named(change.tx, slug);
        return toEntry(await createObject(change, kind, { collection: id, ...fields }));
      }),
    update: (actor, slug, id, fields) =>
      changes.change(actor, async (change) => {
        await requireEntry(change.tx, await named(change.tx, slug), id);
        return toEntry(await updateObject(change, kind, id, fields));
      }),
    remove: (actor, slug, id) =>
      changes.change(actor, async (change) => {
        const entry = await requireEntry(change.tx, await named(change.tx, slug), id);
        await removeObject(change, kind, id);
        return entry;
      }),
  };
}

async function named(db: SharedServices['reader'], slug: string): Promise<StoredCollection> {
  const collection = await findCollection(db, slug);
  if (collection === undefined) throw new Error(`there is no collection "${slug}"`);
  return collection;
}

async function requireEntry(
  db: SharedServices['reader'],
  collection: StoredCollection,
  id: number,
): Promise<Entry> {
  try {
    return await requireItem(db, collection, id);
  } catch (error) {
    throw new Error(`collection "${collection.slug}" has no entry ${id}`, { cause: error });
  }
}
