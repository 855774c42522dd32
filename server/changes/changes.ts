/**
 * The one way to change content.
 *
 * Changes run one after another on the writer connection. Those that wait at the same moment share one SQLite
 * transaction, because a commit that survives power loss costs many times what a change costs (group commit).
 * Each has a savepoint of its own, except those of very many rows, which share with no other. What holds:
 *
 *  1. A change that fails is rolled back to its savepoint; it leaves no trace and does not touch others.
 *  2. Nobody is answered before the common COMMIT has returned. If it fails, every change of the group fails.
 *  3. After COMMIT and before any caller goes on: the content version moves by one per change (the page cache
 *     is cleared then), followers read again what they hold, then they react, then the `after` functions run.
 *     A caller who has an answer can therefore never be shown the state before it. A change that wrote nothing
 *     leaves version and followers alone, unless it announces an event. Nothing reacts to changes that no page
 *     shows; they go through `changeUnversioned()`, or `aside()` where a change of content writes such rows too.
 *  4. Readers see nothing of a group before its COMMIT.
 *  5. With several nodes (`order`) all of this holds for all of them: a group begins with what the last group of any
 *     node has left, and nobody is answered before every node that serves has applied the group.
 *
 * Inside a change only its own database is awaited. Anything slow (a worker, another host) belongs before or
 * after the change: the whole queue would wait. Reports about texts are the one exception that `inspect`
 * hides: a change that needs a missing report is undone, and run again when the report is there. So `work` may
 * run several times.
 */

import { setTimeout as pause } from 'node:timers/promises';
import { createFullInvalidation, type LoggedChange } from '../../runtime/content/change-log.ts';
import type { Actor } from '../base/actor.ts';
import type { Clock } from '../base/clock.ts';
import { ApiError, apiError, busy } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import type { LargeCommits } from '../db/large-commits.ts';
import { isBusy, isStorageFull } from '../db/sqlite-errors.ts';
import type { ContentDb } from '../db/tables.ts';
import type { Change } from './change.ts';
import { ChangeLog, changesSince } from './change-log.ts';
import { type ChangeResult, ChangeRunner, type ChangeWork } from './change-runner.ts';
import { ChangeCheck, type CommitCheck, UncheckedChange } from './commit-check.ts';
import { type CommitCoordinator, OutcomeUnknown, WriteLockUnavailable } from './commit-coordinator.ts';
import type { ContentVersion } from './content-version.ts';
import { type Committed, Followers } from './followers.ts';
import { Outlets } from './outlets.ts';
import type { Commit } from './record.ts';
import { type InspectText, MissingReports } from './running.ts';
import type { TextReport } from './text-analysis.ts';
import { TransactionOpener } from './transaction-opener.ts';

export type { Change } from './change.ts';

export interface ChangeFigures {
  /** Changes that wait for their turn now. */
  readonly waiting: number;
  /** Committed changes, and the commits that they share. */
  readonly changes: number;
  readonly commits: number;
  /** Time of these commits, which wait for the disk. */
  readonly commitSeconds: number;
}

export interface ChangesOptions {
  readonly writer: ContentDb;
  /** Moved by every committed change of content. */
  readonly version: ContentVersion;
  readonly clock: Clock;
  readonly log: Log;
  /** Without it no change may call `Change.inspect`. */
  readonly inspectText?: InspectText;
  /** Keeps commits of very many rows short. */
  readonly largeCommits?: Pick<LargeCommits, 'begin' | 'beforeCommit' | 'end'>;
  /** The order of changes that this node has in common with others; undefined for one that is alone. */
  readonly order?: CommitCoordinator | undefined;
  /** How long a locked database is tried again before the waiting changes fail, in milliseconds. */
  readonly busyTimeoutMs?: number;
}

