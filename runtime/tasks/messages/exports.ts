/** Tasks of a static export. */
import type { ReadSet } from '../../content/dependency-recorder.ts';
import type { FoundLists } from '../../export/export-findings.ts';
import type { PackedFile } from '../../export/packer.ts';
import type { ExportedSite } from '../../export/site.ts';
import type { ReadsSources } from './sources.ts';

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
  /** Whether the next export will likely send the same pages to this process, so that it keeps their templates. */
  readonly willReturn: boolean;
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
  /** Path of the page that `404.html` shows; undefined if it shows none, or is not among the files. */
  readonly notFoundPath?: string | undefined;
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
