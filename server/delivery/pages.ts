import type { ReadSet } from '../../runtime/content/reads.ts';
import { isHost } from '../../runtime/content/site-host.ts';
import { busyHtml, serverErrorHtml } from '../../runtime/page/default-pages.ts';
import type { PreviewScope } from '../../runtime/page/route.ts';
import { type Encoding, isTagged } from '../../runtime/tasks/encode.ts';
import type { PageOutcome, PageResult, PageTask } from '../../runtime/tasks/messages/delivery.ts';
import type { Parts } from '../feature.ts';
import { codingsFor } from '../http/negotiate.ts';
import type { PublicRequest, PublicResponse } from '../http/public-exchange.ts';
import type { SharedAnswer } from '../http/sharing.ts';
import { PoolBusyError } from '../processes/pool.ts';
import { Answer, type HeaderList, plainPage } from './answer.ts';
import { AnswerBody } from './answer-body.ts';
import type { Compression, KeptBody } from './compression.ts';
import type { HostPrefixes } from './hosts.ts';
import { type CacheKey, nextMidnight, type PageCache } from './page-cache.ts';
import {
  type FindPreviewScope,
  type PreviewQuestion,
  previewQuestion,
  privateHeaders,
  rememberedSite,
  siteCookie,
} from './preview.ts';
import { SharedWork } from './shared-work.ts';

export interface PageDeliveryDeps extends Pick<Parts, 'pool' | 'version' | 'clock' | 'log' | 'sharing'> {
  readonly cache: PageCache<Answer>;
  readonly hosts: HostPrefixes;
  readonly compression: Compression;
  readonly findPreviewScope: FindPreviewScope;
  /** Whether cookies are for HTTPS only. */
  readonly secureCookies: boolean;
  readonly visits: Visits;
}

/** Receives the GET requests that no page answered. */
export interface Visits {
  /**
   * The answer was the 404 page (even if that failed). `path` and `referer` as sent; no `referer` is empty.
   */
  missed(siteId: number, path: string, referer: string): void;
  redirected(siteId: number, redirectId: number): void;
}

/**
 * Website pages: from the cache at once, else from a render worker (Core, "Page cache").
 */
export class PageDelivery {
  readonly #deps: PageDeliveryDeps;
  readonly #shared: SharedWork<RenderedPage>;

  constructor(deps: PageDeliveryDeps) {
    this.#deps = deps;
    this.#shared = new SharedWork(deps.version);
  }

  /** The cached answer, at once unless a form of it must be made; undefined if the page must be rendered. */
  cached(request: PublicRequest): PublicResponse | Promise<PublicResponse> | undefined {
    return this.#mayBeElsewhere(request) ? undefined : this.#find(request);
  }

