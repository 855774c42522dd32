import type { Generated } from 'kysely';
import { contentQuery } from '../../db/prepared.ts';
import type { ContentDb } from '../../db/tables.ts';

declare module '../../db/tables.ts' {
  interface ContentTables {
    revisions: {
      id: Generated<number>;
      kind: string;
      object_id: number;
      author: string;
      created_at: number;
      size: number;
      data: string;
    };
  }
}

export interface RevisionSummary {
  readonly id: number;
  /** Name of the object's kind in `/revisions`. */
  readonly kind: string;
  readonly object_id: number;
  readonly author: string;
  readonly created_at: number;
  /** Bytes of the stored object. */
  readonly size: number;
}

/** A revision with its object as JSON. */
export interface StoredRevision extends RevisionSummary {
  readonly data: string;
}

/** An object that has revisions. */
export interface ObjectKey {
  readonly kind: string;
  readonly id: number;
}

/** The revisions of one object, newest first. */
export function listRevisions(db: ContentDb, object: ObjectKey): Promise<RevisionSummary[]> {
  return selectOfObject.all(db, object);
}

export function findRevision(db: ContentDb, id: number): Promise<StoredRevision | undefined> {
  return selectRevision.first(db, { id });
}

/** Who made the newest version of an object, and when. */
export function findNewest(
  db: ContentDb,
  object: ObjectKey,
): Promise<{ id: number; author: string; created_at: number } | undefined> {
  return selectNewest.first(db, object);
}

export async function insertRevision(db: ContentDb, revision: Omit<StoredRevision, 'id'>): Promise<void> {
  await insert.run(db, revision);
}

/** Deletes all versions of an object except the newest `count`. */
export async function deleteOlder(db: ContentDb, object: ObjectKey, count: number): Promise<void> {
  await deleteBeyond.run(db, { ...object, count });
}

const selectOfObject = contentQuery((db, p: ObjectKey) =>
  db
    .selectFrom('revisions')
    .select(['id', 'kind', 'object_id', 'author', 'created_at', 'size'])
    .where('kind', '=', p.kind)
    .where('object_id', '=', p.id)
    .orderBy('id', 'desc'),
);

const selectRevision = contentQuery((db, p: { id: number }) =>
  db.selectFrom('revisions').selectAll().where('id', '=', p.id),
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

const insert = contentQuery((db, p: Omit<StoredRevision, 'id'>) =>
  db.insertInto('revisions').values({
    kind: p.kind,
    object_id: p.object_id,
    author: p.author,
    created_at: p.created_at,
    size: p.size,
    data: p.data,
  }),
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
