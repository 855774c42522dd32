import { maxPathLength, normalizePath } from '../../../runtime/page/address.ts';
import { publicParameters } from '../../../runtime/page/private-parameters.ts';
import { unixSeconds } from '../../base/clock.ts';
import { apiError } from '../../base/errors.ts';
import { WriteBuffer } from '../../base/write-buffer.ts';
import type { Commit } from '../../changes/record.ts';
import { isReservedPath } from '../../content/sites/reserved-paths.ts';
import { requireSite } from '../../content/sites/service.ts';
import type { ActivityDb } from '../../db/tables.ts';
import type { SharedServices } from '../../feature.ts';
import type { NotFoundEntry, NotFoundQuery } from './model.ts';
import * as store from './store.ts';

/**
 * Largest number of entries per website (Core, "Limits"). The entries with the oldest last visit are removed.
 */
const maxOpen = 1000;
const maxIgnored = 5000;

const maxRefererLength = 500;

type NotFoundParts = Pick<SharedServices, 'reader' | 'activity' | 'clock' | 'log'>;

/**
 * Dead addresses that visitors ask for (Core, "Redirects and 404 log"). Visits are collected in memory and
 * written in batches.
 */
export class NotFoundLog {
  readonly #parts: NotFoundParts;
  readonly #buffer: WriteBuffer<store.DeadVisits>;
  /** Resolves when what was to be dropped until now is dropped. */
  #dropped: Promise<unknown> = Promise.resolve();

  constructor(parts: NotFoundParts) {
    this.#parts = parts;
    this.#buffer = new WriteBuffer<store.DeadVisits>({
      intervalMs: 5000,
      maxEntries: 250,
      write: (entries) => parts.activity.write((db) => writeVisits(db, entries)),
      failed: (error) => parts.log.warn({ err: error }, 'dead addresses could not be recorded'),
    });
  }

  /**
   * Counts a GET request that was answered with the 404 page. Addresses that cannot have a redirect are left
   * out.
   *
   * @param rawPath path as requested
   * @param rawReferer header as sent, empty when absent
   */
  count(rootId: number, rawPath: string, rawReferer: string): void {
    const path = normalizePath(rawPath).slice(0, maxPathLength);
    if (isReservedPath(path)) return;
    const now = unixSeconds(this.#parts.clock);
    const referer = readReferer(rawReferer);
    this.#buffer.add(keyOf(rootId, path), (waiting) => ({
      root_id: rootId,
      path,
      hits: (waiting?.hits ?? 0) + 1,
      first_at: waiting?.first_at ?? now,
      last_at: now,
      referer: referer || (waiting?.referer ?? ''),
    }));
  }

  /** GET /notfound: open and ignored entries, most frequent first. */
  async list(rootId: number): Promise<NotFoundEntry[]> {
    await this.#settle(rootId);
    return store.listEntries(this.#parts.activity.reader, rootId);
  }

  /**
   * PUT /notfound: one entry, or all.
   *
   * @throws ApiError `common.notFound` for a path that is not in the log
   */
  async setIgnored({ root_id, path }: NotFoundQuery, ignored: boolean): Promise<void> {
    await this.#settle(root_id);
    await this.#parts.activity.write(async (db) => {
      if (path === undefined) await store.setAllIgnored(db, root_id, ignored);
      else found(await store.setIgnored(db, root_id, normalizePath(path), ignored));
      await trimLog(db, root_id);
    });
  }

  /**
   * DELETE /notfound: one entry, or the whole log.
   *
   * @throws ApiError `common.notFound` for a path that is not in the log
   */
  async remove({ root_id, path }: NotFoundQuery): Promise<void> {
    await this.#settle(root_id);
    await this.#parts.activity.write(async (db) => {
      if (path === undefined) await store.deleteLog(db, root_id);
      else found(await store.deleteEntry(db, root_id, normalizePath(path)));
    });
  }

  /** Deletes entries of addresses that now have a redirect. Called after commits. */
  dropAnswered(commits: readonly Commit[]): void {
    const answered = new Map<number, string[]>();
    for (const { kind, action, root_id, path } of commits.flatMap((commit) => commit.records)) {
      if (kind !== 'redirect' || action === 'deleted' || root_id === undefined || path === undefined)
        continue;
      this.#buffer.forget(keyOf(root_id, path));
      const paths = answered.get(root_id) ?? [];
      paths.push(path);
      answered.set(root_id, paths);
    }
    for (const [rootId, paths] of answered) this.#drop((db) => deletePaths(db, rootId, paths));
  }

  /** Deletes the log of a deleted website. */
  dropSite(rootId: number): void {
    this.#buffer.forgetWhere((visits) => visits.root_id === rootId);
    this.#drop((db) => store.deleteLog(db, rootId));
  }

  close(): Promise<void> {
    return this.#buffer.close();
  }

  /** Checks that the website exists, and that everything before is written. */
  async #settle(rootId: number): Promise<void> {
    await requireSite(this.#parts.reader, rootId);
    await this.#buffer.flush();
    await this.#dropped;
  }

  #drop(remove: (db: ActivityDb) => Promise<unknown>): void {
    const dropped = this.#parts.activity
      .write(remove)
      .catch((error: unknown) =>
        this.#parts.log.warn({ err: error }, 'an answered address could not be taken off the 404 log'),
      );
    this.#dropped = Promise.all([this.#dropped, dropped]);
  }
}

async function writeVisits(db: ActivityDb, entries: readonly store.DeadVisits[]): Promise<void> {
  for (const entry of entries) await store.addVisits(db, entry);
  for (const rootId of new Set(entries.map((entry) => entry.root_id))) await trimLog(db, rootId);
}

async function trimLog(db: ActivityDb, rootId: number): Promise<void> {
  await store.trim(db, rootId, false, maxOpen);
  await store.trim(db, rootId, true, maxIgnored);
}

/**
 * Reads the log first if there are many paths: an import may have many more paths than the log has entries.
 */
async function deletePaths(db: ActivityDb, rootId: number, paths: readonly string[]): Promise<void> {
  const logged = paths.length < 100 ? undefined : await pathsOf(db, rootId);
  for (const path of paths) {
    if (logged === undefined || logged.has(path)) await store.deleteEntry(db, rootId, path);
  }
}

async function pathsOf(db: ActivityDb, rootId: number): Promise<ReadonlySet<string>> {
  return new Set((await store.listEntries(db, rootId)).map((entry) => entry.path));
}

function found(exists: boolean): void {
  if (!exists) throw apiError('common.notFound', {});
}

function keyOf(rootId: number, path: string): string {
  return `${rootId}${path}`;
}

/** The address without fragment and credentials, at most 500 characters; empty if it is no http(s) URL. */
function readReferer(header: string): string {
  if (!URL.canParse(header)) return '';
  const url = new URL(header);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return '';
  url.search = publicParameters(url.search.slice(1));
  url.hash = '';
  url.username = '';
  url.password = '';
  return url.href.slice(0, maxRefererLength);
}
