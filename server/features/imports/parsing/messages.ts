/** Tasks of the processes that read what other websites send, and their results: plain data. */

/** What a resource is, as a scan counts it. */
export const resourceKinds = ['css', 'js', 'img', 'font', 'file'] as const;
export type ResourceKind = (typeof resourceKinds)[number];

/** An address that a page or style sheet loads, without fragment. */
export interface ResourceLink {
  readonly url: string;
  readonly kind: ResourceKind;
}

/** Something that was fetched and lies in a file. */
interface FetchedText {
  readonly file: string;
  /** The address that answered. */
  readonly url: string;
  /** Header of the answer; empty if there was none. */
  readonly contentType: string;
}

/** Asks what a page says and loads. */
export interface ReadPageTask extends FetchedText {
  readonly kind: 'read-page';
}

export interface PageFacts {
  /** Empty if the page has none. */
  readonly title: string;
  /** Language tag of `<html>`, in lower case; empty if it has none. */
  readonly lang: string;
  readonly encoding: string;
  readonly isQuirky: boolean;
  /** Addresses of pages that it leads to, each once, without fragments. */
  readonly links: readonly string[];
  /** Each address once. */
  readonly resources: readonly ResourceLink[];
  /** Style sheets at the start of the head that may be loaded before everything else, in order. */
  readonly styles: readonly string[];
  /** Scripts at the end of the body that may be loaded after everything else, in order. */
  readonly scripts: readonly string[];
  /** Whether scripts make the page, so that its source has hardly anything to see. */
  readonly isMadeByScripts: boolean;
}

/** Asks what a style sheet loads. */
export interface ReadCssTask extends FetchedText {
  readonly kind: 'read-css';
}

export interface CssFacts {
  readonly resources: readonly ResourceLink[];
  /** The addresses among them that it imports. */
  readonly imports: readonly string[];
}

/** Asks for the text of a style sheet with other addresses. */
export interface ConvertCssTask extends FetchedText {
  readonly kind: 'convert-css';
  /** Addresses without fragments, and what takes their place. All others become absolute. */
  readonly replacements: ReadonlyMap<string, string>;
}

/** Asks for the text of a script. */
export interface ConvertJsTask extends FetchedText {
  readonly kind: 'convert-js';
}

export interface ConvertedCode {
  readonly text: string;
  /** A script that imports others by addresses relative to its own. */
  readonly hasRelativeImports: boolean;
}

/** A taken over file as pages show it. */
export interface TakenFile {
  readonly url: string;
  /** Empty if there are no variants. */
  readonly srcset: string;
  /** In pixels; 0 if it is no image. */
  readonly width: number;
}

/** A line of the site map, with which all pages are converted; written to a file once for all of them. */
export type SiteMapLine =
  /** Origin for addresses that must be absolute, such as that of `og:image`. */
  | { readonly origin: string }
  /** An imported page by `pageKey`. */
  | { readonly page: readonly [key: string, path: string] }
  /** A CSS or JS asset by address. */
  | { readonly asset: readonly [url: string, id: number] }
  | { readonly file: readonly [url: string, file: TakenFile] };

/** Asks for the fields of a page. They are written to `output` as JSON (`ConvertedPage`). */
export interface ConvertPageTask extends FetchedText {
  readonly kind: 'convert-page';
  /** Path of a file with the lines of the site map. Its content never changes. */
  readonly siteMap: string;
  /** Style sheets and scripts that are assigned and therefore leave the text. */
  readonly assigned: readonly string[];
  readonly output: string;
}

/** The fields of a page. */
export interface ConvertedPage {
  readonly title: string;
  readonly description: string;
  readonly html: string;
  readonly head: string;
  readonly html_attrs: string;
  readonly body_attrs: string;
  /** What each text field refers to, as static analysis would find it. */
  readonly references: Readonly<Record<'html' | 'head', readonly PageReference[]>>;
}

interface PageReference {
  readonly kind: 'asset' | 'media' | 'link';
  readonly key: string;
}

export interface ConvertReport {
  /** Characters of all fields. */
  readonly size: number;
}

/** Asks for the addresses in a sitemap or an index of sitemaps. */
export interface ReadSitemapTask extends FetchedText {
  readonly kind: 'read-sitemap';
  /** Most addresses of each sort. */
  readonly limit: number;
}

export interface SitemapFacts {
  readonly pages: readonly string[];
  readonly sitemaps: readonly string[];
}

/** What pages have in common: texts in order, and the names of what stands before, between and after them. */
export interface LayoutPattern {
  readonly runs: readonly string[];
  readonly holes: readonly string[];
}

/** Markup that repeats. */
export interface CardPattern {
  /** Equal for markup that differs in nothing but texts and values of attributes. */
  readonly shape: string;
  readonly name: string;
  readonly template: string;
  /** Its texts and values of attributes in order. */
  readonly holes: readonly {
    readonly kind: 'constant' | 'parameter' | 'slot';
    readonly name: string;
    /** Of a constant. */
    readonly value: string;
  }[];
}

/** Asks what pages have in common. */
export interface SuggestTask {
  readonly kind: 'suggest';
  /** `html` of pages by ID. */
  readonly pages: ReadonlyMap<number, string>;
}

/** A layout or snippet that could be made of pages. */
export interface SuggestedPart {
  /** The same for the same proposal. */
  readonly id: string;
  readonly kind: 'layout' | 'snippet';
  readonly name: string;
  readonly pages: readonly number[];
  /** The template. */
  readonly html: string;
  readonly parameters: readonly string[];
  readonly layout?: LayoutPattern;
  readonly card?: CardPattern;
}

/** Asks for the template of a page that uses snippets. */
export interface RewriteTask {
  readonly kind: 'rewrite';
  readonly html: string;
  readonly layout?: { readonly pattern: LayoutPattern; readonly name: string } | undefined;
  readonly cards: readonly { readonly pattern: CardPattern; readonly name: string }[];
}

export interface ParsingResults {
  suggest: readonly SuggestedPart[];
  rewrite: string;
  'read-page': PageFacts;
  'read-css': CssFacts;
  'convert-css': ConvertedCode;
  'convert-js': ConvertedCode;
  'convert-page': ConvertReport;
  'read-sitemap': SitemapFacts;
}

export type ParsingTask =
  | ReadPageTask
  | ReadCssTask
  | ConvertCssTask
  | ConvertJsTask
  | ConvertPageTask
  | ReadSitemapTask
  | SuggestTask
  | RewriteTask;
