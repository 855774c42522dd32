import type { ReadSet } from '../../runtime/content/dependency-recorder.ts';
import { isHost } from '../../runtime/content/site-host.ts';
import type { Encoding } from '../../runtime/tasks/encode.ts';
import { findContentOverlay } from '../base/content-overlay.ts';
import type { Feature, SharedServices } from '../feature.ts';
import { codingsFor } from '../http/negotiate.ts';
import { nothingThere, textHeaders } from '../http/plain-answers.ts';
import type { PublicRequest, PublicResponse } from '../http/public-exchange.ts';
import type { CacheKey } from '../http/responses/cache-entry.ts';
import { CachedBody } from '../http/responses/cached-body.ts';
import { CachedResponse } from '../http/responses/cached-response.ts';
import type { EncodedResponseCache } from '../http/responses/encoded-response-cache.ts';
import { RequestCoalescer } from '../http/responses/request-coalescer.ts';
import { nextMidnight } from '../http/responses/response-cache.ts';
import type { SharedResponse } from '../http/shared-responses.ts';
import { PoolBusyError } from '../processes/pool.ts';
import type { HostPrefixes } from './hosts.ts';
import { badHost } from './page-responses.ts';
import type { Sitemaps } from './sitemaps.ts';

export interface SiteFilesDeps extends Pick<SharedServices, 'pool' | 'version' | 'clock'> {
  /** Separate from the page cache, because the statistics of the page cache count only pages. */
  readonly cache: EncodedResponseCache<CachedFile>;
  readonly hosts: HostPrefixes;
  readonly sitemaps: Sitemaps;
}

/** A cached file. An asset has two responses: `immutable` if the address names this version, else `current`. */
export interface CachedFile {
  readonly body: CachedBody;
  readonly shared: SharedResponse | undefined;
  readonly current: CachedResponse;
  readonly immutable: CachedResponse;
  /** The `v` of the immutable address; empty for files without one. */
  readonly version: string;
}

/**
 * The files of a website in addition to pages: CSS and JS, sitemap, robots.txt (Core, "Public non-API routes"). All
 * files are cached until the next change; `Sitemaps` has parts of the cache of its own.
 */
export class SiteFiles {
  readonly #deps: SiteFilesDeps;
  readonly #loading: RequestCoalescer<LoadedFile>;

  constructor(deps: SiteFilesDeps) {
    this.#deps = deps;
    this.#loading = new RequestCoalescer(deps.version);
  }

