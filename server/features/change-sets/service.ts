/** Change sets themselves: the list, their names and times, and what has become of them. */
import type { Actor } from '../../base/actor.ts';
import { formatAuthor } from '../../base/actor.ts';
import { nextUpdatedAt } from '../../base/clock.ts';
import { findReadLimits, withoutReadLimits } from '../../base/content-overlay.ts';
import { apiError, requireText } from '../../base/errors.ts';
import type { Change } from '../../changes/changes.ts';
import type { Kind, ObjectKey } from '../../content/kinds/kind.ts';
import { isThere } from '../../content/kinds/readable.ts';
import { requireChangeableKind } from '../../content/kinds/registry.ts';
import type { KindsByName } from '../../content/kinds/usage.ts';
import type { ContentDb } from '../../db/tables.ts';
import { noteSitting } from '../audit/sittings.ts';
import type { ReviewedSets } from '../reviews/reviewed-sets.ts';
import { findMissingApproval, readReview } from '../reviews/service.ts';
import { decideItems, requireReadableSet } from './decide-items.ts';
import { type FieldValues, readBodyFields, readFields } from './fields.ts';
import { findItem, hashItems, loadItems, type SetItem } from './items.ts';
import {
  type ChangeSet,
  type ChangeSetCreate,
  type ChangeSetQuery,
  type ChangeSetUpdate,
  changeSetLimits,
  type PublishFailure,
} from './model.ts';
import { listConflicts, planItems } from './plan.ts';
import * as store from './store.ts';

/** Objects that the answer about a change set names. */
const maxShownObjects = 1000;

/** GET /change-sets: newest first. */
export async function listChangeSets(
  db: ContentDb,
  kinds: KindsByName,
  actor: Actor,
  { state, purpose, kind, id, objects = false }: ChangeSetQuery,
): Promise<ChangeSet[]> {
  const rows = state === undefined ? await store.listSets(db) : await store.listSetsIn(db, state);
  const having =
    kind === undefined || id === undefined
      ? undefined
      : new Set((await store.listItemsOf(db, kind, id)).map((row) => row.change_set_id));
  const shown: ChangeSet[] = [];
  for (const row of rows) {
    if (purpose !== undefined && row.purpose !== purpose) continue;
    if (!maySee(actor, row)) continue;
    if (having !== undefined && !having.has(row.id)) continue;
    shown.push(await presentSet(db, kinds, row, objects));
  }
  return shown;
}

/** POST /change-sets. @throws ApiError `common.invalid`, 413 `changeset.tooMany` */
export async function createChangeSet(
  change: Change,
  { name, note = '', purpose = 'release' }: ChangeSetCreate,
): Promise<store.ChangeSetRow> {
  const { tx, actor, now } = change;
  requireText('name', name);
  const set = await insertChangeSet(tx, actor, now, { name, note, purpose });
  await noteWork(change, set);
  return set;
}

/** @throws ApiError 413 `changeset.tooMany` */
export async function insertChangeSet(
  db: ContentDb,
  actor: Actor,
  now: number,
  fields: Pick<store.ChangeSetRow, 'name' | 'note' | 'purpose'>,
): Promise<store.ChangeSetRow> {
  await store.deleteDiscardedBefore(db, now - changeSetLimits.discardedSeconds);
  const max = changeSetLimits.unfinished;
  if ((await store.countUnfinished(db)) >= max) throw apiError('changeset.tooMany', { max });
  const row = {
    ...fields,
    state: 'open',
    author: formatAuthor(actor),
    created_at: now,
    updated_at: now,
    ...{ publish_at: null, published_at: null, discarded_at: null, reverted_by: null, failure: null },
    ...{ scheduled_by: null, owner: fields.purpose === 'dev' ? formatOwner(actor) : null },
  };
  return { id: await store.insertSet(db, row), ...row };
}

/** Forgets a change set that does nothing, as if it had never been. */
export async function forgetChangeSet(db: ContentDb, id: number): Promise<void> {
  await store.deleteSet(db, id);
}

/** @throws ApiError `common.notFound`, also for a set that only another developer sees */
export async function requireSet(db: ContentDb, actor: Actor, id: number): Promise<store.ChangeSetRow> {
  const row = await store.findSet(db, id);
  if (row === undefined || !maySee(actor, row)) throw apiError('common.notFound', {});
  return row;
}

