import type { Commit } from '../change.ts';
import { type Clock, unixSeconds } from '../clock.ts';
import type { ActivityDb } from '../db/tables.ts';
import type { Log } from '../log.ts';
import { WriteBuffer } from '../write-buffer.ts';
import * as store from './hits-store.ts';

export interface RedirectHitsOptions {
  readonly writer: ActivityDb;
  readonly reader: ActivityDb;
  readonly clock: Clock;
  readonly log: Log;
}

/** How often each redirect was used. Counted in activity.db, so that visitors never delay or dirty content. */
export class RedirectHits {
  readonly #options: RedirectHitsOptions;
  readonly #buffer: WriteBuffer<store.RedirectHitCount>;

  constructor(options: RedirectHitsOptions) {
    this.#options = options;
    const { writer, log } = options;
    this.#buffer = new WriteBuffer<store.RedirectHitCount>({
      intervalMs: 5000,
      maxEntries: 250,
      async write(entries) {
        for (const entry of entries) await store.addHits(writer, entry);
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
  async ofRedirect(redirectId: number): Promise<store.RedirectUse> {
    await this.#buffer.flush();
    return (await store.findUse(this.#options.reader, redirectId)) ?? { hits: 0, last_hit_at: 0 };
  }

  /** The use of the redirects of a website by their ids; those never used are absent. */
  async ofSite(rootId: number): Promise<ReadonlyMap<number, store.RedirectUse>> {
    await this.#buffer.flush();
    const counts = await store.listUse(this.#options.reader, rootId);
    return new Map(counts.map(({ redirect_id, ...use }) => [redirect_id, use]));
  }

  /** Forgets redirects and websites that are gone. Called after every commit. */
  follow(commits: readonly Commit[]): void {
    for (const { kind, action, id } of commits.flatMap((commit) => commit.records)) {
      if (action !== 'delete') continue;
      if (kind === 'redirect') {
        this.#buffer.forget(String(id));
        this.#drop(store.deleteOfRedirect(this.#options.writer, id));
      } else if (kind === 'page') {
        this.#buffer.forgetWhere((count) => count.root_id === id);
        this.#drop(store.deleteOfSite(this.#options.writer, id));
      }
    }
  }

  close(): Promise<void> {
    return this.#buffer.close();
  }

  #drop(deletion: Promise<void>): void {
    deletion.catch((error: unknown) =>
      this.#options.log.warn({ err: error }, 'the use of a deleted redirect could not be dropped'),
    );
  }
}
