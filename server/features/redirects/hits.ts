import { setImmediate as nextTurn } from 'node:timers/promises';
import { unixSeconds } from '../../base/clock.ts';
import { WriteBuffer } from '../../base/write-buffer.ts';
import { activityQuery } from '../../db/prepared.ts';
import { activityTable } from '../../db/table.ts';
import type { ActivityDb } from '../../db/tables.ts';
import type { SharedServices } from '../../feature.ts';

declare module '../../db/tables.ts' {
  interface ActivityTables {
    redirect_hits: { redirect_id: number; root_id: number; hits: number; last_hit_at: number };
  }
}

const redirectHits = activityTable('redirect_hits');

/** Reading so many counts takes about 1 ms. */
const countsPerTurn = 1000;

/**
 * Counts the uses of each redirect. The counts are in activity.db, so that visits never delay or change
 * content.
 */
export class RedirectHits {
  readonly #options: Pick<SharedServices, 'activity' | 'clock' | 'log'>;
  readonly #buffer: WriteBuffer<RedirectHitCount>;

  constructor(options: Pick<SharedServices, 'activity' | 'clock' | 'log'>) {
    this.#options = options;
    const { activity, log } = options;
    this.#buffer = new WriteBuffer<RedirectHitCount>({
      intervalMs: 5000,
      maxEntries: 250,
      async write(entries) {
        await activity.write(async (db) => {
          for (const entry of entries) await upsert.run(db, entry);
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
  async ofRedirect(redirectId: number): Promise<RedirectUse> {
    await this.#buffer.flush();
    return (await findUse(this.#options.activity.reader, redirectId)) ?? { hits: 0, last_hit_at: 0 };
  }

  /** The use of the redirects of a website by redirect id. Redirects that were never used are absent. */
  async ofSite(rootId: number): Promise<ReadonlyMap<number, RedirectUse>> {
    await this.#buffer.flush();
    const uses = new Map<number, RedirectUse>();
    for (let afterId = 0; ; ) {
      const bounds = { rootId, afterId, limit: countsPerTurn };
      const counts = await selectOfSite.all(this.#options.activity.reader, bounds);
      for (const { redirect_id, ...use } of counts) uses.set(redirect_id, use);
      if (counts.length < countsPerTurn) return uses;
      afterId = counts.at(-1)?.redirect_id ?? afterId;
      await nextTurn();
    }
  }

  /** Deletes the counts of a deleted redirect. */
  dropRedirect(id: number): void {
    this.#buffer.forget(String(id));
    this.#drop((db) => removeOfRedirect(db, id));
  }

  /** Deletes the counts of a deleted website. */
  dropSite(rootId: number): void {
    this.#buffer.forgetWhere((count) => count.root_id === rootId);
    this.#drop((db) => removeOfSite(db, rootId));
  }

  close(): Promise<void> {
    return this.#buffer.close();
  }

  #drop(remove: (db: ActivityDb) => Promise<number>): void {
    this.#options.activity
      .write(remove)
      .catch((error: unknown) =>
        this.#options.log.warn({ err: error }, 'the use of a deleted redirect could not be dropped'),
      );
  }
}

export interface RedirectUse {
  readonly hits: number;
  readonly last_hit_at: number;
}

export interface RedirectHitCount extends RedirectUse {
  readonly redirect_id: number;
  readonly root_id: number;
}

const findUse = redirectHits.findBy(['redirect_id'], ['hits', 'last_hit_at']);

const upsert = activityQuery((db, p: RedirectHitCount) =>
  db
    .insertInto('redirect_hits')
    .values({ redirect_id: p.redirect_id, root_id: p.root_id, hits: p.hits, last_hit_at: p.last_hit_at })
    .onConflict((conflict) =>
      conflict.column('redirect_id').doUpdateSet(({ eb, ref }) => ({
        hits: eb(ref('redirect_hits.hits'), '+', ref('excluded.hits')),
        last_hit_at: ref('excluded.last_hit_at'),
      })),
    ),
);

const selectOfSite = activityQuery((db, p: { rootId: number; afterId: number; limit: number }) =>
  db
    .selectFrom('redirect_hits')
    .select(['redirect_id', 'hits', 'last_hit_at'])
    .where('root_id', '=', p.rootId)
    .where('redirect_id', '>', p.afterId)
    .orderBy('redirect_id')
    .limit(p.limit),
);

const removeOfRedirect = redirectHits.removeBy('redirect_id');

const removeOfSite = redirectHits.removeBy('root_id');