/** Callers without a credential reach no route of change sets; the server itself and preview links come as such. */
function maySee(actor: Actor, { owner }: Pick<store.ChangeSetRow, 'owner'>): boolean {
  return owner === null || actor.kind === 'none' || owner === formatOwner(actor);
}

function formatOwner(actor: Actor): string {
  if (actor.kind === 'session') return `${actor.kind} ${actor.userId}`;
  return actor.kind === 'token' ? `${actor.kind} ${actor.id}` : actor.kind;
}

/** @throws ApiError `common.notFound`, 409 `changeset.closed` */
export async function requireEditable(db: ContentDb, actor: Actor, id: number): Promise<store.ChangeSetRow> {
  const row = await requireSet(db, actor, id);
  if (row.state === 'published' || row.state === 'discarded')
    throw apiError('changeset.closed', { id, state: row.state });
  return row;
}

/** PUT /change-sets/{id}. @throws ApiError 400 `changeset.timePast`, 409 `changeset.closed`, `changeset.notApproved` */
export async function updateChangeSet(
  change: Change,
  kinds: KindsByName,
  id: number,
  { name, note, publish_at: time }: ChangeSetUpdate,
): Promise<store.ChangeSetRow> {
  const { tx, actor, now } = change;
  const row = await requireEditable(tx, actor, id);
  if (name !== undefined) requireText('name', name);
  if (typeof time === 'number' && time <= now) throw apiError('changeset.timePast', { publish_at: time });
  if (typeof time === 'number') {
    const items = await loadItems(tx, id, kinds);
    await decideItems(change, items, 'publication');
    await requireApproval(tx, id, items);
  }
  const edited = toEdited(row, now);
  const publishAt = time === undefined ? edited.publish_at : time;
  const state = publishAt === null ? 'open' : 'scheduled';
  await noteWork(change, row);
  return saveSet(tx, {
    ...edited,
    ...{ name: name ?? row.name, note: note ?? row.note, publish_at: publishAt, state },
    ...(time === undefined ? {} : { scheduled_by: formatScheduler(actor) }),
  });
}

/** Who is asked for rights when a change set is due. */
export interface Scheduler {
  readonly kind: 'session' | 'token';
  /** ID of the user or token. */
  readonly id: number;
}

/** @returns JSON of a {@link Scheduler}; null for one who may do everything for ever */
function formatScheduler(actor: Actor): string | null {
  if (actor.kind === 'session') return JSON.stringify({ kind: actor.kind, id: actor.userId });
  return actor.kind === 'token' ? JSON.stringify({ kind: actor.kind, id: actor.id }) : null;
}

/** DELETE /change-sets/{id}: it stays readable for a time. @throws ApiError 409 `changeset.closed` */
export async function discardChangeSet(change: Change, kinds: KindsByName, id: number): Promise<void> {
  const { tx, actor } = change;
  const row = await requireEditable(tx, actor, id);
  await decideItems(change, await loadItems(tx, id, kinds), 'draft');
  await noteWork(change, row);
  await saveDiscarded(change, row);
}

/** Discards a change set of a developer that is older than a day; does nothing otherwise. */
export async function discardOldDevSet(change: Change, id: number): Promise<void> {
  const row = await store.findSet(change.tx, id);
  const isDone = row === undefined || row.state === 'published' || row.state === 'discarded';
  if (isDone || row.purpose !== 'dev' || row.created_at + changeSetLimits.devSeconds > change.now) return;
  await saveDiscarded(change, row);
}

async function saveDiscarded({ tx, now }: Change, row: store.ChangeSetRow): Promise<void> {
  await saveSet(tx, { ...toEdited(row, now), state: 'discarded', publish_at: null, discarded_at: now });
}

/** Notes for the audit that somebody works on a change set. */
export function noteWork(change: Change, { id, name }: Pick<store.ChangeSetRow, 'id' | 'name'>) {
  return noteSitting(change, { kind: 'change_set', id, name });
}

/** @throws ApiError 409 `changeset.notApproved` */
export async function requireApproval(db: ContentDb, id: number, items: readonly SetItem[]): Promise<void> {
  const missing = await findMissingApproval(db, { id, hash: hashItems(items) });
  if (missing !== undefined) throw missing;
}

