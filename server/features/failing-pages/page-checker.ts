import { setTimeout as pause } from 'node:timers/promises';
import {
  type Dependency,
  dependencies,
  findAffectedDependencies,
} from '../../../runtime/content/dependencies.ts';
import type { PageCheck } from '../../../runtime/tasks/messages/delivery.ts';
import type { Committed, Follower } from '../../changes/followers.ts';
import type { SharedServices, VisitorRender } from '../../feature.ts';
import type { Pool } from '../../processes/pool.ts';
import type { FailingPages, PageFailure, PageRecovery } from './service.ts';
import { findPublished } from './store.ts';
import type { VisitedPages } from './visited-pages.ts';
import { type WatchedPage, WatchedPages } from './watched-pages.ts';

export interface CheckerDeps
  extends Pick<SharedServices, 'reader' | 'pool' | 'version' | 'clock' | 'log' | 'isLeader' | 'nodeState'> {
  readonly failing: FailingPages;
  readonly visited: VisitedPages;
  /** Its processes yield to those that render for visitors. */
  readonly yielding: Pool;
}

/** Limits of one check: it is about one commit, or about those that came while another check ran. */
const limits = { pages: 2_000, cpuMs: 5_000 } as const;
/** Commits that come within this time are checked together, in milliseconds. */
const gatherMs = 40;
/** How often it is asked whether a visitor still waits, in milliseconds. */
const quietMs = 15;
/** Pages of one task, and its processor time. */
const atOnce = { pages: 25, cpuMs: 40 } as const;
/** With more changes than these all pages count as touched. */
const maxTouched = 2_000;

/**
 * Renders pages again after commits, if these have touched what they read, and lists those that fail. The leader does
 * it for all nodes. Nothing that it renders is shown to anybody.
 */
export class PageChecker implements Follower {
  readonly of = 'content';
  readonly #deps: CheckerDeps;
  readonly #pages = new WatchedPages();
  /** What commits have touched since the last check. */
  #touched = new Set<Dependency>();
  #changedPages = new Set<number>();
  /** Whether this node has not noted what commits have touched, because another one was the leader. */
  #isBehind = true;
  /** Up to this version pages have been checked. */
  #checkedSeq: number;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #isClosed = false;
  readonly #counts = { rendered: 0, failed: 0, unchecked: 0, absent: 0 };

  constructor(deps: CheckerDeps) {
    this.#deps = deps;
    this.#checkedSeq = deps.version.current();
  }

