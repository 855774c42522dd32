import type { ReadSet } from '../content/reads.ts';
import type { SiteHost } from '../content/site-host.ts';
import type { OutsideAnswer, OutsideRequest } from '../content/source-data.ts';
import type { TemplateCode } from '../engine.ts';
import type { FoundLists } from '../export/found.ts';
import type { PackedFile } from '../export/packer.ts';
import type { ExportedSite } from '../export/site.ts';
import type { Directive, Inline } from '../page/loads/loads.ts';
import type { Archive } from '../page/mhtml.ts';
import type { PreviewScope } from '../page/route.ts';
import type { CompressionUse, EncodedBody, Encoding } from './encode.ts';

/**
 * Tasks for render processes and their results: plain data that is copied between processes. `now` is Unix
 * milliseconds.
 * `reads` tells which content a result was made from.
 */

/** A task that renders, and may read sources. */
interface ReadsSources {
  /** What is known of the answers of sources. */
  readonly sources?: readonly OutsideAnswer[] | undefined;
}

/** Instead of a result: the task must be run again with the answers of these sources. */
export interface NeedsSources {
  readonly kind: 'needs-sources';
  readonly requests: readonly OutsideRequest[];
}

export interface PageTask extends ReadsSources {
  readonly kind: 'page';
  /** A host that satisfies `isHost`. */
  readonly host: string;
  /** Scheme of absolute URLs. */
  readonly scheme: 'http' | 'https';
  /** Raw path and raw query of the request. */
  readonly path: string;
  readonly query: string;
  readonly now: number;
  /** The form that the client would rather have. */
  readonly encoding?: Encoding | undefined;
  /** Which drafts the visitor may see. */
  readonly preview?: PreviewScope | undefined;
  /** The website to show if no website lists the host. */
  readonly siteId?: number | undefined;
}

export interface PageResult {
  readonly reads: ReadSet;
  readonly outcome: PageOutcome;
}

export type PageOutcome =
  | {
      readonly kind: 'page';
      readonly site: SiteHost;
      readonly body: EncodedBody;
      readonly storable: boolean;
      readonly expiresAt?: number;
      /** What was wrong with the blocks of the page; absent = nothing. */
      readonly blockProblems?: readonly string[];
    }
  /** `siteId` is undefined on an instance without websites. */
  | { readonly kind: 'missing'; readonly siteId: number | undefined; readonly body: EncodedBody }
  /** Answer of a redirect of the website. */
  | {
      readonly kind: 'moved';
      readonly siteId: number;
      readonly redirectId: number;
      readonly location: string;
      readonly status: 301 | 302;
    }
  /** Redirect to the page's own address. */
  | { readonly kind: 'redirect'; readonly location: string }
  /** `details`: a page about the error, if the visitor may see it. With `siteId` set, the 404 page failed. */
  | {
      readonly kind: 'failed';
      readonly siteId?: number | undefined;
      readonly error: RenderFailure;
      readonly details?: EncodedBody | undefined;
    };

/** Why a page could not be rendered, for the log. Template, line and column are known for template errors. */
export interface RenderFailure {
  readonly message: string;
  readonly page: string;
  readonly template: string | undefined;
  readonly line: number | undefined;
  readonly column: number | undefined;
}

export interface AssetTask {
  readonly kind: 'asset';
  readonly assetKind: 'css' | 'js';
  readonly id: number;
  /** The form that the client would rather have. */
  readonly encoding?: Encoding | undefined;
}

export interface AssetResult {
  readonly reads: ReadSet;
  /** Undefined if there is no such asset of that kind. */
  readonly asset: { readonly updatedAt: number; readonly body: EncodedBody } | undefined;
}

export interface SitemapTask extends ReadsSources {
  readonly kind: 'sitemap';
  readonly site: SiteHost;
  readonly scheme: 'http' | 'https';
  /** 0 is /sitemap.xml, n is /sitemap-n.xml. */
  readonly part: number;
}

export interface SitemapResult {
  readonly reads: ReadSet;
  /** Until when it counts, Unix milliseconds; `Infinity` if it depends on content only. */
  readonly expiresAt: number;
  /** Number of the last part; 0 if the sitemap is one file. */
  readonly partCount: number;
  /** Undefined if there is no such part. */
  readonly file: SitemapFile | undefined;
}

/** A sitemap with a placeholder for the host if the host comes from the request. */
export interface SitemapFile {
  readonly gzip: Uint8Array<ArrayBuffer>;
  /** Hash of the text, for use as an entity tag. */
  readonly tag: string;
}

