import { findContent, type ReadSet } from '../../../runtime/content/dependency-recorder.ts';
import { TimeSlices } from '../../base/timers.ts';
import type { ContentVersion } from '../../changes/content-version.ts';

/** An address that somebody has asked for, or whose page was changed. */
export interface WatchedPage {
  readonly siteId: number;
  /** Decoded. */
  readonly path: string;
  readonly query: string;
  pageId: number;
  /** Whether a visitor has asked for it. Otherwise it counts only as long as it is that of its page. */
  isAsked: boolean;
  /** For absolute URLs of a website without domains. */
  host: string;
  /** What the newest render has read; undefined if none is known. Set by `setReads`. */
  readonly reads: ReadSet | undefined;
  /** Version of the content at which the page did not fail; undefined if that is not known. */
  goodSeq: number | undefined;
  /** Whether its last failure is behind a call that no check reaches; undefined if that is not known. */
  failsBehindCall: boolean | undefined;
}

export type PageAddress = Pick<WatchedPage, 'siteId' | 'path' | 'query'>;

/** Most addresses; those that were asked for longest ago are forgotten first. */
const maxPages = 20_000;
/** Most numbers in what all of them have read: 32 MB. */
const maxNumbers = 4_000_000;

/** Pages that are checked after changes, with what they have read. */
export class WatchedPages {
  /** Those that were asked for last are at the end. */
  readonly #pages = new Map<string, KnownPage>();
  #numbers = 0;

  get(address: PageAddress): WatchedPage | undefined {
    return this.#pages.get(keyOf(address));
  }

  /** Adds an address unless it is known. Its page may be another one by now. */
  add(address: PageAddress, pageId: number, isAsked: boolean): WatchedPage {
    const page = this.#findOrCreate(address, pageId);
    page.pageId = pageId;
    page.isAsked ||= isAsked;
    return page;
  }

  /** Adds an address, or makes it the one that was asked for last. */
  visit(address: PageAddress, pageId: number, host: string): WatchedPage {
    const page = this.#findOrCreate(address, pageId);
    const key = keyOf(address);
    this.#pages.delete(key);
    this.#pages.set(key, page);
    return Object.assign(page, { pageId, host, isAsked: true });
  }

  forget(address: PageAddress): void {
    const key = keyOf(address);
    this.#numbers -= countNumbers(this.#pages.get(key)?.reads);
    this.#pages.delete(key);
  }

  setReads(address: PageAddress, reads: ReadSet): void {
    const page = this.#pages.get(keyOf(address));
    if (page === undefined) return;
    this.#numbers += countNumbers(reads) - countNumbers(page.reads);
    page.reads = reads;
    while (this.#numbers > maxNumbers) this.#forgetOldest();
  }

  get size(): number {
    return this.#pages.size;
  }

  /** Pages that may look different by now; those that were asked for last come first. */
  async findOutdated(version: Pick<ContentVersion, 'isContentUpToDate'>): Promise<WatchedPage[]> {
    const slices = new TimeSlices();
    const outdated: WatchedPage[] = [];
    for (const page of [...this.#pages.values()].reverse()) {
      if (page.reads === undefined || !version.isContentUpToDate(page.reads)) outdated.push(page);
      const pause = slices.next();
      if (pause !== undefined) await pause;
    }
    return outdated;
  }

  #findOrCreate({ siteId, path, query }: PageAddress, pageId: number): KnownPage {
    const key = keyOf({ siteId, path, query });
    const known = this.#pages.get(key);
    if (known !== undefined) return known;
    const page = createPage({ siteId, path, query }, pageId);
    this.#pages.set(key, page);
    if (this.#pages.size > maxPages) this.#forgetOldest();
    return page;
  }

  #forgetOldest(): void {
    for (const page of this.#pages.values()) {
      this.forget(page);
      return;
    }
  }
}

/** As only `WatchedPages` writes it. */
interface KnownPage extends WatchedPage {
  reads: ReadSet | undefined;
}

function countNumbers(reads: ReadSet | undefined): number {
  return (reads && findContent(reads))?.length ?? 0;
}

/** A page of which nothing is known but its address. */
export function createPage(address: PageAddress, pageId: number): KnownPage {
  return {
    ...address,
    pageId,
    isAsked: false,
    host: '',
    reads: undefined,
    goodSeq: undefined,
    failsBehindCall: undefined,
  };
}

function keyOf({ siteId, path, query }: PageAddress): string {
  return `${siteId} ${path}?${query}`;
}
