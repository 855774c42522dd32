/** Publication: all of a change set as one change, or nothing. */
import { ApiError, apiError } from '../../base/errors.ts';
import type { Warning } from '../../base/warnings.ts';
import type { Change } from '../../changes/changes.ts';
import type { TextReport } from '../../changes/text-analysis.ts';
import { warnOfTaken } from '../../content/kinds/broken-rules.ts';
import { keepJournal } from '../../content/kinds/journal/journal.ts';
import type { ObjectState } from '../../content/kinds/kind.ts';
import { listWarnings } from '../../content/kinds/objects.ts';
import { findNewestEntry } from '../../content/kinds/trash/entries.ts';
import type { KindsByName } from '../../content/kinds/usage.ts';
import { deferReferences } from '../../db/schema.ts';
import type { ContentDb } from '../../db/tables.ts';
import { findUpdatedAt } from '../batch/run.ts';
import { findMissingApproval } from '../reviews/service.ts';
import { TrashRestore } from '../trash/trash-restore.ts';
import { type ApplyOptions, applyPlan, type RefusedStep } from './apply.ts';
import { decideResolutions } from './decide-items.ts';
import { findOp, hashItems, loadItems, type SetItem } from './items.ts';
import type { FieldConflict, PublishFailure, PublishRequest } from './model.ts';
import { listConflicts, type PlannedItem, planItems } from './plan.ts';
import { type RenumberedItem, renumberTaken, saveRenumbered } from './publication/renumbering.ts';
import { warnOfTakenStep } from './rehearsal.ts';
import { requireApproval, requireEditable, saveSet, toEdited } from './service.ts';
import { type ChangeSetRow, findSet } from './store.ts';

/** Of a change set that takes entries that break rules of their fields. */
interface TakenEntries {
  /** The warning about them, with their number; undefined for none. */
  warnings?: readonly Warning[] | undefined;
}

/** What a publication would lead to. */
export interface PublicationTrial extends TakenEntries {
  readonly conflicts: readonly FieldConflict[];
  readonly faults: readonly PublishFailure[];
}

export interface Published extends TakenEntries {
  readonly set: ChangeSetRow;
  /** One for each object, when the change is on disk. */
  results: readonly object[];
  /** Created objects with another ID than they were promised. */
  readonly renumbered: readonly RenumberedItem[];
}

/**
 * POST /change-sets/{id}/publish
 *
 * @throws ApiError 409 `changeset.closed`, `changeset.empty`, `changeset.notApproved`, `changeset.conflict`, and the errors of the operations
 *   with `params.kind` and `params.id`
 */
export async function publishChangeSet(
  change: Change,
  kinds: KindsByName,
  id: number,
  resolve: PublishRequest['resolve'],
): Promise<Published> {
  const { set, items, planned, renumbered } = await planPublication(change, kinds, id, resolve);
  change.markDecided();
  await decideResolutions(
    change,
    planned.map(({ item }) => item),
    resolve,
  );
  await requireApproval(change.tx, id, items);
  const conflicts = listConflicts(planned);
  if (conflicts.length > 0) throw apiError('changeset.conflict', { count: conflicts.length, conflicts });
  await keepJournal(change, kinds, { source: 'change_set', key: String(id) }, async (kept) => {
    const [refused] = await kept.attempt(
      (inner) => applyPlan(inner, planned, { ...restoring(kinds), keepsVersions: true }),
      'publication',
    );
    if (refused !== undefined) throw refused.error;
  });
  const published: Published = { set: toPublished(set, change.now), results: [], renumbered };
  await saveSet(change.tx, published.set);
  if (renumbered.length > 0) await saveRenumbered(change, id, planned, renumbered);
  notify(change, 'published', published.set, {});
  await reportResults(change, planned, published);
  return published;
}

/** The same as a dry run. @throws ApiError 409 `changeset.closed`, `changeset.empty` */
export async function tryPublication(
  change: Change,
  kinds: KindsByName,
  id: number,
  resolve: PublishRequest['resolve'],
): Promise<PublicationTrial> {
  return change.rehearse(async (inner) => {
    const { items, planned } = await planPublication(inner, kinds, id, resolve);
    const missing = await findMissingApproval(inner.tx, { id, hash: hashItems(items) });
    const refused = await applyPlan(inner, planned, restoring(kinds));
    return {
      ...summarizeTaken(await readDone(inner.tx, planned)),
      conflicts: listConflicts(planned),
      faults: [...(missing === undefined ? [] : [toFailure({ error: missing })]), ...refused.map(toFailure)],
    };
  }, 'publication');
}

/** Publishes a change set that is scheduled and due; does nothing otherwise. @throws as `publishChangeSet` */
export async function publishDue(change: Change, kinds: KindsByName, id: number): Promise<void> {
  if (await isDue(change, id)) await publishChangeSet(change, kinds, id, undefined);
}

