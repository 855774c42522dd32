/**
 * Earlier states of objects (Core, "Version history"). The declaration of a kind says how its states are
 * shown and restored.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Generated } from 'kysely';
import { formatAuthor } from '../../base/actor.ts';
import type { Change } from '../../changes/changes.ts';
import { contentQuery } from '../../db/prepared.ts';
import type { ContentDb } from '../../db/tables.ts';
import type { ObjectKey } from './kind.ts';

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

/** A stored state of an object, in the form of its GET. */
export type RevisionData = Readonly<Record<string, unknown>>;

export interface Revision extends RevisionSummary {
  readonly data: RevisionData;
}

/** Within this time the saves of one author count as one, in seconds (Core, "Version history"). */
const mergeSeconds = 120;
const maxRevisionsPerObject = 100;

export interface KeepOptions {
  /** Keeps a revision even if the same author saved a moment ago, so that a restore can be undone. */
  readonly always?: boolean;
}

/**
 * Keeps the state of an object before it is saved: one revision per author and merge window, no revision that
 * equals the newest one, at most 100 per object. Must be called before anything is written.
 */
export async function saveRevision(
  change: Change,
  object: ObjectKey,
  state: object,
  { always = false }: KeepOptions = {},
): Promise<void> {
  const { tx, now } = change;
  const author = formatAuthor(change.actor);
  const newest = await selectNewest.first(tx, object);
  // Absolute, so that the window also ends after the clock was set back.
  const merges = newest?.author === author && Math.abs(now - newest.created_at) < mergeSeconds;
  if (merges && !always) return;
  const data = JSON.stringify(state);
  const stored = newest === undefined ? undefined : await selectRevision.first(tx, { id: newest.id });
  if (stored !== undefined && sameContent(parseState(stored.data), parseState(data))) return;
  await insert.run(tx, {
    kind: object.kind,
    object_id: object.id,
    author,
    created_at: now,
    size: Buffer.byteLength(data),
    data,
  });
  await deleteBeyond.run(tx, { ...object, count: maxRevisionsPerObject });
}

/** The revisions of an object, newest first; none for an object that does not exist. */
export function listRevisions(db: ContentDb, object: ObjectKey): Promise<RevisionSummary[]> {
  return selectOfObject.all(db, object);
}

export async function findRevision(db: ContentDb, id: number): Promise<Revision | undefined> {
  const stored = await selectRevision.first(db, { id });
  return stored === undefined ? undefined : { ...stored, data: parseState(stored.data) };
}

/** Type boundary: only {@link saveRevision} writes this JSON. */
function parseState(data: string): RevisionData {
  return JSON.parse(data) as RevisionData;
}

/**
 * Fields that also change without an edit of the object: by any save, a move, or a change of another page.
 */
const bookkeeping = new Set([
  'updated_at',
  'local_modified',
  'effective_lang',
  'parent_id',
  'root_id',
  'path',
  'sort',
  'translation_group',
]);

function sameContent(left: RevisionData, right: RevisionData): boolean {
  return isDeepStrictEqual(edited(left), edited(right));
}

function edited(state: RevisionData): RevisionData {
  return Object.fromEntries(Object.entries(state).filter(([name]) => !bookkeeping.has(name)));
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

const insert = contentQuery((db, p: Omit<RevisionSummary, 'id'> & { data: string }) =>
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
