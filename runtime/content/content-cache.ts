import { type BlockType, findBlockType } from '../blocks/block-type.ts';
import type { BlockTree } from '../blocks/tree.ts';
import type { LoggedChange } from './change-log.ts';
import { dependencies, findAffectedDependencies } from './dependencies.ts';
import { DependencyCache, maxEntries } from './dependency-cache.ts';
import { DependencyRecorder } from './dependency-recorder.ts';
import { EntryCache } from './items/entry-cache.ts';
import { JsonCache } from './json-cache.ts';
import { PageLanguages } from './page-languages.ts';
import type {
  AssetRecord,
  AssetRef,
  ChildPage,
  ContentReader,
  FileRecord,
  ListedPage,
  OwnAsset,
  PageBasics,
  PageFields,
  PageRecord,
  RedirectRecord,
  SnippetRecord,
} from './reader.ts';
import { type SiteTable, siteTable } from './site-host.ts';
import { SnippetNotes } from './snippet-notes.ts';

type Children = { all?: readonly ChildPage[]; shown?: readonly ChildPage[] };
/** The words of a page by the names of its regions. */
export type RegionValues = Readonly<Record<string, unknown>>;
type CatchAllPage = Pick<PageRecord, 'id' | 'path' | 'published'>;

/**
 * The content as the tasks of one worker read it: every read is recorded as a dependency of the current task,
 * and what many pages read is kept.
 *
 * - Key of a kept value: the dependency that stands for it.
 * - Invalidation: `applyChanges` drops what a change has touched, `forget` drops everything.
 * - Limits: at most `maxEntries` values of a kind; then all of that kind are dropped. Templates of pages are
 *   not kept, except for one: they are most of the content, and a rendered page is in the page cache anyway.
 */
