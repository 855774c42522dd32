import type { Change } from '../change.ts';
import type { ContentDb } from '../db/tables.ts';
import { apiError } from '../errors.ts';
import type { Kind, ObjectState } from '../kinds/kind.ts';
import { presentObject, restoreObject, storedState } from '../kinds/objects.ts';
import { findRevision, type Revision } from '../kinds/revisions.ts';

/** The kinds that have revisions, by their name in `/revisions`. */
export type RevisedKinds = ReadonlyMap<string, Kind>;

export function revisedKinds(kinds: readonly Kind[]): RevisedKinds {
  return new Map(
    kinds.flatMap((kind) => (kind.revisions === undefined ? [] : [[kind.revisions.kind, kind] as const])),
  );
}

/**
 * GET /revisions/{id}: a stored state in the form of its GET.
 *
 * @throws ApiError `common.notFound`
 */
export async function getRevision(db: ContentDb, kinds: RevisedKinds, id: number): Promise<unknown> {
  const revision = await requireRevision(db, id);
  const state = storedState(revision.object_id, revision.data);
  return { ...revision, data: await presentObject(requireKind(kinds, revision), state) };
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
): Promise<{ readonly kind: Kind; readonly state: ObjectState }> {
  const revision = await requireRevision(change.tx, id);
  const kind = requireKind(kinds, revision);
  return { kind, state: await restoreObject(change, kind, revision.object_id, revision.data) };
}

async function requireRevision(db: ContentDb, id: number): Promise<Revision> {
  const revision = await findRevision(db, id);
  if (revision === undefined) throw apiError('common.notFound', {});
  return revision;
}

function requireKind(kinds: RevisedKinds, { kind }: Revision): Kind {
  const known = kinds.get(kind);
  if (known === undefined) throw new Error(`there are revisions of the unknown kind ${kind}`);
  return known;
}
