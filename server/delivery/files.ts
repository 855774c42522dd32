import type { ReadSet } from '../../runtime/content/reads.ts';
import { isHost } from '../../runtime/content/site-host.ts';
import type { Encoding, TaggedBody } from '../../runtime/tasks/encode.ts';
import type { AssetResult, RobotsResult } from '../../runtime/tasks/messages/delivery.ts';
import type { Feature, Parts } from '../feature.ts';
import { codingsFor } from '../http/negotiate.ts';
import { nothingThere } from '../http/plain-answers.ts';
import type { PublicRequest, PublicResponse } from '../http/public-exchange.ts';
import type { SharedAnswer } from '../http/sharing.ts';
import { Answer, type HeaderList } from './answer.ts';
import { AnswerBody } from './answer-body.ts';
import { busy, orBusy } from './busy.ts';
import type { Compression, KeptBody } from './compression.ts';
import type { HostPrefixes } from './hosts.ts';
import { type CacheKey, nextMidnight, type PageCache } from './page-cache.ts';
import { badHost } from './pages.ts';
import { SharedWork } from './shared-work.ts';
import type { Sitemaps } from './sitemaps.ts';

export interface SiteFilesDeps extends Pick<Parts, 'pool' | 'version' | 'clock' | 'sharing'> {
  /** Separate from the page cache, because the statistics of the page cache count only pages. */
  readonly cache: PageCache<CachedFile>;
  readonly hosts: HostPrefixes;
  readonly sitemaps: Sitemaps;
  readonly compression: Compression;
}

/** A cached file. An asset has two answers: `immutable` if the address names this version, else `current`. */
export interface CachedFile {
  readonly current: Answer;
  readonly immutable: Answer;
  /** The `v` of the immutable address; empty for files without one. */
  readonly version: string;
}

/**
 * The files of a website besides pages: CSS and JS, sitemap, robots.txt (Core, "Public non-API
 * routes"). All files are cached until the next change; `Sitemaps` has caches of its own.
 */
export class SiteFiles {
  readonly #deps: SiteFilesDeps;
  readonly #sharedAssets: SharedWork<AssetResult>;
  readonly #sharedRobots: SharedWork<RobotsResult>;

  constructor(deps: SiteFilesDeps) {
    this.#deps = deps;
    this.#sharedAssets = new SharedWork(deps.version);
    this.#sharedRobots = new SharedWork(deps.version);
  }

  /** The handler of each address, by the reserved name at the start of the address. */
  readonly addresses: NonNullable<Feature['addresses']> = {
    _assets: (request) => this.#asset(request),
    'sitemap.xml': (request) => this.#sitemap(request),
    'robots.txt': (request) => (request.path === '/robots.txt' ? this.#robots(request) : nothingThere),
  };

  #asset(request: PublicRequest): PublicResponse | Promise<PublicResponse> {
    const parts = assetPath.exec(request.path);
    const kind = parts?.[1];
    const id = Number(parts?.[2]);
    if ((kind !== 'css' && kind !== 'js') || parts?.[3] !== kind || !Number.isSafeInteger(id))
      return nothingThere;
    const key = { space: kind, address: String(id) };
    const wanted = wantedOf(request, new URLSearchParams(request.query).get('v') ?? '');
    const cached = this.#find(key);
    if (cached !== undefined) return this.#choose(key, cached, wanted);
    return this.#loadAsset(key, kind, id, wanted);
  }