/** Asks for the text of a compressed sitemap. */
export interface SitemapCopyTask {
  readonly kind: 'sitemap-copy';
  readonly file: Uint8Array<ArrayBuffer>;
  /** Fills the placeholder for the host; undefined if there is none. */
  readonly host: string | undefined;
  readonly compress: boolean;
}

export interface SitemapCopy {
  readonly text: Uint8Array<ArrayBuffer>;
  readonly gzip: Uint8Array<ArrayBuffer> | undefined;
}

export interface RobotsTask {
  readonly kind: 'robots';
  readonly host: string;
  readonly scheme: 'http' | 'https';
  /** The form that the client would rather have. */
  readonly encoding?: Encoding | undefined;
}

/** Asks for another form of a body. */
export interface CompressTask {
  readonly kind: 'compress';
  readonly bytes: Uint8Array;
  readonly encoding: Encoding;
  readonly use: CompressionUse;
}

export interface CompressResult {
  /** Undefined if compression saves nothing. */
  readonly bytes: Uint8Array<ArrayBuffer> | undefined;
}

export interface RobotsResult {
  readonly reads: ReadSet;
  readonly site: SiteHost | undefined;
  readonly body: EncodedBody;
}

/** Values of a page that are not stored yet. Missing values come from the stored page. */
export interface UnsavedPage {
  readonly html?: string | undefined;
  readonly head?: string | undefined;
  readonly title?: string | undefined;
  readonly meta_title?: string | undefined;
  readonly description?: string | undefined;
  /** A block tree that nobody has checked. */
  readonly blocks?: unknown;
}

/** One page by its ID, drafts too. */
interface PageRender extends ReadsSources {
  readonly pageId: number;
  /** Host of the request; must satisfy `isHost`. */
  readonly host: string;
  readonly query: string;
  /** Segments of the path below the page; for catch-all pages only. */
  readonly rest: readonly string[];
  readonly unsaved: UnsavedPage;
  readonly now: number;
}

/**
 * `preview`: with drafts, CSS and JS inline. `page`: as a visitor would get it. `archive`: for a single
 * file, with CSS and JS inline and each image in one size.
 */
export interface DocumentTask extends PageRender {
  readonly kind: 'document';
  readonly form: 'preview' | 'page' | 'archive';
  /** IDs of the page's own assets in place of the stored ones. */
  readonly assets: readonly number[] | undefined;
  /** Contents of assets in place of the stored ones. */
  readonly overrides: ReadonlyMap<number, string>;
  /** Contents of snippets in place of the stored ones, by name; others may be new. */
  readonly snippets?: ReadonlyMap<string, string> | undefined;
  /** An entry in place of the stored one. */
  readonly item?: UnsavedEntry | undefined;
}

/** An entry that is not saved. `collection` is a slug; `id` is 0 for a new entry. */
export interface UnsavedEntry {
  readonly collection: string;
  readonly id: number;
  readonly data: Readonly<Record<string, unknown>>;
}

export type DocumentResult =
  /** `url`: its absolute address. */
  | { readonly kind: 'document'; readonly text: string; readonly title: string; readonly url: string }
  /** The page called `not_found()`. `text` is a notice in a preview, else the 404 page of the website. */
  | { readonly kind: 'not-found'; readonly text: string }
  /** `text` is a page about the error. */
  | { readonly kind: 'failed'; readonly message: string; readonly text: string }
  | { readonly kind: 'gone' };

/** Asks what a page loads when a visitor opens it. */
export interface LoadsTask extends PageRender {
  readonly kind: 'loads';
}

/** Undefined if the page shows nothing: it is gone, calls `not_found()`, or has an error. */
export type LoadsResult =
  | {
      readonly sources: readonly { readonly directive: Directive; readonly source: string }[];
      readonly inline: readonly { readonly kind: Inline['kind']; readonly hash: string }[];
    }
  | undefined;

/** Asks for the variables of a page (Core, template-data). */
export interface TemplateDataTask extends PageRender {
  readonly kind: 'template-data';
}

export type TemplateDataResult =
  | { readonly kind: 'data'; readonly json: string }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'gone' };

/** Asks for the entries of a query (Data, Automation and Operations, GET /data/{slug}). */
export interface DataTask {
  readonly kind: 'data';
  readonly collectionId: number;
  /** Names and values of the query. */
  readonly pairs: readonly (readonly [string, string])[];
  /** Whether drafts are shown. */
  readonly drafts: boolean;
  /** `values`: as templates see entries. `entries`: as the API shows them, with the number of all. */
  readonly form: 'values' | 'entries';
}

export type DataResult =
  | { readonly kind: 'data'; readonly json: Uint8Array; readonly count: number | undefined }
  /** `detail` as in `QueryFault`. */
  | {
      readonly kind: 'fault';
      readonly fault: 'field' | 'operator' | 'value';
      readonly field: string;
      readonly detail: string | undefined;
    }
  /** More entries than one answer may have. */
  | { readonly kind: 'too-many' }
  | { readonly kind: 'gone' };

