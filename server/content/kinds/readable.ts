/** What callers with roles may know of changes and of deleted objects, which no query of content finds. */
import { type ReadLimits, withoutReadLimits, withReadLimits } from '../../base/content-overlay.ts';
import { allows, type Grants, type Placement } from '../../base/rights.ts';
import type { ContentDb } from '../../db/tables.ts';
import * as store from './store.ts';

/** What is known of an object: its state, or the names in the record of a change. */
export interface KnownObject {
  readonly kind: string;
  readonly id: number;
  /** Website of a page or redirect. */
  readonly root_id?: number | undefined;
  /** Path of a page. */
  readonly path?: string | undefined;
  /** Language of a page. */
  readonly effective_lang?: string | undefined;
  /** Slug of the collection of an entry. */
  readonly collection?: string | undefined;
}

/** The grants of a caller with the rows that they let read; undefined for a caller who may read everything. */
export interface Reader {
  readonly grants: Grants;
  readonly limits: ReadLimits;
}

/** Those of the objects that a caller may read now, or might before they were deleted. */
export async function listReadable<Known extends KnownObject>(
  db: ContentDb,
  grants: Grants | undefined,
  limits: ReadLimits | undefined,
  objects: readonly Known[],
): Promise<readonly Known[]> {
  if (grants === undefined || limits === undefined) return objects;
  const readable: Known[] = [];
  for (const object of objects) if (await mayRead(db, { grants, limits }, object)) readable.push(object);
  return readable;
}

/** Whether an object is there, within the reading limits of the moment. */
export function isThere(db: ContentDb, kind: string, id: number): Promise<boolean> {
  return store.isThere(db, kind, id);
}

async function mayRead(db: ContentDb, { grants, limits }: Reader, object: KnownObject): Promise<boolean> {
  if (await withReadLimits(limits, () => store.isThere(db, object.kind, object.id))) return true;
  return withoutReadLimits(async () => {
    if (await store.isThere(db, object.kind, object.id)) return false;
    return allows(grants, 'read', await placeDeleted(db, object));
  });
}

/** Where a deleted object stood, as far as that is known; what is not known lets it be read by nobody with limits. */
async function placeDeleted(db: ContentDb, object: KnownObject): Promise<Placement> {
  const { kind, id, root_id: site, path, effective_lang: language, collection: slug } = object;
  if (kind === 'page') {
    const pages =
      site === undefined || path === undefined ? [] : await store.listIdsAbovePath(db, site, path);
    return { kind, id, pages, ...(site === undefined ? {} : { site }), ...(language ? { language } : {}) };
  }
  if (kind === 'redirect') return site === undefined ? { kind, id } : { kind, id, site };
  if (kind === 'workflow') return { kind, id, workflow: id };
  if (kind !== 'item' && kind !== 'items') return { kind, id };
  const collection = slug === undefined ? undefined : await store.findCollectionBySlug(db, slug);
  return collection === undefined
    ? { kind: 'item', id }
    : {
        kind: 'item',
        id,
        collection: { id: collection.id, slug: collection.slug },
        language: collection.lang,
      };
}
