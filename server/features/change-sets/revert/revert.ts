/** Puts back what a publication, a batch, an import or a person has done, unless it was changed since. */
import { formatAuthor } from '../../../base/actor.ts';
import { apiError } from '../../../base/errors.ts';
import { TimeSlices } from '../../../base/timers.ts';
import type { Change } from '../../../changes/changes.ts';
import { type JournalObject, keepJournal } from '../../../content/kinds/journal/journal.ts';
import { recordObject } from '../../../content/kinds/objects.ts';
import type { KindsByName } from '../../../content/kinds/usage.ts';
import { findStanding, type SideEffects } from '../../../db/undo/side-effects.ts';
import { type RefusedStep, runSteps, type Step } from '../apply.ts';
import { isEmpty, type SetItem, saveItem } from '../items.ts';
import { notify, reportResults, toFailure, toPublished } from '../publish.ts';
import { insertChangeSet, saveSet } from '../service.ts';
import type { ChangeSetRow } from '../store.ts';
import type { Reverted, SkippedField } from './model.ts';
import { listValues, type PlannedRevert, planRevert, type RevertContext } from './plan.ts';
import { restoreEffects } from './side-effects.ts';
import { type Blocked, findBlocked } from './users.ts';

/** What is to be reverted. */
export interface RevertSubject {
  /** Name of the change set that does it. */
  readonly name: string;
  readonly objects: readonly JournalObject[];
  readonly effects: SideEffects;
  /** What cannot be reverted, as was found out before. */
  readonly skipped: readonly SkippedField[];
}

/** A revert that is done, before its commit. */
export interface DoneRevert {
  readonly set: ChangeSetRow;
  readonly skipped: readonly SkippedField[];
  readonly renumbered: Reverted['renumbered'];
  readonly faults: NonNullable<Reverted['faults']>;
  /** Filled before the commit. */
  readonly outcome: { results: readonly object[] };
}

/**
 * Reverts as one change, which must not share its transaction. A change set of its own tells of it.
 *
 * @param allowsFaults whether objects that cannot be put back are told in the result
 * @throws ApiError the error of the first object that cannot be put back, with `params.kind` and `params.id`
 */
export async function revert(
  change: Change,
  kinds: KindsByName,
  subject: RevertSubject,
  { allowsFaults }: { readonly allowsFaults: boolean },
): Promise<DoneRevert> {
  const { tx, actor, now } = change;
  const name = subject.name || formatAuthor(actor);
  const set = await insertChangeSet(tx, actor, now, { name, note: '', purpose: 'revert' });
  const done = await keepJournal(change, kinds, { source: 'change_set', key: String(set.id) }, (inner) =>
    revertObjects(inner, kinds, subject),
  );
  const [fault] = done.refused;
  if (fault !== undefined && !allowsFaults) throw fault.error;
  await change.writeUnversioned(async () => {
    for (const [index, item] of done.items.entries())
      await saveItem(tx, set.id, { ...item, position: index + 1 });
  });
  const published = toPublished(set, now);
  await saveSet(tx, published);
  notify(change, 'published', published, {});
  const outcome = { set: published, results: [] as readonly object[] };
  const planned = done.items.map((item) => ({
    ...{ item, live: item.base, body: {} },
    isDone: false,
    conflicts: [],
  }));
  await reportResults(change, planned, outcome);
  const { skipped, renumbered } = done;
  return { set: published, skipped, renumbered, faults: done.refused.map(toFailure), outcome };
}

interface RevertedObjects {
  readonly items: readonly SetItem[];
  readonly skipped: readonly SkippedField[];
  readonly renumbered: RevertContext['renumbered'];
  readonly refused: readonly RefusedStep[];
}