/** Change sets as their reviewers see them. */
export function createReviewedSets(kinds: KindsByName): ReviewedSets {
  return {
    async requireOpen(db, actor, id) {
      const { author } = await requireEditable(db, actor, id);
      const items = await loadItems(db, id, kinds);
      const authors = new Set([author, ...items.flatMap((item) => item.authors)]);
      return { id, authors: [...authors], hash: hashItems(items) };
    },
    async openObjects(db, actor, setId) {
      await requireSet(db, actor, setId);
      const items = await loadItems(db, setId, kinds);
      return (now, { kind: name, id }) => readWithItem(now, items, requireChangeableKind(kinds, name), id);
    },
    requireReadable: requireReadableSet,
    noteWork: async (change, id) => noteWork(change, await requireSet(change.tx, change.actor, id)),
  };
}

/** The fields of an object as a change set would make them, where only it has changed them. */
async function readWithItem(
  db: ContentDb,
  items: readonly SetItem[],
  kind: Kind,
  id: number,
): Promise<FieldValues | undefined> {
  const item = findItem(items, kind, id);
  const known = (await kind.find(db, id)) ?? item?.base;
  if (known === undefined && item?.creation === undefined) return undefined;
  return { ...readFields(kind, known), ...readBodyFields(kind, item?.creation ?? {}), ...item?.fields };
}

/** Notes that something in a change set was changed: a failed one may be tried again. */
export function toEdited(row: store.ChangeSetRow, now: number): store.ChangeSetRow {
  const edited = { ...row, updated_at: nextUpdatedAt(now, row.updated_at) };
  return row.state === 'failed' ? { ...edited, state: 'open', publish_at: null, failure: null } : edited;
}

export async function saveSet(db: ContentDb, row: store.ChangeSetRow): Promise<store.ChangeSetRow> {
  await store.updateSet(
    db,
    row.id,
    ...([row.name, row.note, row.purpose, row.state, row.author, row.created_at] as const),
    ...([row.updated_at, row.publish_at, row.published_at, row.discarded_at] as const),
    ...([row.reverted_by, row.failure, row.scheduled_by] as const),
  );
  return row;
}

/** Why a set has failed, without what the caller may not read. */
async function presentFailure(
  db: ContentDb,
  items: readonly SetItem[],
  failure: PublishFailure,
): Promise<PublishFailure> {
  if (findReadLimits() === undefined) return failure;
  const isReadable = async ({ kind, id }: ObjectKey) =>
    items.some((item) => item.kind.name === kind && item.id === id) || (await isThere(db, kind, id));
  for (const object of listNamedObjects(failure.params))
    if (!(await isReadable(object)))
      return { code: failure.code, error: 'It is about an object that you may not read.', params: {} };
  return failure;
}

/** The objects that are named anywhere in a value. */
function listNamedObjects(value: unknown): ObjectKey[] {
  if (typeof value !== 'object' || value === null) return [];
  const { kind, id }: { readonly kind?: unknown; readonly id?: unknown } = value;
  const named = typeof kind === 'string' && typeof id === 'number' ? [{ kind, id }] : [];
  return [...named, ...Object.values(value).flatMap(listNamedObjects)];
}

/** The answer to GET. */
export async function presentSet(
  db: ContentDb,
  kinds: KindsByName,
  row: store.ChangeSetRow,
  withObjects = false,
): Promise<ChangeSet> {
  const { discarded_at: _discarded, scheduled_by: _scheduler, owner: _owner, failure, ...fields } = row;
  const items = await loadItems(db, row.id, kinds);
  const isLimited = findReadLimits() !== undefined;
  // What was said is about all of it, though the caller may see only a part.
  const all = isLimited ? await withoutReadLimits(() => loadItems(db, row.id, kinds)) : items;
  const isDone = row.state === 'published' || row.state === 'discarded';
  const conflicts = isDone ? [] : listConflicts(await planItems(db, items));
  return {
    ...fields,
    // Type boundary: only this feature writes these columns.
    purpose: row.purpose as ChangeSet['purpose'],
    state: row.state as ChangeSet['state'],
    review: await readReview(db, { id: row.id, hash: hashItems(all) }),
    failure: failure === null ? null : await presentFailure(db, items, JSON.parse(failure) as PublishFailure),
    items: items.length,
    ...(withObjects ? { objects: listObjects(items) } : {}),
    conflicts: conflicts.length,
  };
}

function listObjects(items: readonly SetItem[]): NonNullable<ChangeSet['objects']> {
  return items.slice(0, maxShownObjects).map(({ kind, id }) => ({ kind: kind.name, id }));
}
