import type { Actor } from '../../base/actor.ts';
import { apiError } from '../../base/errors.ts';
import { allows } from '../../base/rights.ts';
import { Followed } from '../../changes/followers.ts';
import type { ContentDb } from '../../db/tables.ts';
import type { StoredCollection } from './model.ts';
import * as store from './store.ts';

/** All collections as readers ask for them, by ID and by slug. No slug is a number. */
export type CollectionsByRef = Followed<ReadonlyMap<string, StoredCollection>>;

export function followCollections(db: ContentDb): CollectionsByRef {
  return new Followed(['collection'], async () => {
    const collections = await store.collections.list(db);
    return new Map(
      collections.flatMap((collection) => [
        [String(collection.id), collection],
        [collection.slug, collection],
      ]),
    );
  });
}

/**
 * The collection for a caller who may read it: others are told that there is none.
 *
 * @param mayRead what is to be read of it; default: its entries
 * @throws ApiError `common.notFound`
 */
export async function requireReadable(
  collections: CollectionsByRef,
  ref: string,
  actor: Actor,
  mayRead = mayReadEntries,
): Promise<StoredCollection> {
  const collection = (await collections.get()).get(ref);
  if (collection === undefined || !(collection.public_api || mayRead(actor, collection)))
    throw apiError('common.notFound', {});
  return collection;
}

/** Whether a caller may read all entries of a collection, drafts too; others see what visitors see. */
export function mayReadEntries({ kind, grants }: Actor, { id, slug, lang }: StoredCollection): boolean {
  if (kind === 'none') return false;
  return (
    grants === undefined || allows(grants, 'read', { kind: 'item', collection: { id, slug }, language: lang })
  );
}

/** Whether a caller may read the definition of a collection. It is read with its entries. */
export function mayReadDefinition(actor: Actor, collection: StoredCollection): boolean {
  const { id, slug, lang } = collection;
  const place = { kind: 'collection', id, collection: { id, slug }, language: lang };
  const { kind, grants } = actor;
  return (
    mayReadEntries(actor, collection) ||
    (kind !== 'none' && grants !== undefined && allows(grants, 'read', place))
  );
}

/** Whether everyone may read a collection; false if there is none. */
export async function isPublic(collections: CollectionsByRef, ref: string): Promise<boolean> {
  return (await collections.get()).get(ref)?.public_api === true;
}

/** The slug as a reference. A number is no slug. */
export function bySlug(slug: string): string {
  return /^\d/.test(slug) ? '' : slug;
}
