/** Tasks for what editors look at: previews, what a page loads, data of templates, pens. */
import type { Directive, Inline } from '../../page/loads/loads.ts';
import type { ReadsSources, SignsAddresses } from './sources.ts';

/** Values of a page that are not stored yet. Missing values come from the stored page. */
export interface UnsavedPage {
  readonly html?: string | undefined;
  readonly head?: string | undefined;
  readonly title?: string | undefined;
  readonly meta_title?: string | undefined;
  readonly description?: string | undefined;
  /** A block tree that nobody has checked. */
  readonly blocks?: unknown;
  /** Words that nobody has checked; null stands for the default. */
  readonly regions?: Readonly<Record<string, unknown>> | undefined;
}

/** One page by its ID, drafts too. */
interface PageRender extends ReadsSources, SignsAddresses {
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
  /** Trees of global blocks in place of the stored ones, by ID; nobody has checked them. */
  readonly globalBlocks?: ReadonlyMap<number, unknown> | undefined;
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
export interface PenTask extends ReadsSources, SignsAddresses {
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