/** Notes why a change set that is due could not be published. */
export async function failDue(change: Change, id: number, error: ApiError): Promise<void> {
  if (!(await isDue(change, id))) return;
  const set = await requireEditable(change.tx, change.actor, id);
  const failure = toFailure({ error });
  await saveSet(change.tx, {
    ...toEdited(set, change.now),
    ...{ state: 'failed', failure: JSON.stringify(failure) },
  });
  notify(change, 'failed', set, { failure });
}

function restoring(kinds: KindsByName): ApplyOptions {
  return { bringBack: (part, item) => restoreDeleted(part, kinds, item) };
}

/** Restores an object that was deleted live. @throws ApiError `common.notFound`, `changeset.parentDeleted` */
async function restoreDeleted(change: Change, kinds: KindsByName, { kind, id }: SetItem): Promise<void> {
  const { tx, now } = change;
  const entry = await findNewestEntry(tx, { kind: kind.name, id }, now);
  if (entry === undefined) throw apiError('common.notFound', {});
  deferReferences(tx);
  try {
    await new TrashRestore(change, kinds, {}).run(entry.id);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'trash.parentDeleted') throw error;
    const by = { kind: String(error.params['kind']), id: error.params['id'] };
    throw apiError('changeset.parentDeleted', { by });
  }
}

async function isDue({ tx, now }: Change, id: number): Promise<boolean> {
  const set = await findSet(tx, id);
  return set?.state === 'scheduled' && set.publish_at !== null && set.publish_at <= now;
}

/** Tells the feed and webhooks. */
export function notify(
  { record, announce }: Change,
  action: 'published' | 'failed',
  { id, name }: ChangeSetRow,
  more: object,
): void {
  record({ kind: 'change_set', action, id, name });
  announce({ event: `change_set.${action}`, fields: { id, name, ...more }, changes: 1 });
}

interface PlannedPublication {
  readonly set: ChangeSetRow;
  readonly items: readonly SetItem[];
  readonly planned: readonly PlannedItem[];
  readonly renumbered: readonly RenumberedItem[];
}

async function planPublication(
  { tx, actor }: Change,
  kinds: KindsByName,
  id: number,
  resolve: PublishRequest['resolve'],
): Promise<PlannedPublication> {
  const set = await requireEditable(tx, actor, id);
  const items = await loadItems(tx, id, kinds);
  if (items.length === 0) throw apiError('changeset.empty', {});
  const { items: numbered, renumbered } = await renumberTaken(tx, kinds, items);
  return { set, items, planned: await planItems(tx, numbered, resolve), renumbered };
}

export function toPublished(set: ChangeSetRow, now: number): ChangeSetRow {
  return {
    ...toEdited(set, now),
    state: 'published',
    publish_at: set.publish_at,
    published_at: now,
    failure: null,
  };
}

export function toFailure({ error: { code, message, params } }: Pick<RefusedStep, 'error'>): PublishFailure {
  return { code, error: message, params };
}

/** Makes the results when all texts are inspected, before the commit. */
export async function reportResults(
  change: Change,
  planned: readonly PlannedItem[],
  published: Pick<Published, 'results' | 'warnings'>,
): Promise<void> {
  const done = await readDone(change.tx, planned);
  const texts = done.map(({ item, state }) => (state === undefined ? [] : (item.kind.texts?.(state) ?? [])));
  change.inspect(texts.flat(), (reports) => {
    const rest = [...reports];
    published.results = done.map((one, index) =>
      toResult(one, index, rest.splice(0, texts[index]?.length ?? 0)),
    );
  });
  Object.assign(published, summarizeTaken(done));
}

/** An object as a change set leaves it. */
interface DoneItem {
  readonly item: SetItem;
  /** Undefined if it is deleted. */
  readonly state: ObjectState | undefined;
  /** The warning that it was taken as it is. */
  readonly taken: readonly Warning[];
}

async function readDone(db: ContentDb, planned: readonly PlannedItem[]): Promise<DoneItem[]> {
  const done: DoneItem[] = [];
  for (const { item, isDone } of planned) {
    if (isDone) continue;
    const state = await item.kind.find(db, item.id);
    done.push({ item, state, taken: await warnOfTakenStep(db, item, state) });
  }
  return done;
}

function summarizeTaken(done: readonly DoneItem[]): TakenEntries {
  const warnings = warnOfTaken(done.filter(({ taken }) => taken.length > 0).length);
  return warnings.length === 0 ? {} : { warnings };
}

function toResult({ item, state, taken }: DoneItem, index: number, reports: readonly TextReport[]): object {
  const { kind, id } = item;
  const collection = kind.namesOf(state ?? item.base ?? { id }).collection;
  const common = {
    ...{ index, op: findOp(item), kind: kind.name, id },
    ...(collection === undefined ? {} : { collection }),
  };
  if (state === undefined) return { ...common, deleted: true };
  const updatedAt = findUpdatedAt(state);
  const warnings = [...listWarnings(kind, state, reports), ...taken];
  return {
    ...common,
    ...(updatedAt === undefined ? {} : { updated_at: updatedAt }),
    ...(kind.texts === undefined && warnings.length === 0 ? {} : { warnings }),
  };
}
