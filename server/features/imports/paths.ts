/** From addresses of the original to paths of pages (Data, "Website import", rules 2 and 3). */

import { TimeSlices } from '../../base/timers.ts';
import { findReservedName } from '../../content/sites/reserved-paths.ts';
import { formatPath, pageKey } from './parsing/address.ts';

export interface PathPlanOptions {
  /** Path of the page that the home page of the original becomes. */
  readonly targetPath: string;
  /** Whether that page is the home page of its website. Below it some names are reserved. */
  readonly isTargetHome: boolean;
  /** Path of the home page of the original, if it is not `/`. */
  readonly homePath?: string;
  /** Paths of pages that were imported before, by path in the original. */
  readonly known?: ReadonlyMap<string, string>;
  /** Whether a path belongs to another page and cannot be used. */
  isTaken?(path: string, key: string): boolean;
}

/** Added to names that the service keeps for itself. */
const reservedSuffix = '-seite';
/** Name of a page whose address has no letter or digit that a slug may have. */
const namelessSlug = 'seite';
/** Longest slug of a page, with room for a suffix. */
const maxSlugLength = 190;

export class PathPlan {
  readonly #options: PathPlanOptions;
  /** The numbers that paths have had last, because very many addresses may become the same path. */
  readonly #numbers = new Map<string, number>();

  constructor(options: PathPlanOptions) {
    this.#options = options;
  }

  /** The paths of pages by `pageKey`. Pages above others come first, so that those below get their paths. */
  async pathsFor(urls: readonly URL[]): Promise<Map<string, string>> {
    const { targetPath, homePath = '/', known = new Map<string, string>() } = this.#options;
    const bySource = new Map<string, string>([...known, ['/', targetPath], [homePath, targetPath]]);
    const paths = new Map<string, string>();
    const used = new Set<string>();
    const slices = new TimeSlices();
    for (const { url, source } of await byDepth(urls, slices)) {
      await slices.next();
      const key = pageKey(url);
      const isHome = (source === '/' || source === homePath) && url.search === '';
      const path = isHome ? targetPath : this.#free(this.#wanted(source, bySource), key, used);
      used.add(path);
      paths.set(key, path);
      if (!bySource.has(source)) bySource.set(source, path);
    }
    return paths;
  }

  /** The path below the page that the level above has become. */
  #wanted(source: string, bySource: ReadonlyMap<string, string>): string {
    const segments = source.split('/').slice(1);
    for (let count = segments.length - 1; count >= 0; count--) {
      const above = bySource.get(count === 0 ? '/' : `/${segments.slice(0, count).join('/')}`);
      if (above !== undefined)
        return segments.slice(count).reduce((path, segment) => this.#below(path, segment), above);
    }
    return this.#options.targetPath;
  }

  #below(parent: string, segment: string): string {
    const slug = slugOf(segment);
    const isReserved = parent === '/' && this.#options.isTargetHome && findReservedName(slug) !== undefined;
    return `${parent === '/' ? '' : parent}/${slug}${isReserved ? reservedSuffix : ''}`;
  }

  #free(wanted: string, key: string, used: ReadonlySet<string>): string {
    const { isTaken = () => false } = this.#options;
    let path = wanted;
    let number = this.#numbers.get(wanted) ?? 1;
    while (used.has(path) || isTaken(path, key)) {
      number += 1;
      path = `${wanted}-${number}`;
    }
    this.#numbers.set(wanted, number);
    return path;
  }
}

/** Addresses with their paths, those of pages above others first. */
async function byDepth(
  urls: readonly URL[],
  slices: TimeSlices,
): Promise<readonly { readonly url: URL; readonly source: string }[]> {
  const found: { url: URL; source: string; depth: number }[] = [];
  for (const url of urls) {
    const source = formatPath(url);
    found.push({ url, source, depth: source.split('/').length });
    await slices.next();
  }
  return found.sort((left, right) => left.depth - right.depth);
}

/** A slug from a part of a path: lower case, umlauts transliterated, everything else that is not allowed as `-`. */
function slugOf(segment: string): string {
  const slug = segment
    .toLowerCase()
    .replaceAll('ä', 'ae')
    .replaceAll('ö', 'oe')
    .replaceAll('ü', 'ue')
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9._-]+/g, '-')
    .replaceAll(/^[^a-z0-9]+|-+$/g, '')
    .slice(0, maxSlugLength)
    .replace(/-+$/, '');
  return slug === '' ? namelessSlug : slug;
}
