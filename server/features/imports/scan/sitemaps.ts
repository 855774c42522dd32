import { formatLoadError } from '../loading/load-page.ts';
import type { RobotsRules } from '../loading/robots.ts';
import { isSameSite, webAddress } from '../parsing/address.ts';
import type { SitemapFacts } from '../parsing/messages.ts';
import type { ScanTools } from './tools.ts';

/** Bounds of sitemaps that lead to others. */
const maxSitemaps = 50;
const maxBytes = 50 * 2 ** 20;

/** The pages that sitemaps list, and the sitemaps that were read. Those that cannot be read are noted in the log. */
export async function readSitemaps(
  tools: ScanTools,
  base: URL,
  { sitemaps: named }: RobotsRules,
): Promise<{ readonly sitemaps: readonly string[]; readonly pages: readonly string[] }> {
  const guesses = [new URL('/sitemap.xml', base).href, new URL('/sitemap_index.xml', base).href];
  const queue = named.length > 0 ? named.flatMap((url) => webAddress(url, base.href)?.href ?? []) : guesses;
  const seen = new Set<string>();
  const sitemaps: string[] = [];
  const pages = new Set<string>();
  for (let next = queue.shift(); next !== undefined && seen.size < maxSitemaps; next = queue.shift()) {
    if (seen.has(next)) continue;
    seen.add(next);
    const facts = await readOne(tools, next, named.length > 0 || sitemaps.length > 0);
    if (facts === undefined) continue;
    sitemaps.push(next);
    for (const url of facts.pages) {
      const page = webAddress(url, next);
      if (page !== undefined && isSameSite(page, base) && pages.size < tools.maxPages) pages.add(page.href);
    }
    // An index is read in place of the other guess.
    if (named.length === 0 && sitemaps.length === 1) queue.splice(0);
    queue.push(...facts.sitemaps.flatMap((url) => webAddress(url, next)?.href ?? []));
  }
  return { sitemaps, pages: [...pages] };
}

/** @param isNamed false for a guess, whose absence is no fault */
async function readOne(
  { fetcher, pool, progress, maxPages }: ScanTools,
  url: string,
  isNamed: boolean,
): Promise<SitemapFacts | undefined> {
  const answer = await fetcher.fetch(url, { maxBytes });
  if (answer.kind !== 'content') {
    if (isNamed && answer.kind === 'failed')
      progress.note('warn', 'import.sitemapBroken', { reason: answer.reason }, url);
    return undefined;
  }
  try {
    const { file, contentType } = answer;
    const facts = await pool.run({ kind: 'read-sitemap', file, url, contentType, limit: maxPages });
    return facts;
  } catch (error) {
    // A page in the place of a sitemap that nobody has named means that there is none.
    if (isNamed || !/html/i.test(answer.contentType))
      progress.note('warn', 'import.sitemapBroken', { reason: formatLoadError(error) }, url);
    return undefined;
  }
}
