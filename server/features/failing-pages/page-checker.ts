import {
  type Dependency,
  dependencies,
  findAffectedDependencies,
} from '../../../runtime/content/dependencies.ts';
import { findContent } from '../../../runtime/content/dependency-recorder.ts';
import type { PageCheck } from '../../../runtime/tasks/messages/delivery.ts';
import { readChangesBackwards } from '../../changes/change-log.ts';
import type { Committed, Follower } from '../../changes/followers.ts';
import type { SharedServices, VisitorRender } from '../../feature.ts';
import type { CheckRenderer } from './check-renderer.ts';
import { CheckSchedule } from './check-schedule.ts';
import type { CheckedVersion } from './checked-version.ts';
import type { FailingPages, PageFailure, PageRecovery } from './service.ts';
import { findPublished } from './store.ts';
import type { VisitedPages } from './visited-pages.ts';
import { type WatchedPage, WatchedPages } from './watched-pages.ts';

export interface CheckerDeps
  extends Pick<SharedServices, 'reader' | 'version' | 'monotonic' | 'log' | 'isLeader'> {
  readonly failing: FailingPages;
  readonly visited: VisitedPages;
  readonly checked: CheckedVersion;
  readonly renderer: CheckRenderer;
}

/** Limits of one check: it is about one commit, or about those that came while another check ran. */
const limits = { pages: 2_000, cpuMs: 5_000 } as const;
/** When results that could not be entered are looked at again, in milliseconds. */
const retryMs = 2_000;
/** How often a node asks whether it has become the one that checks, in milliseconds. */
const leaderMs = 500;
/** Pages of one task, and its processor time. */
const atOnce = { pages: 25, cpuMs: 40 } as const;

/**
 * Renders pages again after commits, if these have touched what they read, and lists those that fail. The leader does
 * it for all nodes. Nothing that it renders is shown to anybody.
 */
export class PageChecker implements Follower {
  readonly of = 'content';
  readonly #deps: CheckerDeps;
  readonly #pages = new WatchedPages();
  /** Pages that were changed themselves since the last check, which nobody may have asked for yet. */
  readonly #changedPages = new Set<number>();
  /** Whether this node does not know what was changed since the last check, as after a start. */
  #isBehind = true;
  readonly #schedule: CheckSchedule;
  readonly #asking: NodeJS.Timeout | undefined;
  readonly #counts = { rendered: 0, failed: 0, unchecked: 0, absent: 0 };

