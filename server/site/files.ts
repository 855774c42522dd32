import type { EncodedBody } from '../../runtime/tasks/encode.ts';
import type { AssetResult, SiteFileResult, SitemapTask } from '../../runtime/tasks/messages.ts';
import type { Clock } from '../clock.ts';
import type { PublicRequest, PublicResponse } from '../http/public.ts';
import { type Answer, bodyBytes, chooseForm, createAnswer, type HeaderList } from './answer.ts';
import { Flights } from './flights.ts';
import type { HostPrefixes } from './hosts.ts';
import { acceptsGzip } from './negotiate.ts';
import { nextMidnight, type PageCache } from './page-cache.ts';
import { PoolBusyError, type RenderPool } from './render-pool.ts';
import { ALL_HEADERS } from './security-headers.ts';

export interface FilesDeps {
  /** Like the page cache, but apart from it: its statistics speak of pages. */
  readonly cache: PageCache<CachedFile>;
  readonly hosts: HostPrefixes;
  readonly pool: RenderPool;
  readonly currentVersion: () => number;
  readonly clock: Clock;
}

/** A file as it is cached. Assets are answered in two ways, by whether the address names this very state. */
export interface CachedFile {
  readonly current: Answer;
  readonly immutable: Answer;
  /** The `v` of the immutable address; empty for files without one. */
  readonly version: string;
}

/**
 * What a website has besides pages: CSS and JS, sitemap, robots.txt, favicon
 * (Core, "Public non-API routes"). All of it is cached until the next change.
 */
export class Files {
  readonly #deps: FilesDeps;
  readonly #assetFlights: Flights<AssetResult>;
  readonly #siteFlights: Flights<SiteFileResult>;

  constructor(deps: FilesDeps) {
    this.#deps = deps;
    this.#assetFlights = new Flights(deps.currentVersion);
    this.#siteFlights = new Flights(deps.currentVersion);
  }

  /** The answer if the path is one of these files, else undefined. */
  find(request: PublicRequest): PublicResponse | Promise<PublicResponse> | undefined {
    const { path } = request;
    switch (path.charCodeAt(1)) {
      case 95: // _
        return path.startsWith('/_assets/') ? this.#asset(request) : undefined;
      case 115: // s
        return this.#sitemap(request);
      case 114: // r
        return path === '/robots.txt' ? this.#siteFile(request, { kind: 'robots' }) : undefined;
      case 102: // f
        return path === '/favicon.ico' ? NOT_FOUND : undefined;
      default:
        return undefined;
    }
  }

  #asset(request: PublicRequest): PublicResponse | Promise<PublicResponse> {
    const parts = ASSET_PATH.exec(request.path);
    const kind = parts?.[1];
    const id = Number(parts?.[2]);
    if ((kind !== 'css' && kind !== 'js') || parts?.[3] !== kind || !Number.isSafeInteger(id))
      return NOT_FOUND;
    const key = `${kind}/${id}`;
    const wanted = new URLSearchParams(request.query).get('v') ?? '';
    const choose = chooser(request, wanted);
    const cached = this.#deps.cache.get(key);
    if (cached !== undefined) return choose(cached);
    return this.#loadAsset(key, kind, id, choose);
  }

  async #loadAsset(
    key: string,
    kind: 'css' | 'js',
    id: number,
    choose: (file: CachedFile) => PublicResponse,
  ): Promise<PublicResponse> {
    const { pool } = this.#deps;
    const result = await orBusy(
      this.#assetFlights.take(key, () => pool.run({ kind: 'asset', assetKind: kind, id })),
    );
    if (result === 'busy') return BUSY;
    if (result.asset === undefined) return NOT_FOUND;
    const { body, updatedAt } = result.asset;
    const file = assetFile(kind, body, String(updatedAt));
    this.#store(key, file, body, result.version);
    return choose(file);
  }

  #sitemap(request: PublicRequest): PublicResponse | Promise<PublicResponse> | undefined {
    const match = SITEMAP_PATH.exec(request.path);
    if (match === null) return undefined;
    return this.#siteFile(request, { kind: 'sitemap', part: Number(match[1] ?? 0) });
  }

  #siteFile(request: PublicRequest, task: SiteFileTask): PublicResponse | Promise<PublicResponse> {
    const choose = chooser(request, undefined);
    const prefix = this.#deps.hosts.prefixOf(request.host);
    const cached = prefix === undefined ? undefined : this.#deps.cache.get(fileKey(prefix, request));
    return cached === undefined ? this.#loadSiteFile(request, task, choose) : choose(cached);
  }

  async #loadSiteFile(
    request: PublicRequest,
    task: SiteFileTask,
    choose: (file: CachedFile) => PublicResponse,
  ): Promise<PublicResponse> {
    const { host, scheme } = request;
    const { hosts, pool, currentVersion } = this.#deps;
    const result = await orBusy(
      this.#siteFlights.take(fileKey(`?${host}`, request), () =>
        pool.run({ ...task, host, scheme, wantSites: hosts.wantsTable }),
      ),
    );
    if (result === 'busy') return BUSY;
    const isCurrent = result.version === currentVersion();
    if (isCurrent && result.sites !== undefined) hosts.learn(result.sites);
    if (result.body === undefined) return NOT_FOUND;
    const file = siteFile(task.kind, result.body);
    const prefix = isCurrent && result.site !== undefined ? hosts.admit(result.site) : undefined;
    if (prefix !== undefined) this.#store(fileKey(prefix, request), file, result.body, result.version);
    return choose(file);
  }

  #store(key: string, file: CachedFile, body: EncodedBody, version: number): void {
    const { cache, clock } = this.#deps;
    cache.set(key, file, { bodyBytes: bodyBytes(body), version, expiresAt: nextMidnight(clock()) });
  }
}