interface PendingChange extends ChangeWork {
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

interface ExecutedChange extends ChangeResult {
  readonly pending: PendingChange;
}

interface CommittedGroup {
  readonly finished: readonly ExecutedChange[];
  /** Resolves when all other nodes have applied the group; undefined if there are none. */
  readonly applied?: Promise<void> | undefined;
}

/** A group takes no further change after this time in milliseconds, so that the event loop gets its turn. */
const groupTimeMs = 8;
const busyRetryMs = 25;
const defaultBusyTimeoutMs = 5000;
/** How often followers are told a commit before its answer, and the times between, in milliseconds. */
const maxRefreshes = 3;
const refreshRetryMs = 50;
/** When followers that still do not know it are told again, if no other change comes before, in milliseconds. */
const laterMs = 1_000;
/** A change asks for new texts in a second run only if another change came between; hardly ever in a third. */
const maxRuns = 10;

export class Changes {
  readonly #options: ChangesOptions;
  readonly #log: ChangeLog;
  readonly #runner: ChangeRunner;
  readonly #transaction: TransactionOpener;
  /** What happens after commits, of this node and of others. */
  readonly followers: Followers;
  /** What events are stored with changes, until they have gone out (`event-outbox.ts`). */
  readonly outlets = new Outlets();
  /** Looks at changes whose callers want it (`Actor.pageCheck`); set before the first request. */
  commitCheck: CommitCheck | undefined;
  readonly #queue: PendingChange[] = [];
  #scheduled = false;
  readonly #idleWaiters: (() => void)[] = [];
  /** Resolves when the last group has been answered. */
  #lastAnswer: Promise<void> = Promise.resolve();
  readonly #figures = { commits: 0, changes: 0, commitSeconds: 0 };

  constructor(options: ChangesOptions) {
    const { writer, version, clock, log, inspectText, order, busyTimeoutMs = defaultBusyTimeoutMs } = options;
    this.#options = options;
    this.followers = new Followers(version, log);
    this.#log = new ChangeLog(writer);
    this.#runner = new ChangeRunner(
      { writer, version, clock, log, inspectText, outlets: this.outlets },
      this.#log,
    );
    this.#transaction = new TransactionOpener({ writer, order, busyTimeoutMs });
  }

  /**
   * Runs `work` as one atomic change and answers with its value once the change is on disk.
   *
   * @throws the error of `work`, with nothing written; `common.busy` when another process keeps the database
   *   locked
   */
  change<T>(actor: Actor, work: (change: Change) => Promise<T>): Promise<T> {
    return this.#enqueue({ actor, isContent: true, isAlone: false }, work);
  }

  /**
   * Like `change`, for one that may write very many rows. Runs in its own transaction. In a savepoint SQLite would
   * copy every changed page to a temporary file.
   */
  changeInOwnTransaction<T>(actor: Actor, work: (change: Change) => Promise<T>): Promise<T> {
    return this.#enqueue({ actor, isContent: true, isAlone: true }, work);
  }

  /**
   * Like `change`, for data that no page shows (accounts, sessions, tokens, settings): the content version
   * stays the same and nothing reacts to it.
   */
  changeUnversioned<T>(actor: Actor, work: (change: Change) => Promise<T>): Promise<T> {
    return this.#enqueue({ actor, isContent: false, isAlone: false }, work);
  }

  /**
   * Changes wait as long as this work runs, however long it keeps the database locked; for indexes, which another
   * process makes.
   */
  waitFor(work: Promise<unknown>): Promise<void> {
    return this.#transaction.waitFor(work);
  }

  /** What the queue has done since the start of the server. */
  figures(): ChangeFigures {
    return { ...this.#figures, waiting: this.#queue.length };
  }

  /** Resolves when nothing is queued or running, and every reaction has begun. */
  async idle(): Promise<void> {
    if (this.#scheduled) await new Promise<void>((resolve) => this.#idleWaiters.push(resolve));
    await this.#lastAnswer;
  }

  /**
   * Resolves when every node that serves has applied what this node has applied now; undefined on one machine. Who
   * learns of a change later than that finds it on every node.
   *
   * @throws ApiError `common.busy` when that cannot be found out
   */
  whenAppliedEverywhere(): Promise<void> | undefined {
    return this.#options.order?.waitUntilApplied().catch((error: unknown) => {
      throw toApiError(error);
    });
  }

