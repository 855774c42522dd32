/**
 * The stored content that rendering reads. The SQLite implementation is `sqlite.ts`; its methods are
 * synchronous, and a later implementation may return promises.
 *
 * All results are plain records. Callers must not change them, because all renders of one content version may
 * share a result (see `memo.ts`).
 */

import type { FieldsOf } from './columns.ts';
import type { assetColumns, pageColumns, redirectColumns, snippetColumns } from './tables.ts';

/** A page as stored, without computed fields and without the column that only the sitemap reads. */
export type PageRecord = Omit<FieldsOf<typeof pageColumns>, 'sitemap_source'>;

/** A page without its templates: all that a render reads of the pages above its page. */
export type PageFields = Omit<PageRecord, 'html' | 'head'>;

/** The fields of a page for lists, navigation and sitemaps. */
export type PageSummary = Pick<
  PageRecord,
  | 'id'
  | 'parent_id'
  | 'root_id'
  | 'slug'
  | 'path'
  | 'sort'
  | 'title'
  | 'lang'
  | 'published'
  | 'catch_all'
  | 'sitemap_exclude'
  | 'noindex'
  | 'hide_in_nav'
  | 'translation_group'
  | 'updated_at'
>;

/** The fields of an asset that a link to it needs. */
export type AssetRef = Pick<FieldsOf<typeof assetColumns>, 'id' | 'kind' | 'updated_at'>;

export type AssetRecord = AssetRef & Pick<FieldsOf<typeof assetColumns>, 'name' | 'content'>;

export type SnippetRecord = Pick<FieldsOf<typeof snippetColumns>, 'id' | 'name' | 'content'>;

/** A published page as a language version of others. */
export interface VersionRecord {
  readonly root_id: number;
  readonly translation_group: string;
  readonly path: string;
  /** Own or inherited; empty if neither the page nor a page above it has one. */
  readonly lang: string;
}

export type RedirectRecord = Pick<FieldsOf<typeof redirectColumns>, 'id' | 'target' | 'status'>;

export interface ContentReader {
  /**
   * Runs `work` in one read transaction: everything it reads belongs to one committed state.
   * `revision` is a number that differs from that of the previous snapshot if anything was committed between.
   * Snapshots do not nest.
   */
  snapshot<T>(work: (revision: number) => T | Promise<T>): Promise<T>;
  /** All root pages, oldest first. */
  sites(): readonly PageRecord[];
  page(id: number): PageRecord | undefined;
  pageFields(id: number): PageFields | undefined;
  pageByPath(rootId: number, path: string): PageRecord | undefined;
  /** The catch-all pages of a website. */
  catchAllPages(rootId: number): readonly Pick<PageRecord, 'id' | 'path' | 'published'>[];
  /** All pages of a website in tree order (parent, then sort). */
  pagesOfSite(rootId: number): readonly PageSummary[];
  /** The published pages of a translation group. */
  versions(group: string): readonly VersionRecord[];
  /** The published pages of all translation groups that contain a page of the website. */
  versionsOfSite(rootId: number): readonly VersionRecord[];
  /** The redirect from a normalised path. */
  redirect(rootId: number, source: string): RedirectRecord | undefined;
  snippet(name: string): SnippetRecord | undefined;
  /** Assets of a page in loading order: inherited ones of ancestors from the home page down, then its own. */
  assetsOfPage(pageId: number): readonly AssetRef[];
  /** The assets of a page that it inherits, in loading order. */
  inheritedAssets(pageId: number): readonly AssetRef[];
  /** Assets of the snippet of that name in loading order; none if there is no such snippet. */
  assetsOfSnippet(name: string): readonly AssetRef[];
  asset(id: number): AssetRecord | undefined;
  close(): void;
}