async function revertObjects(
  change: Change,
  kinds: KindsByName,
  { objects, effects, skipped: known }: RevertSubject,
): Promise<RevertedObjects> {
  const created = objects.filter(({ op }) => op === 'create');
  const blocked = new Map<string, Blocked>();
  const context: RevertContext = {
    ...{ change, kinds, renumbered: [] },
    async requireUnused(inner, kind, id) {
      const found = await findBlocked(inner.tx, kinds, { kind: kind.name, id }, created);
      if (found === undefined) return void blocked.delete(`${kind.name}:${id}`);
      blocked.set(`${kind.name}:${id}`, found);
      throw apiError('common.inUse', { usage: found.by });
    },
  };
  // What was in deleted objects is compared when it is back.
  const returned = await planAll(context, sortForReverting(objects.filter(({ op }) => op === 'delete')));
  const waiting = new Set((await runSteps(change, listSteps(returned))).map(({ item }) => item));
  // Objects that the change set was about are put back by their kinds.
  const isOther = (id: unknown) => !objects.some((object) => object.kind === 'redirect' && object.id === id);
  const standing = findStanding(change.tx, {
    ...effects,
    rows: effects.rows.filter(({ before, after }) => isOther((after ?? before)?.['id'])),
  });
  const others = await planAll(context, sortForReverting(objects.filter(({ op }) => op !== 'delete')));
  const plans = [...returned, ...others];
  const late = returned.filter(({ item }) => item !== undefined && waiting.has(item));
  const refused = await runSteps(change, listSteps([...late, ...others]));
  const unfinished = await findUnfinished(change, plans);
  await restoreEffects(change, kinds, standing, { plans, unfinished });
  await recordArranged(change, plans, standing);
  const inUse = refused.filter(({ item }) => blocked.has(`${item.kind.name}:${item.id}`));
  const rest = refused.filter((step) => !inUse.includes(step));
  const undone = new Set(refused.map(({ item }) => item));
  return {
    items: plans.flatMap(({ item }) =>
      item === undefined || undone.has(item) || isEmpty(item) ? [] : [item],
    ),
    skipped: [
      ...known,
      ...plans.flatMap(({ skipped }) => skipped),
      ...inUse.map((step) => toSkipped(step, blocked)),
    ],
    renumbered: context.renumbered,
    refused: rest,
  };
}

async function planAll(context: RevertContext, objects: readonly JournalObject[]): Promise<PlannedRevert[]> {
  const plans: PlannedRevert[] = [];
  const slices = new TimeSlices();
  for (const object of objects) {
    const kind = context.kinds.get(object.kind);
    if (kind !== undefined) plans.push(await planRevert(context, kind, object));
    await slices.next();
  }
  return plans;
}

function listSteps(plans: readonly PlannedRevert[]): Step[] {
  return plans.flatMap(({ steps }) => steps);
}

/** The last change is taken back first; definitions of collections come before their entries. */
function sortForReverting(objects: readonly JournalObject[]): JournalObject[] {
  const rank = ({ kind, op }: JournalObject) => {
    if (op === 'create') return 2;
    return kind === 'collection' ? 0 : 1;
  };
  return objects.toReversed().sort((left, right) => rank(left) - rank(right));
}

/** The objects that are not as they were before, as `kind:id`. */
async function findUnfinished({ tx }: Change, plans: readonly PlannedRevert[]): Promise<ReadonlySet<string>> {
  const unfinished = new Set<string>();
  for (const { kind, object } of plans) {
    if (object.op !== 'update') continue;
    const state = await kind.find(tx, object.id);
    const values = state === undefined ? {} : listValues(kind, state);
    const isBack = Object.entries(object.before).every(
      ([name, value]) => JSON.stringify(values[name] ?? null) === JSON.stringify(value),
    );
    if (!isBack) unfinished.add(`${kind.name}:${object.id}`);
  }
  return unfinished;
}

/** Tells of objects of which only the place or the language versions were put back. */
async function recordArranged(
  change: Change,
  plans: readonly PlannedRevert[],
  { cells }: SideEffects,
): Promise<void> {
  for (const { kind, object, steps } of plans) {
    const isArranged = cells.some(({ table, id }) => table === kind.tables[0] && id === object.id);
    if (!isArranged || steps.length > 0 || object.op !== 'update') continue;
    const state = await kind.find(change.tx, object.id);
    if (state !== undefined) recordObject(change, kind, 'updated', state);
  }
}

function toSkipped(
  { item: { kind, id, base } }: RefusedStep,
  blocked: ReadonlyMap<string, Blocked>,
): SkippedField {
  const by = blocked.get(`${kind.name}:${id}`)?.by ?? [];
  return { kind: kind.name, id, field: 'created', mine: null, live: base?.id ?? null, by: [...by] };
}
