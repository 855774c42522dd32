/**
 * The stored content that rendering reads. The SQLite implementation is `sqlite.ts`; its methods are
 * synchronous, and a later implementation may return promises.
 *
 * All results are plain records. Callers must not change them, because renders may share a result (see
 * `content-cache.ts`).
 */

import type { LoggedChange } from './change-log.ts';
import type { FieldsOf } from './columns.ts';
import type { ItemAccess } from './items/paths.ts';
import type { CollectionRecord, DetailRecord, ItemRecord, SourceRecord } from './items/records.ts';
import type { Sql } from './items/sql.ts';
import type { assetColumns, fileColumns, pageColumns, redirectColumns, snippetColumns } from './tables.ts';

/** A page as stored, without computed fields and without columns that are read by need. */
export type PageRecord = Omit<FieldsOf<typeof pageColumns>, 'sitemap_source' | 'blocks' | 'regions'>;

/** A page without its templates. */
export type PageFields = Omit<PageRecord, 'html' | 'head'>;

/**
 * The fields of a page that other pages show. Each of them counts for the part `basics` of the change log, so
 * that a save of a page's text does not touch the pages below it.
 */
export type PageBasics = Pick<
  PageRecord,
  | 'id'
  | 'parent_id'
  | 'root_id'
  | 'path'
  | 'title'
  | 'lang'
  | 'published'
  | 'domains'
  | 'notfound_page_id'
  | 'robots_txt'
  | 'zone'
  | 'og_image_file_id'
  | 'favicon_file_id'
>;

/** The fields of a page in a navigation. Each of them counts for the part `listing` of the change log. */
export type ChildPage = Pick<
  PageRecord,
  'id' | 'parent_id' | 'root_id' | 'slug' | 'path' | 'title' | 'lang' | 'published' | 'hide_in_nav'
>;

/** The fields of a page that a sitemap shows. */
export type ListedPage = Pick<PageRecord, 'path' | 'translation_group' | 'updated_at'>;

/** The domains of a website; `id` is that of its home page. */
export type SiteRecord = Pick<PageRecord, 'id' | 'domains' | 'default_site'>;

/** The fields of an asset that a link to it needs. */
export type AssetRef = Pick<FieldsOf<typeof assetColumns>, 'id' | 'kind' | 'updated_at'>;

export type AssetRecord = AssetRef & Pick<FieldsOf<typeof assetColumns>, 'name' | 'content'>;

/** An asset in the list of a page. `inherit`: the pages below load it too. */
export interface OwnAsset {
  readonly asset_id: number;
  readonly inherit: boolean;
}

/** An uploaded file, without what only its upload needs. */
export type FileRecord = Omit<FieldsOf<typeof fileColumns>, 'folder_id' | 'source_url' | 'content'>;

export type SnippetRecord = Pick<FieldsOf<typeof snippetColumns>, 'id' | 'name' | 'content'>;

/** A published page as a language version of others. */
export interface VersionRecord {
  readonly id: number;
  readonly root_id: number;
  readonly translation_group: string;
  readonly path: string;
  readonly title: string;
  /** Own or inherited; empty if neither the page nor a page above it has one. */
  readonly lang: string;
}

export type RedirectRecord = Pick<FieldsOf<typeof redirectColumns>, 'id' | 'target' | 'status'>;

