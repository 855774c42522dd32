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
  /** Raw path and raw query of the request. */
  readonly path: string;
  readonly query: string;
  readonly now: number;
  /** Whether the client takes gzip; what may be stored is compressed in any case. */
  readonly gzip: boolean;
  /** Whether the answer should carry the table of websites. */
  readonly wantSites: boolean;
}

export interface PageResult {
  readonly version: number;
  readonly sites: SiteTable | undefined;
  readonly outcome: PageOutcome;
}

export type PageOutcome =
  | { readonly kind: 'page'; readonly site: SiteHost; readonly body: EncodedBody; readonly storable: boolean }
  | { readonly kind: 'missing'; readonly body: EncodedBody }
  | { readonly kind: 'redirect'; readonly location: string }
  | { readonly kind: 'failed'; readonly error: RenderFailure };

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
  readonly part: number;
  readonly wantSites: boolean;
}

export interface RobotsTask {
  readonly kind: 'robots';
  readonly host: string;
  readonly wantSites: boolean;
}

/** A text of a website; undefined if there is none at that address. */
export interface SiteFileResult {
  readonly version: number;
  readonly sites: SiteTable | undefined;
  readonly site: SiteHost | undefined;
  readonly body: EncodedBody | undefined;
}

export interface CheckTemplateTask {
  readonly kind: 'check-template';
  readonly sources: readonly { readonly name: string; readonly source: string }[];
}

/** A static finding, in the shape of API warnings (open points 2). */
export interface TemplateWarning {
  readonly code: 'template.syntax';
  readonly error: string;
  readonly params: {
    readonly template: string;
    readonly line: number;
    readonly column: number;
    readonly message: string;
  };
}

/** What each task answers with. */
export interface TaskResults {
  page: PageResult;
  asset: AssetResult;
  sitemap: SiteFileResult;
  robots: SiteFileResult;
  'check-template': readonly TemplateWarning[];
}

export type Task = PageTask | AssetTask | SitemapTask | RobotsTask | CheckTemplateTask;
export type ResultOf<T extends Task> = TaskResults[T['kind']];
