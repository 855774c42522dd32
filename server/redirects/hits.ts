import type { Commit } from '../change.ts';
import { type Clock, unixSeconds } from '../clock.ts';
import { activityQuery } from '../db/prepared.ts';
import type { ActivityDb } from '../db/tables.ts';
import type { Log } from '../log.ts';
import { WriteBuffer } from '../write-buffer.ts';

export interface RedirectUse {
  readonly hits: number;
  readonly last_hit_at: number;
}

export interface RedirectHitsOptions {
  readonly writer: ActivityDb;
  readonly reader: ActivityDb;
  readonly clock: Clock;
  readonly log: Log;
}

interface Hits extends RedirectUse {
  readonly redirect_id: number;
  readonly root_id: number;
}

/** How often each redirect was used. Counted in activity.db, so that visitors never delay or dirty content. */
export class RedirectHits {
  readonly #options: RedirectHitsOptions;
  readonly #buffer: WriteBuffer<Hits>;

  constructor(options: RedirectHitsOptions) {
    this.#options = options;
    const { writer, log } = options;
    this.#buffer = new WriteBuffer<Hits>({
      intervalMs: 5000,
      maxEntries: 250,
      async write(entries) {
        for (const entry of entries) await upsert.run(writer, entry);
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

  /** The use of one redirect; none is 0 and 0. */
  async ofRedirect(redirectId: number): Promise<RedirectUse> {
    await this.#buffer.flush();
    const row = await selectOfRedirect.first(this.#options.reader, { redirectId });
    return row ?? { hits: 0, last_hit_at: 0 };
  }

  /** The use of the redirects of a website by their ids; those never used are absent. */
  async ofSite(rootId: number): Promise<ReadonlyMap<number, RedirectUse>> {
    await this.#buffer.flush();
    const rows = await selectOfSite.all(this.#options.reader, { rootId });
    return new Map(rows.map(({ redirect_id, ...use }) => [redirect_id, use]));
  }

  /** Forgets redirects and websites that are gone. Called after every commit. */
  follow(commits: readonly Commit[]): void {
    for (const { kind, action, id } of commits.flatMap((commit) => commit.records)) {
      if (action !== 'delete') continue;
      if (kind === 'redirect') this.#drop(deleteOfRedirect.run(this.#options.writer, { redirectId: id }));
      if (kind === 'page') this.#drop(deleteOfSite.run(this.#options.writer, { rootId: id }));
    }
  }

  close(): Promise<void> {
    return this.#buffer.close();
  }

  #drop(deletion: Promise<number>): void {
    deletion.catch((error: unknown) =>
      this.#options.log.warn({ err: error }, 'the use of a deleted redirect could not be dropped'),
    );
  }
}

const upsert = activityQuery((db, p: Hits) =>
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

const selectOfRedirect = activityQuery((db, p: { redirectId: number }) =>
  db.selectFrom('redirect_hits').select(['hits', 'last_hit_at']).where('redirect_id', '=', p.redirectId),
);

const selectOfSite = activityQuery((db, p: { rootId: number }) =>
  db
    .selectFrom('redirect_hits')
    .select(['redirect_id', 'hits', 'last_hit_at'])
    .where('root_id', '=', p.rootId),
);

const deleteOfRedirect = activityQuery((db, p: { redirectId: number }) =>
  db.deleteFrom('redirect_hits').where('redirect_id', '=', p.redirectId),
);

const deleteOfSite = activityQuery((db, p: { rootId: number }) =>
  db.deleteFrom('redirect_hits').where('root_id', '=', p.rootId),
);
