import { contentQuery } from '../db/prepared.ts';
import type { ContentDb } from '../db/tables.ts';
import type { RevisionKind, RevisionListEntry } from './model.ts';

/** A version with its object as JSON. */
export type StoredRevision = RevisionListEntry & { readonly data: string };

/** An object that has versions. */
export interface ObjectKey {
  readonly kind: RevisionKind;
  readonly id: number;
}

/** The versions of one object, newest first. */
export async function listRevisions(db: ContentDb, object: ObjectKey): Promise<RevisionListEntry[]> {
  return (await selectOfObject.all(db, object)).map((row) => ({ ...row, kind: kindOf(row.kind) }));
}

export async function findRevision(db: ContentDb, id: number): Promise<StoredRevision | undefined> {
  const row = await selectRevision.first(db, { id });
  return row === undefined ? undefined : { ...row, kind: kindOf(row.kind) };
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

/** Keeps the newest `count` versions of an object. */
export async function deleteOlder(db: ContentDb, object: ObjectKey, count: number): Promise<void> {
  await deleteBeyond.run(db, { ...object, count });
}

/** The boundary where a stored kind takes its type: only {@link insertRevision} writes the column. */
function kindOf(kind: string): RevisionKind {
  return kind as RevisionKind;
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