export class ContentCache {
  readonly reads: DependencyRecorder;
  /** Collections and entries. */
  readonly items: EntryCache;
  readonly languages: PageLanguages;
  readonly #reader: ContentReader;
  readonly #snippetNotes: SnippetNotes;
  readonly #siteTable = new DependencyCache<SiteTable>();
  /** The page that was read last by its ID: a catch-all page answers for one address after the other. */
  readonly #page = new DependencyCache<PageRecord | undefined>(1);
  readonly #fields = new DependencyCache<PageFields | undefined>();
  readonly #basics = new DependencyCache<PageBasics | undefined>();
  readonly #catchAll = new DependencyCache<readonly CatchAllPage[]>();
  readonly #children = new DependencyCache<Children>();
  readonly #ownAssets = new DependencyCache<readonly OwnAsset[]>();
  readonly #assetRefs = new DependencyCache<AssetRef | undefined>();
  readonly #snippetAssets = new DependencyCache<readonly number[]>();
  readonly #files = new DependencyCache<FileRecord | undefined>();
  readonly #trees = new JsonCache<BlockTree>();
  readonly #regions = new JsonCache<RegionValues>();
  readonly #blockTypes = new Map<string, BlockType | undefined>();
  /** IDs of snippets by name. */
  readonly #snippetIds = new Map<string, number>();
  readonly #all: readonly DependencyCache<unknown>[] = [
    this.#siteTable,
    this.#page,
    this.#fields,
    this.#basics,
    this.#catchAll,
    this.#children,
    this.#ownAssets,
    this.#assetRefs,
    this.#snippetAssets,
    this.#files,
  ];

  constructor(reader: ContentReader, reads = new DependencyRecorder()) {
    this.#reader = reader;
    this.reads = reads;
    this.items = new EntryCache(reader, this.reads);
    this.languages = new PageLanguages(reader, this.reads);
    this.#snippetNotes = new SnippetNotes(this.reads);
  }

  /** Drops what the changes have touched. */
  applyChanges(changes: readonly LoggedChange[]): void {
    for (const change of changes) {
      this.items.applyChanges(change);
      if (change.kind === 'snippet')
        for (const { name } of [change.now, change.before]) this.#forgetSnippet(name ?? '');
      for (const dependency of findAffectedDependencies(change)) {
        if (dependency === dependencies.everything) this.forget();
        else {
          for (const kept of this.#all) kept.drop(dependency);
          this.#trees.drop(dependency);
          this.#regions.drop(dependency);
          this.languages.drop(dependency);
        }
      }
    }
  }

  forget(): void {
    for (const kept of this.#all) kept.clear();
    this.#trees.clear();
    this.#regions.clear();
    this.languages.clear();
    this.#blockTypes.clear();
    this.#snippetIds.clear();
    this.items.forget();
  }

  #forgetSnippet(name: string): void {
    this.#blockTypes.delete(name);
    this.#snippetIds.delete(name);
  }

  siteTable(): SiteTable {
    return this.#siteTable.take(this.reads, dependencies.sites, () => siteTable(this.#reader.sites()));
  }

  page(id: number): PageRecord | undefined {
    return this.#page.take(this.reads, dependencies.page(id), () => this.#reader.page(id));
  }

  pageByPath(rootId: number, path: string): PageRecord | undefined {
    this.reads.note(dependencies.path(rootId, path));
    const page = this.#reader.pageByPath(rootId, path);
    if (page !== undefined) this.reads.note(dependencies.page(page.id));
    return page;
  }

  pageFields(id: number): PageFields | undefined {
    return this.#fields.take(this.reads, dependencies.page(id), () => this.#reader.pageFields(id));
  }

  basics(id: number): PageBasics | undefined {
    return this.#basics.take(this.reads, dependencies.basics(id), () => this.#reader.basics(id));
  }

  catchAllPages(rootId: number): readonly CatchAllPage[] {
    return this.#catchAll.take(this.reads, dependencies.catchAll(rootId), () =>
      this.#reader.catchAllPages(rootId),
    );
  }

  /**
   * The pages directly below a page, in their order: all, or those that navigations show. The result stays the
   * same list as long as nothing in it has changed.
   */
  childrenOf(parentId: number, which: 'all' | 'shown'): readonly ChildPage[] {
    const kept = this.#children.take(this.reads, dependencies.children(parentId), (): Children => ({}));
    const pages = kept[which] ?? this.#reader.childrenOf(parentId, which);
    kept[which] = pages;
    return pages;
  }

  /** IDs from the home page down to a page. */
  lineOf(page: Pick<PageRecord, 'id' | 'parent_id'>): readonly number[] {
    const line = [page.id];
    let parentId = page.parent_id;
    while (parentId !== null) {
      line.unshift(parentId);
      parentId = this.basics(parentId)?.parent_id ?? null;
    }
    return line;
  }

  draftPaths(rootId: number, limit: number): readonly string[] {
    this.reads.note(dependencies.pagesOfSite(rootId));
    return this.#reader.draftPaths(rootId, limit);
  }

  countListed(rootId: number, exceptId: number): number {
    this.reads.note(dependencies.pagesOfSite(rootId));
    return this.#reader.countListed(rootId, exceptId);
  }

  listed(rootId: number, exceptId: number, start: number, count: number): Iterable<ListedPage> {
    this.reads.note(dependencies.pagesOfSite(rootId));
    return this.#reader.listed(rootId, exceptId, start, count);
  }

  sitemapSource(pageId: number): unknown {
    this.reads.note(dependencies.page(pageId));
    return this.#reader.sitemapSource(pageId);
  }

  redirect(rootId: number, source: string): RedirectRecord | undefined {
    this.reads.note(dependencies.redirect(rootId, source));
    return this.#reader.redirect(rootId, source);
  }

  /** The block tree of a page; the same list as long as the page does not change. */
  pageBlocks(id: number): BlockTree {
    const dependency = dependencies.page(id);
    this.reads.note(dependency);
    return this.#trees.get(dependency, () => this.#reader.pageBlocks(id)) ?? [];
  }

  /** The words of a page; the same object as long as the page does not change. */
  pageRegions(id: number): RegionValues {
    const dependency = dependencies.page(id);
    this.reads.note(dependency);
    return this.#regions.get(dependency, () => this.#reader.pageRegions(id)) ?? noRegions;
  }

  /** The block tree of a global block, likewise; undefined if there is none with this ID. */
  globalBlock(id: number): BlockTree | undefined {
    const dependency = dependencies.globalBlock(id);
    this.reads.note(dependency);
    return this.#trees.get(dependency, () => this.#reader.globalBlock(id));
  }

  /** A block type; undefined if no snippet of this name is one. */
  blockType(name: string): BlockType | undefined {
    this.#snippetNotes.note(name);
    const known = this.#blockTypes.get(name);
    if (known !== undefined || this.#blockTypes.has(name)) return known;
    const type = findBlockType(name, this.#reader.snippetSchema(name));
    if (this.#blockTypes.size >= maxEntries) this.#blockTypes.clear();
    this.#blockTypes.set(name, type);
    return type;
  }

  /** Names of snippets in order, at most `limit`. Not kept: asked for when a template is saved. */
  snippetNames(limit: number): readonly string[] {
    this.reads.note(dependencies.everything);
    return this.#reader.snippetNames(limit);
  }

  snippet(name: string): SnippetRecord | undefined {
    this.#snippetNotes.note(name);
    return this.#reader.snippet(name);
  }

  /**
   * Notes that the output depends on the templates of these names, which need not exist.
   *
   * @param names the same set for the same names, as far as possible: its dependencies are kept with it
   */
  noteSnippets(names: ReadonlySet<string>): void {
    this.#snippetNotes.noteAll(names);
  }

  /**
   * The assets of a page in loading order: those it inherits from the home page down, then its own.
   *
   * @param line IDs from the home page down to the page
   * @param own IDs in place of the page's own assets
   */
  *assetsOfPage(line: readonly number[], own?: readonly number[]): Generator<AssetRef> {
    const pageId = line.at(-1);
    for (const id of line) {
      if (id === pageId && own !== undefined) continue;
      for (const { asset_id, inherit } of this.ownAssetsOf(id)) {
        if (id === pageId || inherit) yield* this.#assets([asset_id]);
      }
    }
    if (own !== undefined) yield* this.#assets(own);
  }

  /** The assets assigned to a page itself, in loading order. */
  ownAssetsOf(pageId: number): readonly OwnAsset[] {
    return this.#ownAssets.take(this.reads, dependencies.ownAssets(pageId), () =>
      this.#reader.ownAssets(pageId),
    );
  }

  /** Assets of the snippet of that name in loading order; none if there is no such snippet. */
  assetsOfSnippet(name: string): Iterable<AssetRef> {
    const id = this.#snippetId(name);
    if (id === undefined) return [];
    return this.#assets(
      this.#snippetAssets.take(this.reads, dependencies.snippetAssets(id), () =>
        this.#reader.snippetAssets(id),
      ),
    );
  }

  assetRef(id: number): AssetRef | undefined {
    return this.#assetRefs.take(this.reads, dependencies.asset(id), () => this.#reader.assetRef(id));
  }

  asset(id: number): AssetRecord | undefined {
    this.reads.note(dependencies.asset(id));
    return this.#reader.asset(id);
  }

  file(id: number): FileRecord | undefined {
    return this.#files.take(this.reads, dependencies.file(id), () => this.#reader.file(id));
  }

  #snippetId(name: string): number | undefined {
    this.#snippetNotes.note(name);
    const known = this.#snippetIds.get(name);
    if (known !== undefined) return known;
    const id = this.#reader.snippet(name)?.id;
    if (this.#snippetIds.size >= maxEntries) this.#snippetIds.clear();
    if (id !== undefined) this.#snippetIds.set(name, id);
    return id;
  }

  *#assets(ids: Iterable<number>): Generator<AssetRef> {
    for (const id of ids) {
      const asset = this.assetRef(id);
      if (asset !== undefined) yield asset;
    }
  }
}

const noRegions: RegionValues = Object.freeze({});
