/** What people do with the objects of a change set. Everything is rehearsed, so it is checked as a live save is. */
import { isDeepStrictEqual } from 'node:util';
import { formatAuthor } from '../../base/actor.ts';
import { apiError, conflict } from '../../base/errors.ts';
import type { Warning } from '../../base/warnings.ts';
import type { Change } from '../../changes/changes.ts';
import type { Kind, ObjectState } from '../../content/kinds/kind.ts';
import {
  createObject,
  listWarnings,
  removeObject,
  requireObject,
  updateObject,
} from '../../content/kinds/objects.ts';
import type { KindsByName } from '../../content/kinds/usage.ts';
import { reserveId } from '../../db/schema.ts';
import type { Operation } from '../batch/form.ts';
import { checkBody, prepareOperation } from '../batch/prepare.ts';
import { applyPlan } from './apply.ts';
import { findChanges, readFields } from './fields.ts';
import {
  type Arrangement,
  findItem,
  findTitle,
  isEmpty,
  loadItems,
  type SetItem,
  saveItem,
} from './items.ts';
import { changeSetLimits } from './model.ts';
import { planItems } from './plan.ts';
import { requireEditable, saveSet, toEdited } from './service.ts';
import * as store from './store.ts';

export interface EditOptions {
  readonly strict: boolean;
  /** IDs of the objects that earlier operations of the same request have created, by their index. */
  readonly ids?: ReadonlyMap<number, number>;
}

/** An edit of one object, and the object with it. */
export interface Edited {
  /** Undefined if the change set does nothing with the object any more. */
  readonly item: SetItem | undefined;
  /** The object as its GET shows it; one that is deleted as it was. */
  readonly object: object;
  readonly warnings: readonly Warning[];
  readonly id: number;
}

/** What is done with an object. */
interface Edit {
  readonly kind: Kind;
  readonly op: Operation['op'];
  readonly body: object;
  readonly id: number;
}

