/** Reads, creates, changes and deletes objects of any kind. */
import { isDeepStrictEqual } from 'node:util';
import type { Static, TSchema } from 'typebox';
import type { Change, ChangeRecord } from '../change.ts';
import { nextUpdatedAt } from '../clock.ts';
import type { ContentDb } from '../db/tables.ts';
import { apiError } from '../errors.ts';
import { checkBase } from '../model.ts';
import type { Kind, ObjectState } from './kind.ts';
import { type KeepOptions, keepRevision, type RevisionData } from './revisions.ts';

/** Whether there is an object of a kind. */
export async function hasObjects({ list }: Pick<Kind, 'list'>, db: ContentDb): Promise<boolean> {
  const entries = list.read(db, {});
  if (entries instanceof Promise) return (await entries).length > 0;
  for await (const slice of entries) if (slice.length > 0) return true;
  return false;
}

/** @throws ApiError `common.notFound` */
export async function requireObject<State extends ObjectState>(
  kind: Pick<Kind<State>, 'find'>,
  db: ContentDb,
  id: number,
): Promise<State> {
  const state = await kind.find(db, id);
  if (state === undefined) throw apiError('common.notFound', {});
  return state;
}

/** Creates an object. @throws the errors of the kind */
export async function createObject<State extends ObjectState, Create extends TSchema>(
  change: Change,
  kind: Kind<State, Create>,
  body: Static<Create>,
): Promise<State> {
  const state = await kind.create(change, body);
  recordObject(change, kind, 'created', state);
  return state;
}

/**
 * Merges the fields of a body into an object (Core, "General rules"). A save that changes nothing leaves
 * everything as it is: no revision, no new `updated_at`, no record.
 *
 * @throws ApiError `common.notFound`, 409 `common.conflict`, and the errors of the kind
 */
export async function updateObject<State extends ObjectState, Update extends TSchema>(
  change: Change,
  kind: Kind<State, TSchema, Update>,
  id: number,
  body: Static<Update>,
  options: KeepOptions = {},
): Promise<State> {
  const before = await requireObject(kind, change.tx, id);
  checkBase(body, before);
  const after = await kind.merge(change, before, body);
  const isUnchanged = isDeepStrictEqual(after, before);
  if (kind.revisions !== undefined && (!isUnchanged || options.always === true)) {
    await keepRevision(change, { kind: kind.revisions.kind, id }, before, options);
  }
  if (isUnchanged) return before;
  const stored = await kind.write(change, withNextUpdatedAt(after, before, change.now), before);
  recordObject(change, kind, 'updated', stored);
  return stored;
}

/** Deletes an object. @throws ApiError `common.notFound`, and the errors of the kind */
export async function removeObject<State extends ObjectState>(
  change: Change,
  kind: Kind<State>,
  id: number,
): Promise<void> {
  const state = await requireObject(kind, change.tx, id);
  await kind.remove(change, state);
  recordObject(change, kind, 'deleted', state);
}

/**
 * Restores a stored state of an object. This is a normal save, except that a revision of the replaced state
 * is always kept.
 *
 * @throws ApiError `common.notFound`, and the errors of the save
 */
export async function restoreObject(
  change: Change,
  kind: Kind,
  id: number,
  data: RevisionData,
): Promise<ObjectState> {
  const current = await requireObject(kind, change.tx, id);
  const body = await kind.revisions?.restore(change.tx, current, storedState(id, data));
  return updateObject(change, kind, id, body, { always: true });
}

/** The answer to GET. */
export async function presentObject<State extends ObjectState>(
  kind: Kind<State>,
  state: State,
): Promise<unknown> {
  return kind.present === undefined ? state : kind.present(state);
}

/** The answer to POST and PUT. */
export async function presentSavedObject<State extends ObjectState>(
  kind: Kind<State>,
  state: State,
): Promise<unknown> {
  return kind.presentSaved === undefined ? presentObject(kind, state) : kind.presentSaved(state);
}

/** Adds a record about an object to a change. */
export function recordObject<State extends ObjectState>(
  change: Change,
  kind: Pick<Kind<State>, 'name' | 'inTemplates' | 'namesOf'>,
  action: ChangeRecord['action'],
  state: State,
): void {
  const { name, inTemplates } = kind;
  change.record({
    kind: name,
    action,
    id: state.id,
    ...kind.namesOf(state),
    ...(inTemplates === undefined ? {} : { inTemplates }),
  });
}

function withNextUpdatedAt<State extends ObjectState>(after: State, before: State, now: number): State {
  if (!('updated_at' in before) || typeof before.updated_at !== 'number') return after;
  return { ...after, updated_at: nextUpdatedAt(now, before.updated_at) };
}

/** Type boundary: a stored state has the type of its kind, because `updateObject` stored it. */
export function storedState(id: number, data: RevisionData): ObjectState {
  return { ...data, id };
}