  /** Queues a change, again and again as long as it lacks reports, or a check that its caller wants. */
  async #enqueue<T>(
    how: Pick<ChangeWork, 'actor' | 'isContent' | 'isAlone'>,
    work: (change: Change) => Promise<T>,
  ): Promise<T> {
    const reports = new Map<string, TextReport>();
    const { pageCheck } = how.actor;
    const check = pageCheck && new ChangeCheck(this.commitCheck);
    for (let runs = 1; ; runs++) {
      try {
        const value = await this.#enqueueOnce({ ...how, run: work, reports, check });
        if (pageCheck !== undefined) check?.report(pageCheck);
        return value;
      } catch (error) {
        if (!(error instanceof MissingReports || error instanceof UncheckedChange)) throw error;
        if (runs === maxRuns) throw busy(1, error);
        if (error instanceof UncheckedChange) await check?.run(error);
        else
          await Promise.all([...error.reports].map(async ([key, report]) => reports.set(key, await report)));
      }
    }
  }

  #enqueueOnce<T>(change: ChangeWork & { run(change: Change): Promise<T> }): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      // Type boundary: `value` is the result of `run`; the queue does not know the type of each change.
      this.#queue.push({ ...change, resolve: (value) => resolve(value as T), reject });
      this.#schedule();
    });
  }

  /** Waits for the end of this turn of the event loop: requests that are read in it join the group. */
  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => this.#runQueue());
  }

  async #runQueue(): Promise<void> {
    const began = this.#transaction.begin();
    const outcome = began instanceof Promise ? await began : began;
    if (outcome === 'busy') {
      setTimeout(() => this.#runQueue(), busyRetryMs);
      return;
    }
    if (outcome === 'begun') await this.#settle(await this.#runGroup());
    else refuse(this.#queue.splice(0), outcome.failedWith);
    this.#options.order?.end();
    if (this.#queue.length > 0) {
      setImmediate(() => this.#runQueue());
      return;
    }
    this.#scheduled = false;
    for (const waiter of this.#idleWaiters.splice(0)) waiter();
  }

  async #runGroup(): Promise<CommittedGroup> {
    const { largeCommits } = this.#options;
    largeCommits?.begin();
    try {
      return await this.#commitGroup();
    } finally {
      largeCommits?.end();
    }
  }

  async #commitGroup(): Promise<CommittedGroup> {
    const { writer, largeCommits, order } = this.#options;
    const rowsBefore = writer.totalChanges();
    writer.writtenTables.clear();
    const finished = await this.#runPending();
    if (finished === undefined) return { finished: [] };
    try {
      await this.#log.prune();
      await largeCommits?.beforeCommit(writer.totalChanges() - rowsBefore);
      let applied: Promise<void> | undefined;
      const start = performance.now();
      if (order === undefined) writer.execute('COMMIT');
      else [applied] = await order.commit();
      // `#settle` looks at it later; until then its failure must not count as unhandled.
      applied?.catch(() => {});
      this.#figures.commitSeconds += (performance.now() - start) / 1000;
      this.#figures.commits += 1;
      this.#figures.changes += finished.length;
      return { finished, applied };
    } catch (error) {
      if (writer.inTransaction) writer.execute('ROLLBACK');
      refuse(finished.map(pendingOf), error);
      return { finished: [] };
    }
  }

  /** Runs queued changes until none waits or the time is up; undefined if the transaction has ended with an error. */
  async #runPending(): Promise<readonly ExecutedChange[] | undefined> {
    const finished: ExecutedChange[] = [];
    const end = performance.now() + groupTimeMs;
    for (let pending = this.#queue.shift(); pending !== undefined; pending = this.#nextOfGroup(pending)) {
      try {
        finished.push({ pending, ...(await this.#runner.run(pending)) });
      } catch (error) {
        pending.reject(toApiError(error));
        if (!this.#options.writer.inTransaction) {
          // Errors such as a full disk end the whole transaction, and the finished changes with it.
          refuse(finished.map(pendingOf), error);
          return undefined;
        }
      }
      if (performance.now() >= end) break;
    }
    return finished;
  }

  /** The change that shares the transaction of another one; undefined if none waits, or one of them is to be alone. */
  #nextOfGroup({ isAlone }: PendingChange): PendingChange | undefined {
    return isAlone || this.#queue[0]?.isAlone === true ? undefined : this.#queue.shift();
  }

  async #settle({ finished, applied }: CommittedGroup): Promise<void> {
    if (finished.length === 0) return;
    const commit = {
      changes: await this.#committedChanges(),
      tables: this.#options.writer.writtenTables.take(),
      isOwn: true,
    };
    await this.#refreshFollowers(commit);
    const answer = (): void => {
      const commits = commitsOf(finished);
      if (commits.length > 0) this.followers.react(commit, commits);
      for (const { afterTasks } of finished) for (const task of afterTasks) this.#guarded(task);
      for (const { pending, value } of finished) pending.resolve(value);
    };
    // The next group need not wait until other nodes have applied this one. Reactions keep the order of commits.
    if (applied === undefined) answer();
    else
      this.#lastAnswer = Promise.allSettled([applied, this.#lastAnswer]).then(([outcome]) => {
        if (outcome.status === 'fulfilled') answer();
        else refuse(finished.map(pendingOf), outcome.reason);
      });
  }

  /** Tells the followers, some times if one of them fails; then with the next change, which comes soon. */
  async #refreshFollowers(commit: Committed): Promise<void> {
    for (let tries = 1, owed = commit; tries <= maxRefreshes; tries++, owed = nothingNew) {
      try {
        await this.followers.refresh(owed);
        return;
      } catch {
        // The followers have logged it.
        await pause(refreshRetryMs);
      }
    }
    setTimeout(
      () => void this.changeUnversioned({ kind: 'none' }, async () => {}).catch(() => {}),
      laterMs,
    ).unref();
  }

  /** What the log says since the last version; if it cannot be read, everything counts as changed. */
  async #committedChanges(): Promise<readonly LoggedChange[]> {
    const { writer, version, log } = this.#options;
    try {
      return await changesSince(writer, version.current());
    } catch (error) {
      log.error({ err: error }, 'the change log could not be read');
      return [createFullInvalidation(version.current() + 1)];
    }
  }

  /** The change is on disk. A failing reaction is logged and cannot take the change back. */
  #guarded(task: () => void): void {
    try {
      task();
    } catch (error) {
      this.#options.log.error({ err: error }, 'a reaction to a committed change failed');
    }
  }
}

const nothingNew: Committed = { changes: [], tables: new Set(), isOwn: true };

function pendingOf(finished: ExecutedChange): PendingChange {
  return finished.pending;
}

/** What is told of changes of content, if they have written or announced something. */
function commitsOf(finished: readonly ExecutedChange[]): readonly Commit[] {
  return finished.flatMap(({ pending: { actor, isContent }, wrote, records, announcements }) =>
    isContent && (wrote || announcements.length > 0) ? [{ actor, records, announcements }] : [],
  );
}

function refuse(refused: readonly PendingChange[], error: unknown): void {
  for (const pending of refused) pending.reject(toApiError(error));
}

/** Locked or full storage becomes an error for the caller. Other errors stay as they are. */
function toApiError(error: unknown): unknown {
  if (error instanceof ApiError) return error;
  if (isBusy(error) || error instanceof WriteLockUnavailable) return busy(1, error);
  if (error instanceof OutcomeUnknown) return apiError('common.outcomeUnknown', {}, { cause: error });
  if (isStorageFull(error)) return apiError('common.storageFull', {}, { cause: error });
  return error;
}