  constructor(deps: CheckerDeps) {
    this.#deps = deps;
    this.#schedule = new CheckSchedule({
      monotonic: deps.monotonic,
      mayCheck: () => this.#mayCheck(),
      check: () => this.#run(),
    });
    if (deps.isLeader !== undefined)
      this.#asking = setInterval(() => this.#isBehind && this.#schedule.wake(), leaderMs).unref();
  }

  /** Checks what was changed since the last check, if the process or the leader before has not come to it. */
  async start(): Promise<void> {
    const { checked, version, isLeader } = this.#deps;
    if (isLeader !== undefined) return;
    const seq = await checked.load();
    if (seq !== undefined && seq !== version.current()) this.#schedule.wake();
  }

  /** Notes what a commit has changed. Nothing waits for the check. */
  refresh({ changes }: Committed): void {
    if (!this.#mayCheck()) {
      this.#isBehind = true;
      return;
    }
    for (const { kind, id } of changes)
      if (kind === 'page' && this.#changedPages.size < limits.pages) this.#changedPages.add(id);
    if (changes.some((change) => findAffectedDependencies(change).length > 0)) this.#schedule.wake();
  }

  /** A page was rendered for a visitor. */
  noteVisit(render: VisitorRender): void {
    const { failing, visited, version } = this.#deps;
    const { of, query, host, reads, error } = render;
    const { siteId, path, pageId } = of;
    const known = this.#pages.visit({ siteId, path, query }, pageId, host);
    if (query === '') visited.note(siteId, path, pageId);
    this.#pages.setReads(known, reads);
    if (error !== undefined) {
      known.failsBehindCall = render.hasAsked;
      const { goodSeq } = known;
      const foundBy = 'visit';
      void failing.enter([
        { of, query, reads, error, foundBy, findGoodSeq: () => goodSeq ?? this.#findCheckedSeq() },
      ]);
    } else {
      known.goodSeq = reads.seq;
      if (failing.mayBeListed(siteId, path)) void failing.leave([{ siteId, path, query, reads }]);
    }
    if (!version.isContentUpToDate(reads)) this.#schedule.wake();
  }

  /**
   * The pages that may look different if one of these dependencies changes; those that were asked for last come first.
   */
  async findReaders(touched: ReadonlySet<Dependency>): Promise<readonly WatchedPage[]> {
    const { version } = this.#deps;
    await this.#learn();
    return this.#pages.findOutdated({
      isContentUpToDate: (reads) =>
        version.isContentUpToDate(reads) && findContent(reads)?.every((read) => !touched.has(read)) === true,
    });
  }

  /** Whether pages wait for a check now. */
  get isBusy(): boolean {
    return this.#schedule.isBusy;
  }

  counts(): readonly (readonly [{ readonly result: string }, number])[] {
    return Object.entries(this.#counts).map(([result, count]) => [{ result }, count] as const);
  }

  async close(): Promise<void> {
    clearInterval(this.#asking);
    await this.#schedule.close();
  }

  #mayCheck(): boolean {
    return this.#deps.isLeader?.() !== false;
  }

  /** A node that does not check knows less than the one that does. */
  async #findCheckedSeq(): Promise<number> {
    const { checked } = this.#deps;
    const stored = this.#mayCheck() && !this.#isBehind ? undefined : await checked.read();
    return stored ?? checked.seq;
  }

  /** @returns after which time another look is due, in milliseconds */
  async #run(): Promise<number | undefined> {
    const { checked, log } = this.#deps;
    const begun = checked.begin();
    let result: CheckResult = 'open';
    try {
      await this.#catchUp();
      result = await this.#check();
    } catch (error) {
      log.warn({ err: error }, 'pages could not be checked');
    }
    if (result === 'open') return retryMs;
    return result === 'done' ? checked.finish(begun) : undefined;
  }

  /** Learns what was changed while another node was the one that checks, or before the start. */
  async #catchUp(): Promise<void> {
    if (!this.#isBehind) return;
    this.#isBehind = false;
    const { checked, reader, version } = this.#deps;
    try {
      await checked.load();
      for await (const { kind, id } of readChangesBackwards(reader, version.current(), checked.seq)) {
        if (this.#changedPages.size >= limits.pages) return;
        if (kind === 'page') this.#changedPages.add(id);
      }
    } catch (error) {
      this.#isBehind = true;
      throw error;
    }
  }

  async #check(): Promise<CheckResult> {
    const { renderer, version, monotonic } = this.#deps;
    const start = monotonic();
    await this.#learn();
    const due = await this.#pages.findOutdated(version);
    let [pages, cpuMs] = [0, monotonic() - start];
    this.#schedule.restAfter(cpuMs);
    let isOpen = false;
    while (due.length > 0) {
      await renderer.untilNobodyWaits(() => this.#schedule.isClosed);
      if (this.#schedule.isClosed) return 'limited';
      if (!this.#mayCheck()) {
        this.#isBehind = true;
        return 'limited';
      }
      if (pages >= limits.pages || cpuMs >= limits.cpuMs) return isOpen ? 'open' : 'limited';
      const group = due.splice(0, Math.min(atOnce.pages, limits.pages - pages));
      const result = await renderer.render(group, Math.min(atOnce.cpuMs, limits.cpuMs - cpuMs));
      pages += result.checks.length;
      cpuMs += result.cpuMs;
      this.#schedule.restAfter(cpuMs);
      due.unshift(...group.slice(result.checks.length));
      const applied = await this.#apply(group, result.checks);
      due.unshift(...applied.moved);
      isOpen ||= applied.isOpen;
    }
    return isOpen ? 'open' : 'done';
  }

  /** Adds the pages that are listed, were asked for on any node, or were changed themselves. */
  async #learn(): Promise<void> {
    const { failing, visited } = this.#deps;
    for (const { root_id: siteId, path, query, page_id } of failing.entries())
      this.#pages.add({ siteId, path, query }, page_id, false);
    for (const { root_id: siteId, path, page_id } of await visited.readNew())
      this.#pages.add({ siteId, path, query: '' }, page_id, true);
    const changed = [...this.#changedPages];
    this.#changedPages.clear();
    try {
      for (const id of changed) await this.#addChanged(id);
    } catch (error) {
      // The next check looks for them.
      for (const id of changed) this.#changedPages.add(id);
      throw error;
    }
  }

  async #addChanged(id: number): Promise<void> {
    const page = await findPublished(this.#deps.reader, id);
    if (page !== undefined) this.#pages.add({ siteId: page.root_id, path: page.path, query: '' }, id, false);
  }

  /** @returns pages that must be checked too, and whether some were changed meanwhile */
  async #apply(
    group: readonly WatchedPage[],
    checks: readonly (PageCheck | undefined)[],
  ): Promise<{ readonly moved: readonly WatchedPage[]; readonly isOpen: boolean }> {
    const { failing, version, checked } = this.#deps;
    const failures: PageFailure[] = [];
    const recoveries: PageRecovery[] = [];
    const moved: WatchedPage[] = [];
    for (const [index, check] of checks.entries()) {
      const page = group[index];
      if (page === undefined) continue;
      this.#counts[check?.outcome.kind ?? 'unchecked'] += 1;
      // Only another change, or a visitor, makes it worth another try.
      const reads = check?.reads ?? { seq: version.current(), dependencies: contentOf(page) };
      this.#pages.setReads(page, reads);
      if (check === undefined) continue;
      const { outcome } = check;
      const { siteId, path, query } = page;
      if (outcome.kind === 'absent' || outcome.of.pageId !== page.pageId)
        moved.push(...(await this.#follow(page)));
      if (this.#pages.get(page) === undefined || outcome.kind === 'absent') {
        recoveries.push({ siteId, path, query, reads });
        continue;
      }
      page.pageId = outcome.of.pageId;
      if (outcome.kind === 'failed') {
        const goodSeq = page.goodSeq ?? checked.seq;
        page.failsBehindCall = false;
        const { of, error } = outcome;
        failures.push({ of, query, reads, error, foundBy: 'check', findGoodSeq: () => goodSeq });
      } else if (outcome.kind === 'rendered' || !this.#failsBehindCall(page)) {
        page.goodSeq = reads.seq;
        recoveries.push({ siteId, path, query, reads });
      }
    }
    const outdated = [...(await failing.enter(failures)), ...(await failing.leave(recoveries))];
    return { moved, isOpen: outdated.length > 0 };
  }

  /** Whether a page may fail at a place that checks do not reach. */
  #failsBehindCall({ siteId, path, failsBehindCall }: WatchedPage): boolean {
    return failsBehindCall ?? this.#deps.failing.find(siteId, path)?.found_by === 'visit';
  }

  /**
   * Finds where the page is that an address has had. The address is forgotten, unless a visitor has asked for it: then a
   * page may come back to it.
   */
  async #follow(page: WatchedPage): Promise<readonly WatchedPage[]> {
    const there = await findPublished(this.#deps.reader, page.pageId);
    if (there?.root_id === page.siteId && there.path === page.path) return [];
    if (!page.isAsked) this.#pages.forget(page);
    if (there === undefined) return [];
    const address = { siteId: there.root_id, path: there.path, query: page.query };
    if (this.#pages.get(address) !== undefined) return [];
    const moved = this.#pages.add(address, there.id, false);
    moved.goodSeq = page.goodSeq;
    moved.host = page.host;
    return [moved];
  }
}

/** `done`: all that was changed. `limited`: as much as is allowed. `open`: some results must be looked at again. */
type CheckResult = 'done' | 'limited' | 'open';

function contentOf({ reads, pageId }: WatchedPage): Float64Array {
  return (reads && findContent(reads)) ?? Float64Array.of(dependencies.everything, dependencies.page(pageId));
}
