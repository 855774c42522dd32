import { findAffectedDependencies } from '../../../runtime/content/dependencies.ts';
import type { RenderFailure } from '../../../runtime/tasks/messages/delivery.ts';
import { apiError } from '../../base/errors.ts';
import type { CommitCheck } from '../../changes/commit-check.ts';
import type { Overlay } from '../../changes/overlay.ts';
import { writeOverlayFile } from '../../db/overlay-file.ts';
import type { Staging } from '../../storage/staging.ts';
import type { CheckRenderer } from './check-renderer.ts';
import type { PageChecker } from './page-checker.ts';
import type { FailingPages } from './service.ts';
import { createPage, type WatchedPage } from './watched-pages.ts';

export interface PageCommitCheckDeps {
  readonly checker: PageChecker;
  readonly renderer: CheckRenderer;
  readonly failing: FailingPages;
  readonly staging: Staging;
  readonly maxWaitMs: number;
}

/** Pages of one task, and its processor time: so long a visitor may have to wait for a process. */
const atOnce = { pages: 25, cpuMs: 20 } as const;
/** Most pages that a refusal names. */
const maxNamed = 100;

/** Renders pages as a change would make them, and refuses the change if one would fail that does not fail now. */
export class PageCommitCheck implements CommitCheck {
  readonly #deps: PageCommitCheckDeps;

  get maxWaitMs(): number {
    return this.#deps.maxWaitMs;
  }

  constructor(deps: PageCommitCheckDeps) {
    this.#deps = deps;
  }

  /** @throws ApiError `content.breaksPages` */
  async check(overlay: Overlay, deadlineMs: number): Promise<boolean> {
    const { staging } = this.#deps;
    const pages = await this.#findPages(overlay);
    if (pages.length === 0) return true;
    const file = staging.reserve();
    try {
      writeOverlayFile(file, overlay.tables);
      const { failures, isComplete } = await this.#render(pages, deadlineMs, file);
      const broken = await this.#leaveOutFailing(failures, deadlineMs);
      if (broken.length === 0) return isComplete;
      const named = broken.slice(0, maxNamed);
      throw apiError('content.breaksPages', {
        pages: named.map(({ page: { path }, error: { message } }) => ({ path, error: message })),
      });
    } finally {
      await staging.release(file);
    }
  }

  /** The pages that the change touches: those that it writes itself, and those that read what it writes. */
  async #findPages({ changes, tables }: Overlay): Promise<WatchedPage[]> {
    const touched = new Set(changes.flatMap(findAffectedDependencies));
    const pages = await this.#deps.checker.findReaders(touched);
    const known = new Set(pages.map(addressOf));
    const rows = tables.find(({ name }) => name === 'pages')?.rows ?? [];
    const written = rows
      .filter(({ published }) => published === 1)
      .map(({ id, root_id, path }) =>
        createPage({ siteId: Number(root_id), path: String(path), query: '' }, Number(id)),
      );
    return [...written.filter((page) => !known.has(addressOf(page))), ...pages];
  }

  async #render(pages: readonly WatchedPage[], deadlineMs: number, overlayFile?: string): Promise<Renders> {
    const failures: Failure[] = [];
    const due = [...pages];
    while (due.length > 0) {
      const group = due.slice(0, atOnce.pages);
      const rendered = await endsBefore(
        deadlineMs,
        this.#deps.renderer.render(group, atOnce.cpuMs, overlayFile),
      );
      if (rendered === undefined) return { failures, isComplete: false };
      const { checks } = rendered;
      for (const [index, page] of due.splice(0, checks.length).entries()) {
        const outcome = checks[index]?.outcome;
        if (outcome?.kind === 'failed') failures.push({ page, error: outcome.error });
      }
    }
    return { failures, isComplete: true };
  }

  /** The failures of pages that do not fail now. A page of which that is not known in time counts as one. */
  async #leaveOutFailing(failures: readonly Failure[], deadlineMs: number): Promise<readonly Failure[]> {
    const { failing } = this.#deps;
    const isNew = failures.filter(({ page }) => failing.find(page.siteId, page.path) === undefined);
    if (isNew.length === 0) return [];
    const pages = isNew.map(({ page }) => page);
    const now = await this.#render(pages, deadlineMs);
    const failsNow = new Set(now.failures.map(({ page }) => page));
    return isNew.filter(({ page }) => !failsNow.has(page));
  }
}

interface Failure {
  readonly page: WatchedPage;
  readonly error: RenderFailure;
}

interface Renders {
  readonly failures: readonly Failure[];
  /** Whether all pages were rendered in time. */
  readonly isComplete: boolean;
}

function addressOf({ siteId, path, query }: WatchedPage): string {
  return `${siteId} ${path}?${query}`;
}

/** The result of work if it comes before that time of `performance.now()`, else undefined. */
async function endsBefore<Result>(deadlineMs: number, work: Promise<Result>): Promise<Result | undefined> {
  const restMs = deadlineMs - performance.now();
  if (restMs <= 0) return undefined;
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => resolve(undefined), restMs);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}
