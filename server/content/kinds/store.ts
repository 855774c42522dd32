/** What is stored of objects of every kind: what they refer to, and their earlier states. */
import type { Generated } from 'kysely';
import { contentQuery } from '../../db/prepared.ts';
import { contentTable } from '../../db/table.ts';
import type { ContentDb, ContentTables } from '../../db/tables.ts';
import type { ObjectKey, Reference, ReferenceTarget } from './kind.ts';

declare module '../../db/tables.ts' {
  interface ContentTables {
    object_references: {
      kind: string;
      object_id: number;
      field: string;
      root_id: number;
      to_kind: string;
      to_key: string;
    };
    revisions: {
      id: Generated<number>;
      kind: string;
      object_id: number;
      author: string;
      created_at: number;
      size: number;
      data: string;
      state_author: string | null;
      state_at: number | null;
    };
    state_authors: { kind: string; object_id: number; author: string; at: number };
    reference_backlog: { kind: string; object_id: number };
  }
}

const revisions = contentTable('revisions');
const objectReferences = contentTable('object_references');
const findSet = contentTable('change_sets').findBy(['id'], ['name', 'discarded_at']);
const stateAuthors = contentTable('state_authors');
const referenceBacklog = contentTable('reference_backlog');

export interface RevisionSummary {
  readonly id: number;
  /** Name of the object's kind in `/revisions`. */
  readonly kind: string;
  readonly object_id: number;
  readonly author: string;
  readonly created_at: number;
  /** Bytes of the stored object. */
  readonly size: number;
  /** Who made the stored state; null if that is not known. */
  readonly state_author: string | null;
  /** When that was. */
  readonly state_at: number | null;
}

/** A revision with its object as JSON. */
export interface StoredRevision extends RevisionSummary {
  readonly data: string;
}

/** Replaces the references of one field of an object. @param rootId website of the object, 0 if it has none */
export async function replaceReferences(
  db: ContentDb,
  { kind, id }: ObjectKey,
  field: string,
  rootId: number,
  references: readonly Reference[],
): Promise<void> {
  await deleteOfField(db, kind, id, field);
  for (const { kind: toKind, key } of references) {
    await insertOne(db, { kind, object_id: id, field, root_id: rootId, to_kind: toKind, to_key: key });
  }
}

/**
 * The name of a change set that refers to something; undefined if it is gone, or was discarded before a time.
 * Its references are stored as those of an object of the kind `change_set`.
 */
export async function findReferringSet(
  db: ContentDb,
  id: number,
  discardedSince: number,
): Promise<string | undefined> {
  const set = await findSet(db, id);
  return (set?.discarded_at ?? discardedSince) < discardedSince ? undefined : set?.name;
}

/** Forgets everything that an object refers to. */
export async function removeReferences(db: ContentDb, { kind, id }: ObjectKey): Promise<void> {
  await deleteOfObject(db, kind, id);
}

/** Adds an object whose references are to be found. */
export async function addToBacklog(db: ContentDb, { kind, id }: ObjectKey): Promise<void> {
  await insertIntoBacklog(db, { kind, object_id: id });
}

/** The objects that refer to a target, at most `limit`, by kind and ID. */
export async function findReferrers(
  db: ContentDb,
  { kind, key, rootId = 0, withBelow = false }: ReferenceTarget,
  limit: number,
): Promise<ObjectKey[]> {
  const below = key.endsWith('/') ? key.slice(0, -1) : key;
  // `0` is the character after `/`. An empty range contains nothing.
  const range = withBelow ? { from: `${below}/`, to: `${below}0` } : { from: '', to: '' };
  return selectReferrers.all(db, { kind, key, rootId, ...range, limit });
}

/** The keys of a kind that objects refer to, each once. One step for each key, however many refer to it. */
export async function listReferredKeys(db: ContentDb, kind: string): Promise<string[]> {
  const keys: string[] = [];
  let next = (await selectKeyAfter.first(db, { kind, key: '' }))?.key ?? null;
  while (next !== null) {
    keys.push(next);
    next = (await selectKeyAfter.first(db, { kind, key: next }))?.key ?? null;
  }
  return keys;
}

/** Some objects whose references are still to be found. */
export function listBacklog(db: ContentDb, limit: number): Promise<ObjectKey[]> {
  return selectBacklog.all(db, { limit });
}

export async function removeFromBacklog(db: ContentDb, { kind, id }: ObjectKey): Promise<void> {
  await deleteFromBacklog(db, kind, id);
}

/** The revisions of one object, newest first. */
export function listRevisions(db: ContentDb, object: ObjectKey): Promise<RevisionSummary[]> {
  return selectOfObject.all(db, object);
}

export const findRevision = revisions.findBy(['id']);

/** Who made the newest version of an object, and when. */
export function findNewestRevision(
  db: ContentDb,
  object: ObjectKey,
): Promise<{ id: number; author: string; created_at: number } | undefined> {
  return selectNewest.first(db, object);
}

export async function insertRevision(db: ContentDb, revision: Omit<StoredRevision, 'id'>): Promise<void> {
  await insert(db, revision);
}

/** Who made the state of an object that is there now, and when. */
export const findStateAuthor = stateAuthors.findBy(['kind', 'object_id'], ['author', 'at']);

export const saveStateAuthor = stateAuthors.upsert(['kind', 'object_id'], ['author', 'at']);

export const removeStateAuthor = stateAuthors.removeBy('kind', 'object_id');

