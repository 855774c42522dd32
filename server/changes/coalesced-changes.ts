import { startTimer, TimeSlices } from '../base/timers.ts';
import type { Change } from './changes.ts';

/** Begins a change and resolves when it is committed. */
export type BeginChange = (work: (change: Change) => Promise<void>) => Promise<void>;

/** How long a small change waits for others, in milliseconds, and how many wait at most. */
const gatherMs = 250;
const maxWaiting = 64;

/**
 * Small changes that nobody is in a hurry for, such as the files of an import. Those that come within a moment share
 * one change, because each commit keeps the main thread waiting for the disk. If the common change fails, each of
 * them is tried alone, so that one that fails takes no other along. So `work` may run several times.
 */
export class CoalescedChanges {
  readonly #begin: BeginChange;
  #waiting: Waiting[] = [];
  #stopClock = (): void => {};
  #isClosed = false;

  constructor(begin: BeginChange) {
    this.#begin = begin;
  }

  /** Resolves when what `work` writes is committed. @throws the error of `work` or of the change */
  add<T>(work: (change: Change) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      // Type boundary: `value` is the result of `work`; the queue does not know the type of each.
      this.#waiting.push({ work, resolve: (value) => resolve(value as T), reject });
      if (this.#isClosed || this.#waiting.length === maxWaiting) this.flush();
      else if (this.#waiting.length === 1) this.#stopClock = startTimer(gatherMs, () => this.flush());
    });
  }

  /** Writes at once what waits, for somebody who waits for it. */
  flush(): void {
    this.#stopClock();
    const group = this.#waiting;
    this.#waiting = [];
    if (group.length > 0) void this.#write(group);
  }

  /** What is added from now on waits for nothing. */
  close(): void {
    this.#isClosed = true;
    this.flush();
  }

  async #write(group: readonly Waiting[]): Promise<void> {
    let values: unknown[] = [];
    try {
      await this.#begin(async (change) => {
        values = [];
        const slices = new TimeSlices();
        for (const { work } of group) {
          values.push(await work(change));
          await slices.next();
        }
      });
    } catch (error) {
      if (group.length === 1) group[0]?.reject(error);
      else for (const one of group) await this.#write([one]);
      return;
    }
    for (const [index, { resolve }] of group.entries()) resolve(values[index]);
  }
}

interface Waiting {
  work(change: Change): Promise<unknown>;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}