/**
 * Makes and drops indexes of entries. The only task that writes to the database: an index of a million entries
 * takes seconds, which the main thread must not wait for.
 */
export interface IndexTask {
  readonly kind: 'index';
  readonly statements: readonly string[];
}

/** Copies the log of the database into its file, as far as no reader needs the log. */
export interface CheckpointTask {
  readonly kind: 'checkpoint';
}

/** Asks for the list in the answer of a source. */
export interface SourceListTask {
  readonly kind: 'source-list';
  readonly bytes: Uint8Array;
  readonly listPath: string;
}

export type SourceListResult =
  | { readonly kind: 'list'; readonly json: Uint8Array }
  | { readonly kind: 'fault'; readonly isJson: boolean; readonly reason: string };

/** Asks for the detail pages below a page, which follow from its templates. */
export interface DetailPagesTask extends ReadsSources {
  readonly kind: 'detail-pages';
  /** The source that names them; null = the collections that the page reads by address. */
  readonly source: unknown;
  readonly pageId: number;
}

export interface DetailPagesResult {
  /** Why the source has not answered. */
  readonly error?: string;
  readonly count: number;
  /** The first 10. `lastmod` in Unix seconds. */
  readonly sample: readonly { readonly path: string; readonly lastmod: number }[];
}

export interface CheckTemplateTask {
  readonly kind: 'check-template';
  readonly name: string;
  readonly source: string;
  /** Names of the fields that a collection would have. */
  readonly changed?: { readonly slug: string; readonly fields: readonly string[] };
}

/** Asks where a template reads a variable. */
export interface VariableReadsTask {
  readonly kind: 'variable-reads';
  readonly name: string;
  readonly source: string;
  readonly variable: string;
}

/** Line and column, both from 1. */
export interface ReadPosition {
  readonly line: number;
  readonly column: number;
}

/** A static finding, in the shape of API warnings. */
export interface TemplateWarning {
  readonly code: TemplateCode;
  readonly error: string;
  readonly params: Readonly<Record<string, string | number>>;
}

/** The result of checking a template without rendering it. */
export interface TemplateReport {
  readonly warnings: readonly TemplateWarning[];
  /** Whether the template, its layouts and includes output the block tree; false if it does not parse. */
  readonly rendersBlocks: boolean;
  /** Names of its slots, `default` for the nameless one. */
  readonly slots: readonly string[];
  /** What it refers to; without duplicates. */
  readonly references: readonly TextReference[];
}

/**
 * What a text refers to. `key` is the name of a snippet, the ID of an asset, file or page as text, the path of a
 * file below /media/ (`media`), a link in the form of `linksIn`, the slug of a collection or source, or a query of
 * one (`content/items/shape.ts`).
 */
export interface TextReference {
  readonly kind: 'snippet' | 'asset' | 'file' | 'media' | 'page' | 'link' | 'collection' | 'query';
  readonly key: string;
}

export interface CheckCodeTask {
  readonly kind: 'check-code';
  readonly language: 'css' | 'js';
  /** For the texts of the warnings. */
  readonly name: string;
  readonly source: string;
}

/** A fault in CSS or JS, in the shape of API warnings. */
export interface CodeWarning {
  /** `asset.syntax`: browsers cannot use the text. `asset.ignored`: browsers ignore a part of it. */
  readonly code: 'asset.syntax' | 'asset.ignored';
  readonly error: string;
  readonly params: Readonly<Record<string, string | number>>;
}

export interface MarkdownTask {
  readonly kind: 'markdown';
  readonly text: string;
}

export type MarkdownResult =
  | { readonly kind: 'html'; readonly html: string }
  /** The text is too long or nested too deep. */
  | { readonly kind: 'refused'; readonly reason: string };

/** Asks for a single file that contains a document and the files it shows. */
export interface ArchiveTask {
  readonly kind: 'archive';
  readonly html: string;
  readonly title: string;
  /** Absolute address of the document. */
  readonly url: string;
  readonly now: number;
  /** Absolute address, type and local path of each file. */
  readonly files: readonly { readonly location: string; readonly mime: string; readonly file: string }[];
}

/** Renders a pen (Data, Automation and Operations, "Pen"). */
export interface PenTask extends ReadsSources {
  readonly kind: 'pen';
  readonly pen: {
    readonly uuid: string;
    readonly title: string;
    readonly html: string;
    readonly css: string;
    readonly js: string;
  };
  /** Host of the request; must satisfy `isHost`. */
  readonly host: string;
  /** Scheme of absolute URLs. */
  readonly scheme: 'http' | 'https';
  readonly now: number;
  /** Whether drafts are shown and blocks are marked. */
  readonly preview: boolean;
}