/** Deletes all versions of an object except the newest `count`. */
export async function deleteOlderRevisions(db: ContentDb, object: ObjectKey, count: number): Promise<void> {
  await deleteBeyond.run(db, { ...object, count });
}

const deleteOfField = objectReferences.removeBy('kind', 'object_id', 'field');

const deleteOfObject = objectReferences.removeBy('kind', 'object_id');

const insertIntoBacklog = referenceBacklog.insertMissing('kind', 'object_id');

const insertOne = objectReferences.insertMissing(
  'kind',
  'object_id',
  'field',
  'root_id',
  'to_kind',
  'to_key',
);

const selectReferrers = contentQuery(
  (db, p: { kind: string; key: string; rootId: number; from: string; to: string; limit: number }) =>
    db
      .selectFrom('object_references')
      .select(['kind', 'object_id as id'])
      .distinct()
      .where('to_kind', '=', p.kind)
      .where((where) =>
        where.or([
          where('to_key', '=', p.key),
          where.and([where('to_key', '>=', p.from), where('to_key', '<', p.to)]),
        ]),
      )
      .where((where) =>
        where.or([
          where(where.val(p.rootId), '=', 0),
          where('root_id', '=', 0),
          where('root_id', '=', p.rootId),
        ]),
      )
      .orderBy('kind')
      .orderBy('object_id')
      .limit(p.limit),
);

const selectKeyAfter = contentQuery((db, p: { kind: string; key: string }) =>
  db
    .selectFrom('object_references')
    .select((expression) => expression.fn.min<string | null>('to_key').as('key'))
    .where('to_kind', '=', p.kind)
    .where('to_key', '>', p.key),
);

const selectBacklog = contentQuery((db, p: { limit: number }) =>
  db.selectFrom('reference_backlog').select(['kind', 'object_id as id']).limit(p.limit),
);

const deleteFromBacklog = referenceBacklog.removeBy('kind', 'object_id');

const selectOfObject = contentQuery((db, p: ObjectKey) =>
  db
    .selectFrom('revisions')
    .select(['id', 'kind', 'object_id', 'author', 'created_at', 'size', 'state_author', 'state_at'])
    .where('kind', '=', p.kind)
    .where('object_id', '=', p.id)
    .orderBy('id', 'desc'),
);

const selectNewest = contentQuery((db, p: ObjectKey) =>
  db
    .selectFrom('revisions')
    .select(['id', 'author', 'created_at'])
    .where('kind', '=', p.kind)
    .where('object_id', '=', p.id)
    .orderBy('id', 'desc')
    .limit(1),
);

const insert = revisions.insert(
  ...(['kind', 'object_id', 'author', 'created_at', 'size', 'data', 'state_author', 'state_at'] as const),
);

const deleteBeyond = contentQuery((db, p: ObjectKey & { count: number }) =>
  db
    .deleteFrom('revisions')
    .where('kind', '=', p.kind)
    .where('object_id', '=', p.id)
    .where('id', '<=', ({ selectFrom }) =>
      selectFrom('revisions as kept')
        .select('kept.id')
        .where('kept.kind', '=', p.kind)
        .where('kept.object_id', '=', p.id)
        .orderBy('kept.id', 'desc')
        .limit(1)
        .offset(p.count),
    ),
);

/** The table of each kind, where objects that are there have a row. */
const tables = {
  page: 'pages',
  item: 'items',
  collection: 'collections',
  redirect: 'redirects',
  workflow: 'workflows',
  snippet: 'snippets',
  asset: 'assets',
  global_block: 'global_blocks',
  source: 'sources',
  flow_node: 'flow_nodes',
  folder: 'folders',
  file: 'files',
  pen: 'pens',
} as const satisfies Record<string, keyof ContentTables>;

const finders: ReadonlyMap<string, (db: ContentDb, id: number) => Promise<boolean>> = new Map(
  Object.entries(tables).map(([kind, table]) => {
    const exists = contentTable(table).existsBy('id');
    return [kind, (db, id) => exists(db, id)];
  }),
);

/** Whether there is an object that the work which runs now may read. Entries of an import stand for their collection. */
export async function isThere(db: ContentDb, kind: string, id: number): Promise<boolean> {
  if (kind === 'page') return ((await findPageTime(db, id)) ?? 0) > 0;
  if (kind === 'items') return (await selectCounts(db, id)) !== undefined;
  return (await finders.get(kind)?.(db, id)) ?? false;
}

/** A page that may not be read is without the time of its change (`db/readable-rows.ts`). */
const findPageTime = contentTable('pages').findCellBy(['id'], 'updated_at');
const selectCounts = contentTable('item_counts').findCellBy(['collection_id'], 'collection_id');

/** IDs of the pages above a path. */
export async function listIdsAbovePath(db: ContentDb, rootId: number, path: string): Promise<number[]> {
  const parts = path
    .split('/')
    .filter((part) => part !== '')
    .slice(0, -1);
  if (path === '/') return [];
  const paths = ['/', ...parts.map((_part, index) => `/${parts.slice(0, index + 1).join('/')}`)];
  const ids: number[] = [];
  for (const one of paths) {
    const id = await findIdAt(db, rootId, one);
    if (id !== undefined) ids.push(id);
  }
  return ids;
}

const findIdAt = contentTable('pages').findCellBy(['root_id', 'path'], 'id');

export const findCollectionBySlug = contentTable('collections').findBy(['slug'], ['id', 'slug', 'lang']);
