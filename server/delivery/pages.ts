import type { ReadSet } from '../../runtime/content/dependency-recorder.ts';
import { isHost } from '../../runtime/content/site-host.ts';
import { type Encoding, isTagged } from '../../runtime/tasks/encode.ts';
import type { PageOutcome, PageResult, PageTask } from '../../runtime/tasks/messages/delivery.ts';
import type { SharedServices } from '../feature.ts';
import { codingsFor } from '../http/negotiate.ts';
import type { PublicRequest, PublicResponse } from '../http/public-exchange.ts';
import { CachedResponse } from '../http/responses/cached-response.ts';
import type { EncodedResponseCache } from '../http/responses/encoded-response-cache.ts';
import { RequestCoalescer } from '../http/responses/request-coalescer.ts';
import { nextMidnight } from '../http/responses/response-cache.ts';
import { PoolBusyError } from '../processes/pool.ts';
import type { HostPrefixes } from './hosts.ts';
import {
  badHost,
  busyPage,
  bypassHeaders,
  pageHeaders,
  serverError,
  toMiss,
  toPageResponse,
  toUnconditionalPage,
  toUnshared,
} from './page-responses.ts';
import {
  type FindPreviewScope,
  type PreviewAccess,
  type PreviewQuestion,
  previewQuestion,
  privateHeaders,
  rememberedSite,
  sessionQuestion,
  siteCookie,
} from './preview.ts';

export interface PageDeliveryDeps
  extends Pick<SharedServices, 'pool' | 'version' | 'clock' | 'log' | 'visits'> {
  readonly cache: EncodedResponseCache<CachedResponse>;
  readonly hosts: HostPrefixes;
  readonly findPreviewScope: FindPreviewScope;
  /** Whether cookies are for HTTPS only. */
  readonly secureCookies: boolean;
  readonly dataDir: string;
  /** Whether the admin is open at a host. */
  hasAdminAt(host: string): boolean;
}

/**
 * Website pages: from the cache at once, else from a render worker (Core, "Page cache").
 */
export class PageDelivery {
  readonly #deps: PageDeliveryDeps;
  readonly #rendering: RequestCoalescer<RenderedResponse>;

  constructor(deps: PageDeliveryDeps) {
    this.#deps = deps;
    this.#rendering = new RequestCoalescer(deps.version);
  }

  /** The cached answer, at once unless a form of it must be made; undefined if the page must be rendered. */
  cached(request: PublicRequest): PublicResponse | Promise<PublicResponse> | undefined {
    return this.#mayBeElsewhere(request) ? undefined : this.#find(request);
  }

