import { type Clock, unixSeconds } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type { ActivityStore } from '../../db/activity.ts';
import type { ActivityDb } from '../../db/tables.ts';

/** How long uses are collected before they are written, in seconds. */
export const usageFlushSeconds = 10;

export interface LastUsesOptions<Key> {
  readonly activity: Pick<ActivityStore, 'write'>;
  readonly clock: Clock;
  readonly log: Log;
  /** Writes one use; `usedAt` is in Unix seconds. */
  readonly save: (db: ActivityDb, key: Key, usedAt: number) => Promise<void>;
  /** Called after each time of writing. */
  readonly afterFlush?: () => Promise<void>;
}

/** Collects when credentials were last used, so that not every request writes. */
export class LastUses<Key> {
  readonly #options: LastUsesOptions<Key>;
  readonly #uses = new Map<Key, number>();
  readonly #timer: NodeJS.Timeout;

  constructor(options: LastUsesOptions<Key>) {
    this.#options = options;
    this.#timer = setInterval(() => void this.#flush(), usageFlushSeconds * 1000).unref();
  }

  note(key: Key): void {
    this.#uses.set(key, unixSeconds(this.#options.clock));
  }

  /** Uses that are not written yet: Unix seconds by credential. */
  get unwritten(): ReadonlyMap<Key, number> {
    return this.#uses;
  }

  /** Writes the collected uses and stops collecting. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#flush();
  }

  async #flush(): Promise<void> {
    const { activity, log, save, afterFlush } = this.#options;
    try {
      for (const [key, usedAt] of [...this.#uses]) {
        await activity.write((db) => save(db, key, usedAt));
        if (this.#uses.get(key) === usedAt) this.#uses.delete(key);
      }
      await afterFlush?.();
    } catch (error) {
      log.warn({ err: error }, 'the last use of credentials could not be recorded');
    }
  }
}
