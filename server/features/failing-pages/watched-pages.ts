import { findContent, type ReadSet } from '../../../runtime/content/dependency-recorder.ts';
import { TimeSlices } from '../../base/timers.ts';

/** An address that somebody has asked for, or whose page was changed. */
export interface WatchedPage {
  readonly siteId: number;
  /** Decoded. */
  readonly path: string;
  readonly query: string;
  pageId: number;
  /** For absolute URLs of a website without domains. */
  host: string;
  /** What the newest render has read; undefined if none is known. */
  reads: ReadSet | undefined;
  /** Version of the content at which the page did not fail; undefined if that is not known. */
  goodSeq: number | undefined;
  /** Whether something that it has read has changed since. */
  isDue: boolean;
}

export type PageAddress = Pick<WatchedPage, 'siteId' | 'path' | 'query'>;

/** Most addresses; those that were asked for longest ago are forgotten first. */
const maxPages = 20_000;

/** Pages that are checked after changes, with what they have read. */
export class WatchedPages {
  /** Those that were asked for last are at the end. */
  readonly #pages = new Map<string, WatchedPage>();

  get(address: PageAddress): WatchedPage | undefined {
    return this.#pages.get(keyOf(address));
  }

  /** Adds a page, or makes it the one that was asked for last. */
  use(address: PageAddress, pageId: number, host: string): WatchedPage {
    const key = keyOf(address);
    const { siteId, path, query } = address;
    const known = this.#pages.get(key);
    const page = known ?? createPage({ siteId, path, query }, pageId, host);
    page.pageId = pageId;
    if (host !== '') page.host = host;
    if (known !== undefined) this.#pages.delete(key);
    this.#pages.set(key, page);
    if (this.#pages.size > maxPages) this.#forgetOldest();
    return page;
  }

  forget(address: PageAddress): void {
    this.#pages.delete(keyOf(address));
  }

  get size(): number {
    return this.#pages.size;
  }

  /** Marks the pages that a change has touched. */
  async markDue(isTouched: (content: Float64Array | undefined) => boolean): Promise<void> {
    const slices = new TimeSlices();
    for (const page of [...this.#pages.values()]) {
      if (!page.isDue) page.isDue = page.reads === undefined || isTouched(findContent(page.reads));
      const pause = slices.next();
      if (pause !== undefined) await pause;
    }
  }

  /** The marked pages; those that were asked for last come first. */
  due(): WatchedPage[] {
    return [...this.#pages.values()].filter(({ isDue }) => isDue).reverse();
  }

  #forgetOldest(): void {
    const [oldest] = this.#pages.keys();
    if (oldest !== undefined) this.#pages.delete(oldest);
  }
}

function createPage(address: PageAddress, pageId: number, host: string): WatchedPage {
  return { ...address, pageId, host, reads: undefined, goodSeq: undefined, isDue: false };
}

function keyOf({ siteId, path, query }: PageAddress): string {
  return `${siteId} ${path}?${query}`;
}
