/** From addresses of the original to paths of pages (Data, "Website import", rules 2 and 3). */

import { compareCodePoints } from '../../../runtime/values/compare.ts';
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

  /**
   * The paths of pages by `pageKey`, whatever the order of the addresses. Pages above others come first, so that those
   * below get their paths. On each level a page that can keep the path of the original does.
   */
  async pathsFor(urls: readonly URL[]): Promise<Map<string, string>> {
    const { targetPath, homePath = '/', known = new Map<string, string>() } = this.#options;
    const bySource = new Map<string, string>([...known, ['/', targetPath], [homePath, targetPath]]);
    const paths = new Map<string, string>();
    const used = new Set<string>();
    const slices = new TimeSlices();
    for (const level of await groupByDepth(urls, slices)) {
      for (const { source, key, isPlain, wanted } of await this.#ranked(level, bySource, slices)) {
        await slices.next();
        const isHome = (source === '/' || source === homePath) && isPlain;
        const path = isHome ? targetPath : this.#free(wanted, key, used);
        used.add(path);
        paths.set(key, path);
        if (!bySource.has(source)) bySource.set(source, path);
      }
    }
    return paths;
  }

  /** The pages of a level with the paths that they want, those with a better right to it first. */
  async #ranked(
    level: readonly Address[],
    bySource: ReadonlyMap<string, string>,
    slices: TimeSlices,
  ): Promise<readonly Candidate[]> {
    const { targetPath } = this.#options;
    const base = targetPath === '/' ? '' : targetPath;
    const candidates: Candidate[] = [];
    for (const { url, source } of level) {
      const wanted = this.#wanted(source, bySource);
      const isPlain = url.search === '';
      const rank = (wanted === base + source ? 0 : 1) + (isPlain ? 0 : 2);
      candidates.push({ source, wanted, isPlain, rank, key: pageKey(url) });
      await slices.next();
    }
    return candidates.sort((left, right) => left.rank - right.rank || compareCodePoints(left.key, right.key));
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

interface Address {
  readonly url: URL;
  /** Path in the original. */
  readonly source: string;
}

interface Candidate extends Pick<Address, 'source'> {
  readonly key: string;
  readonly wanted: string;
  /** Whether the address has no query. */
  readonly isPlain: boolean;
  readonly rank: number;
}

/** Addresses with their paths by level, those of pages above others first. */
async function groupByDepth(
  urls: readonly URL[],
  slices: TimeSlices,
): Promise<readonly (readonly Address[])[]> {
  const levels = new Map<number, Address[]>();
  for (const url of urls) {
    const source = formatPath(url);
    const depth = source === '/' ? 0 : source.split('/').length;
    const level = levels.get(depth);
    if (level === undefined) levels.set(depth, [{ url, source }]);
    else level.push({ url, source });
    await slices.next();
  }
  return [...levels].sort(([left], [right]) => left - right).map(([, level]) => level);
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
