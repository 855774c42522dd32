import type { Change } from '../change.ts';
import type { ContentDb } from '../db/tables.ts';
import { apiError } from '../errors.ts';
import { parseState } from './keep.ts';
import type { ObjectState, Revision, RevisionKind, RevisionListEntry, RevisionListQuery } from './model.ts';
import * as store from './store.ts';

/** What a feature contributes for its kind of object. */
export interface Versioned {
  /** Adds to a stored state what a GET of the object computes. */
  present(data: ObjectState): Promise<ObjectState>;
  /**
   * Keeps the current state of an object and puts a stored one in its place, by the rules of its kind.
   * The value is handed to `answer` once the change is on disk.
   */
  restore(change: Change, id: number, data: ObjectState): Promise<() => Promise<unknown>>;
}

export type VersionedKinds = ReadonlyMap<RevisionKind, Versioned>;

/** GET /revisions: newest first; nothing for an object that does not exist. */
export function listRevisions(db: ContentDb, query: RevisionListQuery): Promise<RevisionListEntry[]> {
  return store.listRevisions(db, query);
}

/**
 * GET /revisions/{id}
 *
 * @throws ApiError `common.notFound`
 */
export async function getRevision(db: ContentDb, kinds: VersionedKinds, id: number): Promise<Revision> {
  const { data, ...entry } = await requireRevision(db, id);
  return { ...entry, data: await requireKind(kinds, entry.kind).present(parseState(data)) };
}

/**
 * POST /revisions/{id}/restore: a save like any other, except that the state it replaces is always kept.
 *
 * @returns what makes the answer, to be called after the change
 * @throws ApiError `common.notFound`, and what the save itself refuses
 */
export async function restoreRevision(
  change: Change,
  kinds: VersionedKinds,
  id: number,
): Promise<() => Promise<unknown>> {
  const revision = await requireRevision(change.tx, id);
  const kind = requireKind(kinds, revision.kind);
  return kind.restore(change, revision.object_id, parseState(revision.data));
}

async function requireRevision(db: ContentDb, id: number): Promise<store.StoredRevision> {
  const revision = await store.findRevision(db, id);
  if (revision === undefined) throw apiError('common.notFound', {});
  return revision;
}

function requireKind(kinds: VersionedKinds, kind: RevisionKind): Versioned {
  const versioned = kinds.get(kind);
  if (versioned === undefined) throw new Error(`there are versions of the unknown kind ${kind}`);
  return versioned;
}
