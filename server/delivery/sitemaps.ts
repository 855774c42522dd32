import type { ReadSet } from '../../runtime/content/dependency-recorder.ts';
import { isHost, type SiteHost } from '../../runtime/content/site-host.ts';
import { encodeTagged } from '../../runtime/tasks/encode.ts';
import type { SitemapCopy, SitemapFile, SitemapResult } from '../../runtime/tasks/messages/delivery.ts';
import { emptySitemapText } from '../../runtime/tasks/sitemap.ts';
import type { SharedServices } from '../feature.ts';
import { codingsFor } from '../http/negotiate.ts';
import { nothingThere } from '../http/plain-answers.ts';
import type { PublicRequest, PublicResponse } from '../http/public-exchange.ts';
import type { CacheKey, EntryFacts } from '../http/responses/cache-entry.ts';
import { CachedBody } from '../http/responses/cached-body.ts';
import {
  CachedResponse,
  contentEncoding,
  type HeaderList,
  varyByEncoding,
} from '../http/responses/cached-response.ts';
import { matchesIfNoneMatch } from '../http/responses/conditions.ts';
import { RequestCoalescer } from '../http/responses/request-coalescer.ts';
import { nextMidnight, ResponseCache } from '../http/responses/response-cache.ts';
import { oneVersion } from '../http/responses/version-source.ts';
import type { HostPrefixes } from './hosts.ts';
import { badHost } from './page-responses.ts';

export interface SitemapDeps extends Pick<SharedServices, 'pool' | 'version' | 'clock'> {
  readonly hosts: HostPrefixes;
}

/**
 * `/sitemap.xml` and its parts (Core, "Public non-API routes"). The sitemap of a large website has megabytes
 * and takes a worker hundreds of milliseconds, so it is made once after a change:
 *
 * - **Files** are cached compressed, by scheme, website, host of the absolute URLs, and part. A website without
 *   domains uses the host of the request, and anyone can invent hosts. Its files are cached once for all hosts,
 *   with a placeholder in place of the host.
 * - **Copies** are made from files without reading the content again, in about 6 ms for each MB: as plain text
 *   for clients that do not accept gzip, and with the host filled in for websites without domains. For such a
 *   website only the hosts that `HostPrefixes` admits have copies that are cached; other copies are made for
 *   each request and not compressed.
 * - The file of `/sitemap.xml` tells how many parts there are. A part that does not exist costs a lookup.
 *
 * Files and copies depend on what the sitemap has read. Both are marked stale at every change; what has not changed
 * then comes back without work (see `ResponseCache`). Limits in bytes: `maxFileBytes` and `maxCopyBytes`.
 */
export class Sitemaps {
  readonly #deps: SitemapDeps;
  readonly #files: ResponseCache<CachedSitemap>;
  readonly #copies: ResponseCache<SitemapCopy>;
  readonly #generating: RequestCoalescer<GeneratedSitemap>;
  /** A copy belongs to its file: running work is shared whatever changes meanwhile. */
  readonly #copying = new RequestCoalescer<CopyOfSitemap>(oneVersion);

  constructor(deps: SitemapDeps) {
    this.#deps = deps;
    const { version, clock: nowMs } = deps;
    this.#files = new ResponseCache({ maxBytes: maxFileBytes, nowMs, version });
    this.#copies = new ResponseCache({ maxBytes: maxCopyBytes, nowMs, version });
    this.#generating = new RequestCoalescer(version);
  }

  /** To be marked stale after a change of content. */
  get caches(): readonly Pick<ResponseCache<CachedSitemap | SitemapCopy>, 'markStale' | 'clear'>[] {
    return [this.#files, this.#copies];
  }

  /** @param part 0 for `/sitemap.xml`, n for `/sitemap-n.xml` */
  respond(
    { host, scheme, acceptEncoding, ifNoneMatch }: PublicRequest,
    part: number,
  ): PublicResponse | Promise<PublicResponse> {
    if (!isHost(host)) return badHost;
    const gzip = codingsFor(acceptEncoding).includes('gzip');
    const wanted: SitemapRequest = { host, scheme, part, gzip, ifNoneMatch };
    const site = this.#deps.hosts.siteOf(host);
    if (site === undefined) return this.#load(wanted);
    const first = this.#files.find(toFileKey(wanted, site, 0));
    if (first !== undefined && part > first.partCount) return nothingThere;
    const file = part === 0 ? first : this.#files.find(toFileKey(wanted, site, part));
    return file === undefined ? this.#load(wanted) : this.#respondWith(file, site, wanted);
  }

  async #load(wanted: SitemapRequest): Promise<PublicResponse> {
    const { hosts } = this.#deps;
    await hosts.ready();
    let site = hosts.siteOf(wanted.host);
    for (let attempt = 1; site !== undefined; attempt += 1) {
      const file = await this.#loadFile(site, wanted);
      await hosts.ready();
      const siteNow = hosts.siteOf(wanted.host);
      if (attempt === maxAttempts || (siteNow?.siteId === site.siteId && siteNow.host === site.host))
        return file === undefined ? nothingThere : this.#respondWith(file, site, wanted);
      // A change during the work has given the host to another website, or taken it away.
      site = siteNow;
    }
    return wanted.part === 0
      ? emptySitemap.respond(wanted.gzip ? ['gzip'] : [], wanted.ifNoneMatch)
      : nothingThere;
  }

  /**
   * The file of a part; undefined if the part does not exist. `/sitemap.xml` tells how many parts there are,
   * so that requests for many parts that do not exist cause no more work than one.
   */
  async #loadFile(site: SiteHost, wanted: SitemapRequest): Promise<CachedSitemap | undefined> {
    const { part } = wanted;
    if (part > 0) {
      const first = this.#files.find(toFileKey(wanted, site, 0)) ?? (await this.#generate(site, wanted, 0));
      if (part > first.partCount) return undefined;
    }
    return (await this.#generate(site, wanted, part)).file;
  }