  async #loadAsset(key: CacheKey, kind: 'css' | 'js', id: number, wanted: Wanted): Promise<PublicResponse> {
    const { pool } = this.#deps;
    const [encoding] = wanted.accepted;
    const result = await orBusy(
      this.#sharedAssets.take(`${kind}/${id}`, () =>
        pool.run({ kind: 'asset', assetKind: kind, id, encoding }),
      ),
    );
    if (result === 'busy') return busy;
    if (result.asset === undefined) return nothingThere;
    const { body, updatedAt } = result.asset;
    const file = this.#keep(key, body, result.reads, (kept, shared) =>
      assetFile(kind, kept, String(updatedAt), shared),
    );
    return formOf(file, wanted);
  }

  #sitemap(request: PublicRequest): PublicResponse | Promise<PublicResponse> {
    const match = sitemapPath.exec(request.path);
    return match === null ? nothingThere : this.#deps.sitemaps.answer(request, Number(match[1] ?? 0));
  }

  #robots(request: PublicRequest): PublicResponse | Promise<PublicResponse> {
    if (!isHost(request.host)) return badHost;
    const wanted = wantedOf(request, undefined);
    const prefix = this.#deps.hosts.prefixOf(request.host, request.scheme);
    const key = prefix === undefined ? undefined : robotsKey(prefix);
    const cached = key && this.#find(key);
    return key && cached ? this.#choose(key, cached, wanted) : this.#loadRobots(request, wanted);
  }

  async #loadRobots(request: PublicRequest, wanted: Wanted): Promise<PublicResponse> {
    const { host, scheme } = request;
    const { hosts, pool, version } = this.#deps;
    const result = await orBusy(
      this.#sharedRobots.take(`${scheme}:${host}`, () =>
        pool.run({ kind: 'robots', host, scheme, encoding: wanted.accepted[0] }),
      ),
    );
    if (result === 'busy') return busy;
    await hosts.ready();
    const isCurrent = version.holds(result.reads);
    const prefix = isCurrent && result.site !== undefined ? hosts.admit(result.site, scheme) : undefined;
    const file =
      prefix === undefined
        ? robotsFile(new AnswerBody(result.body), undefined)
        : this.#keep(robotsKey(prefix), result.body, result.reads, robotsFile);
    return formOf(file, wanted);
  }

  #find(key: CacheKey): CachedFile | undefined {
    const { cache } = this.#deps;
    return cache.get(key) ?? cache.reuse(key);
  }

  /** Answers with a cached file; in the form that the client wants, if there is room to make it. */
  #choose(key: CacheKey, file: CachedFile, wanted: Wanted): PublicResponse | Promise<PublicResponse> {
    const { compression } = this.#deps;
    const { body } = file.current;
    const missing = body.missing(wanted.accepted);
    if (missing !== undefined && compression.hasRoom)
      return compression.complete(this.#keptBody(key, file), missing).then(() => formOf(file, wanted));
    if (body.isPopular) compression.improve(this.#keptBody(key, file));
    return formOf(file, wanted);
  }

  #keptBody(key: CacheKey, file: CachedFile): KeptBody {
    const { cache, sharing } = this.#deps;
    const { body, shared } = file.current;
    const onResized = () => {
      cache.resize(key, file, body.byteLength);
      if (shared !== undefined) sharing.drop(shared);
    };
    return { body, onResized };
  }

  /** Other threads have answered with a cached file. */
  #noteUse(key: CacheKey, file: CachedFile, times: number): void {
    const { body } = file.current;
    this.#deps.cache.used(key, file, times);
    body.uses += times;
    if (body.isPopular) this.#deps.compression.improve(this.#keptBody(key, file));
  }

  /** Makes and stores a file. */
  #keep(
    key: CacheKey,
    encoded: TaggedBody,
    reads: ReadSet,
    make: (body: AnswerBody, shared: SharedAnswer) => CachedFile,
  ): CachedFile {
    const { cache, clock, sharing } = this.#deps;
    const expiresAt = nextMidnight(clock());
    const shared = { expiresAt, used: (times: number) => this.#noteUse(key, file, times) };
    const file = make(new AnswerBody(encoded, sharing.keep), shared);
    cache.set(key, file, { bodyBytes: file.current.body.byteLength, reads, expiresAt });
    return file;
  }
}

function robotsKey(prefix: string): CacheKey {
  return { space: prefix, address: '/robots.txt' };
}

const assetPath = /^\/_assets\/(css|js)\/([1-9]\d{0,15})\.(css|js)$/;
const sitemapPath = /^\/sitemap(?:-([1-9]\d{0,5}))?\.xml$/;

/** What a request asks for. Read at once, because the request is no longer valid when a loaded file arrives. */
interface Wanted {
  readonly accepted: readonly Encoding[];
  readonly ifNoneMatch: string;
  /** The version that the address names. */
  readonly version: string | undefined;
}

function wantedOf(request: PublicRequest, version: string | undefined): Wanted {
  return {
    accepted: codingsFor(request.acceptEncoding),
    ifNoneMatch: request.ifNoneMatch,
    version,
  };
}

function formOf(file: CachedFile, { accepted, ifNoneMatch, version }: Wanted): PublicResponse {
  return (file.version === version ? file.immutable : file.current).form(accepted, ifNoneMatch);
}

function assetFile(kind: 'css' | 'js', body: AnswerBody, version: string, shared: SharedAnswer): CachedFile {
  const answerWith = (cacheControl: string) =>
    new Answer(
      body,
      [
        ['Content-Type', `text/${kind === 'css' ? 'css' : 'javascript'}; charset=utf-8`],
        ['Cache-Control', cacheControl],
        ['Access-Control-Allow-Origin', '*'],
      ],
      { shared },
    );
  return {
    current: answerWith('no-cache'),
    immutable: answerWith('public, max-age=31536000, immutable'),
    version,
  };
}

function robotsFile(body: AnswerBody, shared: SharedAnswer | undefined): CachedFile {
  const headers: HeaderList = [
    ['Content-Type', 'text/plain; charset=utf-8'],
    ['Cache-Control', 'no-cache'],
  ];
  const answer = new Answer(body, headers, { shared });
  return { current: answer, immutable: answer, version: '' };
}
