import type { ReadSet } from '../../runtime/content/reads.ts';
import { isHost, type SiteHost } from '../../runtime/content/site-host.ts';
import { encodeTagged } from '../../runtime/tasks/encode.ts';
import type { SitemapCopy, SitemapFile, SitemapResult } from '../../runtime/tasks/messages/delivery.ts';
import { emptySitemapText } from '../../runtime/tasks/sitemap.ts';
import type { Parts } from '../feature.ts';
import { codingsFor, matchesTag } from '../http/negotiate.ts';
import { nothingThere } from '../http/plain-answers.ts';
import type { PublicRequest, PublicResponse } from '../http/public-exchange.ts';
import { Answer, type HeaderList } from './answer.ts';
import { AnswerBody } from './answer-body.ts';
import { busy, orBusy } from './busy.ts';
import type { HostPrefixes } from './hosts.ts';
import { type CacheKey, type EntryFacts, nextMidnight, PageCache } from './page-cache.ts';
import { badHost } from './pages.ts';
import { SharedWork } from './shared-work.ts';

export interface SitemapDeps extends Pick<Parts, 'pool' | 'version' | 'clock'> {
  readonly hosts: HostPrefixes;
}

/**
 * `/sitemap.xml` and its parts (Core, "Public non-API routes"). The sitemap of a large website has megabytes
 * and takes a worker hundreds of milliseconds, so it is made once after a change:
 *
 * - **Files** are kept compressed, by scheme, website, host of the absolute URLs, and part. A website without
 *   domains uses the host of the request, and anyone can invent hosts. Its files are kept once for all hosts,
 *   with a placeholder in place of the host.
 * - **Copies** are made from files without reading the content again, in about 6 ms for each MB: as plain text
 *   for clients that do not accept gzip, and with the host filled in for websites without domains. For such a
 *   website only the hosts that `HostPrefixes` admits have copies that are kept; other copies are made for
 *   each request and not compressed.
 * - The file of `/sitemap.xml` tells how many parts there are. A part that does not exist costs a lookup.
 *
 * Files and copies depend on what the sitemap has read. `retire()` at every change; what has not changed then
 * comes back without work (see `PageCache`). Limits in bytes: `maxFileBytes` and `maxCopyBytes`.
 */
export class Sitemaps {
  readonly #deps: SitemapDeps;
  readonly #files: PageCache<KeptFile>;
  readonly #copies: PageCache<SitemapCopy>;
  readonly #generating: SharedWork<SitemapResult>;
  readonly #copying = new Map<string, Promise<SitemapCopy>>();

  constructor(deps: SitemapDeps) {
    this.#deps = deps;
    const { version, clock: nowMs } = deps;
    this.#files = new PageCache({ maxBytes: maxFileBytes, nowMs, version });
    this.#copies = new PageCache({ maxBytes: maxCopyBytes, nowMs, version });
    this.#generating = new SharedWork(version);
  }

  /** After a change of content. */
  retire(): void {
    this.#files.retire();
    this.#copies.retire();
  }

  clear(): void {
    this.#files.clear();
    this.#copies.clear();
  }

  /** @param part 0 for `/sitemap.xml`, n for `/sitemap-n.xml` */
  answer(request: PublicRequest, part: number): PublicResponse | Promise<PublicResponse> {
    const { host, scheme } = request;
    if (!isHost(host)) return badHost;
    const gzip = codingsFor(request.acceptEncoding).includes('gzip');
    const wanted: Wanted = { host, scheme, part, gzip, ifNoneMatch: request.ifNoneMatch };
    const site = this.#deps.hosts.siteOf(host);
    if (site === undefined) return this.#load(wanted);
    const first = find(this.#files, fileKey(scheme, site, 0));
    if (first !== undefined && part > first.partCount) return nothingThere;
    const file = part === 0 ? first : find(this.#files, fileKey(scheme, site, part));
    return file === undefined ? this.#load(wanted) : this.#respond(file, site, wanted);
  }

  async #load(wanted: Wanted): Promise<PublicResponse> {
    const { hosts } = this.#deps;
    await hosts.ready();
    let site = hosts.siteOf(wanted.host);
    for (let attempt = 1; site !== undefined; attempt += 1) {
      const file = await orBusy(this.#fileOf(site, wanted));
      if (file === 'busy') return busy;
      await hosts.ready();
      const siteNow = hosts.siteOf(wanted.host);
      if (
        attempt === maxAttempts ||
        (siteNow !== undefined && copyKey(wanted, siteNow) === copyKey(wanted, site))
      )
        return file === undefined ? nothingThere : this.#respond(file, site, wanted);
      // A change during the work has given the host to another website, or taken it away.
      site = siteNow;
    }
    return wanted.part === 0
      ? emptySitemap.form(wanted.gzip ? ['gzip'] : [], wanted.ifNoneMatch)
      : nothingThere;
  }

  /**
   * The file of a part; undefined if the part does not exist. `/sitemap.xml` tells how many parts there are,
   * so that requests for many parts that do not exist cause no more work than one.
   */
  async #fileOf(site: SiteHost, { scheme, part }: Wanted): Promise<KeptFile | undefined> {
    const known = find(this.#files, fileKey(scheme, site, 0));
    const { partCount } = part === 0 ? { partCount: 0 } : (known ?? (await this.#generate(site, scheme, 0)));
    if (part > partCount) return undefined;
    const { file, ...facts } = await this.#generate(site, scheme, part);
    return file && { ...file, ...facts };
  }

  /** Makes and keeps a file, once for all callers at the same time. */
  #generate(site: SiteHost, scheme: Wanted['scheme'], part: number): Promise<SitemapResult> {
    const { pool } = this.#deps;
    const key = fileKey(scheme, site, part);
    return this.#generating.take(key, async () => {
      const result = await pool.run({ kind: 'sitemap', site, scheme, part });
      const { file, reads, partCount, expiresAt } = result;
      if (file !== undefined)
        this.#files.set(
          keyOf(key),
          { ...file, reads, partCount, expiresAt },
          this.#facts(file.gzip.byteLength, { reads, expiresAt }),
        );
      return result;
    });
  }