/** Sitemaps and robots.txt hold absolute URLs, so the scheme belongs to them. */
function fileKey(prefix: string, { path, scheme }: PublicRequest): string {
  return `${scheme}:${prefix}${path}`;
}

type SiteFileTask =
  | { readonly kind: 'robots' }
  | { readonly kind: 'sitemap'; readonly part: SitemapTask['part'] };

const ASSET_PATH = /^\/_assets\/(css|js)\/([1-9]\d{0,15})\.(css|js)$/;
const SITEMAP_PATH = /^\/sitemap(?:-([1-9]\d{0,5}))?\.xml$/;

/** Reads from the request what choosing needs, because the request is gone when a loaded file arrives. */
function chooser(
  request: PublicRequest,
  wantedVersion: string | undefined,
): (file: CachedFile) => PublicResponse {
  const gzip = acceptsGzip(request.header('accept-encoding'));
  const ifNoneMatch = request.header('if-none-match');
  return (file) =>
    chooseForm(file.version === wantedVersion ? file.immutable : file.current, gzip, ifNoneMatch);
}

function assetFile(kind: 'css' | 'js', body: EncodedBody, version: string): CachedFile {
  const answerWith = (cacheControl: string) =>
    createAnswer(body, [
      ['Content-Type', `text/${kind === 'css' ? 'css' : 'javascript'}; charset=utf-8`],
      ['Cache-Control', cacheControl],
      ['Access-Control-Allow-Origin', '*'],
      ...ALL_HEADERS,
    ]);
  return {
    current: answerWith('no-cache'),
    immutable: answerWith('public, max-age=31536000, immutable'),
    version,
  };
}

function siteFile(kind: 'robots' | 'sitemap', body: EncodedBody): CachedFile {
  const type = kind === 'robots' ? 'text/plain' : 'application/xml';
  const answer = createAnswer(body, [
    ['Content-Type', `${type}; charset=utf-8`],
    ['Cache-Control', 'no-cache'],
    ...ALL_HEADERS,
  ]);
  return { current: answer, immutable: answer, version: '' };
}

async function orBusy<T>(work: Promise<T>): Promise<T | 'busy'> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof PoolBusyError) return 'busy';
    throw error;
  }
}

const TEXT_HEADERS: HeaderList = [
  ['Content-Type', 'text/plain; charset=utf-8'],
  ['Cache-Control', 'no-cache'],
  ...ALL_HEADERS,
];

const NOT_FOUND: PublicResponse = { status: '404 Not Found', headers: TEXT_HEADERS, body: 'Not found\n' };

const BUSY: PublicResponse = {
  status: '503 Service Unavailable',
  headers: [...TEXT_HEADERS, ['Retry-After', '1']],
  body: 'Too busy, please try again\n',
};
