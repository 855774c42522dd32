import type { RowViews } from '../../content/overlay.ts';
/** Tasks for what visitors get: pages, CSS and JS, sitemaps, robots.txt. */

import type { ReadSet } from '../../content/dependency-recorder.ts';
import type { SiteHost } from '../../content/site-host.ts';
import type { InstanceFacts } from '../../page/default-pages.ts';
import type { PreviewScope } from '../../page/route.ts';
import type { CompressionUse, EncodedBody, Encoding, TaggedBody } from '../encode.ts';
import type { ReadsSources, SignsAddresses } from './sources.ts';

export interface PageTask extends ReadsSources, SignsAddresses {
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
  /** Whether that website is shown on every host. */
  readonly showsSiteAnywhere?: boolean;
  /** What the answer says while there is no website. */
  readonly instance?: InstanceFacts | undefined;
  /** Whether the visitor may see why a page fails. */
  readonly showsErrors?: boolean;
  /** The rows that a preview may show; default: all. */
  readonly views?: RowViews | undefined;
}

export interface PageResult {
  readonly reads: ReadSet;
  readonly outcome: PageOutcome;
}

export type PageOutcome =
  | {
      readonly kind: 'page';
      readonly site: SiteHost;
      readonly of: RenderedPage;
      /** With a tag unless it is a preview. */
      readonly body: EncodedBody | TaggedBody;
      readonly storable: boolean;
      /** Whether the page may look different with another query of its address. */
      readonly readsQuery: boolean;
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
      readonly of: RenderedPage;
      readonly error: RenderFailure;
      /** Whether it failed behind a call of a source or workflow, which no check reaches. */
      readonly hasAsked: boolean;
      readonly details?: EncodedBody | undefined;
    };

/** The page that was rendered, and the path on its website that was asked for, decoded. */
export interface RenderedPage {
  readonly pageId: number;
  readonly siteId: number;
  readonly path: string;
}

/** Renders pages for nobody, to learn whether they fail. Starts no workflow and fetches nothing. */
export interface CheckPagesTask {
  readonly kind: 'check-pages';
  readonly addresses: readonly CheckedAddress[];
  readonly now: number;
  /** After this processor time no further page is begun. */
  readonly budgetMs: number;
  /** Shows changes that are not committed; default: the content as it is. */
  readonly overlayFile?: string | undefined;
}

export interface CheckedAddress {
  readonly siteId: number;
  /** Decoded. */
  readonly path: string;
  readonly query: string;
  /** For absolute URLs of a website without domains. */
  readonly host: string;
}

export interface CheckPagesResult {
  /** Of the addresses from the first one on, as far as the budget went; at least one. */
  readonly checks: readonly PageCheck[];
  /** Processor time. */
  readonly cpuMs: number;
}

export interface PageCheck {
  readonly reads: ReadSet;
  readonly outcome: PageCheckOutcome;
}

/** `absent`: visitors get no page there. `unchecked`: it calls a source or workflow, or takes too long. */
export type PageCheckOutcome =
  | { readonly kind: 'rendered' | 'unchecked'; readonly of: RenderedPage }
  | { readonly kind: 'failed'; readonly of: RenderedPage; readonly error: RenderFailure }
  | { readonly kind: 'absent' };

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
  readonly asset: { readonly updatedAt: number; readonly body: TaggedBody } | undefined;
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
  readonly body: TaggedBody;
}
