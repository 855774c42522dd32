import { paths } from '../../../base/router/paths.ts';
import type { PageTreeEntry } from '../../../content/pages.ts';
import { type Period, periodBefore } from '../../../content/period.ts';
import type { Scope } from './queries.ts';
import { type Detail, formatViewQuery, type View } from './view.ts';

/** What is on the screen: of which websites, and of which days. */
export class ReportScope {
  readonly site: number;
  readonly view: View;
  readonly period: Period;
  readonly #pages: readonly PageTreeEntry[];

  constructor(site: number, view: View, period: Period, pages: readonly PageTreeEntry[]) {
    this.site = site;
    this.view = view;
    this.period = period;
    this.#pages = pages;
  }

  get scope(): Scope {
    return this.view.isAll ? 'all' : this.site;
  }

  /** What the period is compared with. */
  get before(): Period {
    return periodBefore(this.period);
  }

  get siteTitle(): string {
    return this.titleOf(this.site) ?? '';
  }

  get hasSeveralSites(): boolean {
    return this.#pages.filter(({ parent_id }) => parent_id === null).length > 1;
  }

  titleOf(site: number): string | undefined {
    return this.#pages.find(({ id }) => id === site)?.title;
  }

  /** The page that stands at a path now; there is none if it was moved or deleted. */
  pageAt(path: string): PageTreeEntry | undefined {
    return this.#pages.find((page) => page.root_id === this.site && page.path === path);
  }

  /** Address of one page or value. @param site whose page it is */
  detailPath(detail: Detail | undefined, site = this.site): string {
    const isAll = this.view.isAll && site === this.site;
    return paths.statistics(site, formatViewQuery({ ...this.view, isAll, detail }));
  }
}
