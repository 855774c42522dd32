import type { ContentCache, RegionValues } from '../content/content-cache.ts';
import type { UnsavedItem } from '../content/items/records.ts';
import type { FileRecord, PageFields } from '../content/reader.ts';
import type { SourceData } from '../content/source-data.ts';
import type { SiteTree } from '../content/tree.ts';
import type { RenderHost } from '../engine.ts';
import type { FieldDefinition } from '../fields/definition.ts';
import type { Signature } from '../files/addresses.ts';
import { type FileValue, fileValue } from '../files/file-value.ts';
import { PageBlocks } from './blocks/page-blocks.ts';
import type { EntryValues, EntryView } from './entries.ts';
import { PageRegions } from './page-regions.ts';

/** How a page is shown. */
export interface PageView {
  /** IDs from the home page down to the page. */
  readonly line: readonly number[];
  /** Whether drafts are shown. */
  readonly drafts: boolean;
  /** An entry in a preview that is not saved. */
  readonly unsaved: UnsavedItem | undefined;
  /** Trees of global blocks in a preview that are not saved, by ID. */
  readonly unsavedGlobals?: ReadonlyMap<number, unknown> | undefined;
  /** Words of the page in a preview that are not saved; null stands for the default. */
  readonly unsavedRegions?: RegionValues | undefined;
  /** Whether images show one size only. */
  readonly oneSize: boolean;
  /** Whether the preview is for editors, with marks for blocks. */
  readonly isEdited: boolean;
  /** Makes the parameters that open a private file. */
  readonly sign: (path: string) => Signature;
}

/**
 * The page being rendered, as template functions and the engine see it. One per render.
 */
export class PageEnv implements RenderHost {
  readonly memo: ContentCache;
  readonly tree: SiteTree;
  readonly entries: EntryValues;
  readonly sources: SourceData;
  readonly page: PageFields;
  readonly lang: string;
  /** The zone of the website; undefined = that of the server. */
  readonly timeZone: string | undefined;
  readonly startedMs = performance.now();
  /** Ids from the home page down to the page. */
  readonly line: readonly number[];
  /** Whether drafts are shown. */
  readonly drafts: boolean;
  readonly oneSize: boolean;
  readonly entryView: EntryView;
  readonly blocks: PageBlocks;
  readonly regions: PageRegions;
  readonly #sign: (path: string) => Signature;
  readonly #fileValues = new Map<number, FileValue>();
  readonly #snippets = new Set<string>();
  #recording = false;
  #hasMenu = false;

  constructor(
    {
      memo,
      tree,
      entries,
      sources,
      scheme,
    }: Pick<PageEnv, 'memo' | 'tree' | 'entries' | 'sources'> & Pick<EntryView, 'scheme'>,
    page: PageFields,
    lang: string,
    view: PageView,
  ) {
    const { line, drafts, unsaved, oneSize, sign, isEdited } = view;
    this.memo = memo;
    this.tree = tree;
    this.entries = entries;
    this.sources = sources;
    this.entryView = { drafts, unsaved, isEdited, rootId: page.root_id, scheme };
    const targets = {
      file: (id: number) => this.file(id),
      entry: (collectionId: number, id: number) => entries.linked(collectionId, id, this.entryView),
      field: (field: FieldDefinition, stored: unknown) => entries.fieldValue(field, stored, this.entryView),
    };
    this.blocks = new PageBlocks(memo, targets, view.unsavedGlobals);
    this.regions = new PageRegions(this, targets, view.unsavedRegions);
    this.page = page;
    this.lang = lang;
    this.timeZone = memo.basics(page.root_id)?.zone || undefined;
    this.line = line;
    this.drafts = drafts;
    this.oneSize = oneSize;
    this.#sign = sign;
  }

  /** The parameters that open a private file in a preview; empty on live pages, and for all other files. */
  signatureOf(file: Pick<FileRecord, 'path' | 'private'>): Signature {
    return file.private && this.drafts ? this.#sign(file.path) : '';
  }

  /** An uploaded file, with signed addresses if it is private and the page is a preview; undefined if there is none. */
  file(id: number): FileValue | undefined {
    const record = this.memo.file(id);
    if (record === undefined) return undefined;
    const known = this.#fileValues.get(id) ?? fileValue(record, this.signatureOf(record));
    this.#fileValues.set(id, known);
    return known;
  }

  /**
   * Records the snippets that are executed from now on. The page loads the assets of snippets that its
   * content and head execute, not of those that its title and description execute (Core, "Snippet").
   */
  recordSnippets(): void {
    this.#recording = true;
  }

  onSnippet(name: string): void {
    if (this.#recording) this.#snippets.add(name);
  }

  onReach(names: ReadonlySet<string>): void {
    this.memo.noteSnippets(names);
  }

  /** To be called when a template asks for pages to link to. */
  noteMenu(): void {
    this.#hasMenu = true;
  }

  /** Whether the page shows links to pages that a template has asked for. */
  get hasMenu(): boolean {
    return this.#hasMenu;
  }

  /** Names of the snippets executed so far, in the order of their first execution. */
  get snippets(): Iterable<string> {
    return this.#snippets;
  }
}
