/** What people do with the objects of a change set. Everything is rehearsed, so it is checked as a live save is. */
import { formatAuthor } from '../../base/actor.ts';
import { apiError, conflict } from '../../base/errors.ts';
import { TimeSlices } from '../../base/timers.ts';
import type { Change } from '../../changes/changes.ts';
import type { Kind, ObjectState } from '../../content/kinds/kind.ts';
import { requireObject } from '../../content/kinds/objects.ts';
import type { KindsByName } from '../../content/kinds/usage.ts';
import { reserveId } from '../../db/schema.ts';
import type { Operation } from '../batch/form.ts';
import { checkBody, type PrepareOptions, prepareOperation } from '../batch/prepare.ts';
import { applyPlan } from './apply.ts';
import { decideItems } from './decide-items.ts';
import { findChanges, readFields } from './fields.ts';
import { findItem, isEmpty, loadItems, type SetItem, saveFileUses, saveItem, takesAsIs } from './items.ts';
import { changeSetLimits } from './model.ts';
import { planItems } from './plan.ts';
import { type Edit, mergeEdit, namesSnippet, type Rehearsed, rehearseEdit } from './rehearsal.ts';
import { addSave } from './saves.ts';
import { noteWork, requireEditable, saveSet, toEdited } from './service.ts';
import * as store from './store.ts';

export interface EditOptions {
  readonly strict: boolean;
}

/** An edit of one object, and the object with it. */
export interface Edited extends Rehearsed {
  /** Undefined if the change set does nothing with the object any more. */
  readonly item: SetItem | undefined;
}

/**
 * PUT of an item: fields of the object, as its own PUT takes them.
 *
 * @throws ApiError the errors of that PUT, and `changeset.*`
 */
export function putItem(
  change: Change,
  kinds: KindsByName,
  { setId, kind, id }: { readonly setId: number; readonly kind: Kind; readonly id: number },
  sent: unknown,
  options: EditOptions,
): Promise<Edited> {
  return editItem(change, kinds, setId, options, {
    prepare: async (inner) => {
      const { update, answer } = kind.schemas;
      await requireObject(kind, inner.tx, id);
      return { kind, op: 'update', id, body: checkBody(update, sent, options, answer) };
    },
  });
}

/**
 * POST of an item: one operation of a batch. What it creates gets its ID now.
 *
 * @throws ApiError the errors of the operation, and `changeset.*`
 */
export async function addOperation(
  change: Change,
  kinds: KindsByName,
  setId: number,
  operation: Operation,
  options: EditOptions,
): Promise<Edited> {
  await requireEditable(change.tx, change.actor, setId);
  const promised = promiseId(change, operation);
  return editItem(change, kinds, setId, options, {
    base: operation.base,
    prepare: (inner) => prepareEdit(inner, operation, promised, { ids: new Map(), strict: options.strict }),
  });
}

/** The ID of the object that an operation creates; undefined if it creates none. */
export function promiseId({ tx }: Change, { kind, op }: Operation): number | undefined {
  const [table] = kind.tables;
  return op === 'create' && table !== undefined ? reserveId(tx, table) : undefined;
}

/** @throws ApiError `common.notFound`, `common.invalid`; with `strict` also `common.unknownField` */
export async function prepareEdit(
  inner: Change,
  operation: Operation,
  promised: number | undefined,
  options: PrepareOptions,
): Promise<Edit> {
  const { kind, op } = operation;
  const { id, body, scope } = await prepareOperation(inner.tx, operation, options);
  return { kind, op, id: promised ?? id ?? 0, body, scope };
}

/** An edit that is wanted, before its rehearsal. */
export interface WantedEdit {
  /** `base_updated_at`, if it stands beside the body. */
  readonly base?: number | undefined;
  prepare(inner: Change): Promise<Edit>;
  /** The error to throw when the edit is refused. Default: the same. */
  refused?(error: unknown): unknown;
}

async function editItem(
  change: Change,
  kinds: KindsByName,
  setId: number,
  { strict }: EditOptions,
  wanted: WantedEdit,
): Promise<Edited> {
  const [edited] = await editItems(change, kinds, setId, [wanted], { strict });
  if (edited === undefined) throw new Error('an edit has one outcome');
  return edited;
}

/**
 * Makes edits in a change set, in order; all or none of them.
 *
 * @throws ApiError the error of the first edit that is refused, and `changeset.*`
 */
export async function editItems(
  change: Change,
  kinds: KindsByName,
  setId: number,
  wanted: readonly WantedEdit[],
  { strict, keepsSaves = false }: EditOptions & { readonly keepsSaves?: boolean },
): Promise<Edited[]> {
  const set = await requireEditable(change.tx, change.actor, setId);
  const items = await loadItems(change.tx, setId, kinds);
  const planned = await planItems(change.tx, items);
  const rehearsed = await change.rehearse(async (part) => {
    await applyPlan(part, planned);
    return part.attempt(
      (inner) => rehearseEdits({ ...inner, takesAsIs: takesAsIs(set) }, items, wanted, strict),
      'draft',
    );
  }, 'settled');
  await noteWork(change, set);
  const editedSet = toEdited(set, change.now);
  const savedAt = keepsSaves ? editedSet.updated_at : undefined;
  const edited = await mergeEdits(change, items, rehearsed, { wanted, savedAt });
  await change.writeUnversioned(async () => {
    for (const { item, rehearsed: one } of new Map(edited.map((each) => [keyOf(each.item), each])).values()) {
      await saveItem(change.tx, setId, item);
      if (!isEmpty(item)) await saveFileUses(change.tx, setId, item, one);
    }
    await requireLimits(change, set);
    await saveSet(change.tx, editedSet);
  });
  return edited.map(({ item, rehearsed: one }) => ({
    ...one,
    item: isEmpty(item) ? undefined : item,
  }));
}

