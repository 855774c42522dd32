/** Reads, creates, changes and deletes objects of any kind. */
import { isDeepStrictEqual } from 'node:util';
import type { Static, TSchema } from 'typebox';
import { nextUpdatedAt } from '../../base/clock.ts';
import { apiError, busy, conflict, type FieldFault, invalidFields } from '../../base/errors.ts';
import type { Warning } from '../../base/warnings.ts';
import type { Change } from '../../changes/changes.ts';
import type { ChangeRecord } from '../../changes/record.ts';
import type { TextAnalysis, TextReport } from '../../changes/text-analysis.ts';
import type { ContentDb } from '../../db/tables.ts';
import { decide, requireReadable } from './decide.ts';
import type { Kind, KindOperation, ObjectState } from './kind.ts';
import { type ReferringKind, saveReferences } from './references.ts';
import { type KeepOptions, type RevisionData, saveRevision, saveStateAuthor } from './revisions.ts';
import { putAway } from './trash/put-away.ts';
import { refuseUnsafeMarkup } from './unsafe-markup.ts';
import { type KindsByName, requireUnused } from './usage.ts';

export interface SaveOptions extends KeepOptions {
  /** Refuses an object with texts that cannot work (`strict=1`). */
  readonly strict?: boolean;
  /** True if the same change has created the object. Nobody has seen the state before, and no revision keeps it. */
  readonly isNew?: boolean;
  /** Keeps the state before as a version of its own, even if the same author saved a moment ago. */
  readonly hasOwnVersion?: boolean;
  /** Whether its values were checked for code when they came in, such as those of a change set. */
  readonly hasCheckedMarkup?: boolean;
}

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

/** Creates an object. @throws the errors of the kind; ApiError 422 `template.invalid` if `strict` */
export async function createObject<State extends ObjectState, Create extends TSchema>(
  change: Change,
  kind: Kind<State, Create>,
  body: Static<Create>,
  { strict = false, hasCheckedMarkup = false }: SaveOptions = {},
): Promise<State> {
  requireNoFaults((await kind.faultsIn?.(change.tx, body, undefined)) ?? []);
  if (strict) await kind.refuseUnknown?.(change.tx, body, undefined);
  const state = await kind.create(change, body);
  await decide(change, kind, { after: state, body });
  if (!hasCheckedMarkup) await refuseUnsafeMarkup(change, kind, state, undefined);
  if (strict) requireUsableTexts(change, kind, state);
  await recordSaved(change, kind, 'created', state);
  change.journal?.add(kind.name, undefined, state);
  return state;
}

/**
 * Merges the fields of a body into an object (Core, "General rules"). A save that changes nothing leaves
 * everything as it is: no revision, no new `updated_at`, no record.
 *
 * @throws ApiError `common.notFound`, 409 `common.conflict`, the errors of the kind, and 422 `template.invalid`
 *   if `strict`
 */
export async function updateObject<State extends ObjectState, Update extends TSchema>(
  change: Change,
  kind: Kind<State, TSchema, Update>,
  id: number,
  body: Static<Update>,
  options: SaveOptions = {},
): Promise<State> {
  const before = await requireObject(kind, change.tx, id);
  await requireReadable(change, kind, before);
  checkBase(body, before);
  requireNoFaults((await kind.faultsIn?.(change.tx, body, before)) ?? []);
  if (options.strict === true) await kind.refuseUnknown?.(change.tx, body, before);
  const after = await kind.merge(change, before, body);
  await decide(change, kind, { before, after, body });
  if (options.strict === true) requireUsableTexts(change, kind, after);
  const isUnchanged = isDeepStrictEqual(after, before);
  const isKept = options.isNew !== true && (!isUnchanged || options.always === true);
  if (kind.revisions !== undefined && isKept) {
    const always = options.always === true || options.hasOwnVersion === true;
    await saveRevision(change, { kind: kind.revisions.kind, id }, before, { always });
  }
  if (isUnchanged) return before;
  if (options.hasCheckedMarkup !== true) await refuseUnsafeMarkup(change, kind, after, before);
  const stored = await kind.write(change, withNextUpdatedAt(after, before, change.now), before);
  await recordSaved(change, kind, 'updated', stored, before);
  change.journal?.add(kind.name, before, stored);
  return stored;
}

/** Moves an object, or changes its language versions. @throws the errors of the operation */
export async function arrangeObject(
  change: Change,
  kind: Pick<Kind, 'name' | 'find'>,
  id: number,
  { operation, body }: { readonly operation: KindOperation | undefined; readonly body: object },
): Promise<void> {
  const before = change.journal === undefined ? undefined : await kind.find(change.tx, id);
  await operation?.run(change, id, body);
  if (before !== undefined) change.journal?.add(kind.name, before, await kind.find(change.tx, id));
}

export interface RemoveOptions {
  /** Kinds whose objects must not refer to it (`if_unused=1`). Default: none. */
  readonly unusedAmong?: KindsByName | undefined;
  /** Whether it does not go to the trash (`purge=1`). */
  readonly isFinal?: boolean | undefined;
}

