/**
 * The one way to change content (DESIGN 4).
 *
 * Changes run one after another on the writer connection. Those that wait at the same moment share one SQLite
 * transaction, because a commit that survives power loss costs many times what a change costs (group commit).
 * Each has a savepoint of its own. What holds:
 *
 *  1. A change that fails is rolled back to its savepoint; it leaves no trace and does not touch its neighbours.
 *  2. Nobody is answered before the common COMMIT has returned. If it fails, every change of the group fails.
 *  3. After COMMIT and before any caller goes on: the content version is raised by one per change, then the
 *     listeners run (the page cache is cleared there), then the `after` functions. A caller who has an answer can
 *     therefore never be shown the state before it. What no page shows goes through `administer()`, which leaves
 *     version and listeners alone.
 *  4. Readers see nothing of a group before its COMMIT.
 *
 * Inside a change only its own database is awaited. Anything slow (a worker, another host) belongs before or after
 * it: the whole queue would wait.
 */

import { type Clock, unixSeconds } from './clock.ts';
import { isBusy } from './db/lock.ts';
import type { ContentDb } from './db/tables.ts';
import { ApiError, apiError } from './errors.ts';
import type { Actor } from './http/route.ts';
import type { Log } from './log.ts';

/** What was done to one object; listeners turn it into live updates, webhooks and the like. */
export type ChangeRecord = {
  readonly action: 'create' | 'update' | 'delete';
  readonly id: number;
} & (
  | { readonly kind: 'page' | 'asset' | 'snippet' }
  | { readonly kind: 'redirect'; readonly root_id: number; readonly source: string }
);

/** A change in progress, as services see it. */
export interface Change {
  /** The writer connection inside the transaction: sees what this change has written so far. */
  readonly tx: ContentDb;
  readonly actor: Actor;
  /** Unix seconds, the same for the whole change. */
  readonly now: number;
  record(entry: ChangeRecord): void;
  /** Runs after a successful commit, before the caller is answered. A failure is logged and changes nothing. */
  after(task: () => void): void;
}

export interface Commit {
  readonly actor: Actor;
  readonly records: readonly ChangeRecord[];
}

export interface Changes {
  /**
   * Runs `work` as one atomic change and answers with its value once it is on disk.
   *
   * @throws what `work` throws, with nothing written; `common.busy` when the database stays locked by another process
   */
  change<T>(actor: Actor, work: (change: Change) => Promise<T>): Promise<T>;
  /**
   * As `change`, for what no page shows (accounts, sessions, tokens, settings): the content version stays and no
   * listener is called.
   */
  administer<T>(actor: Actor, work: (change: Change) => Promise<T>): Promise<T>;
  /** Called synchronously after every commit with the changes it made durable, in order. */
  onCommit(listener: (commits: readonly Commit[]) => void): void;
  /** One Int32, read with Atomics: the content version, raised by every committed change. */
  readonly contentVersion: SharedArrayBuffer;
  /** Resolves when nothing is queued or running. */
  idle(): Promise<void>;
}

export interface ChangesOptions {
  readonly writer: ContentDb;
  readonly clock: Clock;
  readonly log: Log;
  /** How long a locked database is tried again before the waiting changes fail, in milliseconds. */
  readonly busyTimeoutMs?: number;
}