  /** The handler of each address, by the reserved name at the start of the address. */
  readonly addresses: NonNullable<Feature['addresses']> = {
    _assets: (request) => orBusy(this.#asset(request)),
    'sitemap.xml': (request) => orBusy(this.#sitemap(request)),
    'robots.txt': (request) =>
      request.path === '/robots.txt' ? orBusy(this.#robots(request)) : nothingThere,
  };

  #asset(request: PublicRequest): PublicResponse | Promise<PublicResponse> {
    const parts = assetPath.exec(request.path);
    const kind = parts?.[1];
    const id = Number(parts?.[2]);
    if ((kind !== 'css' && kind !== 'js') || parts?.[3] !== kind || !Number.isSafeInteger(id))
      return nothingThere;
    const key = { partition: kind, address: String(id) };
    const version = new URLSearchParams(request.query).get('v') ?? '';
    if (findContentOverlay() !== undefined) return this.#loadOverlaidAsset(request, kind, id);
    return this.#findResponse(request, version, key) ?? this.#loadAsset(request, version, kind, id, key);
  }

  #loadAsset(
    request: PublicRequest,
    version: string,
    kind: 'css' | 'js',
    id: number,
    key: CacheKey,
  ): Promise<PublicResponse> {
    return this.#load(request, version, `${kind}/${id}`, async (encoding) => {
      const { asset, reads } = await this.#deps.pool.run({ kind: 'asset', assetKind: kind, id, encoding });
      if (asset === undefined) return { reads, file: undefined };
      const { value } = this.#deps.cache.store(key, asset.body, this.#facts(reads), (body, shared) =>
        toAssetFile(kind, body, String(asset.updatedAt), shared),
      );
      return { reads, file: value };
    });
  }

  /** An asset with what lies over the content; nothing of it is stored. */
  async #loadOverlaidAsset(
    { acceptEncoding, ifNoneMatch }: PublicRequest,
    kind: 'css' | 'js',
    id: number,
  ): Promise<PublicResponse> {
    const accepted = codingsFor(acceptEncoding);
    const encoding = accepted[0];
    const { asset } = await this.#deps.pool.run({ kind: 'asset', assetKind: kind, id, encoding });
    if (asset === undefined) return nothingThere;
    const file = toAssetFile(kind, new CachedBody(asset.body), '', undefined);
    return file.current.respond(accepted, ifNoneMatch);
  }

  #sitemap(request: PublicRequest): PublicResponse | Promise<PublicResponse> {
    const match = sitemapPath.exec(request.path);
    return match === null ? nothingThere : this.#deps.sitemaps.respond(request, Number(match[1] ?? 0));
  }

  #robots(request: PublicRequest): PublicResponse | Promise<PublicResponse> {
    const { host, scheme } = request;
    if (!isHost(host)) return badHost;
    const prefix = this.#deps.hosts.prefixOf(host, scheme);
    const cached =
      prefix === undefined ? undefined : this.#findResponse(request, undefined, toRobotsKey(prefix));
    return cached ?? this.#loadRobots(request);
  }

  #loadRobots(request: PublicRequest): Promise<PublicResponse> {
    const { cache, hosts, pool, version } = this.#deps;
    const { host, scheme } = request;
    return this.#load(request, undefined, `${scheme}:${host}`, async (encoding) => {
      const { body, reads, site } = await pool.run({ kind: 'robots', host, scheme, encoding });
      await hosts.ready();
      const prefix = version.isUpToDate(reads) && site !== undefined ? hosts.admit(site, scheme) : undefined;
      if (prefix === undefined) return { reads, file: toRobotsFile(new CachedBody(body), undefined) };
      const { value } = cache.store(toRobotsKey(prefix), body, this.#facts(reads), toRobotsFile);
      return { reads, file: value };
    });
  }

  /** The response with a cached file. @param version the version that the address names */
  #findResponse(
    { acceptEncoding, ifNoneMatch }: PublicRequest,
    version: string | undefined,
    key: CacheKey,
  ): PublicResponse | Promise<PublicResponse> | undefined {
    const { cache } = this.#deps;
    const file = cache.find(key);
    if (file === undefined) return undefined;
    return cache.respond(key, file, chooseResponse(file, version), codingsFor(acceptEncoding), ifNoneMatch);
  }

  /** Responds with a file that is loaded once for all equal requests. @param name differs between files */
  async #load(
    { acceptEncoding, ifNoneMatch }: PublicRequest,
    version: string | undefined,
    name: string,
    load: (encoding: Encoding | undefined) => Promise<LoadedFile>,
  ): Promise<PublicResponse> {
    const accepted = codingsFor(acceptEncoding);
    const { file } = await this.#loading.take(name, () => load(accepted[0]));
    return file === undefined ? nothingThere : chooseResponse(file, version).respond(accepted, ifNoneMatch);
  }

  #facts(reads: ReadSet): { readonly reads: ReadSet; readonly expiresAt: number } {
    return { reads, expiresAt: nextMidnight(this.#deps.clock()) };
  }
}

interface LoadedFile {
  readonly reads: ReadSet;
  readonly file: CachedFile | undefined;
}

function toRobotsKey(prefix: string): CacheKey {
  return { partition: prefix, address: '/robots.txt' };
}

const assetPath = /^\/_assets\/(css|js)\/([1-9]\d{0,15})\.(css|js)$/;
const sitemapPath = /^\/sitemap(?:-([1-9]\d{0,5}))?\.xml$/;

function chooseResponse(file: CachedFile, version: string | undefined): CachedResponse {
  return file.version === version ? file.immutable : file.current;
}

function toAssetFile(
  kind: 'css' | 'js',
  body: CachedBody,
  version: string,
  shared: SharedResponse | undefined,
): CachedFile {
  const respondWith = (cacheControl: string) =>
    new CachedResponse(
      body,
      [
        ['Content-Type', `text/${kind === 'css' ? 'css' : 'javascript'}; charset=utf-8`],
        ['Cache-Control', cacheControl],
        ['Access-Control-Allow-Origin', '*'],
      ],
      { shared },
    );
  return {
    body,
    shared,
    current: respondWith('no-cache'),
    immutable: respondWith('public, max-age=31536000, immutable'),
    version,
  };
}

function toRobotsFile(body: CachedBody, shared: SharedResponse | undefined): CachedFile {
  const response = new CachedResponse(body, textHeaders, { shared });
  return { body, shared, current: response, immutable: response, version: '' };
}

/** The response, or a refusal if too much work is waiting for the render pool. */
function orBusy(
  response: PublicResponse | Promise<PublicResponse>,
): PublicResponse | Promise<PublicResponse> {
  if (!(response instanceof Promise)) return response;
  return response.catch((error: unknown) => {
    if (error instanceof PoolBusyError) return busy;
    throw error;
  });
}

const busy: PublicResponse = {
  status: '503 Service Unavailable',
  headers: [...textHeaders, ['Retry-After', '1']],
  body: 'Too busy, please try again\n',
};