/**
 * Deletes an object; it goes to the trash unless the deletion is final.
 *
 * @throws ApiError `common.notFound`, 409 `common.inUse`, and the errors of the kind
 */
export async function removeObject<State extends ObjectState>(
  change: Change,
  kind: Kind<State>,
  id: number,
  { unusedAmong, isFinal = false }: RemoveOptions = {},
): Promise<void> {
  const state = await requireObject(kind, change.tx, id);
  await decide(change, kind, { before: state });
  if (unusedAmong !== undefined && kind.usage?.isRefusedByKind !== true)
    await requireUnused(change, kind, state, unusedAmong);
  const isKept = await putAway(change, kind, state, () => kind.remove(change, state), { isFinal });
  recordRemoved(change, kind, state, isKept);
  change.journal?.add(kind.name, state, undefined);
}

/** Adds a record about a deleted object. @param isKept whether it is in the trash */
export function recordRemoved<State extends ObjectState>(
  change: Change,
  kind: Pick<Kind<State>, 'name' | 'namesOf'>,
  state: State,
  isKept: boolean,
): void {
  const record = { kind: kind.name, action: 'deleted', id: state.id, ...kind.namesOf(state) } as const;
  change.record(isKept ? { ...record, isKept } : record);
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

/**
 * The answer to POST and PUT: that of GET, with `warnings` for a kind that has texts, and where there are any.
 *
 * @param warnings about what the change has left behind
 */
export async function presentSavedObject<State extends ObjectState>(
  kind: Kind<State>,
  state: State,
  analysis: TextAnalysis,
  warnings: readonly Warning[] = [],
): Promise<unknown> {
  const texts = kind.texts?.(state);
  if (texts === undefined && warnings.length === 0) return presentObject(kind, state);
  const reports = await Promise.all((texts ?? []).map((text) => analysis.reportOfSaved(text)));
  const answer = kind.present === undefined ? state : await kind.present(state, reports);
  return { ...answer, warnings: [...listWarnings(kind, state, reports), ...warnings] };
}

/** Records that an object was stored and by whom, and stores its references. @param before undefined for a new object */
export async function recordSaved<State extends ObjectState>(
  change: Change,
  kind: ReferringKind<State>,
  action: 'created' | 'updated',
  state: State,
  before?: State,
): Promise<void> {
  await saveReferences(change, kind, state, before);
  if (kind.revisions !== undefined)
    await saveStateAuthor(change, { kind: kind.revisions.kind, id: state.id });
  recordObject(change, kind, action, state);
}

/** Adds a record about an object to a change. */
export function recordObject<State extends ObjectState>(
  change: Change,
  kind: Pick<Kind<State>, 'name' | 'namesOf'>,
  action: ChangeRecord['action'],
  state: State,
): void {
  change.record({ kind: kind.name, action, id: state.id, ...kind.namesOf(state) });
}

/**
 * Optimistic concurrency (Core, "General rules"): checks `base_updated_at`, if the body has it.
 *
 * @throws ApiError 409 `common.conflict` when the object has changed since the client loaded it
 */
function checkBase(body: unknown, stored: object): void {
  const base = fieldOf(body, 'base_updated_at');
  const current = fieldOf(stored, 'updated_at');
  if (base !== undefined && typeof current === 'number' && base !== current) throw conflict(current);
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

function requireNoFaults(faults: readonly FieldFault[]): void {
  if (faults.length > 0) throw invalidFields(faults);
}

function withNextUpdatedAt<State extends ObjectState>(after: State, before: State, now: number): State {
  if (!('updated_at' in before) || typeof before.updated_at !== 'number') return after;
  return { ...after, updated_at: nextUpdatedAt(now, before.updated_at) };
}

/** Type boundary: a stored state has the type of its kind, because `updateObject` stored it. */
export function storedState(id: number, data: RevisionData): ObjectState {
  return { ...data, id };
}

type CheckedKind<State extends ObjectState> = Pick<Kind<State>, 'texts' | 'moreWarnings'>;

/**
 * Refuses the change at its end if a text of the object cannot work: a template that cannot be rendered, CSS
 * or JS that does not parse (`strict=1`).
 *
 * @throws in the change: ApiError 422 `template.invalid` with all `warnings` of the object
 */
function requireUsableTexts<State extends ObjectState>(
  change: Change,
  kind: CheckedKind<State>,
  state: State,
): void {
  change.inspect(kind.texts?.(state) ?? [], (reports) => {
    // Nobody knows whether the text works.
    if (reports.some(({ failed }) => failed === true)) throw busy(1);
    const warnings = listWarnings(kind, state, reports);
    const count = warnings.filter(({ level }) => level === 'error').length;
    if (count > 0) throw apiError('template.invalid', { count }, { fields: { warnings } });
  });
}

/** All warnings about an object, those of its texts first. @param reports the reports of its texts, in order */
export function listWarnings<State extends ObjectState>(
  kind: CheckedKind<State>,
  state: State,
  reports: readonly TextReport[],
): readonly Warning[] {
  return [...reports.flatMap(({ warnings }) => warnings), ...(kind.moreWarnings?.(state, reports) ?? [])];
}