  #find(request: PublicRequest): PublicResponse | Promise<PublicResponse> | undefined {
    const { hosts, cache } = this.#deps;
    const prefix = hosts.prefixOf(request.host, request.scheme);
    if (prefix === undefined) return undefined;
    const key = { space: prefix, address: addressOf(request) };
    const hit = cache.get(key);
    if (hit !== undefined) return this.#choose(key, hit, request);
    const reused = cache.reuse(key);
    if (reused === undefined) return undefined;
    const answer = this.#choose(key, reused, request);
    return answer instanceof Promise ? answer.then(asMiss) : asMiss(answer);
  }

  /** Answers with a cached page; in the form that the client wants, if there is room to make it. */
  #choose(key: CacheKey, page: Answer, request: PublicRequest): PublicResponse | Promise<PublicResponse> {
    const { compression } = this.#deps;
    const { body } = page;
    const accepted = codingsFor(request.acceptEncoding);
    const ifNoneMatch = request.ifNoneMatch;
    const missing = body.missing(accepted);
    if (missing !== undefined && compression.hasRoom && !body.isNamedBy(ifNoneMatch))
      return compression
        .complete(this.#keptBody(key, page), missing)
        .then(() => page.form(accepted, ifNoneMatch));
    if (body.isPopular) compression.improve(this.#keptBody(key, page));
    return page.form(accepted, ifNoneMatch);
  }

  /** Other threads have answered with a cached page. */
  #noteUse(key: CacheKey, page: Answer, times: number): void {
    this.#deps.cache.used(key, page, times);
    page.body.uses += times;
    if (page.body.isPopular) this.#deps.compression.improve(this.#keptBody(key, page));
  }

  #keptBody(key: CacheKey, page: Answer): KeptBody {
    const { cache, sharing } = this.#deps;
    const { body, shared } = page;
    const onResized = () => {
      cache.resize(key, page, body.byteLength);
      if (shared !== undefined) sharing.drop(shared);
    };
    return { body, onResized };
  }

  /** Whether an administrator may have chosen another website than the website of the host. */
  #mayBeElsewhere(request: PublicRequest): boolean {
    const chosen = rememberedSite(request.cookie);
    return chosen !== undefined && this.#deps.hosts.mayBeUnassigned(request.host);
  }

  async rendered(request: PublicRequest): Promise<PublicResponse> {
    if (!isHost(request.host)) return badHost;
    const accepted = codingsFor(request.acceptEncoding);
    const ifNoneMatch = request.ifNoneMatch;
    const referer = request.header('referer');
    const question = previewQuestion(request, this.#deps.hosts.mayBeUnassigned(request.host));
    try {
      const scope = question === undefined ? undefined : await this.#deps.findPreviewScope(question);
      if (question !== undefined && scope !== undefined) {
        return await this.#previewed(request, question, scope, accepted);
      }
      // The credential is not valid. Such a request must not cost more than others, so the cache is asked.
      const cached = question === undefined ? undefined : this.#find(request);
      if (cached !== undefined) return cached;
      await this.#deps.hosts.ready();
      const page = await this.#shared.take(`${request.scheme}://${request.host}${addressOf(request)}`, () =>
        this.#render(request, accepted),
      );
      if (request.method === 'GET') this.#report(page.outcome, request.path, referer);
      return respond(page, accepted, ifNoneMatch);
    } catch (error) {
      if (error instanceof PoolBusyError) return busy(error);
      this.#deps.log.error(
        { err: error, host: request.host, path: request.path },
        'a page could not be rendered',
      );
      return serverError;
    }
  }

  #report(outcome: PageOutcome, path: string, referer: string): void {
    const { visits } = this.#deps;
    if (outcome.kind === 'moved') visits.redirected(outcome.siteId, outcome.redirectId);
    const isDead = outcome.kind === 'missing' || outcome.kind === 'failed';
    if (isDead && outcome.siteId !== undefined) {
      visits.missed(outcome.siteId, path, referer);
    }
  }

  /** Renders a page for one visitor. The result is neither shared with equal requests nor stored. */
  async #previewed(
    request: PublicRequest,
    question: PreviewQuestion,
    scope: PreviewScope,
    accepted: readonly Encoding[],
  ): Promise<PublicResponse> {
    const site = question.kind === 'session' ? question : undefined;
    const { outcome } = await this.#render(request, accepted, {
      preview: site?.drafts === false ? undefined : scope,
      siteId: site?.siteId,
    });
    const response =
      outcome.kind === 'failed' && outcome.details !== undefined
        ? plainPage('500 Internal Server Error', outcome.details, accepted, bypassHeaders)
        : respond({ outcome, stored: undefined }, accepted, '');
    const headers = privateHeaders(response.headers);
    const remembers = site?.remember === true && this.#deps.hosts.mayBeUnassigned(request.host);
    if (!remembers || site.siteId === undefined) return { ...response, headers, viewOf: undefined };
    const remembering = siteCookie(site.siteId, this.#deps.secureCookies);
    return { ...response, headers: [...headers, remembering], viewOf: undefined };
  }

  async #render(
    request: PublicRequest,
    accepted: readonly Encoding[],
    view: Pick<PageTask, 'preview' | 'siteId'> = {},
  ): Promise<RenderedPage> {
    const { pool, clock, log } = this.#deps;
    const { host, scheme, path, query } = request;
    const now = clock();
    const result = await pool.run({
      kind: 'page',
      host,
      scheme,
      path,
      query,
      now,
      encoding: accepted[0],
      ...view,
    });
    const { outcome, reads } = result;
    if (outcome.kind === 'failed') log.error({ ...outcome.error, host }, 'a page could not be rendered');
    if (outcome.kind === 'page' && outcome.blockProblems !== undefined)
      log.warn(
        { host, path: request.path, problems: outcome.blockProblems },
        'blocks of a page show nothing',
      );
    if (outcome.kind !== 'page') return { reads, outcome, stored: undefined };
    return {
      reads,
      outcome,
      // A page that shows a REST source lives no longer than the source's answer.
      stored: this.#store(
        request,
        result,
        outcome,
        Math.min(nextMidnight(now), outcome.expiresAt ?? Infinity),
      ),
    };
  }

  /** Stores a rendered page in the cache and returns the stored answer; undefined if it may not be stored. */
  #store(
    request: PublicRequest,
    result: PageResult,
    { site, body, storable }: PageOutcome & { readonly kind: 'page' },
    expiresAt: number,
  ): Answer | undefined {
    const { cache, hosts, version, sharing } = this.#deps;
    if (!storable || !isTagged(body) || !version.holds(result.reads) || isPersonal(request.query))
      return undefined;
    const prefix = hosts.admit(site, request.scheme);
    if (prefix === undefined) return undefined;
    const key = { space: prefix, address: addressOf(request) };
    const shared: SharedAnswer = { expiresAt, used: (times) => this.#noteUse(key, answer, times) };
    const kept = new AnswerBody(body, sharing.keep);
    const answer = new Answer(kept, pageHeaders.HIT, { shared, page: site.siteId });
    const stored = cache.set(key, answer, {
      bodyBytes: answer.body.byteLength,
      reads: result.reads,
      expiresAt,
    });
    return stored ? answer : undefined;
  }
}

