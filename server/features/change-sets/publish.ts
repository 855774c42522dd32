/** Publication: all of a change set as one change, or nothing. */
import { type ApiError, apiError } from '../../base/errors.ts';
import type { Warning } from '../../base/warnings.ts';
import type { Change } from '../../changes/changes.ts';
import type { TextReport } from '../../changes/text-analysis.ts';
import { keepJournal } from '../../content/kinds/journal/journal.ts';
import type { ObjectState } from '../../content/kinds/kind.ts';
import { listWarnings } from '../../content/kinds/objects.ts';
import type { KindsByName } from '../../content/kinds/usage.ts';
import { findUpdatedAt } from '../batch/run.ts';
import { findMissingApproval } from '../reviews/service.ts';
import { applyPlan, type RefusedStep } from './apply.ts';
import { decideResolutions } from './decide-items.ts';
import { findOp, hashItems, loadItems, type SetItem } from './items.ts';
import type { FieldConflict, PublishFailure, PublishRequest } from './model.ts';
import { listConflicts, type PlannedItem, planItems } from './plan.ts';
import { requireApproval, requireEditable, saveSet, toEdited } from './service.ts';
import { type ChangeSetRow, findSet } from './store.ts';

/** What a publication would lead to. */
export interface PublicationTrial {
  readonly conflicts: readonly FieldConflict[];
  readonly faults: readonly PublishFailure[];
}

export interface Published {
  readonly set: ChangeSetRow;
  /** One for each object, when the change is on disk. */
  results: readonly object[];
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
  const { set, items, planned } = await planPublication(change, kinds, id, resolve);
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
    const [refused] = await kept.attempt((inner) => applyPlan(inner, planned), 'publication');
    if (refused !== undefined) throw refused.error;
  });
  const published: Published = { set: toPublished(set, change.now), results: [] };
  await saveSet(change.tx, published.set);
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
  const { items, planned } = await planPublication(change, kinds, id, resolve);
  const missing = await findMissingApproval(change.tx, { id, hash: hashItems(items) });
  const refused = await change.rehearse((inner) => applyPlan(inner, planned), 'publication');
  return {
    conflicts: listConflicts(planned),
    faults: [...(missing === undefined ? [] : [toFailure({ error: missing })]), ...refused.map(toFailure)],
  };
}

/** Publishes a change set that is scheduled and due; does nothing otherwise. @throws as `publishChangeSet` */
export async function publishDue(change: Change, kinds: KindsByName, id: number): Promise<void> {
  if (await isDue(change, id)) await publishChangeSet(change, kinds, id, undefined);
}

/** Notes why a change set that is due could not be published. */
export async function failDue(change: Change, id: number, error: ApiError): Promise<void> {
  if (!(await isDue(change, id))) return;
  const set = await requireEditable(change.tx, id);
  const failure = toFailure({ error });
  await saveSet(change.tx, {
    ...toEdited(set, change.now),
    ...{ state: 'failed', failure: JSON.stringify(failure) },
  });
  notify(change, 'failed', set, { failure });
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
}

async function planPublication(
  { tx }: Change,
  kinds: KindsByName,
  id: number,
  resolve: PublishRequest['resolve'],
): Promise<PlannedPublication> {
  const set = await requireEditable(tx, id);
  const items = await loadItems(tx, id, kinds);
  if (items.length === 0) throw apiError('changeset.empty', {});
  return { set, items, planned: await planItems(tx, items, resolve) };
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
  published: Published,
): Promise<void> {
  const done: { readonly item: SetItem; readonly state: ObjectState | undefined }[] = [];
  for (const { item, isDone } of planned)
    if (!isDone) done.push({ item, state: await item.kind.find(change.tx, item.id) });
  const texts = done.map(({ item, state }) => (state === undefined ? [] : (item.kind.texts?.(state) ?? [])));
  change.inspect(texts.flat(), (reports) => {
    const rest = [...reports];
    published.results = done.map(({ item, state }, index) =>
      toResult(item, state, index, rest.splice(0, texts[index]?.length ?? 0)),
    );
  });
}

function toResult(
  item: SetItem,
  state: ObjectState | undefined,
  index: number,
  reports: readonly TextReport[],
): object {
  const { kind, id } = item;
  const collection = kind.namesOf(state ?? item.base ?? { id }).collection;
  const common = {
    ...{ index, op: findOp(item), kind: kind.name, id },
    ...(collection === undefined ? {} : { collection }),
  };
  if (state === undefined) return { ...common, deleted: true };
  const updatedAt = findUpdatedAt(state);
  const warnings: readonly Warning[] = listWarnings(kind, state, reports);
  return {
    ...common,
    ...(updatedAt === undefined ? {} : { updated_at: updatedAt }),
    ...(kind.texts === undefined ? {} : { warnings }),
  };
}
