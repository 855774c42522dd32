/** From addresses of the original to paths of pages (Data, "Website import", rules 2 and 3). */
import { reservedNameOf } from '../sites/reserved-paths.ts';
import { pageKey, pathOf } from './parsing/address.ts';

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

  constructor(options: PathPlanOptions) {
    this.#options = options;
  }

  /** The paths of pages by `pageKey`. Pages above others come first, so that those below get their paths. */
  pathsFor(urls: readonly URL[]): Map<string, string> {
    const { targetPath, homePath = '/', known = new Map<string, string>() } = this.#options;
    const bySource = new Map<string, string>([...known, ['/', targetPath], [homePath, targetPath]]);
    const paths = new Map<string, string>();
    const used = new Set<string>();
    const depth = (url: URL): number => pathOf(url).split('/').length;
    for (const url of [...urls].sort((left, right) => depth(left) - depth(right))) {
      const key = pageKey(url);
      const source = pathOf(url);
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
    const isReserved = parent === '/' && this.#options.isTargetHome && reservedNameOf(slug) !== undefined;
    return `${parent === '/' ? '' : parent}/${slug}${isReserved ? reservedSuffix : ''}`;
  }

  #free(wanted: string, key: string, used: ReadonlySet<string>): string {
    const { isTaken = () => false } = this.#options;
    let path = wanted;
    for (let number = 2; used.has(path) || isTaken(path, key); number++) path = `${wanted}-${number}`;
    return path;
  }
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