/** An edit after its rehearsal. */
interface Rehearsed extends Edit {
  readonly before: ObjectState | undefined;
  readonly after: ObjectState;
  readonly object: object;
  readonly warnings: readonly Warning[];
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
  return editItem(change, kinds, setId, options, async (inner) => {
    const { update, answer } = kind.schemas;
    await requireObject(kind, inner.tx, id);
    return { kind, op: 'update', id, body: checkBody(update, sent, options, answer) };
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
  const { kind, op } = operation;
  await requireEditable(change.tx, setId);
  const [table] = kind.tables;
  const promised = op === 'create' && table !== undefined ? reserveId(change.tx, table) : undefined;
  return editItem(change, kinds, setId, { ...options, base: operation.base }, async (inner) => {
    const { ids = new Map() } = options;
    const { id, body } = await prepareOperation(inner.tx, operation, { ids, strict: options.strict });
    return { kind, op, id: promised ?? id ?? 0, body };
  });
}

async function editItem(
  change: Change,
  kinds: KindsByName,
  setId: number,
  options: EditOptions & { readonly base?: number | undefined },
  prepare: (inner: Change) => Promise<Edit>,
): Promise<Edited> {
  const set = await requireEditable(change.tx, setId);
  const items = await loadItems(change.tx, setId, kinds);
  const planned = await planItems(change.tx, items);
  const rehearsed = await change.rehearse(async (inner) => {
    await applyPlan(inner, planned);
    return rehearseEdit(inner, await prepare(inner), { items, strict: options.strict });
  });
  const { kind, id, body } = rehearsed;
  const known = findItem(items, kind, id);
  const live = await kind.find(change.tx, id);
  if (known === undefined && live !== undefined)
    requireBase(live, options.base ?? Reflect.get(body, 'base_updated_at'));
  const last = Math.max(0, ...items.map(({ position }) => position));
  const item = { ...mergeEdit(known, rehearsed, live, last + 1), ...signedBy(change, known) };
  await change.writeUnversioned(async () => {
    await saveItem(change.tx, setId, item);
    await requireLimits(change, set);
    await saveSet(change.tx, toEdited(set, change.now));
  });
  const { object, warnings } = rehearsed;
  return { item: isEmpty(item) ? undefined : item, object, warnings, id };
}

/** Does the edit, and reads the object as its GET shows it. Part of what is taken back. */
async function rehearseEdit(
  inner: Change,
  edit: Edit,
  { items, strict }: { readonly items: readonly SetItem[]; readonly strict: boolean },
): Promise<Rehearsed> {
  const { kind, id } = edit;
  const before = await kind.find(inner.tx, id);
  await doEdit(inner, edit, strict);
  // One that is deleted is shown as it was.
  const after = (await kind.find(inner.tx, id)) ?? before;
  if (after === undefined) throw apiError('common.notFound', {});
  const rehearsed = { ...edit, before, after, object: {}, warnings: [] as readonly Warning[] };
  inner.inspect(kind.texts?.(after) ?? [], async (reports) => {
    rehearsed.object = (await kind.present?.(after, reports, inner.tx)) ?? after;
    rehearsed.warnings = listWarnings(kind, after, reports).filter(({ code, params }) => {
      const isUnknown = code === 'template.unknownSnippet';
      return !(isUnknown && items.some((item) => namesSnippet(item, params['name'])));
    });
  });
  return rehearsed;
}

async function doEdit(inner: Change, { kind, op, id, body }: Edit, strict: boolean): Promise<void> {
  if (op === 'delete') return removeObject(inner, kind, id);
  if (op === 'update') {
    const { base_updated_at: _base, ...fields } = Object(body);
    await updateObject(inner, kind, id, fields, { strict, isNew: true });
    return;
  }
  if (op !== 'create') return kind.batch?.more?.[op]?.run(inner, id, body);
  const [table = kind.name] = kind.tables;
  inner.tx.promisedIds.set(table, id);
  try {
    await createObject(inner, kind, body, { strict });
  } finally {
    inner.tx.promisedIds.delete(table);
  }
}

/** Texts are inspected when nobody else can see the snippets of the change set. */
function namesSnippet({ kind, creation = {}, fields }: SetItem, name: unknown): boolean {
  return kind.name === 'snippet' && [Reflect.get(creation, 'name'), fields['name']].includes(name);
}

/** The item with the edit. */
function mergeEdit(
  known: SetItem | undefined,
  { kind, op, id, body, before, after }: Rehearsed,
  live: ObjectState | undefined,
  position: number,
): Omit<SetItem, 'authors' | 'updatedAt'> {
  const item = known ?? {
    ...{ kind, id, position, title: '', base: live, creation: undefined },
    ...{ isDeleted: false, fields: {}, arrangements: [] },
  };
  const title = findTitle(kind, after);
  if (op === 'create') return { ...item, title, creation: body };
  if (op === 'delete') {
    const isOwn = item.creation !== undefined;
    return { ...item, title, position, creation: undefined, isDeleted: !isOwn, fields: {}, arrangements: [] };
  }
  if (op !== 'update') {
    return { ...item, title, arrangements: mergeArrangements(item, { op, body }, after) };
  }
  const changes = findChanges(readFields(kind, before), readFields(kind, after));
  const base = item.base === undefined ? undefined : readFields(kind, item.base);
  const fields = Object.entries({ ...item.fields, ...changes }).filter(
    ([name, value]) => value !== undefined && !(base !== undefined && isDeepStrictEqual(base[name], value)),
  );
  return { ...item, title, fields: Object.fromEntries(fields) };
}

/** The last move counts; one that leads back to where the object was is none. */
function mergeArrangements(
  { arrangements, base }: Pick<SetItem, 'arrangements' | 'base'>,
  added: Arrangement,
  after: ObjectState,
): readonly Arrangement[] {
  if (added.op !== 'move') return [...arrangements, added];
  const others = arrangements.filter(({ op }) => op !== 'move');
  const isBack = (['parent_id', 'sort'] as const).every(
    (name) => Reflect.get(base ?? {}, name) === Reflect.get(after, name),
  );
  return isBack ? others : [...others, added];
}

function signedBy(
  { actor, now }: Change,
  known: SetItem | undefined,
): Pick<SetItem, 'authors' | 'updatedAt'> {
  return { authors: [...new Set([...(known?.authors ?? []), formatAuthor(actor)])], updatedAt: now };
}

/** @throws ApiError 409 `common.conflict` if the object has changed since the client loaded it */
function requireBase(live: ObjectState, base: unknown): void {
  const current: unknown = Reflect.get(live, 'updated_at');
  if (typeof base === 'number' && typeof current === 'number' && base !== current) throw conflict(current);
}

/** @throws ApiError 413 `changeset.tooManyItems`, `changeset.tooLarge` */
async function requireLimits({ tx }: Change, { id }: store.ChangeSetRow): Promise<void> {
  const { count, bytes } = await store.measureItems(tx, id);
  const { items, bytes: maxBytes } = changeSetLimits;
  if (count > items) throw apiError('changeset.tooManyItems', { max: items });
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
  const set = await requireEditable(change.tx, setId);
  const items = await loadItems(change.tx, setId, kinds);
  const item = findItem(items, kind, id);
  if (item === undefined) throw apiError('common.notFound', {});
  const rest = items.filter((other) => other !== item);
  const [before, after] = [await findRefused(change, items), await findRefused(change, rest)];
  const by = after.filter((other) => !before.includes(other));
  if (by.length > 0)
    throw apiError('changeset.needed', { by: by.map((other) => ({ kind: other.kind.name, id: other.id })) });
  await change.writeUnversioned(async () => {
    await store.deleteItem(change.tx, setId, kind.name, id);
    await saveSet(change.tx, toEdited(set, change.now));
  });
}

/** The items that cannot be applied. */
async function findRefused(change: Change, items: readonly SetItem[]): Promise<SetItem[]> {
  const planned = await planItems(change.tx, items);
  const refused = await change.rehearse((inner) => applyPlan(inner, planned));
  return [...new Set(refused.map(({ item }) => item))];
}
