/**
 * What rendering needs to know of the stored content. The SQLite implementation is `content-sqlite.ts`; methods
 * are synchronous there, and a later implementation may answer with promises.
 *
 * Everything returned is a plain record; callers must not change it, because one answer may be shared by a
 * whole content version (see `memo` in the render tasks).
 */

/** A page as stored, without computed fields. Flags are booleans, times Unix seconds. */
export interface PageRecord {
  readonly id: number;
  readonly parent_id: number | null;
  readonly root_id: number;
  readonly slug: string;
  readonly path: string;
  readonly sort: number;
  readonly title: string;
  readonly meta_title: string;
  readonly html: string;
  readonly head: string;
  readonly description: string;
  readonly html_attrs: string;
  readonly body_attrs: string;
  readonly lang: string;
  readonly translation_group: string;
  readonly published: boolean;
  readonly catch_all: boolean;
  readonly no_cache: boolean;
  readonly sitemap_exclude: boolean;
  readonly noindex: boolean;
  readonly nofollow: boolean;
  readonly hide_in_nav: boolean;
  readonly domains: string;
  readonly default_site: boolean;
  readonly notfound_page_id: number;
  readonly og_image_file_id: number;
  readonly favicon_file_id: number;
  readonly robots_txt: string;
  readonly source_url: string;
  readonly import_root: number;
  readonly local_modified: boolean;
  readonly created_at: number;
  readonly updated_at: number;
}

/** A page without its templates: what ancestors of the rendered page are asked for. */
export type PageFields = Omit<PageRecord, 'html' | 'head'>;

/** What lists, navigation and sitemaps need of a page. */
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

/** What a page needs of an asset to link to it. */
export interface AssetRef {
  readonly id: number;
  readonly kind: 'css' | 'js';
  readonly updated_at: number;
}

export interface AssetRecord extends AssetRef {
  readonly name: string;
  readonly content: string;
}

export interface SnippetRecord {
  readonly id: number;
  readonly name: string;
  readonly content: string;
}

/** A published page as a language version of others. */
export interface VersionRecord {
  readonly root_id: number;
  readonly translation_group: string;
  readonly path: string;
  /** Own or inherited; empty where no page has one. */
  readonly lang: string;
}

export interface RedirectRecord {
  readonly id: number;
  readonly target: string;
  readonly status: 301 | 302;
}

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
  /** Those of all groups that pages of a website are in. */
  versionsOfSite(rootId: number): readonly VersionRecord[];
  /** The redirect from a normalised path. */
  redirect(rootId: number, source: string): RedirectRecord | undefined;
  snippet(name: string): SnippetRecord | undefined;
  /** Assets of a page in loading order: inherited ones of ancestors from the home page down, then its own. */
  assetsOfPage(pageId: number): readonly AssetRef[];
  /** The inherited ones of those. */
  inheritedAssets(pageId: number): readonly AssetRef[];
  /** Assets of the snippet of that name in loading order; none if there is no such snippet. */
  assetsOfSnippet(name: string): readonly AssetRef[];
  asset(id: number): AssetRecord | undefined;
  close(): void;
}
