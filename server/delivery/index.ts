import type { LoggedChange } from '../../runtime/content/change-log.ts';
import { dependencies, findAffectedDependencies } from '../../runtime/content/dependencies.ts';
import { siteTable } from '../../runtime/content/site-host.ts';
import type { Log } from '../base/log.ts';
import { usesSecureCookies } from '../config/config.ts';
import {
  isReservedSpelling,
  type ReservedName,
  reservedNameIn,
  reservedNames,
} from '../content/sites/reserved-paths.ts';
import { listDomains } from '../content/sites/service.ts';
import type { Feature, Figure, SharedServices } from '../feature.ts';
import { nothingThere } from '../http/plain-answers.ts';
import type { PublicHandler } from '../http/public-exchange.ts';
import type { CachedResponse } from '../http/responses/cached-response.ts';
import { Compression } from '../http/responses/compression.ts';
import { EncodedResponseCache } from '../http/responses/encoded-response-cache.ts';
import type { Pool } from '../processes/pool.ts';
import { type CachedFile, SiteFiles } from './files.ts';
import { HostPrefixes } from './hosts.ts';
import type { PageCacheStats } from './model.ts';
import { PageDelivery } from './pages.ts';
import type { FindPreviewScope } from './preview.ts';
import { cacheRoutes } from './routes.ts';
import { type FindSetPreview, mayPreview, SetPreviews } from './set-previews.ts';
import { Sitemaps } from './sitemaps.ts';

/** The page cache as the API shows it. */
export interface PageCacheControl {
  stats(): PageCacheStats;
  clear(): void;
}

/** Public delivery: everything a visitor gets (Core, "Public non-API routes", "Page cache"). */
export interface DeliveryFeature extends Feature {
  readonly pages: PageDelivery;
  readonly previews: SetPreviews;
  readonly cache: PageCacheControl;
}

type DeliveryParts = Pick<
  SharedServices,
  'config' | 'reader' | 'pool' | 'version' | 'clock' | 'roughClock' | 'log' | 'sharing' | 'visits'
>;

/** Size limit of the cache of CSS, JS and robots.txt, in bytes. */
const fileCacheBytes = 16 * 2 ** 20;

/** What public delivery asks of features. */
export interface DeliveryQuestions {
  readonly findPreviewScope: FindPreviewScope;
  readonly findSetPreview: FindSetPreview;
  hasAdminAt(host: string): boolean;
}

export function deliveryFeature(parts: DeliveryParts, questions: DeliveryQuestions): DeliveryFeature {
  const { config, reader, version, roughClock: nowMs, sharing } = parts;
  const { dataDir } = config;
  const hosts = new HostPrefixes(async () => siteTable(await listDomains(reader)));
  const cacheOptions = { nowMs, version, compression: createCompression(parts), sharing };
  const pageCache = new EncodedResponseCache<CachedResponse>({
    ...cacheOptions,
    maxBytes: config.cacheMb * 2 ** 20,
  });
  const fileCache = new EncodedResponseCache<CachedFile>({ ...cacheOptions, maxBytes: fileCacheBytes });
  const secureCookies = usesSecureCookies(config);
  const pages = new PageDelivery({ ...parts, ...questions, cache: pageCache, hosts, secureCookies, dataDir });
  const sitemaps = new Sitemaps({ ...parts, hosts });
  const files = new SiteFiles({ ...parts, cache: fileCache, hosts, sitemaps });
  const caches = [pageCache, fileCache, ...sitemaps.caches];
  const markStale = (changes: readonly LoggedChange[]): void => {
    // Core, "Page cache": changes to pens do not clear the cache.
    if (changes.every(({ kind }) => kind === 'pen')) return;
    sharing?.invalidate();
    if (changes.some(touchesSites)) hosts.clear();
    for (const cache of caches) cache.markStale();
  };
  const cache = {
    stats: () => pageCache.stats(),
    clear() {
      sharing?.invalidate();
      for (const cache of caches) cache.clear();
    },
  };
  return {
    about: { cache: 'The page cache.' },
    routes: cacheRoutes(cache),
    addresses: files.addresses,
    followers: [{ of: 'content', refresh: ({ changes }) => markStale(changes) }],
    figures: cacheFigures(cache),
    pages,
    previews: new SetPreviews({
      ...parts,
      ...questions,
      pages,
      asset: files.addresses._assets,
      secureCookies,
    }),
    cache,
  };
}

/** The page cache for `/metrics`. */
function cacheFigures({ stats }: PageCacheControl): Figure[] {
  return [
    { type: 'gauge', name: 'cache_entries', help: 'Pages in the page cache.', read: () => stats().entries },
    { type: 'gauge', name: 'cache_bytes', help: 'Bytes in the page cache.', read: () => stats().bytes },
    {
      type: 'gauge',
      name: 'cache_max_bytes',
      help: 'Size limit of the page cache.',
      read: () => stats().max_bytes,
    },
    {
      type: 'counter',
      name: 'cache_requests_total',
      help: 'Hits, and pages that were stored.',
      labels: ['result'],
      read: () => [
        [{ result: 'hit' }, stats().hits],
        [{ result: 'miss' }, stats().misses],
      ],
    },
  ];
}

/** Compresses cached bodies in the render pool, while no render waits for it. */
export function createCompression({ pool, log }: { readonly pool: Pool; readonly log: Log }): Compression {
  return new Compression(
    {
      hasRoom: () => !pool.hasQueue,
      encode: async (bytes, encoding, use) =>
        (await pool.run({ kind: 'compress', bytes, encoding, use })).bytes,
    },
    log,
  );
}

/**
 * Answers requests outside the API. A cached page is answered at once. An address below a reserved name goes
 * to the feature of that name, or gets a 404 if there is none; so does another spelling of a reserved name. All other addresses are pages.
 */
export function publicHandler(
  pages: Pick<PageDelivery, 'cached' | 'rendered'>,
  addresses: ReadonlyMap<ReservedName, PublicHandler>,
  previews: SetPreviews,
): PublicHandler {
  const respond: PublicHandler = (request) => {
    const cached = pages.cached(request);
    if (cached !== undefined) return cached;
    const name = reservedNameIn(request.path);
    if (name !== undefined) return addresses.get(name)?.(request) ?? nothingThere;
    return isReservedSpelling(request.path) ? nothingThere : pages.rendered(request);
  };
  return (request) => (mayPreview(request) ? previews.respond(request, respond) : respond(request));
}

/** Whether the websites or their domains may have changed. */
function touchesSites(change: LoggedChange): boolean {
  const touched = findAffectedDependencies(change);
  return touched.includes(dependencies.sites) || touched.includes(dependencies.everything);
}

/** Handlers of features outside the API, by name. @throws Error when two features answer below one name */
export function collectAddresses(features: readonly Feature[]): ReadonlyMap<ReservedName, PublicHandler> {
  const addresses = new Map<ReservedName, PublicHandler>();
  for (const feature of features) {
    for (const name of reservedNames) {
      const handler = feature.addresses?.[name];
      if (handler === undefined) continue;
      if (addresses.has(name)) throw new Error(`two features answer /${name}`);
      addresses.set(name, handler);
    }
  }
  return addresses;
}
