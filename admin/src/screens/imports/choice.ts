/** What is taken over of a website that was looked at: pages, hosts, and where to. */
import type { ImportRun, ImportScanResult } from '../../api/generated/schema.ts';

export type FoundPage = ImportScanResult['pages'][number];
export type FoundHost = ImportScanResult['hosts'][number];

export interface ImportChoice {
  readonly urls: ReadonlySet<string>;
  readonly hosts: ReadonlySet<string>;
  readonly target: 'new' | 'existing';
  /** Title and domains of a new website. */
  readonly title: string;
  readonly domains: string;
  /** ID of the page that the home page becomes; 0 for none. */
  readonly pageId: number;
  readonly publish: boolean;
  readonly overwrite: boolean;
  readonly overwriteModified: boolean;
  readonly force: boolean;
}

/** A found page at its place in the tree that the import would make. */
export interface PageRow {
  readonly page: FoundPage;
  readonly depth: number;
  /** Addresses of the pages below it. */
  readonly below: readonly string[];
}

/** Categories of hosts, in the order in which they are shown. */
export const hostCategories = [
  'site',
  'builder',
  'fonts',
  'cdn',
  'other',
  'service',
] as const satisfies readonly FoundHost['category'][];

/** What the server suggests: all pages that robots.txt permits, and the suggested hosts. */
export function firstChoice({ base, pages, hosts }: ImportScanResult): ImportChoice {
  const start = pages.find(({ path }) => path === '/');
  return {
    urls: new Set(pages.filter(({ excluded }) => excluded === undefined).map(({ url }) => url)),
    hosts: new Set(hosts.filter(({ suggested }) => suggested).map(({ host }) => host)),
    target: 'new',
    title: start === undefined || start.title === '' ? new URL(base).hostname : start.title,
    domains: '',
    pageId: 0,
    publish: false,
    overwrite: false,
    overwriteModified: false,
    force: false,
  };
}

/** Found pages as a tree: each below the nearest page whose path begins its own. */
export function pageRows(pages: readonly FoundPage[]): readonly PageRow[] {
  const rows = new Map<string, { readonly page: FoundPage; readonly depth: number; below: string[] }>();
  const sorted = pages.toSorted((left, right) => compare(segmentsOf(left.path), segmentsOf(right.path)));
  return sorted.map((page) => {
    const above = pathsAbove(page.path).flatMap((path) => rows.get(path) ?? []);
    const row = { page, depth: above.length, below: [] };
    for (const { below } of above) below.push(page.url);
    if (!rows.has(page.path)) rows.set(page.path, row);
    return row;
  });
}

/** The request of an import. Addresses are in the order in which they were found. */
export function runRequest({ base, pages, hosts }: ImportScanResult, choice: ImportChoice): ImportRun {
  const { target, title, domains, pageId, publish, overwrite, overwriteModified, force } = choice;
  return {
    base,
    urls: pages.filter(({ url }) => choice.urls.has(url)).map(({ url }) => url),
    download_hosts: hosts
      .filter(({ host, category }) => category !== 'site' && choice.hosts.has(host))
      .map(({ host }) => host),
    publish,
    ...(target === 'new'
      ? { new_site: { title, domains } }
      : { target_page_id: pageId, overwrite, overwrite_modified: overwriteModified, force }),
  };
}

/** A set with some values in or out of it. */
export function withAll<T>(set: ReadonlySet<T>, values: Iterable<T>, isIn: boolean): ReadonlySet<T> {
  const next = new Set(set);
  for (const value of values) {
    if (isIn) next.add(value);
    else next.delete(value);
  }
  return next;
}

function segmentsOf(path: string): readonly string[] {
  return path.split('/').filter((segment) => segment !== '');
}

/** The paths of all possible pages above, from the home page on; none for the home page. */
function pathsAbove(path: string): readonly string[] {
  const segments = segmentsOf(path);
  return segments.map((_segment, depth) => `/${segments.slice(0, depth).join('/')}`);
}

function compare(left: readonly string[], right: readonly string[]): number {
  for (const [index, segment] of left.entries()) {
    const other = right[index];
    if (other === undefined) return 1;
    if (segment !== other) return segment < other ? -1 : 1;
  }
  return left.length - right.length;
}
