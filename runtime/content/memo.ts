import type { AssetRef, ContentReader, PageFields } from './reader.ts';
import { type SiteTable, siteTable } from './site-host.ts';
import { SiteTree } from './tree.ts';

type CatchAllPage = ReturnType<ContentReader['catchAllPages']>[number];

/**
 * Content of one committed state that one worker keeps.
 *
 * - Key: the method and its argument.
 * - Depends on: the content alone, as the snapshot of `enter` sees it.
 * - Invalidation: `enter` drops everything as soon as the stamp differs from the last one.
 * - Limits: at most `maxEntries` results per method; then all results of that method are dropped. Templates
 *   of pages are never kept: they are most of the content, and a rendered page is in the page cache anyway.
 */
export class ContentMemo {
  readonly reader: ContentReader;
  #stamp = '';
  #siteTable: SiteTable | undefined;
  #fields = new Map<number, PageFields | undefined>();
  #catchAll = new Map<number, readonly CatchAllPage[]>();
  #trees = new Map<number, SiteTree>();
  #pageAssets = new Map<number, readonly AssetRef[]>();
  #snippetAssets = new Map<string, readonly AssetRef[]>();

  constructor(reader: ContentReader) {
    this.reader = reader;
  }

  /** Call at the start of every snapshot: if the content has changed, everything is dropped. */
  enter(stamp: string): void {
    if (stamp === this.#stamp) return;
    this.#stamp = stamp;
    this.#siteTable = undefined;
    this.#fields = new Map();
    this.#catchAll = new Map();
    this.#trees = new Map();
    this.#pageAssets = new Map();
    this.#snippetAssets = new Map();
  }

  siteTable(): SiteTable {
    this.#siteTable ??= siteTable(this.reader.sites());
    return this.#siteTable;
  }

  pageFields(id: number): PageFields | undefined {
    return remember(this.#fields, id, () => this.reader.pageFields(id));
  }

  catchAllPages(rootId: number): readonly CatchAllPage[] {
    return remember(this.#catchAll, rootId, () => this.reader.catchAllPages(rootId));
  }

  tree(rootId: number): SiteTree {
    return remember(this.#trees, rootId, () => new SiteTree(this.reader.pagesOfSite(rootId)));
  }

  assetsOfPage(pageId: number): readonly AssetRef[] {
    return remember(this.#pageAssets, pageId, () => this.reader.assetsOfPage(pageId));
  }

  assetsOfSnippet(name: string): readonly AssetRef[] {
    return remember(this.#snippetAssets, name, () => this.reader.assetsOfSnippet(name));
  }
}

const maxEntries = 10_000;

function remember<K, V>(map: Map<K, V>, key: K, read: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const value = read();
  if (map.size >= maxEntries) map.clear();
  map.set(key, value);
  return value;
}
