/** Working copies: a change set with one object, one for all who edit it. */
import { formatAuthor } from '../../base/actor.ts';
import { apiError, invalid } from '../../base/errors.ts';
import type { Warning } from '../../base/warnings.ts';
import type { Change } from '../../changes/changes.ts';
import type { Kind, ObjectState } from '../../content/kinds/kind.ts';
import { requireObject } from '../../content/kinds/objects.ts';
import type { KindsByName } from '../../content/kinds/usage.ts';
import type { ContentDb } from '../../db/tables.ts';
import { checkBody } from '../batch/prepare.ts';
import { applyPlan } from './apply.ts';
import { editItems, type WantedEdit } from './edit.ts';
import { toBody } from './fields.ts';
import { findItem, findTitle, loadItems, type SetItem } from './items.ts';
import { planItems } from './plan.ts';
import { readShown } from './rehearsal.ts';
import { mergeWithSaves } from './saves.ts';
import { discardChangeSet, forgetChangeSet, insertChangeSet, requireSet } from './service.ts';
import { type ChangeSetRow, findCopy } from './store.ts';

/** An object that a path names. */
export interface CopyOf {
  readonly kind: Kind;
  readonly id: number;
  /** Whether the path is right for an object, such as an entry of the named collection. */
  contains(state: ObjectState): boolean;
}

/** The object with its working copy. */
export interface Copied {
  readonly object: object;
  readonly warnings: readonly Warning[];
  /** Undefined if nothing is left to do. */
  readonly item: SetItem | undefined;
  /** Undefined if the copy is gone. */
  readonly set: ChangeSetRow | undefined;
}

/** @throws ApiError 404 `changeset.noCopy`, `common.notFound` for an object that never had one */
async function requireCopy(
  db: ContentDb,
  kinds: KindsByName,
  of: CopyOf,
): Promise<{ readonly set: ChangeSetRow; readonly items: SetItem[]; readonly item: SetItem }> {
  const { kind, id } = of;
  const live = await kind.find(db, id);
  const set = await findCopy(db, kind.name, id);
  const items = set === undefined ? [] : await loadItems(db, set.id, kinds);
  const item = findItem(items, kind, id);
  const known = live ?? item?.base;
  if (known === undefined || !of.contains(known)) throw apiError('common.notFound', {});
  if (set === undefined || item === undefined) throw apiError('changeset.noCopy', { kind: kind.name, id });
  return { set, items, item };
}

/** An object that was deleted live, as it was when its working copy began; undefined without one. */
export async function findCopiedState(
  db: ContentDb,
  kinds: KindsByName,
  kind: Kind,
  id: number,
): Promise<ObjectState | undefined> {
  const set = await findCopy(db, kind.name, id);
  return set && findItem(await loadItems(db, set.id, kinds), kind, id)?.base;
}

/** The ID of the change set that is the working copy. @throws ApiError 404 `changeset.noCopy` */
export async function findCopyId(db: ContentDb, kinds: KindsByName, of: CopyOf): Promise<number> {
  return (await requireCopy(db, kinds, of)).set.id;
}

/** GET of the copy. @throws ApiError 404 `changeset.noCopy` */
export async function readCopy(change: Change, kinds: KindsByName, of: CopyOf): Promise<Copied> {
  const { kind, id } = of;
  const { set, items, item } = await requireCopy(change.tx, kinds, of);
  const planned = await planItems(change.tx, items);
  const shown = await change.rehearse(async (inner) => {
    await applyPlan(inner, planned);
    const state = await kind.find(inner.tx, id);
    return state === undefined ? undefined : readShown(inner, kind, state, () => false);
  }, 'settled');
  if (shown !== undefined) return { ...shown, item, set };
  const state = stateOf(item);
  const seen = kind.redactFor?.(change.actor, state) ?? state;
  const object = (await kind.trash?.present?.(change.tx, seen, {})) ?? seen;
  return { object, warnings: [], item, set };
}

/** An object that was deleted live, as the copy has it. */
function stateOf({ kind, id, base, fields }: SetItem): ObjectState {
  const body: Readonly<Record<string, unknown>> = { ...toBody(kind, fields) };
  const { valuesIn = '' } = kind;
  const values = { ...Object(Reflect.get(base ?? {}, valuesIn)), ...Object(body[valuesIn]) };
  return { ...base, ...body, ...(valuesIn in body ? { [valuesIn]: values } : {}), id };
}

/**
 * PUT of the copy. The first one makes it; one that leaves no change ends it.
 *
 * @throws ApiError the errors of the PUT of the object, 409 `changeset.fieldTaken`, 413 `changeset.*`
 */
export async function putCopy(
  change: Change,
  kinds: KindsByName,
  of: CopyOf,
  { body, seen }: CopyBody,
  strict: boolean,
): Promise<Copied> {
  const { kind, id } = of;
  const live = await requireObject(kind, change.tx, id);
  if (!of.contains(live)) throw apiError('common.notFound', {});
  const set = (await findCopy(change.tx, kind.name, id)) ?? (await makeCopy(change, kind, live));
  const saves = findItem(await loadItems(change.tx, set.id, kinds), kind, id)?.saves ?? [];
  const author = formatAuthor(change.actor);
  const wanted: WantedEdit = {
    async prepare(inner) {
      const state = await requireObject(kind, inner.tx, id);
      const sent = checkBody(kind.schemas.update, body, { strict }, kind.schemas.answer);
      const isAlone = seen === undefined || saves.length === 0;
      const merged = isAlone ? sent : mergeWithSaves(kind, sent, state, saves, { seen, author });
      return { kind, op: 'update', id, body: merged };
    },
  };
  const [edited] = await editItems(change, kinds, set.id, [wanted], { strict, keepsSaves: true });
  if (edited === undefined) throw new Error('an edit has one outcome');
  const { object, warnings, item } = edited;
  if (item !== undefined)
    return { object, warnings, item, set: await requireSet(change.tx, change.actor, set.id) };
  await forgetChangeSet(change.tx, set.id);
  return { object, warnings, item, set: undefined };
}

function makeCopy({ tx, actor, now }: Change, kind: Kind, live: ObjectState): Promise<ChangeSetRow> {
  return insertChangeSet(tx, actor, now, { name: findTitle(kind, live), note: '', purpose: 'copy' });
}

export interface CopyBody {
  readonly seen: number | undefined;
  /** The body without `seen`. */
  readonly body: unknown;
}

/** @throws ApiError 400 `common.invalid` */
export function readCopyBody(sent: unknown): CopyBody {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent))
    return { body: sent, seen: undefined };
  const { seen, ...body }: { readonly seen?: unknown } = sent;
  if (seen === undefined) return { body, seen };
  if (typeof seen !== 'number' || !Number.isInteger(seen)) throw invalid('seen', 'must be integer');
  return { body, seen };
}

/** DELETE of the copy. @throws ApiError 404 `changeset.noCopy` */
export async function discardCopy(change: Change, kinds: KindsByName, of: CopyOf): Promise<void> {
  await discardChangeSet(change, kinds, await findCopyId(change.tx, kinds, of));
}