  /** Notes what a commit has touched. Nothing waits for the check. */
  refresh({ changes }: Committed): void {
    if (!this.#deps.isLeader()) {
      this.#isBehind = true;
      this.#checkedSeq = this.#deps.version.current();
      return;
    }
    for (const change of changes) {
      if (change.kind === 'page') this.#changedPages.add(change.id);
      for (const dependency of findAffectedDependencies(change)) this.#touched.add(dependency);
    }
    if (this.#touched.size > maxTouched) this.#touched = new Set([dependencies.everything]);
    if (this.#touched.size > 0) this.#wake();
  }

  /** A page was rendered for a visitor. */
  noteVisit({ of, query, host, reads, error }: VisitorRender): void {
    const { failing, visited, version } = this.#deps;
    const { siteId, path, pageId } = of;
    const known = this.#pages.use({ siteId, path, query }, pageId, host);
    if (query === '') visited.note(siteId, path, pageId);
    const goodSeq = known.goodSeq ?? this.#checkedSeq;
    known.reads = reads;
    if (error === undefined) {
      known.goodSeq = reads.seq;
      if (failing.isListed(siteId, path)) void failing.leave([{ siteId, path, query, reads }]);
    } else void failing.enter([{ of, query, reads, error, foundBy: 'visit', goodSeq }]);
    known.isDue = !version.isUpToDate(reads) && reads.seq < version.current();
    if (known.isDue && this.#deps.isLeader()) this.#wake();
  }

  /** Whether pages wait for a check now. */
  get isBusy(): boolean {
    return this.#timer !== undefined || this.#running !== undefined;
  }

  counts(): readonly (readonly [{ readonly result: string }, number])[] {
    return Object.entries(this.#counts).map(([result, count]) => [{ result }, count] as const);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#running;
  }

  #wake(): void {
    if (this.#isClosed || this.#timer !== undefined || this.#running !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#running = this.#check()
        .catch((error: unknown) => this.#deps.log.warn({ err: error }, 'pages could not be checked'))
        .finally(() => {
          this.#running = undefined;
          if (this.#touched.size > 0) this.#wake();
        });
    }, gatherMs).unref();
  }

  async #check(): Promise<void> {
    const { version, isLeader } = this.#deps;
    const until = version.current();
    const isTouched = this.#takeTouched();
    const changedPages = this.#changedPages;
    this.#changedPages = new Set();
    await this.#learn(changedPages);
    await this.#pages.markDue(isTouched);
    const due = this.#pages.due();
    let [pages, cpuMs] = [0, 0];
    while (due.length > 0 && pages < limits.pages && cpuMs < limits.cpuMs) {
      await this.#untilNobodyWaits();
      if (this.#isClosed || !isLeader()) return;
      const group = due.splice(0, Math.min(atOnce.pages, limits.pages - pages));
      const result = await this.#render(group, Math.min(atOnce.cpuMs, limits.cpuMs - cpuMs));
      pages += result.checks.length;
      cpuMs += result.cpuMs;
      due.unshift(...group.slice(result.checks.length));
      due.unshift(...(await this.#apply(group, result.checks)));
    }
    this.#checkedSeq = until;
  }

  #takeTouched(): (content: Float64Array | undefined) => boolean {
    const touched = this.#isBehind ? new Set<Dependency>([dependencies.everything]) : this.#touched;
    this.#isBehind = false;
    this.#touched = new Set();
    return (content) => content?.some((dependency) => touched.has(dependency)) ?? true;
  }

  /** Adds the pages that are listed, were asked for on any node, or were changed themselves. */
  async #learn(changedPages: ReadonlySet<number>): Promise<void> {
    const { failing, visited, reader } = this.#deps;
    for (const { root_id, path, query, page_id } of failing.entries())
      this.#add(root_id, path, query, page_id);
    for (const { root_id, path, page_id } of await visited.readNew()) this.#add(root_id, path, '', page_id);
    for (const id of changedPages) {
      const page = await findPublished(reader, id);
      if (page !== undefined) this.#add(page.root_id, page.path, '', id);
    }
  }

  #add(siteId: number, path: string, query: string, pageId: number): WatchedPage {
    const address = { siteId, path, query };
    return this.#pages.get(address) ?? this.#pages.use(address, pageId, '');
  }

  async #untilNobodyWaits(): Promise<void> {
    while (this.#deps.pool.hasQueue && !this.#isClosed) await pause(quietMs);
  }

  /** A page that ends its process counts as unchecked; the others of its group are rendered again. */
  async #render(
    group: readonly WatchedPage[],
    budgetMs: number,
  ): Promise<{ readonly checks: readonly (PageCheck | undefined)[]; readonly cpuMs: number }> {
    const { yielding, clock } = this.#deps;
    const addresses = group.map(({ siteId, path, query, host }) => ({
      siteId,
      path,
      query,
      host: host === '' ? 'localhost' : host,
    }));
    try {
      return await yielding.run({ kind: 'check-pages', addresses, now: clock(), budgetMs });
    } catch (error) {
      const [first] = group;
      if (group.length > 1 && first !== undefined) return this.#render([first], budgetMs);
      this.#deps.log.warn({ err: error, path: first?.path }, 'a page could not be checked');
      return { checks: [undefined], cpuMs: limits.cpuMs / 10 };
    }
  }

  /** @returns pages that must be checked too, because others have moved there */
  async #apply(
    group: readonly WatchedPage[],
    checks: readonly (PageCheck | undefined)[],
  ): Promise<readonly WatchedPage[]> {
    const { failing } = this.#deps;
    const failures: PageFailure[] = [];
    const recoveries: PageRecovery[] = [];
    const moved: WatchedPage[] = [];
    for (const [index, check] of checks.entries()) {
      const page = group[index];
      if (page === undefined) continue;
      page.isDue = false;
      this.#counts[check?.outcome.kind ?? 'unchecked'] += 1;
      if (check === undefined) continue;
      const { outcome, reads } = check;
      const goodSeq = page.goodSeq ?? this.#checkedSeq;
      const { siteId, path, query } = page;
      page.reads = reads;
      if (outcome.kind === 'failed')
        failures.push({ of: outcome.of, query, reads, error: outcome.error, foundBy: 'check', goodSeq });
      if (outcome.kind === 'rendered') page.goodSeq = reads.seq;
      if (outcome.kind === 'rendered' || outcome.kind === 'absent')
        recoveries.push({ siteId, path, query, reads });
      if (outcome.kind === 'absent') moved.push(...(await this.#follow(page)));
    }
    await failing.enter(failures);
    await failing.leave(recoveries);
    return moved;
  }

  /** Forgets an address without a page, and finds where its page is now. */
  async #follow(page: WatchedPage): Promise<readonly WatchedPage[]> {
    this.#pages.forget(page);
    const there = await findPublished(this.#deps.reader, page.pageId);
    if (there === undefined || (there.root_id === page.siteId && there.path === page.path)) return [];
    const { query, goodSeq, host } = page;
    const address = { siteId: there.root_id, path: there.path, query };
    if (this.#pages.get(address) !== undefined) return [];
    const moved = this.#pages.use(address, there.id, host);
    moved.goodSeq = goodSeq;
    return [moved];
  }
}