export interface ContentReader extends ItemAccess {
  /**
   * Runs `work` in one read transaction: everything it reads belongs to one committed state. `seq` is the
   * version of that state (`change-log.ts`). Snapshots do not nest.
   */
  snapshot<T>(work: (seq: number) => T | Promise<T>): Promise<T>;
  /** The changes after version `seq`, oldest first; undefined if the log does not go back that far. */
  changesSince(seq: number): readonly LoggedChange[] | undefined;
  /** All websites, oldest first. */
  sites(): readonly SiteRecord[];
  page(id: number): PageRecord | undefined;
  pageFields(id: number): PageFields | undefined;
  basics(id: number): PageBasics | undefined;
  pageByPath(rootId: number, path: string): PageRecord | undefined;
  /** The catch-all pages of a website. */
  catchAllPages(rootId: number): readonly Pick<PageRecord, 'id' | 'path' | 'published'>[];
  /** The pages directly below a page, in their order: all, or those that navigations show. */
  childrenOf(parentId: number, which: 'all' | 'shown'): readonly ChildPage[];
  /** The paths of drafts of a website, oldest first, at most `limit`. */
  draftPaths(rootId: number, limit: number): readonly string[];
  /** The language of a page, own or inherited; empty if neither the page nor a page above it has one. */
  chosenLang(id: number): string;
  /** How many pages of a website its sitemap lists: published ones that no flag excludes, without `exceptId`. */
  countListed(rootId: number, exceptId: number): number;
  /**
   * `count` of these pages after the first `start`, in tree order (parent, then sort). They are read one by one,
   * because a website may have very many.
   */
  listed(rootId: number, exceptId: number, start: number, count: number): Iterable<ListedPage>;
  /** The published pages of a translation group. */
  versions(group: string): readonly VersionRecord[];
  /** The languages of the published pages of a website, each once; empty for pages without one. */
  languages(rootId: number): readonly string[];
  /** The `sitemap_source` of a page; null if there is none or no such page. */
  sitemapSource(pageId: number): unknown;
  /** The block tree of a page as JSON; undefined if there is no such page. */
  pageBlocks(pageId: number): string | undefined;
  /** The words of a page by the names of its regions, as JSON; undefined if there is no such page. */
  pageRegions(pageId: number): string | undefined;
  /** The block tree of a global block as JSON; undefined if there is none with this ID. */
  globalBlock(id: number): string | undefined;
  /** The schema of a snippet; null if it has none, undefined if there is no such snippet. */
  snippetSchema(name: string): unknown;
  /** The published pages of all translation groups that contain a page of the website. */
  versionsOfSite(rootId: number): readonly VersionRecord[];
  /** The redirect from a normalised path. */
  redirect(rootId: number, source: string): RedirectRecord | undefined;
  snippet(name: string): SnippetRecord | undefined;
  /** Names of snippets in order, at most `limit`. */
  snippetNames(limit: number): readonly string[];
  /** The assets assigned to a page itself, in loading order. */
  ownAssets(pageId: number): readonly OwnAsset[];
  /** IDs of the assets of a snippet, in loading order. */
  snippetAssets(snippetId: number): readonly number[];
  assetRef(id: number): AssetRef | undefined;
  asset(id: number): AssetRecord | undefined;
  file(id: number): FileRecord | undefined;
  collection(slug: string): CollectionRecord | undefined;
  collectionById(id: number): CollectionRecord | undefined;
  /** The collections whose detail page is this one, oldest first. */
  collectionsBelow(pageId: number): readonly CollectionRecord[];
  /** The entries of a translation group. */
  itemVersions(group: string): readonly ItemRecord[];
  /** All collections in order of their slugs. */
  collections(): readonly CollectionRecord[];
  source(slug: string): SourceRecord | undefined;
  /** All REST sources in order of their slugs. */
  sources(): readonly SourceRecord[];
  /** The entries that exist of these IDs, in any order. */
  items(ids: readonly number[]): readonly ItemRecord[];
  /** Number of entries of a collection. @param drafts whether drafts count */
  countItems(collectionId: number, drafts: boolean): number;
  /** The rows of a query of {@link detailSql}. */
  selectDetails(query: Sql): readonly DetailRecord[];
  /** The number that a query of {@link countSql} finds. */
  countSelected(query: Sql): number;
  /** The entries of a query; undefined if there are more than `maxItems`, or more data than `maxCharacters`. */
  selectItems(query: Sql, maxItems: number, maxCharacters: number): readonly ItemRecord[] | undefined;
  close(): void;
}
