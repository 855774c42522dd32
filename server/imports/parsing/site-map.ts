import { readFileSync } from 'node:fs';
import type { SiteMap, TakenFile } from './messages.ts';

/** A `SiteMap` in memory. */
export interface SiteLookup {
  readonly origin: string;
  readonly base: URL;
  /** Path of an imported page. */
  page(key: string): string | undefined;
  /** ID of an asset. */
  asset(url: string): number | undefined;
  file(url: string): TakenFile | undefined;
}

let last: { readonly path: string; readonly lookup: SiteLookup } | undefined;

/** Reads a site map once for all pages in a row that are converted with it. */
export function readSiteMap(path: string): SiteLookup {
  if (last?.path === path) return last.lookup;
  // Type boundary: the importing process has written the file.
  const { origin, pages, assets, files }: SiteMap = JSON.parse(readFileSync(path, 'utf8'));
  const paths = new Map(pages);
  const ids = new Map(assets);
  const taken = new Map(files);
  const lookup: SiteLookup = {
    origin,
    base: new URL(origin),
    page: (key) => paths.get(key),
    asset: (url) => ids.get(url),
    file: (url) => taken.get(url),
  };
  last = { path, lookup };
  return lookup;
}