  #find(request: PublicRequest): PublicResponse | Promise<PublicResponse> | undefined {
    const { hosts, cache } = this.#deps;
    const prefix = hosts.prefixOf(request.host, request.scheme);
    if (prefix === undefined) return undefined;
    const key = { partition: prefix, address: addressOf(request) };
    const accepted = codingsFor(request.acceptEncoding);
    const { ifNoneMatch } = request;
    const hit = cache.get(key);
    if (hit !== undefined) return cache.respond(key, hit, hit, accepted, ifNoneMatch);
    const stale = cache.revalidate(key);
    if (stale !== undefined) {
      const response = cache.respond(key, stale, stale, accepted, ifNoneMatch);
      return response instanceof Promise ? response.then(toMiss) : toMiss(response);
    }
    return this.#findForEveryQuery(request, prefix);
  }

  /** The cached answer of a page that does not read its query. Clients see an entry for each query all the same. */
  #findForEveryQuery(
    request: PublicRequest,
    partition: string,
  ): PublicResponse | Promise<PublicResponse> | undefined {
    if (isPersonal(request.query)) return undefined;
    const { cache } = this.#deps;
    const key = { partition, address: request.path };
    const found = cache.takeVariant(key, request.query);
    if (found === undefined) return undefined;
    const { value, isHit } = found;
    const accepted = codingsFor(request.acceptEncoding);
    const response = cache.respond(key, value, value, accepted, request.ifNoneMatch);
    const finish = isHit ? toUnshared : toMiss;
    return response instanceof Promise ? response.then(finish) : finish(response);
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
    const session = sessionQuestion(request);
    try {
      const access = question === undefined ? undefined : await this.#deps.findPreviewScope(question);
      if (question !== undefined && access !== undefined) {
        return await this.#previewed(request, question, access, accepted);
      }
      // The credential is not valid. Such a request must not cost more than others, so the cache is asked.
      const cached = question === undefined ? undefined : this.#find(request);
      if (cached !== undefined) return cached;
      await this.#deps.hosts.ready();
      const page = await this.#rendering.take(
        `${request.scheme}://${request.host}${addressOf(request)}`,
        () => this.#renderForVisitors(request, accepted),
      );
      if (request.method === 'GET') this.#report(page.outcome, request.path, referer);
      if (page.outcome.kind === 'failed' && session !== undefined) {
        const administrator = await this.#deps.findPreviewScope(session);
        if (administrator !== undefined)
          return await this.#previewed(request, session, administrator, accepted);
      }
      return toPageResponse(page, accepted, ifNoneMatch);
    } catch (error) {
      if (error instanceof PoolBusyError) return busyPage(error);
      this.#deps.log.error(
        { err: error, host: request.host, path: request.path },
        'a page could not be rendered',
      );
      return serverError;
    }
  }

  async #renderForVisitors(request: PublicRequest, accepted: readonly Encoding[]): Promise<RenderedResponse> {
    const rendered = await this.#render(request, accepted);
    const { outcome, reads } = rendered;
    const isShown = outcome.kind === 'page' || outcome.kind === 'failed';
    if (isShown && !isPersonal(request.query)) {
      const isNotFoundPage = outcome.kind === 'failed' && outcome.siteId !== undefined;
      this.#deps.visits.rendered({
        of: outcome.of,
        query: isNotFoundPage ? '' : request.query,
        host: request.host,
        reads,
        error: outcome.kind === 'failed' ? outcome.error : undefined,
        hasAsked: outcome.kind === 'failed' && outcome.hasAsked,
      });
    }
    return rendered;
  }

  #report(outcome: PageOutcome, path: string, referer: string): void {
    const { visits } = this.#deps;
    if (outcome.kind === 'moved') visits.redirected(outcome.siteId, outcome.redirectId);
    const isDead = outcome.kind === 'missing' || outcome.kind === 'failed';
    if (isDead && outcome.siteId !== undefined) {
      visits.missed(outcome.siteId, path, referer);
    }
  }

  /** Renders a page of a website with what lies over the content now, for one visitor. */
  async renderOverlaid(request: PublicRequest, siteId: number): Promise<PageOutcome> {
    const { outcome } = await this.#render(request, [], { siteId, showsSiteAnywhere: true });
    return outcome;
  }

  /** Renders a page for one visitor. The result is neither shared with equal requests nor stored. */
  async #previewed(
    request: PublicRequest,
    question: PreviewQuestion,
    { scope, views, opener }: PreviewAccess,
    accepted: readonly Encoding[],
  ): Promise<PublicResponse> {
    const site = question.kind === 'session' ? question : undefined;
    const { outcome } = await this.#render(request, accepted, {
      preview: site?.drafts === false ? undefined : scope,
      siteId: site?.siteId,
      // What is wrong with a template is for those who may read it.
      showsErrors: site !== undefined && views === undefined,
      views,
      opener,
    });
    const response =
      outcome.kind === 'failed' && outcome.details !== undefined
        ? toUnconditionalPage('500 Internal Server Error', outcome.details, accepted, bypassHeaders)
        : toPageResponse({ outcome, stored: undefined }, accepted, '');
    const headers = privateHeaders(response.headers);
    const remembers = site?.remember === true && this.#deps.hosts.mayBeUnassigned(request.host);
    if (!remembers || site.siteId === undefined) return { ...response, headers, viewOf: undefined };
    const remembering = siteCookie(site.siteId, this.#deps.secureCookies);
    return { ...response, headers: [...headers, remembering], viewOf: undefined };
  }

  async #render(
    request: PublicRequest,
    accepted: readonly Encoding[],
    view: Pick<
      PageTask,
      'preview' | 'siteId' | 'showsSiteAnywhere' | 'showsErrors' | 'views' | 'opener'
    > = {},
  ): Promise<RenderedResponse> {
    const { pool, clock, log, dataDir } = this.#deps;
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
      instance: { dataDir, hasAdmin: this.#deps.hasAdminAt(host) },
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

  /** Stores a rendered page in the cache and returns the stored response; undefined if it may not be stored. */
  #store(
    request: PublicRequest,
    { reads }: PageResult,
    { site, body, storable, readsQuery }: PageOutcome & { readonly kind: 'page' },
    expiresAt: number,
  ): CachedResponse | undefined {
    const { cache, hosts, version } = this.#deps;
    if (!storable || !isTagged(body) || !version.isUpToDate(reads) || isPersonal(request.query))
      return undefined;
    const prefix = hosts.admit(site, request.scheme);
    if (prefix === undefined) return undefined;
    const key = { partition: prefix, address: readsQuery ? addressOf(request) : request.path };
    const { value, isStored } = cache.store(
      key,
      body,
      { reads, expiresAt, variant: readsQuery ? undefined : request.query },
      (cached, shared) => new CachedResponse(cached, pageHeaders.HIT, { shared, pageOf: site.siteId }),
    );
    return isStored ? value : undefined;
  }
}

interface RenderedResponse {
  readonly reads: ReadSet;
  readonly outcome: PageOutcome;
  readonly stored: CachedResponse | undefined;
}

/** A raw path has no `?`, so different requests never have the same. */
function addressOf({ path, query }: PublicRequest): string {
  return query === '' ? path : `${path}?${query}`;
}

/** Whether a query may show something to one person only. Such answers are never stored. */
function isPersonal(query: string): boolean {
  if (query === '') return false;
  const parameters = new URLSearchParams(query);
  return ['preview', 'ic_preview', 'token', '_site'].some((name) => parameters.has(name));
}