  #respond(file: KeptFile, site: SiteHost, wanted: Wanted): PublicResponse | Promise<PublicResponse> {
    const { gzip, ifNoneMatch } = wanted;
    if (matchesTag(ifNoneMatch, tagOf(file, false), tagOf(file, true)))
      return { status: '304 Not Modified', headers: validatorsOf(file, gzip), body: undefined };
    if (gzip && !site.fromRequest) return success(file, true, file.gzip);
    const copy = find(this.#copies, copyKey(wanted, site));
    return copy === undefined ? this.#copy(file, site, wanted) : formOf(copy, file, gzip);
  }

  /** Answers with a new copy, made once for all callers at the same time. */
  async #copy(file: KeptFile, site: SiteHost, wanted: Wanted): Promise<PublicResponse> {
    const key = `${copyKey(wanted, site)} ${file.tag}`;
    let copying = this.#copying.get(key);
    if (copying === undefined) {
      copying = this.#makeCopy(file, site, wanted).finally(() => this.#copying.delete(key));
      this.#copying.set(key, copying);
    }
    const copy = await orBusy(copying);
    return copy === 'busy' ? busy : formOf(copy, file, wanted.gzip);
  }

  /** A copy is kept if its host may have one. Only then is it worth compressing. */
  async #makeCopy(file: KeptFile, site: SiteHost, wanted: Wanted): Promise<SitemapCopy> {
    const { pool, hosts, version } = this.#deps;
    const isKept = version.holds(file.reads) && hosts.admit(site, wanted.scheme) !== undefined;
    const copy = await pool.run({
      kind: 'sitemap-copy',
      file: file.gzip,
      host: site.fromRequest ? site.host : undefined,
      compress: site.fromRequest && isKept,
    });
    const bodyBytes = copy.text.byteLength + (copy.gzip?.byteLength ?? 0);
    if (isKept) this.#copies.set(keyOf(copyKey(wanted, site)), copy, this.#facts(bodyBytes, file));
    return copy;
  }

  #facts(bodyBytes: number, { reads, expiresAt }: Pick<KeptFile, 'reads' | 'expiresAt'>): EntryFacts {
    return { bodyBytes, reads, expiresAt: Math.min(nextMidnight(this.#deps.clock()), expiresAt) };
  }
}

/** A sitemap of 50,000 addresses has about 0.2 to 0.5 MB compressed, and ten times as much as text. */
const maxFileBytes = 16 * 2 ** 20;
const maxCopyBytes = 16 * 2 ** 20;

/** How often a file is made again because changes give the host to other websites. */
const maxAttempts = 3;

/** What a request asks for. Read at once, because the request is no longer valid when a file arrives. */
interface Wanted extends Pick<PublicRequest, 'host' | 'scheme'> {
  readonly part: number;
  readonly gzip: boolean;
  readonly ifNoneMatch: string;
}

interface KeptFile extends SitemapFile {
  readonly reads: ReadSet;
  /** Until when it counts, Unix milliseconds. */
  readonly expiresAt: number;
  /** Number of the last part; 0 if the sitemap is one file. */
  readonly partCount: number;
}

/** The value of a key, also if a change since then has not touched it. */
function find<Value>(cache: PageCache<Value>, name: string): Value | undefined {
  const key = keyOf(name);
  return cache.get(key) ?? cache.reuse(key);
}

/** A host of a request is not part of the key: the file has a placeholder for it. */
function fileKey(scheme: Wanted['scheme'], { siteId, host, fromRequest }: SiteHost, part: number): string {
  return `${scheme}:${siteId}@${fromRequest ? '' : host}/${part}`;
}

function copyKey({ scheme, part }: Wanted, { siteId, host }: SiteHost): string {
  return `${scheme}:${siteId}@${host}/${part}`;
}

/** Sitemaps are few: one space is enough. */
function keyOf(name: string): CacheKey {
  return { space: '', address: name };
}

const headers: HeaderList = [['Cache-Control', 'no-cache']];
const contentType = ['Content-Type', 'application/xml; charset=utf-8'] as const;

/** The sitemap of an instance without websites. */
const emptySitemap = new Answer(new AnswerBody(encodeTagged(emptySitemapText(), 'often', 'gzip')), [
  contentType,
  ...headers,
]);

function formOf({ text, gzip }: SitemapCopy, file: KeptFile, wantsGzip: boolean): PublicResponse {
  return wantsGzip && gzip !== undefined ? success(file, true, gzip) : success(file, false, text);
}

function success(file: KeptFile, isGzip: boolean, body: Uint8Array): PublicResponse {
  const encoding: HeaderList = isGzip ? [['Content-Encoding', 'gzip']] : [];
  return { status: '200 OK', headers: [contentType, ...encoding, ...validatorsOf(file, isGzip)], body };
}

function validatorsOf(file: KeptFile, isGzip: boolean): HeaderList {
  return [...headers, ['ETag', tagOf(file, isGzip)], ['Vary', 'Accept-Encoding']];
}

/** Copies with different hosts may share a tag, because they have different addresses. */
function tagOf({ tag }: KeptFile, isGzip: boolean): string {
  return isGzip ? `"${tag}-gzip"` : `"${tag}"`;
}
