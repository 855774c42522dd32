/** What can be reverted, and the answer to it. */
import type { Actor } from '../../../base/actor.ts';
import { apiError, invalid } from '../../../base/errors.ts';
import type { Change, Changes } from '../../../changes/changes.ts';
import {
  findJournal,
  type JournalKey,
  journalLimits,
  markReverted,
  type StoredJournal,
  saveReverted,
} from '../../../content/kinds/journal/journal.ts';
import type { ObjectKey } from '../../../content/kinds/kind.ts';
import { listReadable } from '../../../content/kinds/readable.ts';
import type { KindsByName } from '../../../content/kinds/usage.ts';
import { limitReads } from '../../../db/readable-rows.ts';
import { deferReferences } from '../../../db/schema.ts';
import type { ContentDb } from '../../../db/tables.ts';
import { noSideEffects } from '../../../db/undo/side-effects.ts';
import { requireSet, saveSet, toEdited } from '../service.ts';
import { collectWork } from './author.ts';
import type { Reverted, RevertQuestion } from './model.ts';
import { type DoneRevert, type RevertSubject, revert } from './revert.ts';

export interface RevertDeps {
  readonly reader: ContentDb;
  readonly changes: Changes;
  readonly kinds: KindsByName;
}

/** Something that can be reverted once. */
interface Revertible {
  readonly subject: RevertSubject;
  /** Notes what has reverted it. */
  mark(setId: number): Promise<void>;
}

/** Carries the result of a dry run out of its change, which it undoes. */
class DryRun extends Error {
  readonly result: Reverted;

  constructor(result: Reverted) {
    super('a dry run changes nothing');
    this.result = result;
  }
}

/** POST /change-sets/{id}/revert. @throws ApiError `common.notFound`, 409 `changeset.*`, and errors of the kinds */
export function revertChangeSet(
  deps: RevertDeps,
  actor: Actor,
  id: number,
  isDry: boolean,
): Promise<Reverted> {
  return run(deps, actor, isDry, (change) => findOfSet(change, id));
}

/** POST /change-sets/revert. @throws ApiError 400 `common.invalid`, `common.notFound`, 409 `changeset.*` */
export function revertOther(deps: RevertDeps, actor: Actor, question: RevertQuestion): Promise<Reverted> {
  const isDry = question.dry_run === true;
  const find = chooseSubject(deps.kinds, question);
  return run(deps, actor, isDry, find);
}

/** Finds what is asked for. @throws ApiError `common.invalid` unless it is exactly one thing */
function chooseSubject(
  kinds: KindsByName,
  { batch, import: job, push, author, from, to }: RevertQuestion,
): (change: Change) => Promise<Revertible> {
  const asked = [batch, job, push, author].filter((one) => one !== undefined);
  if (asked.length !== 1) throw invalid('body', 'must have one of batch, import, push and author');
  if (batch !== undefined) return (change) => findKept(change, { source: 'batch', key: batch });
  if (job !== undefined) return (change) => findKept(change, { source: 'import', key: job });
  if (push !== undefined) return (change) => findOfSet(change, push, 'push');
  if (from === undefined) throw invalid('from', 'is missing');
  if (to !== undefined && to < from) throw invalid('to', 'must not be before from');
  return (change) => findOfAuthor(change, kinds, { author: author ?? '', from, to: to ?? change.now });
}

async function run(
  { reader, changes, kinds }: RevertDeps,
  actor: Actor,
  isDry: boolean,
  find: (change: Change) => Promise<Revertible>,
): Promise<Reverted> {
  try {
    // Alone, because references are checked at the end of its transaction.
    const done = await changes.changeInOwnTransaction(actor, async (change) => {
      const { subject, mark } = await find(change);
      deferReferences(change.tx);
      const reverted = await revert(change, kinds, subject, { allowsFaults: isDry });
      await mark(reverted.set.id);
      // It is thrown when the results are known.
      if (isDry) change.inspect([], () => throwResult(reverted));
      return reverted;
    });
    return await hideUnreadable(reader, actor, present(done, done.set.id));
  } catch (error) {
    if (error instanceof DryRun) return await hideUnreadable(reader, actor, error.result);
    throw error;
  }
}