  /** Makes and caches a file, once for all callers at the same time. */
  #generate(site: SiteHost, { scheme }: SitemapRequest, part: number): Promise<GeneratedSitemap> {
    const key = toFileKey({ scheme }, site, part);
    return this.#generating.take(key.address, async () => {
      const { file, ...facts } = await this.#deps.pool.run({ kind: 'sitemap', site, scheme, part });
      if (file === undefined) return { ...facts, file };
      const cached = { ...file, ...facts };
      this.#files.set(key, cached, this.#toEntryFacts(facts, file.gzip.byteLength));
      return { ...facts, file: cached };
    });
  }

  #respondWith(
    file: CachedSitemap,
    site: SiteHost,
    wanted: SitemapRequest,
  ): PublicResponse | Promise<PublicResponse> {
    const { gzip, ifNoneMatch } = wanted;
    if (matchesIfNoneMatch(ifNoneMatch, toTag(file, false), (tag) => tag === toTag(file, true)))
      return { status: '304 Not Modified', headers: toHeaders(file, gzip), body: undefined };
    if (gzip && !site.fromRequest) return toSuccess(file, 'gzip', file.gzip);
    const key = toCopyKey(wanted, site, wanted.part);
    const copy = this.#copies.find(key);
    if (copy !== undefined) return toCopyResponse(copy, file, gzip);
    return this.#copy(file, site, wanted, key);
  }

  /**
   * Responds with a new copy, made once for all callers at the same time. A copy is cached if its host may have one.
   * Only then is it worth compressing.
   */
  async #copy(
    file: CachedSitemap,
    site: SiteHost,
    { scheme, gzip }: SitemapRequest,
    key: CacheKey,
  ): Promise<PublicResponse> {
    const { pool, hosts, version } = this.#deps;
    const { copy } = await this.#copying.take(`${key.address} ${file.tag}`, async () => {
      const isCached = version.isUpToDate(file.reads) && hosts.admit(site, scheme) !== undefined;
      const copy = await pool.run({
        kind: 'sitemap-copy',
        file: file.gzip,
        host: site.fromRequest ? site.host : undefined,
        compress: site.fromRequest && isCached,
      });
      const bodyBytes = copy.text.byteLength + (copy.gzip?.byteLength ?? 0);
      if (isCached) this.#copies.set(key, copy, this.#toEntryFacts(file, bodyBytes));
      return { copy, reads: file.reads };
    });
    return toCopyResponse(copy, file, gzip);
  }

  #toEntryFacts({ reads, expiresAt }: SitemapFacts, bodyBytes: number): EntryFacts {
    return { bodyBytes, reads, expiresAt: Math.min(nextMidnight(this.#deps.clock()), expiresAt) };
  }
}

/** A sitemap of 50,000 addresses has about 0.2 to 0.5 MB compressed, and ten times as much as text. */
const maxFileBytes = 16 * 2 ** 20;
const maxCopyBytes = 16 * 2 ** 20;

/** How often a file is made again because changes give the host to other websites. */
const maxAttempts = 3;

/** What a request asks for. The request is no longer valid when a file has been loaded. */
interface SitemapRequest extends Pick<PublicRequest, 'host' | 'scheme'> {
  readonly part: number;
  readonly gzip: boolean;
  readonly ifNoneMatch: string;
}

type SitemapFacts = Omit<SitemapResult, 'file'>;

type CachedSitemap = SitemapFile & SitemapFacts;

interface GeneratedSitemap extends SitemapFacts {
  readonly file: CachedSitemap | undefined;
}

interface CopyOfSitemap {
  readonly reads: ReadSet;
  readonly copy: SitemapCopy;
}

/** The key of a file. It leaves out a host of a request, because the file has a placeholder for it. */
function toFileKey(origin: Pick<SitemapRequest, 'scheme'>, site: SiteHost, part: number): CacheKey {
  return toCopyKey(origin, site.fromRequest ? { ...site, host: '' } : site, part);
}

/** Sitemaps are few: one partition is enough. */
function toCopyKey(
  { scheme }: Pick<SitemapRequest, 'scheme'>,
  { siteId, host }: SiteHost,
  part: number,
): CacheKey {
  return { partition: '', address: `${scheme}:${siteId}@${host}/${part}` };
}

const contentType = ['Content-Type', 'application/xml; charset=utf-8'] as const;
const noCache = ['Cache-Control', 'no-cache'] as const;

/** The sitemap of an instance without websites. */
const emptySitemap = new CachedResponse(new CachedBody(encodeTagged(emptySitemapText(), 'often', 'gzip')), [
  contentType,
  noCache,
]);

function toCopyResponse({ text, gzip }: SitemapCopy, file: SitemapFile, wantsGzip: boolean): PublicResponse {
  return wantsGzip && gzip !== undefined ? toSuccess(file, 'gzip', gzip) : toSuccess(file, undefined, text);
}

function toSuccess(file: SitemapFile, encoding: 'gzip' | undefined, body: Uint8Array): PublicResponse {
  const headers = [contentType, ...contentEncoding(encoding), ...toHeaders(file, encoding === 'gzip')];
  return { status: '200 OK', headers, body };
}

function toHeaders(file: SitemapFile, isGzip: boolean): HeaderList {
  return [noCache, ['ETag', toTag(file, isGzip)], varyByEncoding];
}

/** Copies with different hosts may share a tag, because they have different addresses. */
function toTag({ tag }: SitemapFile, isGzip: boolean): string {
  return isGzip ? `"${tag}-gzip"` : `"${tag}"`;
}
