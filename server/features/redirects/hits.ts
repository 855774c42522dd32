import { setImmediate as nextTurn } from 'node:timers/promises';
import { unixSeconds } from '../../base/clock.ts';
import { WriteBuffer } from '../../base/write-buffer.ts';
import type { ActivityDb } from '../../db/tables.ts';
import type { SharedServices } from '../../feature.ts';
import * as store from './hits-store.ts';

/** Reading so many counts takes about 1 ms. */
const countsPerTurn = 1000;

/**
 * Counts the uses of each redirect. The counts are in activity.db, so that visits never delay or change
 * content.
 */
export class RedirectHits {
  readonly #options: Pick<SharedServices, 'activity' | 'clock' | 'log'>;
  readonly #buffer: WriteBuffer<store.RedirectHitCount>;

  constructor(options: Pick<SharedServices, 'activity' | 'clock' | 'log'>) {
    this.#options = options;
    const { activity, log } = options;
    this.#buffer = new WriteBuffer<store.RedirectHitCount>({
      intervalMs: 5000,
      maxEntries: 250,
      async write(entries) {
        await activity.write(async (db) => {
          for (const entry of entries) await store.addHits(db, entry);
        });
      },
      failed: (error) => log.warn({ err: error }, 'the use of redirects could not be recorded'),
    });
  }

  count(rootId: number, redirectId: number): void {
    const now = unixSeconds(this.#options.clock);
    this.#buffer.add(String(redirectId), (waiting) => ({
      redirect_id: redirectId,
      root_id: rootId,
      hits: (waiting?.hits ?? 0) + 1,
      last_hit_at: now,
    }));
  }

  /** The use of one redirect; zeros if it was never used. */
  async ofRedirect(redirectId: number): Promise<store.RedirectUse> {
    await this.#buffer.flush();
    return (await store.findUse(this.#options.activity.reader, redirectId)) ?? { hits: 0, last_hit_at: 0 };
  }

  /** The use of the redirects of a website by redirect id. Redirects that were never used are absent. */
  async ofSite(rootId: number): Promise<ReadonlyMap<number, store.RedirectUse>> {
    await this.#buffer.flush();
    const uses = new Map<number, store.RedirectUse>();
    for (let afterId = 0; ; ) {
      const counts = await store.listUse(this.#options.activity.reader, rootId, afterId, countsPerTurn);
      for (const { redirect_id, ...use } of counts) uses.set(redirect_id, use);
      if (counts.length < countsPerTurn) return uses;
      afterId = counts.at(-1)?.redirect_id ?? afterId;
      await nextTurn();
    }
  }

  /** Deletes the counts of a deleted redirect. */
  dropRedirect(id: number): void {
    this.#buffer.forget(String(id));
    this.#drop((db) => store.deleteOfRedirect(db, id));
  }

  /** Deletes the counts of a deleted website. */
  dropSite(rootId: number): void {
    this.#buffer.forgetWhere((count) => count.root_id === rootId);
    this.#drop((db) => store.deleteOfSite(db, rootId));
  }

  close(): Promise<void> {
    return this.#buffer.close();
  }

  #drop(remove: (db: ActivityDb) => Promise<void>): void {
    this.#options.activity
      .write(remove)
      .catch((error: unknown) =>
        this.#options.log.warn({ err: error }, 'the use of a deleted redirect could not be dropped'),
      );
  }
}