/** @throws ApiError the error of the first edit that is refused */
async function rehearseEdits(
  inner: Change,
  items: readonly SetItem[],
  wanted: readonly WantedEdit[],
  strict: boolean,
): Promise<Rehearsed[]> {
  const slices = new TimeSlices();
  const done: Rehearsed[] = [];
  const hasSnippet = (name: unknown) =>
    items.some((item) => namesSnippet(item, name)) ||
    done.some(({ kind, after }) => kind.name === 'snippet' && Reflect.get(after, 'name') === name);
  for (const { prepare, refused } of wanted) {
    try {
      done.push(await rehearseEdit(inner, await prepare(inner), { hasSnippet, strict }));
    } catch (error) {
      throw refused === undefined ? error : refused(error);
    }
    await slices.next();
  }
  return done;
}

interface MergedEdit {
  readonly item: SetItem;
  readonly rehearsed: Rehearsed;
}

/** Merges rehearsed edits into the items, one after the other. @throws ApiError 409 `common.conflict` */
async function mergeEdits(
  change: Change,
  items: readonly SetItem[],
  rehearsed: readonly Rehearsed[],
  { wanted, savedAt }: { readonly wanted: readonly WantedEdit[]; readonly savedAt: number | undefined },
): Promise<MergedEdit[]> {
  const known = new Map(items.map((item) => [keyOf(item), item]));
  let last = Math.max(0, ...items.map(({ position }) => position));
  const merged: MergedEdit[] = [];
  for (const [index, one] of rehearsed.entries()) {
    const { kind, id, body } = one;
    const before = known.get(keyOf(one));
    const live = await kind.find(change.tx, id);
    if (before === undefined && live !== undefined)
      requireBase(live, wanted[index]?.base ?? Reflect.get(body, 'base_updated_at'));
    last += 1;
    const item = { ...mergeEdit(before, one, live, last), ...signedBy(change, before, one, savedAt) };
    known.set(keyOf(item), item);
    merged.push({ item, rehearsed: one });
  }
  return merged;
}

function keyOf({ kind, id }: Pick<SetItem, 'kind' | 'id'>): string {
  return `${kind.name}:${id}`;
}

function signedBy(
  { actor, now }: Change,
  known: SetItem | undefined,
  { kind, before, after }: Rehearsed,
  savedAt: number | undefined,
): Pick<SetItem, 'authors' | 'saves' | 'updatedAt'> {
  const by = formatAuthor(actor);
  const { authors = [], saves = [] } = known ?? {};
  const signed = { authors: [...new Set([...authors, by])], updatedAt: now };
  if (savedAt === undefined) return { ...signed, saves };
  const values = readFields(kind, before);
  const fields = Object.keys(findChanges(values, readFields(kind, after)));
  const replaced = Object.fromEntries(fields.map((name) => [name, values[name]]));
  return { ...signed, saves: addSave(saves, { by, at: savedAt, fields, before: replaced }) };
}

/** @throws ApiError 409 `common.conflict` if the object has changed since the client loaded it */
function requireBase(live: ObjectState, base: unknown): void {
  const current: unknown = Reflect.get(live, 'updated_at');
  if (typeof base === 'number' && typeof current === 'number' && base !== current) throw conflict(current);
}

/** @throws ApiError 413 `changeset.tooManyItems`, `changeset.tooLarge` */
async function requireLimits({ tx }: Change, { id, purpose }: store.ChangeSetRow): Promise<void> {
  const { count, bytes } = await store.measureItems(tx, id);
  const { items, bytes: ofOthers, pushBytes } = changeSetLimits;
  const isPush = purpose === 'push';
  const maxBytes = isPush ? pushBytes : ofOthers;
  if (count > items && !isPush) throw apiError('changeset.tooManyItems', { max: items });
  if (bytes > maxBytes) throw apiError('changeset.tooLarge', { max: maxBytes });
}

/**
 * DELETE of an item: takes the object out.
 *
 * @throws ApiError `common.notFound`, 409 `changeset.needed` with the items that cannot be without it
 */
export async function removeItem(
  change: Change,
  kinds: KindsByName,
  { setId, kind, id }: { readonly setId: number; readonly kind: Kind; readonly id: number },
): Promise<void> {
  const set = await requireEditable(change.tx, change.actor, setId);
  const items = await loadItems(change.tx, setId, kinds);
  const item = findItem(items, kind, id);
  if (item === undefined) throw apiError('common.notFound', {});
  await decideItems(change, items, 'draft', [item]);
  const rest = items.filter((other) => other !== item);
  const [before, after] = [await findRefused(change, items), await findRefused(change, rest)];
  const by = after.filter((other) => !before.includes(other));
  if (by.length > 0)
    throw apiError('changeset.needed', { by: by.map((other) => ({ kind: other.kind.name, id: other.id })) });
  await noteWork(change, set);
  await change.writeUnversioned(async () => {
    await store.deleteItem(change.tx, setId, kind.name, id);
    await saveSet(change.tx, toEdited(set, change.now));
  });
}

/** The items that cannot be applied. */
async function findRefused(change: Change, items: readonly SetItem[]): Promise<SetItem[]> {
  const planned = await planItems(change.tx, items);
  const refused = await change.rehearse((inner) => applyPlan(inner, planned), 'settled');
  return [...new Set(refused.map(({ item }) => item))];
}
