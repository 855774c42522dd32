import type { Actor } from '../../base/actor.ts';
import { apiError, type ErrorCode } from '../../base/errors.ts';
import type { Change } from '../../changes/changes.ts';
import type { Kind, ObjectState } from '../../content/kinds/kind.ts';
import { presentObject, requireObject, restoreObject, storedState } from '../../content/kinds/objects.ts';
import { findRevision, listRevisions, type Revision } from '../../content/kinds/revisions.ts';
import type { ContentDb } from '../../db/tables.ts';
import type { RevisionListEntry } from './model.ts';

/** The kinds that have revisions, by their name in `/revisions` and by that in the change feed. */
export type RevisedKinds = ReadonlyMap<string, Kind>;

export function revisedKinds(kinds: readonly Kind[]): RevisedKinds {
  const revised = kinds.filter(({ revisions }) => revisions !== undefined);
  return new Map(
    revised.flatMap((kind) => [
      [nameInRevisions(kind), kind],
      [kind.name, kind],
    ]),
  );
}

function nameInRevisions({ name, revisions }: Kind): string {
  return revisions?.kind ?? name;
}

/** Kinds whose versions read-only tokens may not see (Core, "Authentication", rule 7). */
const kindsForWriters: ReadonlySet<string> = new Set(['workflow', 'flownode']);

/** The names of kinds that `GET /revisions` takes. */
export function revisionKindNames(kinds: RevisedKinds): readonly string[] {
  return [...kinds.keys()];
}

/** The errors that a restore may have: those of the saves. */
export function listRestoreErrors(kinds: RevisedKinds): readonly ErrorCode[] {
  const ofSaves = [...kinds.values()].flatMap(({ errors }) => errors?.update ?? []);
  return [...new Set<ErrorCode>(['common.notFound', 'common.invalid', ...ofSaves])];
}

/**
 * GET /revisions: the versions of an object, newest first; none for an object that does not exist.
 *
 * @throws ApiError 403 `auth.readOnly`
 */
export function listRevisionsFor(
  actor: Actor,
  db: ContentDb,
  kinds: RevisedKinds,
  { kind: name, id }: { readonly kind: string; readonly id: number },
): Promise<RevisionListEntry[]> {
  const kind = nameInRevisions(requireKind(kinds, name));
  checkReader(actor, kind);
  return listRevisions(db, { kind, id });
}

/**
 * GET /revisions/{id}: a stored state in the form of its GET.
 *
 * @throws ApiError `common.notFound`, 403 `auth.readOnly`
 */
export async function getRevision(
  actor: Actor,
  db: ContentDb,
  kinds: RevisedKinds,
  id: number,
): Promise<unknown> {
  const revision = await requireRevision(db, id);
  checkReader(actor, revision.kind);
  const state = storedState(revision.object_id, revision.data);
  return { ...revision, data: await presentObject(requireKind(kinds, revision.kind), state) };
}

interface RestoredState {
  readonly kind: Kind;
  readonly before: ObjectState;
  readonly state: ObjectState;
}

/**
 * POST /revisions/{id}/restore
 *
 * @throws ApiError `common.notFound`, and the errors of the save
 */
export async function restoreRevision(
  change: Change,
  kinds: RevisedKinds,
  id: number,
): Promise<RestoredState> {
  const revision = await requireRevision(change.tx, id);
  const kind = requireKind(kinds, revision.kind);
  const before = await requireObject(kind, change.tx, revision.object_id);
  return { kind, before, state: await restoreObject(change, kind, revision.object_id, revision.data) };
}

function checkReader(actor: Actor, kind: string): void {
  if (kindsForWriters.has(kind) && actor.kind === 'token' && !actor.canWrite)
    throw apiError('auth.readOnly', {});
}

async function requireRevision(db: ContentDb, id: number): Promise<Revision> {
  const revision = await findRevision(db, id);
  if (revision === undefined) throw apiError('common.notFound', {});
  return revision;
}

function requireKind(kinds: RevisedKinds, name: string): Kind {
  const kind = kinds.get(name);
  if (kind === undefined) throw new Error(`there are revisions of the unknown kind ${name}`);
  return kind;
}
