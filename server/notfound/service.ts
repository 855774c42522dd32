import { maxPathLength, normalizePath } from '../../runtime/page/address.ts';
import type { Commit } from '../change.ts';
import { type Clock, unixSeconds } from '../clock.ts';
import type { ActivityDb, ContentDb } from '../db/tables.ts';
import { apiError } from '../errors.ts';
import type { Log } from '../log.ts';
import { requireSite } from '../pages/lookup.ts';
import { isReservedPath } from '../redirects/rules.ts';
import { WriteBuffer } from '../write-buffer.ts';
import type { NotFoundEntry, NotFoundQuery } from './model.ts';
import * as store from './store.ts';

/** Entries per website (Core, "Limits"); those not seen for longest drop out. */
const maxOpen = 1000;
const maxIgnored = 5000;

const maxRefererLength = 500;

export interface NotFoundLogOptions {
  readonly content: ContentDb;
  readonly writer: ActivityDb;
  readonly reader: ActivityDb;
  readonly clock: Clock;
  readonly log: Log;
}

/** Dead addresses that visitors ask for (Core, "Redirects and 404 log"): collected in memory, written in batches. */
export class NotFoundLog {
  readonly #options: NotFoundLogOptions;
  readonly #buffer: WriteBuffer<store.DeadVisits>;

  constructor(options: NotFoundLogOptions) {
    this.#options = options;
    this.#buffer = new WriteBuffer<store.DeadVisits>({
      intervalMs: 5000,
      maxEntries: 250,
      write: (entries) => writeVisits(options.writer, entries),
      failed: (error) => options.log.warn({ err: error }, 'dead addresses could not be recorded'),
    });
  }

  /**
   * Counts a GET request that was answered with the 404 page. Addresses no redirect could be made for are left out.
   *
   * @param rawPath as requested
   * @param rawReferer header as sent, empty when absent
   */
  count(rootId: number, rawPath: string, rawReferer: string): void {
    const path = normalizePath(rawPath).slice(0, maxPathLength);
    if (isReservedPath(path)) return;
    const now = unixSeconds(this.#options.clock);
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
    return store.listEntries(this.#options.reader, rootId);
  }

  /**
   * PUT /notfound: one entry, or all.
   *
   * @throws ApiError `common.notFound` for a path that is not in the log
   */
  async setIgnored({ root_id, path }: NotFoundQuery, ignored: boolean): Promise<void> {
    const { writer } = this.#options;
    await this.#settle(root_id);
    if (path === undefined) await store.setAllIgnored(writer, root_id, ignored);
    else found(await store.setIgnored(writer, root_id, normalizePath(path), ignored));
    await trimLog(writer, root_id);
  }

  /**
   * DELETE /notfound: one entry, or the whole log.
   *
   * @throws ApiError `common.notFound` for a path that is not in the log
   */
  async remove({ root_id, path }: NotFoundQuery): Promise<void> {
    await this.#settle(root_id);
    if (path === undefined) await store.deleteLog(this.#options.writer, root_id);
    else found(await store.deleteEntry(this.#options.writer, root_id, normalizePath(path)));
  }

  /** An address that has got a redirect is no open case any more, and a deleted website has none. After every commit. */
  follow(commits: readonly Commit[]): void {
    const answered = new Map<number, string[]>();
    for (const record of commits.flatMap((commit) => commit.records)) {
      if (record.kind === 'redirect' && record.action !== 'delete') {
        this.#buffer.forget(keyOf(record.root_id, record.source));
        const paths = answered.get(record.root_id) ?? [];
        paths.push(record.source);
        answered.set(record.root_id, paths);
      } else if (record.kind === 'page' && record.action === 'delete') {
        this.#buffer.forgetWhere((visits) => visits.root_id === record.id);
        this.#drop(store.deleteLog(this.#options.writer, record.id));
      }
    }
    for (const [rootId, paths] of answered) this.#drop(deletePaths(this.#options.writer, rootId, paths));
  }

  close(): Promise<void> {
    return this.#buffer.close();
  }

  /** Checks the website, and writes what is collected. */
  async #settle(rootId: number): Promise<void> {
    await requireSite(this.#options.content, rootId);
    await this.#buffer.flush();
  }

  #drop(deletion: Promise<unknown>): void {
    deletion.catch((error: unknown) =>
      this.#options.log.warn({ err: error }, 'an answered address could not be taken off the 404 log'),
    );
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

/** An import may bring many more paths than a log has entries. */
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

/** The address without fragment and credentials, at most 500 characters; empty unless it is an http(s) URL. */
function readReferer(header: string): string {
  if (!URL.canParse(header)) return '';
  const url = new URL(header);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return '';
  url.hash = '';
  url.username = '';
  url.password = '';
  return url.href.slice(0, maxRefererLength);
}