/** `text` is the document, or a page about why there is none. */
export type PenResult =
  | { readonly kind: 'document' | 'not-found'; readonly text: string }
  | { readonly kind: 'failed'; readonly message: string; readonly text: string };

/** What the tasks of a static export have in common. They write their files to `spool`, which must not exist. */
interface ExportWork {
  readonly site: ExportedSite;
  /** Scheme of absolute URLs, that of the site. */
  readonly scheme: 'http' | 'https';
  readonly now: number;
  readonly spool: string;
}

/** Renders pages for a static export. */
export interface ExportPagesTask extends ExportWork, ReadsSources {
  readonly kind: 'export-pages';
  /** Paths of addresses, with escapes. */
  readonly paths: readonly string[];
  /** After this time, in milliseconds, the task ends with the pages that it has made; at least one. */
  readonly maxMs: number;
}

export interface ExportedPages {
  readonly reads: ReadSet;
  /** One for each path, in the same order; without the last paths if there was no time for them. */
  readonly outcomes: readonly ExportOutcome[];
  readonly found: FoundLists;
}

export type ExportOutcome =
  | { readonly kind: 'file'; readonly file: PackedFile }
  /** No page answers at this path. */
  | { readonly kind: 'missing' }
  /** A redirect of the website answers. */
  | { readonly kind: 'moved' }
  /** Another spelling of the path of a page. */
  | { readonly kind: 'spelling'; readonly path: string }
  | { readonly kind: 'failed'; readonly message: string }
  /** The page reads sources, so it must be the only one of its task. */
  | { readonly kind: 'alone' };

/** Makes the files of a static export that are no pages: 404 page, robots.txt, sitemap. */
export interface ExportSystemTask extends ExportWork, ReadsSources {
  readonly kind: 'export-system';
}

/** The files that could be made, and what was wrong with the others by their names. */
export interface ExportedFiles {
  readonly reads: ReadSet;
  readonly files: readonly PackedFile[];
  readonly errors: readonly (readonly [name: string, message: string])[];
  readonly found: FoundLists;
}

/** Makes the CSS and JS files of a static export. */
export interface ExportAssetsTask extends ExportWork {
  readonly kind: 'export-assets';
  /** As `css/1`. Those that do not exist are left out. */
  readonly assets: readonly string[];
}

/** Asks for the addresses of detail pages that the sitemap of a website lists. */
export interface ExportDetailsTask {
  readonly kind: 'export-details';
  readonly siteId: number;
}

export interface ExportDetails {
  readonly reads: ReadSet;
  /** The paths, one on each line: one value crosses to the main thread faster than a long list. */
  readonly paths: Uint8Array;
}

/** The result of each kind of task. */
export interface TaskResults {
  page: PageResult;
  asset: AssetResult;
  sitemap: SitemapResult;
  'sitemap-copy': SitemapCopy;
  robots: RobotsResult;
  compress: CompressResult;
  document: DocumentResult;
  loads: LoadsResult;
  'template-data': TemplateDataResult;
  data: DataResult;
  'detail-pages': DetailPagesResult;
  index: undefined;
  checkpoint: undefined;
  'source-list': SourceListResult;
  'check-template': TemplateReport;
  'variable-reads': readonly ReadPosition[];
  'check-code': readonly CodeWarning[];
  markdown: MarkdownResult;
  archive: Archive;
  pen: PenResult;
  'export-pages': ExportedPages;
  'export-system': ExportedFiles;
  'export-assets': ExportedFiles;
  'export-details': ExportDetails;
}

export type Task =
  | PageTask
  | AssetTask
  | SitemapTask
  | SitemapCopyTask
  | RobotsTask
  | CompressTask
  | DocumentTask
  | LoadsTask
  | TemplateDataTask
  | DataTask
  | DetailPagesTask
  | IndexTask
  | CheckpointTask
  | SourceListTask
  | CheckTemplateTask
  | VariableReadsTask
  | CheckCodeTask
  | MarkdownTask
  | ArchiveTask
  | PenTask
  | ExportPagesTask
  | ExportSystemTask
  | ExportAssetsTask
  | ExportDetailsTask;
export type ResultOf<T extends Task> = TaskResults[T['kind']];

/** What a render process sends: once that it has loaded its code, then one answer to each task. */
export type TaskAnswer =
  | { readonly kind: 'ready' }
  | { readonly kind: 'result'; readonly result: unknown }
  | { readonly kind: 'error'; readonly message: string; readonly stack: string | undefined };
