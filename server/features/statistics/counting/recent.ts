import { nameOfPath } from '../names.ts';

/** The views of the last minutes, for the live display. They are in memory only. */

/** How long a view is recent, in milliseconds. */
const recentMs = 5 * 60_000;
/** Most views that are remembered; the oldest are forgotten first. */
const maxViews = 100_000;
const maxPages = 50;

interface RecentView {
  readonly at: number;
  /** How many views it stands for. */
  readonly times: number;
  readonly siteId: number;
  /** As requested. */
  readonly path: string;
  readonly visitor: number;
}

export interface LiveFigures {
  readonly views: number;
  readonly visitors: number;
  /** Most views first. */
  readonly pages: readonly { readonly root_id: number; readonly name: string; readonly views: number }[];
}

export class RecentViews {
  #views: RecentView[] = [];

  add(view: RecentView): void {
    this.#views.push(view);
    if (this.#views.length >= 2 * maxViews) this.#views = this.#views.slice(-maxViews);
  }

  /** @param siteId website; undefined for all */
  figures(now: number, siteId: number | undefined): LiveFigures {
    // Views from a clock that has been set back since are not recent either.
    this.#views = this.#views.filter(({ at }) => at > now - recentMs && at <= now);
    const views = siteId === undefined ? this.#views : this.#views.filter((view) => view.siteId === siteId);
    const visitors = new Set(views.map(({ visitor }) => visitor));
    const pages = new Map<string, { root_id: number; name: string; views: number }>();
    for (const view of views) {
      const name = nameOfPath(view.path);
      const key = `${view.siteId} ${name}`;
      const page = pages.get(key) ?? { root_id: view.siteId, name, views: 0 };
      page.views += view.times;
      pages.set(key, page);
    }
    const sorted = [...pages.values()].sort(
      (a, b) => b.views - a.views || (a.name < b.name ? -1 : 1) || a.root_id - b.root_id,
    );
    return {
      views: views.reduce((sum, { times }) => sum + times, 0),
      visitors: visitors.size,
      pages: sorted.slice(0, maxPages),
    };
  }

  forget(siteId: number | undefined): void {
    this.#views = siteId === undefined ? [] : this.#views.filter((view) => view.siteId !== siteId);
  }
}
