/**
 * Earlier states of objects (Core, "Version history"). The declaration of a kind says how its states are
 * shown and restored.
 */
import { isDeepStrictEqual } from 'node:util';
import { formatAuthor } from '../../base/actor.ts';
import type { Change } from '../../changes/changes.ts';
import type { ContentDb } from '../../db/tables.ts';
import type { ObjectKey } from './kind.ts';
import * as store from './store.ts';

/** A stored state of an object, in the form of its GET. */
export type RevisionData = Readonly<Record<string, unknown>>;

export interface Revision extends store.RevisionSummary {
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
  const newest = await store.findNewestRevision(tx, object);
  // Absolute, so that the window also ends after the clock was set back.
  const merges = newest?.author === author && Math.abs(now - newest.created_at) < mergeSeconds;
  if (merges && !always) return;
  const data = JSON.stringify(state);
  const stored = newest === undefined ? undefined : await store.findRevision(tx, newest.id);
  if (stored !== undefined && sameContent(parseState(stored.data), parseState(data))) return;
  const stateAuthor = await store.findStateAuthor(tx, object.kind, object.id);
  // No page shows it: a restored state that equals the current one changes no content.
  await change.writeUnversioned(async () => {
    await store.insertRevision(tx, {
      kind: object.kind,
      object_id: object.id,
      author,
      created_at: now,
      size: Buffer.byteLength(data),
      data,
      state_author: stateAuthor?.author ?? null,
      state_at: stateAuthor?.at ?? null,
    });
    await store.deleteOlderRevisions(tx, object, maxRevisionsPerObject);
  });
}

/** Notes who has made the state that an object has now. @param object with the name of its kind in `/revisions` */
export async function saveStateAuthor({ tx, actor, now }: Change, { kind, id }: ObjectKey): Promise<void> {
  await store.saveStateAuthor(tx, { kind, object_id: id, author: formatAuthor(actor), at: now });
}

/** Forgets who has made the state of an object, which has come from elsewhere. */
export async function forgetStateAuthor(db: ContentDb, { kind, id }: ObjectKey): Promise<void> {
  await store.removeStateAuthor(db, kind, id);
}

/** The revisions of an object, newest first; none for an object that does not exist. */
export function listRevisions(db: ContentDb, object: ObjectKey): Promise<store.RevisionSummary[]> {
  return store.listRevisions(db, object);
}

export async function findRevision(db: ContentDb, id: number): Promise<Revision | undefined> {
  const stored = await store.findRevision(db, id);
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
