import { readFileSync } from 'node:fs';
import type { SiteMapLine, TakenFile } from './messages.ts';

/** A site map in memory. */
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
  let origin = '';
  const paths = new Map<string, string>();
  const ids = new Map<string, number>();
  const taken = new Map<string, TakenFile>();
  for (const text of readFileSync(path, 'utf8').split('\n')) {
    if (text === '') continue;
    // Type boundary: the importing process has written the file.
    const line: SiteMapLine = JSON.parse(text);
    if ('origin' in line) origin = line.origin;
    else if ('page' in line) paths.set(...line.page);
    else if ('asset' in line) ids.set(...line.asset);
    else taken.set(...line.file);
  }
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
