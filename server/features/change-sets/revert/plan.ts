/** What a revert does with each object: compared with the object as it is live. */
import { isDeepStrictEqual } from 'node:util';
import { type Actor, formatAuthor } from '../../../base/actor.ts';
import type { Change } from '../../../changes/changes.ts';
import type { JournalObject } from '../../../content/kinds/journal/journal.ts';
import type { Kind, ObjectState } from '../../../content/kinds/kind.ts';
import { arrangeObject, removeObject, updateObject } from '../../../content/kinds/objects.ts';
import { findEntry } from '../../../content/kinds/trash/entries.ts';
import type { KindsByName } from '../../../content/kinds/usage.ts';
import { TrashRestore } from '../../trash/trash-restore.ts';
import type { Step } from '../apply.ts';
import { type FieldValues, readFields, toBody } from '../fields.ts';
import type { SetItem } from '../items.ts';
import type { SkippedField } from './model.ts';

/** What all parts of a revert share. */
export interface RevertContext {
  readonly change: Change;
  readonly kinds: KindsByName;
  readonly renumbered: { kind: string; from: number; to: number }[];
  /** @throws ApiError 409 `common.inUse` if objects use it that do not go with it */
  requireUnused(change: Change, kind: Kind, id: number): Promise<void>;
}

/** What is to be done for an object, and what not. */
export interface PlannedRevert {
  readonly kind: Kind;
  readonly object: JournalObject;
  readonly steps: readonly Step[];
  /** Undefined if nothing is done. */
  readonly item: SetItem | undefined;
  readonly skipped: readonly SkippedField[];
}

/** Plans the revert of one object. */
export async function planRevert(
  context: RevertContext,
  kind: Kind,
  object: JournalObject,
): Promise<PlannedRevert> {
  const { change } = context;
  const live = await kind.find(change.tx, object.id);
  const nothing = { kind, object, steps: [], item: undefined, skipped: [] };
  if (object.op === 'create') return live === undefined ? nothing : planRemoval(context, kind, object, live);
  if (object.op === 'delete') return live === undefined ? planReturn(context, kind, object) : nothing;
  if (live === undefined) return { ...nothing, skipped: [gone(object, object.after)] };
  return planFields(change, kind, object, live);
}

function planRemoval(
  context: RevertContext,
  kind: Kind,
  object: JournalObject,
  live: ObjectState,
): PlannedRevert {
  const item = { ...toItem(context.change, kind, object), base: live, isDeleted: true };
  const run = async (change: Change) => {
    // It may be gone along with what it was in.
    if ((await kind.find(change.tx, object.id)) === undefined) return;
    await context.requireUnused(change, kind, object.id);
    await removeObject(change, kind, object.id);
  };
  return { kind, object, steps: [{ item, run }], item, skipped: [] };
}

async function planReturn(context: RevertContext, kind: Kind, object: JournalObject): Promise<PlannedRevert> {
  const { tx, now } = context.change;
  const { trashId } = object;
  const entry = trashId === null ? undefined : await findEntry(tx, trashId, now);
  if (entry === undefined) return { kind, object, steps: [], item: undefined, skipped: [gone(object, null)] };
  const item = { ...toItem(context.change, kind, object), creation: {} };
  const run = async (change: Change) => {
    const restore = new TrashRestore(change, context.kinds, {});
    await restore.run(entry.id);
    context.renumbered.push(...restore.result.renumbered);
  };
  return { kind, object, steps: [{ item, run }], item, skipped: [] };
}

async function planFields(
  change: Change,
  kind: Kind,
  object: JournalObject,
  live: ObjectState,
): Promise<PlannedRevert> {
  const { id, before, after } = object;
  const now = listValues(kind, live);
  const fields: Record<string, unknown> = {};
  const skipped: SkippedField[] = [];
  const show = showFor(change.actor, kind, live, after);
  for (const [name, mine] of Object.entries(after)) {
    const [was, is] = [before[name] ?? null, now[name] ?? null];
    if (isDeepStrictEqual(is, was)) continue;
    if (isDeepStrictEqual(is, mine)) fields[name] = was;
    else skipped.push({ kind: kind.name, id, field: name, ...show(name, mine, is) });
  }
  const { parent_id: parentId, ...own } = fields;
  const body = toBody(kind, own);
  const move =
    typeof parentId === 'number' ? ({ op: 'move', body: { parent_id: parentId } } as const) : undefined;
  const item: SetItem = {
    ...toItem(change, kind, object),
    ...{ base: live, fields: own, arrangements: move === undefined ? [] : [move] },
  };
  const steps: Step[] = [];
  if (move !== undefined)
    steps.push({
      item,
      run: (inner) => arrangeObject(inner, kind, id, { operation: kind.batch?.more?.move, body: move.body }),
    });
  if (Object.keys(own).length > 0)
    steps.push({ item, run: (inner) => updateObject(inner, kind, id, body, { hasOwnVersion: true }) });
  return { kind, object, steps, item: steps.length === 0 ? undefined : item, skipped };
}

/** The values of an object by the names that journals have for them. */
export function listValues(kind: Kind, state: ObjectState): FieldValues {
  return { ...readFields(kind, state), parent_id: Reflect.get(state, 'parent_id') };
}

function toItem({ actor, now }: Change, kind: Kind, { id, title }: JournalObject): SetItem {
  return {
    ...{ kind, id, title, position: 0, base: undefined, creation: undefined, isDeleted: false },
    ...{ fields: {}, arrangements: [], saves: [], updatedAt: now },
    authors: [formatAuthor(actor)],
  };
}

function gone({ kind, id }: JournalObject, mine: FieldValues | null): SkippedField {
  return { kind, id, field: 'deleted', mine, live: null };
}

/** Shows values as a caller may see them. */
function showFor(actor: Actor, kind: Kind, live: ObjectState, after: FieldValues) {
  const redact = (state: ObjectState) => readFields(kind, kind.redactFor?.(actor, state) ?? state);
  const [ofMine, ofLive] = [redact({ ...live, ...after }), redact(live)];
  return (name: string, mine: unknown, now: unknown) => ({
    mine: name in after && !name.includes('.') && name in ofMine ? ofMine[name] : mine,
    live: name in ofLive ? ofLive[name] : now,
  });
}