/** The result without what the caller may not read: that it was not reverted is nobody else's business. */
async function hideUnreadable(reader: ContentDb, { grants }: Actor, result: Reverted): Promise<Reverted> {
  const limits = grants && limitReads(grants);
  const filter = <Known extends ObjectKey>(objects: readonly Known[]) =>
    listReadable(reader, grants, limits, objects);
  const skipped: Reverted['skipped'] = [];
  for (const one of await filter(result.skipped))
    skipped.push(one.by === undefined ? one : { ...one, by: [...(await filter(one.by))] });
  return { ...result, skipped };
}

function throwResult(done: DoneRevert): never {
  throw new DryRun({ ...present(done, null), faults: [...done.faults] });
}

function present({ skipped, renumbered, outcome }: DoneRevert, setId: number | null): Reverted {
  const { results } = outcome;
  return { change_set: setId, skipped: [...skipped], results: [...results], renumbered };
}

/** @throws ApiError `common.notFound`, 409 `changeset.closed`, `changeset.reverted`, `changeset.notKept` */
async function findOfSet({ tx, actor, now }: Change, id: number, purpose?: string): Promise<Revertible> {
  const set = await requireSet(tx, actor, id);
  if (purpose !== undefined && set.purpose !== purpose) throw apiError('common.notFound', {});
  if (set.state !== 'published') throw apiError('changeset.closed', { id, state: set.state });
  if (set.reverted_by !== null) throw apiError('changeset.reverted', { by: set.reverted_by });
  const journal = await findJournal(tx, { source: 'change_set', key: String(id) });
  return {
    subject: { ...toSubject(journal), name: set.name },
    mark: async (setId) => void (await saveSet(tx, { ...toEdited(set, now), reverted_by: setId })),
  };
}

/** @throws ApiError `common.notFound`, 409 `changeset.reverted`, `changeset.notKept` */
async function findKept({ tx, now }: Change, of: JournalKey): Promise<Revertible> {
  const journal = await findJournal(tx, of);
  if (journal === undefined || journal.at <= now - journalLimits.seconds)
    throw apiError('common.notFound', {});
  if (journal.reverted_by !== null) throw apiError('changeset.reverted', { by: journal.reverted_by });
  return {
    subject: { ...toSubject(journal), name: of.key },
    mark: (setId) => markReverted(tx, journal, setId),
  };
}

/** @throws ApiError 409 `changeset.reverted`, `changeset.notKept` */
async function findOfAuthor(
  change: Change,
  kinds: KindsByName,
  work: { readonly author: string; readonly from: number; readonly to: number },
): Promise<Revertible> {
  const of: JournalKey = { source: 'author', key: JSON.stringify([work.author, work.from, work.to]) };
  const known = await findJournal(change.tx, of);
  if (known !== undefined) throw apiError('changeset.reverted', { by: known.reverted_by ?? 0 });
  const { objects, skipped } = await collectWork(change, kinds, work);
  if (objects.length + skipped.length > journalLimits.objects) throw notKept();
  return {
    subject: { name: work.author, objects, skipped, effects: noSideEffects },
    mark: (setId) => saveReverted(change, of, setId),
  };
}

/** @throws ApiError 409 `changeset.notKept` */
function toSubject(journal: StoredJournal | undefined): Omit<RevertSubject, 'name'> {
  if (journal === undefined || journal.objects > journalLimits.objects) throw notKept();
  return { objects: journal.list, effects: journal.effects, skipped: [] };
}

function notKept() {
  return apiError('changeset.notKept', { max: journalLimits.objects });
}
