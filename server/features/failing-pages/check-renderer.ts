import { setTimeout as pause } from 'node:timers/promises';
import type { PageCheck } from '../../../runtime/tasks/messages/delivery.ts';
import type { SharedServices } from '../../feature.ts';
import type { Pool } from '../../processes/pool.ts';
import type { WatchedPage } from './watched-pages.ts';

export interface CheckRendererDeps extends Pick<SharedServices, 'pool' | 'clock' | 'log'> {
  /** Whose processes render the checked pages. */
  readonly processes: Pool;
}

/** Results of the first pages of a group; undefined for one that could not be checked. */
export interface GroupChecks {
  readonly checks: readonly (PageCheck | undefined)[];
  readonly cpuMs: number;
}

/** How often it is asked whether a visitor still waits, in milliseconds. */
const quietMs = 15;
/** What a page counts that ends its process, in milliseconds of processor time. */
const lostMs = 500;

/** Renders pages to see whether they fail, when no visitor waits. */
export class CheckRenderer {
  readonly #deps: CheckRendererDeps;

  constructor(deps: CheckRendererDeps) {
    this.#deps = deps;
  }

  async untilNobodyWaits(isClosed: () => boolean): Promise<void> {
    while (this.#deps.pool.hasQueue && !isClosed()) await pause(quietMs);
  }

  /**
   * A page that ends its process counts as unchecked; the others of its group are rendered again.
   *
   * @param overlayFile changes that are not committed and are to be shown
   */
  async render(group: readonly WatchedPage[], budgetMs: number, overlayFile?: string): Promise<GroupChecks> {
    const { processes, clock, log } = this.#deps;
    const addresses = group.map(({ siteId, path, query, host }) => ({
      siteId,
      path,
      query,
      host: host === '' ? 'localhost' : host,
    }));
    try {
      return await processes.run({ kind: 'check-pages', addresses, now: clock(), budgetMs, overlayFile });
    } catch (error) {
      const [first] = group;
      if (group.length > 1 && first !== undefined) return this.render([first], budgetMs, overlayFile);
      log.warn({ err: error, path: first?.path }, 'a page could not be checked');
      return { checks: [undefined], cpuMs: lostMs };
    }
  }
}