interface Pending {
  readonly actor: Actor;
  /** Whether pages may look different afterwards. */
  readonly isContent: boolean;
  run(change: Change): Promise<unknown>;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

interface Finished {
  readonly pending: Pending;
  readonly value: unknown;
  readonly records: readonly ChangeRecord[];
  readonly afterTasks: readonly (() => void)[];
}

/** A group takes no further change after this time, so that the event loop gets its turn. */
const groupTimeMs = 8;
const busyRetryMs = 25;

export function createChanges(options: ChangesOptions): Changes {
  const { writer, clock, log, busyTimeoutMs = 5000 } = options;
  const contentVersion = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  const version = new Int32Array(contentVersion);
  const listeners: ((commits: readonly Commit[]) => void)[] = [];
  const queue: Pending[] = [];
  let scheduled = false;
  let busySince: number | undefined;
  const idleWaiters: (() => void)[] = [];

  return {
    contentVersion,
    change: (actor, work) => enqueue(actor, true, work),
    administer: (actor, work) => enqueue(actor, false, work),
    onCommit(listener) {
      listeners.push(listener);
    },
    idle() {
      if (!scheduled) return Promise.resolve();
      return new Promise((resolve) => idleWaiters.push(resolve));
    },
  };

  function enqueue<T>(actor: Actor, isContent: boolean, work: (change: Change) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      // `value` is what `work` gave: the boundary where the queue forgets the type of each change.
      queue.push({ actor, isContent, run: work, resolve: (value) => resolve(value as T), reject });
      schedule();
    });
  }

  /** Waits for the end of the current turn of the event loop: requests that are read in it join the group. */
  function schedule(): void {
    if (scheduled) return;
    scheduled = true;
    setImmediate(runQueue);
  }

  async function runQueue(): Promise<void> {
    const began = begin();
    if (began === 'busy') {
      setTimeout(runQueue, busyRetryMs);
      return;
    }
    if (began === 'begun') settle(await runGroup());
    if (queue.length > 0) {
      setImmediate(runQueue);
      return;
    }
    scheduled = false;
    for (const waiter of idleWaiters.splice(0)) waiter();
  }

  /** Opens the transaction; `failed` means that everything queued has been refused. */
  function begin(): 'begun' | 'busy' | 'failed' {
    try {
      writer.execute('BEGIN IMMEDIATE');
      busySince = undefined;
      return 'begun';
    } catch (error) {
      const now = performance.now();
      busySince ??= now;
      if (isBusy(error) && now - busySince < busyTimeoutMs) return 'busy';
      busySince = undefined;
      refuse(queue.splice(0), error);
      return 'failed';
    }
  }

  /** Runs queued changes until none waits or the time is up, and commits them together. */
  async function runGroup(): Promise<Finished[]> {
    const finished: Finished[] = [];
    const end = performance.now() + groupTimeMs;
    for (let pending = queue.shift(); pending !== undefined; pending = queue.shift()) {
      try {
        finished.push(await runOne(pending));
      } catch (error) {
        pending.reject(toApiError(error));
        if (!writer.inTransaction) {
          // Errors such as a full disk end the whole transaction, and the finished changes with it.
          refuse(finished.map(pendingOf), error);
          return [];
        }
      }
      if (performance.now() >= end) break;
    }
    try {
      writer.execute('COMMIT');
    } catch (error) {
      if (writer.inTransaction) writer.execute('ROLLBACK');
      refuse(finished.map(pendingOf), error);
      return [];
    }
    return finished;
  }

  async function runOne(pending: Pending): Promise<Finished> {
    const records: ChangeRecord[] = [];
    const afterTasks: (() => void)[] = [];
    writer.execute('SAVEPOINT change');
    try {
      const value = await pending.run({
        tx: writer,
        actor: pending.actor,
        now: unixSeconds(clock),
        record: (entry) => records.push(entry),
        after: (task) => afterTasks.push(task),
      });
      writer.execute('RELEASE change');
      return { pending, value, records, afterTasks };
    } catch (error) {
      undoOne();
      throw error;
    }
  }

  /** Back to the savepoint; should even that fail, the whole group goes rather than half a change stays. */
  function undoOne(): void {
    if (!writer.inTransaction) return;
    try {
      writer.execute('ROLLBACK TO change; RELEASE change');
    } catch (error) {
      log.error({ err: error }, 'a savepoint could not be rolled back');
      writer.execute('ROLLBACK');
    }
  }

  function settle(finished: readonly Finished[]): void {
    if (finished.length === 0) return;
    const content = finished.filter(({ pending }) => pending.isContent);
    if (content.length > 0) {
      Atomics.add(version, 0, content.length);
      const commits = content.map(({ pending, records }) => ({ actor: pending.actor, records }));
      for (const listener of listeners) guarded(() => listener(commits));
    }
    for (const { afterTasks } of finished) for (const task of afterTasks) guarded(task);
    for (const { pending, value } of finished) pending.resolve(value);
  }

  /** The change is on disk: what reacts to it may fail, but not take it back. */
  function guarded(task: () => void): void {
    try {
      task();
    } catch (error) {
      log.error({ err: error }, 'a reaction to a committed change failed');
    }
  }

  function refuse(refused: readonly Pending[], error: unknown): void {
    for (const pending of refused) pending.reject(toApiError(error));
  }
}

function pendingOf(finished: Finished): Pending {
  return finished.pending;
}

/** Storage that is busy or full is the caller's to try again; everything else stays what it is. */
function toApiError(error: unknown): unknown {
  if (error instanceof ApiError) return error;
  if (isBusy(error)) return apiError('common.busy', {}, { cause: error, headers: [['Retry-After', '1']] });
  return error;
}
