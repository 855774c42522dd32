import type { Finding } from '../engine.ts';
import type { PreviewScope } from '../page/route.ts';
import type { SiteHost, SiteTable } from '../page/site-host.ts';
import type { EncodedBody } from './encode.ts';

/**
 * What goes to a render worker and what comes back: plain data that crosses threads.
 * `now` is Unix milliseconds; `version` the content version an answer was made of, or a newer state.
 */

export interface PageTask {
  readonly kind: 'page';
  /** A host that satisfies `isHost`. */
  readonly host: string;
  /** Of absolute URLs. */
  readonly scheme: 'http' | 'https';
  /** Raw path and raw query of the request. */
  readonly path: string;
  readonly query: string;
  readonly now: number;
  /** Whether the client takes gzip; what may be stored is compressed in any case. */
  readonly gzip: boolean;
  /** Whether the answer should carry the table of websites. */
  readonly wantSites: boolean;
  /** Which drafts the visitor may see. */
  readonly preview?: PreviewScope | undefined;
  /** The website to show where the host is assigned to none. */
  readonly siteId?: number | undefined;
}

export interface PageResult {
  readonly version: number;
  readonly sites: SiteTable | undefined;
  readonly outcome: PageOutcome;
}

export type PageOutcome =
  | { readonly kind: 'page'; readonly site: SiteHost; readonly body: EncodedBody; readonly storable: boolean }
  /** `siteId` is undefined on an instance without websites. */
  | { readonly kind: 'missing'; readonly siteId: number | undefined; readonly body: EncodedBody }
  /** By a redirect of the website. */
  | {
      readonly kind: 'moved';
      readonly siteId: number;
      readonly redirectId: number;
      readonly location: string;
      readonly status: 301 | 302;
    }
  /** To the page's own address. */
  | { readonly kind: 'redirect'; readonly location: string }
  /** `details` is a page about the error for those who may see it. With `siteId` it was the 404 page that failed. */
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
}

export interface AssetResult {
  readonly version: number;
  /** Undefined if there is no such asset of that kind. */
  readonly asset: { readonly updatedAt: number; readonly body: EncodedBody } | undefined;
}

/** `part` 0 is /sitemap.xml, n is /sitemap-n.xml. */
export interface SitemapTask {
  readonly kind: 'sitemap';
  readonly host: string;
  readonly scheme: 'http' | 'https';
  readonly part: number;
  readonly wantSites: boolean;
}

export interface RobotsTask {
  readonly kind: 'robots';
  readonly host: string;
  readonly scheme: 'http' | 'https';
  readonly wantSites: boolean;
}

/** A text of a website; undefined if there is none at that address. */
export interface SiteFileResult {
  readonly version: number;
  readonly sites: SiteTable | undefined;
  readonly site: SiteHost | undefined;
  readonly body: EncodedBody | undefined;
}

/** Values of a page that need not be stored; those that are missing come from the page. */
export interface UnsavedPage {
  readonly html?: string | undefined;
  readonly head?: string | undefined;
  readonly title?: string | undefined;
  readonly meta_title?: string | undefined;
  readonly description?: string | undefined;
}

/** One page by its ID, drafts too. */
interface PageRender {
  readonly pageId: number;
  /** Of the request; must satisfy `isHost`. */
  readonly host: string;
  readonly query: string;
  /** What is left of the path; for catch-all pages only. */
  readonly rest: readonly string[];
  readonly unsaved: UnsavedPage;
  readonly now: number;
}

/**
 * `preview`: with drafts, CSS and JS inline. `page`: as a visitor would get it. `archive`: that as a single file.
 */
export interface DocumentTask extends PageRender {
  readonly kind: 'document';
  readonly form: 'preview' | 'page' | 'archive';
  /** IDs of the page's own assets in place of the stored ones. */
  readonly assets: readonly number[] | undefined;
  /** Contents of assets in place of the stored ones. */
  readonly overrides: ReadonlyMap<number, string>;
}

export type DocumentResult =
  | { readonly kind: 'document'; readonly text: string; readonly contentType: string }
  /** The page called `not_found()`; `text` says so in a preview and else is the 404 page of the website. */
  | { readonly kind: 'not-found'; readonly text: string }
  /** `text` is a page about the error. */
  | { readonly kind: 'failed'; readonly message: string; readonly text: string }
  | { readonly kind: 'gone' };

/** Asks for the variables of a page (Core, template-data). */
export interface TemplateDataTask extends PageRender {
  readonly kind: 'template-data';
}

export type TemplateDataResult =
  | { readonly kind: 'data'; readonly json: string }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'gone' };

export interface CheckTemplateTask {
  readonly kind: 'check-template';
  readonly sources: readonly { readonly name: string; readonly source: string }[];
}

/** A static finding, in the shape of API warnings (open points 2). */
export interface TemplateWarning {
  readonly code: 'template.syntax' | Finding['code'];
  readonly error: string;
  readonly params: Readonly<Record<string, string | number>>;
}

/** What can be said of a template without rendering it. */
export interface TemplateReport {
  readonly warnings: readonly TemplateWarning[];
  /** Whether it outputs the block tree of the page, layouts and includes considered; false if it does not parse. */
  readonly rendersBlocks: boolean;
  /** Names of its slots, `default` for the nameless one. */
  readonly slots: readonly string[];
}

/** What each task answers with. */
export interface TaskResults {
  page: PageResult;
  asset: AssetResult;
  sitemap: SiteFileResult;
  robots: SiteFileResult;
  document: DocumentResult;
  'template-data': TemplateDataResult;
  'check-template': readonly TemplateReport[];
}

export type Task =
  | PageTask
  | AssetTask
  | SitemapTask
  | RobotsTask
  | DocumentTask
  | TemplateDataTask
  | CheckTemplateTask;
export type ResultOf<T extends Task> = TaskResults[T['kind']];