interface RenderedPage {
  readonly reads: ReadSet;
  readonly outcome: PageOutcome;
  readonly stored: Answer | undefined;
}

/** A raw path has no `?`, so different requests never have the same. */
function addressOf({ path, query }: PublicRequest): string {
  return query === '' ? path : `${path}?${query}`;
}

/** The same answer, not from the cache as clients see it: a change has emptied it. */
function asMiss(response: PublicResponse): PublicResponse {
  return {
    ...response,
    shared: undefined,
    headers: response.headers.map((header) => (header[0] === 'X-Cache' ? ['X-Cache', 'MISS'] : header)),
  };
}

function respond(
  { outcome, stored }: Pick<RenderedPage, 'outcome' | 'stored'>,
  accepted: readonly Encoding[],
  ifNoneMatch: string,
): PublicResponse {
  switch (outcome.kind) {
    case 'page': {
      const headers = pageHeaders[stored === undefined ? 'BYPASS' : 'MISS'];
      const body = stored?.body ?? (isTagged(outcome.body) ? new AnswerBody(outcome.body) : undefined);
      if (body === undefined) return plainPage('200 OK', outcome.body, accepted, headers);
      return new Answer(body, headers, { page: outcome.site.siteId }).form(accepted, ifNoneMatch);
    }
    case 'missing':
      return plainPage('404 Not Found', outcome.body, accepted, bypassHeaders);
    case 'redirect':
      return {
        status: '301 Moved Permanently',
        scope: 'site',
        headers: [...bypassHeaders, ['Location', outcome.location]],
        body: '',
      };
    case 'moved':
      return {
        status: outcome.status === 301 ? '301 Moved Permanently' : '302 Found',
        scope: 'site',
        headers: [
          ['Cache-Control', outcome.status === 301 ? 'max-age=3600' : 'no-store'],
          ['X-Cache', 'BYPASS'],
          ['Location', outcome.location],
        ],
        body: '',
      };
    case 'failed':
      return serverError;
  }
}

function headersOf(cacheState: 'HIT' | 'MISS' | 'BYPASS'): HeaderList {
  return [
    ['Content-Type', 'text/html; charset=utf-8'],
    ['Cache-Control', 'no-cache'],
    ['X-Cache', cacheState],
  ];
}

/** Shared by all pages, of which there may be very many. */
const pageHeaders = { HIT: headersOf('HIT'), MISS: headersOf('MISS'), BYPASS: headersOf('BYPASS') } as const;
const bypassHeaders = pageHeaders.BYPASS;

const serverError: PublicResponse = {
  status: '500 Internal Server Error',
  scope: 'site',
  headers: bypassHeaders,
  body: serverErrorHtml,
};

export const badHost: PublicResponse = {
  status: '400 Bad Request',
  scope: 'site',
  headers: [
    ['Content-Type', 'text/plain; charset=utf-8'],
    ['X-Cache', 'BYPASS'],
  ],
  body: 'The Host header is not a host name.\n',
};

function busy(error: PoolBusyError): PublicResponse {
  return {
    status: '503 Service Unavailable',
    scope: 'site',
    headers: [...bypassHeaders, ['Retry-After', String(error.retryAfterSeconds)]],
    body: busyHtml,
  };
}

/** Whether a query may show something to one person only. Such answers are never stored. */
function isPersonal(query: string): boolean {
  if (query === '') return false;
  const parameters = new URLSearchParams(query);
  return ['preview', 'ic_preview', 'token', '_site'].some((name) => parameters.has(name));
}
