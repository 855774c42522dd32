/** Opens the transaction of a group of changes, however long another process keeps the database locked. */
import { isBusy } from '../db/sqlite-errors.ts';
import type { ContentDb } from '../db/tables.ts';
import { type CommitCoordinator, WriteLockUnavailable } from './commit-coordinator.ts';

/** `busy`: to be tried again later. */
export type BeginOutcome = 'begun' | 'busy' | { readonly failedWith: unknown };

export interface GroupBeginOptions {
  readonly writer: ContentDb;
  /** The order of changes that this node has in common with others; undefined for one that is alone. */
  readonly order: CommitCoordinator | undefined;
  /** How long a locked database is tried again, in milliseconds. */
  readonly busyTimeoutMs: number;
}

export class TransactionOpener {
  readonly #options: GroupBeginOptions;
  #busySince: number | undefined;
  /** How many tasks of our own may keep the database locked now. */
  #lockedByUs = 0;

  constructor(options: GroupBeginOptions) {
    this.#options = options;
  }

  /** At once for a node that is alone; else when it is its turn among others and it has what they have changed. */
  begin(): BeginOutcome | Promise<BeginOutcome> {
    const { order } = this.#options;
    return order === undefined ? this.#begin() : this.#beginShared(order);
  }

  /** The transaction waits as long as this work runs. */
  async waitFor(work: Promise<unknown>): Promise<void> {
    this.#lockedByUs += 1;
    try {
      await work;
    } finally {
      this.#lockedByUs -= 1;
    }
  }

  #begin(): BeginOutcome {
    try {
      this.#options.writer.execute('BEGIN IMMEDIATE');
      this.#busySince = undefined;
      return 'begun';
    } catch (error) {
      return this.#notBegun(error);
    }
  }

  async #beginShared(order: CommitCoordinator): Promise<BeginOutcome> {
    try {
      await order.begin();
    } catch (error) {
      return this.#notBegun(error);
    }
    const began = this.#begin();
    if (began !== 'begun') order.end();
    return began;
  }

  #notBegun(error: unknown): BeginOutcome {
    const now = performance.now();
    this.#busySince ??= now;
    const mayWait = this.#lockedByUs > 0 || now - this.#busySince < this.#options.busyTimeoutMs;
    if ((isBusy(error) || error instanceof WriteLockUnavailable) && mayWait) return 'busy';
    this.#busySince = undefined;
    return { failedWith: error };
  }
}
