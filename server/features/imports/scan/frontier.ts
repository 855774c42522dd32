import { formatPath, pageKeyWithoutQuery } from '../parsing/address.ts';
import { findResourceKind } from '../parsing/extensions.ts';

/** Bounds for websites that make up addresses without end, such as calendars. */
const limits = { queriesOfPath: 50, depth: 20, repeats: 3, siblings: 2000 } as const;

/** Decides which links of a website are followed. */
export class CrawlFrontier {
  readonly #queries = new Map<string, number>();
  readonly #siblings = new Map<string, number>();

  /** Whether an address is worth a look. Counts it, so each address is asked about once. */
  accepts(url: URL): boolean {
    if (findResourceKind(url) !== undefined) return false;
    const segments = formatPath(url).split('/').slice(1);
    if (segments.length > limits.depth || hasLoop(segments)) return false;
    const parent = segments.slice(0, -1).join('/');
    if (!countUpTo(this.#siblings, parent, limits.siblings)) return false;
    return url.search === '' || countUpTo(this.#queries, pageKeyWithoutQuery(url), limits.queriesOfPath);
  }
}

function countUpTo(counts: Map<string, number>, key: string, limit: number): boolean {
  const count = (counts.get(key) ?? 0) + 1;
  counts.set(key, count);
  return count <= limit;
}

/** Relative links that are wrong lead deeper and deeper: `/a/b/a/b/a/b`. */
function hasLoop(segments: readonly string[]): boolean {
  return segments.some((segment) => segments.filter((other) => other === segment).length > limits.repeats);
}
