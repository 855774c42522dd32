import type { Actor } from '../base/actor.ts';
import { type Clock, unixSeconds } from '../base/clock.ts';
import { type ApiError, apiError, type RefusalReason, tooMany } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import { requireConfirmed } from '../base/refusals/confirmation.ts';
import type { ApiRequest, ApiResponse, PlainApiResponse, ReadyRequest } from '../http/api-exchange.ts';
import { eventStreamType } from '../http/body/events.ts';
import { type Client, resolveClient } from '../http/client-address.ts';
import { type ApiResponseCache, type Caller, toAddress } from './api-response-cache.ts';
import { isReading, refusalReason } from './credential.ts';
import { refusedForAllOrigins } from './cross-origin.ts';
import { EncodedResponses } from './encoded-responses.ts';
import { refuseLimitedSession } from './limited-sessions.ts';
import { emptyForm, readForm } from './multipart/multipart.ts';
import { findUpload } from './multipart/upload.ts';
import type { OpenEventStreams, StreamLimit } from './open-event-streams.ts';
import { type LimitReads, runLimited } from './parameters/limited-reads.ts';
import { findChangeSetId, type OverlaidReads, withoutChangeSet } from './parameters/overlaid-reads.ts';
import { addPageCheck, readPageCheck } from './parameters/page-check.ts';
import { PublicObjectRefusals, type PublicObjects } from './public-object-refusals.ts';
import type { RateLimit } from './rate-limit.ts';
import { Reply } from './reply.ts';
import { standardHeaders, toApiError, toRefusal, toResponse } from './responses.ts';
import { admitRights } from './rights.ts';
import type { Access, EventsRequest, Input, Route } from './route.ts';
import { allowedMethods, type RouteMatch, Router } from './router.ts';
import { type Endpoint, toEndpoint } from './validate.ts';

const prefix = '/api/v1';

/** Event streams of other instances. Only what holds for all streams limits their number. */
const forwardedStreams: StreamLimit = { path: '', most: Number.POSITIVE_INFINITY };

/** For all requests without a query; nobody changes it. */
const noQuery = new URLSearchParams();

export interface ApiOptions {
  readonly routes: readonly Route[];
  readonly publicObjects: readonly PublicObjects[];
  /** Sent as `X-IC-Build` with every response. */
  readonly build: string;
  readonly log: Log;
  readonly clock: Clock;
  readonly rateLimit: RateLimit;
  readonly auth: ApiAuth;
  readonly cache: ApiResponseCache;
  readonly streams: OpenEventStreams;
  /** For requests with `?change_set=`; undefined if nothing can answer them. */
  readonly overlaidReads: OverlaidReads | undefined;
  readonly limitReads: LimitReads;
  /**
   * Answers what another instance answers in place of this one (remote mode); undefined for all other requests. Called
   * for sessions that have selected an instance.
   */
  readonly forward?: (request: ApiRequest, actor: Actor) => Promise<ApiResponse> | undefined;
}

/** Finds the caller of a request and the routes that exist. */
export interface ApiAuth {
  /** Whether a route exists for requests to this host; the answer is the same for all methods of a path. */
  isReachable(route: Route, host: string): boolean;
  /** The caller of a request; anonymous if the credential is missing or not valid. At once where it can be told. */
  authenticate(request: ApiRequest, query: URLSearchParams): Actor | Promise<Actor>;
  /**
   * The caller of a reading request without `?token=`, if it can be told at once; undefined if not. Valid
   * credentials only.
   *
   * @param authorization value of the header, empty when absent; so is `cookie`
   */
  callerAtOnce(authorization: string, cookie: string): Caller | undefined;
  /** Whether the credential of a caller is still valid. */
  isStillValid(actor: Actor): Promise<boolean>;
  /** Adds to the actor the person that the request writes for. */
  attribute(actor: Actor, request: ApiRequest): Actor;
}

/** A request whose caller is known. */
interface KnownRequest {
  readonly actor: Actor;
  readonly client: Client;
  readonly request: ApiRequest;
  readonly query: URLSearchParams;
}

interface ApiMatch extends RouteMatch<Endpoint> {
  /** Whether the public object of the path decides about its refusals; see {@link PublicObjectRefusals}. */
  readonly isPublic: (() => Promise<boolean>) | undefined;
}

/**
 * Everything below `/api/`, from request to response.
 *
 * Order of checks: rate limit 429, path 404, method 405, credential 401/403, CSRF 403, then path parameters,
 * query and body. Every request is charged to the budget of its caller, whatever its answer will be.
 */
export class ApiDispatcher {
  readonly #options: ApiOptions;
  readonly #router: Router<Endpoint>;
  readonly #refusals: PublicObjectRefusals;
  readonly #responses: EncodedResponses;
  #lastPath = '';
  #lastMatch: ApiMatch | undefined;
  readonly #withStandardHeaders: <Response extends ApiResponse>(response: Response) => Response;

  constructor(options: ApiOptions) {
    this.#options = options;
    this.#responses = new EncodedResponses(options.log);
    this.#router = new Router(options.routes.map(toEndpoint));
    this.#refusals = new PublicObjectRefusals(options.publicObjects);
    this.#withStandardHeaders = standardHeaders(options.build);
  }

  /** Answers one request: calls `answer` once, perhaps at once. */
  answer(request: ApiRequest, answer: (response: ApiResponse) => void): undefined {
    const failed = (error: unknown): void =>
      answer(this.#withStandardHeaders(toRefusal(toApiError(error, request, this.#options.log))));
    try {
      const query = request.query === '' ? noQuery : new URLSearchParams(request.query);
      const caller = this.#options.auth.authenticate(request, query);
      if (caller instanceof Promise)
        caller.then((actor) => this.#answerTo(actor, request, query, answer, failed)).catch(failed);
      else this.#answerTo(caller, request, query, answer, failed);
    } catch (error) {
      failed(error);
    }
  }

  /**
   * The answer to a GET that is at hand: it was asked for before, and content has not changed since. Undefined if
   * there is none, or if only `answer` can say what the request gets.
   */
  ready(request: ReadyRequest): ApiResponse | undefined {
    const { cache, auth, rateLimit } = this.#options;
    const address = toAddress(request);
    const forAnyone = cache.get('anyone', address);
    const forKnown = cache.get('known', address);
    if (forAnyone === undefined && forKnown === undefined) return undefined;
    const caller = auth.callerAtOnce(request.header('authorization'), request.header('cookie'));
    const cached = caller === 'known' ? forKnown : forAnyone;
    if (caller === undefined || cached === undefined) return undefined;
    const client = resolveClient(request.peer(), request.header('x-forwarded-for'));
    if (rateLimit.take(client.key, caller === 'known') > 0) return undefined;
    const response = this.#responses.respond(
      cached,
      request.header('if-none-match'),
      request.header('accept-encoding'),
    );
    return response instanceof Promise ? undefined : response;
  }

  /** The answer to a request that the front refuses before it is read as a whole. */
  refuse(error: ApiError): PlainApiResponse {
    return this.#withStandardHeaders(toRefusal(error.withHeaders(refusedForAllOrigins)));
  }

  /** @throws ApiError, unless it calls one of the functions */
  #answerTo(
    actor: Actor,
    request: ApiRequest,
    query: URLSearchParams,
    answer: (response: ApiResponse) => void,
    failed: (error: unknown) => void,
  ): void {
    const { auth, rateLimit, forward } = this.#options;
    const client = resolveClient(request.peer, request.headers.get('x-forwarded-for') ?? '');
    checkRate(rateLimit, client, actor);
    const path = request.path.slice(prefix.length);
    refuseLimitedSession(actor, ['mustChangePassword'], { method: request.method, path });
    const selectsInstance = actor.kind === 'session' && actor.remoteId !== undefined;
    const forwarded = selectsInstance ? forward?.(request, actor) : undefined;
    if (forwarded !== undefined) {
      forwarded
        .then((response) => this.#admit(request, actor, response, forwardedStreams))
        .then((response) => answer(this.#withStandardHeaders(response)), failed);
      return;
    }
    const match = this.#matchPath(request.path, request.host);
    const { isPublic } = match;
    const refused =
      isPublic === undefined
        ? failed
        : (error: unknown): void => {
            const told = toApiError(error, request, this.#options.log);
            const reply = this.#refusals.answer(told, isPublic, { actor, request, match });
            reply.then((sent) => answer(this.#withStandardHeaders(toResponse(sent, 204)))).catch(failed);
          };
    const endpoint = match.methods.get(request.method === 'HEAD' ? 'GET' : request.method);
    if (endpoint === undefined) refused(methodNotAllowed(request.method, match.methods));
    else if (endpoint.route.takeOver === undefined)
      this.#handle(endpoint, match.params, { actor, client, request, query }).then(answer, refused);
    else
      endpoint.route.takeOver(
        request,
        match.params,
        auth.attribute(actor, request),
        (reply) => {
          const response = this.#encoded(request, this.#withStandardHeaders(toResponse(reply, 200)));
          if (response instanceof Promise) response.then(answer, failed);
          else answer(response);
        },
        failed,
      );
  }

  /** The response with the standard headers. */
  async #handle(
    endpoint: Endpoint,
    pathParams: ReadonlyMap<string, string>,
    { actor, client, request, query }: KnownRequest,
  ): Promise<ApiResponse> {
    const { auth, cache } = this.#options;
    const { host, scheme } = request;
    const mayBeCached = isReading(request) && !query.has('token');
    const since = mayBeCached ? cache.version() : 0;
    const { route } = endpoint;
    const changeSetId = findChangeSetId(route, query);
    // Anonymous callers do not learn which change sets there are.
    if (changeSetId !== undefined && actor.kind === 'none') throw apiError('common.notFound', {});
    checkAccess(route.access, actor, () => refusalReason(request, query));
    checkCsrf(request, actor);
    const admitted = admitRights(route, auth.attribute(actor, request), request.path.slice(prefix.length));
    if (route.isSensitive === true) requireConfirmed(actor, unixSeconds(this.#options.clock));
    const params = endpoint.params(pathParams);
    const fields = endpoint.query(query);
    const pageCheck = readPageCheck(route, query);
    const receive = route.upload === undefined ? undefined : findUpload(request, route.uploadTypes);
    const readBody = receive === undefined ? endpoint.body : undefined;
    const input: Input<unknown, unknown, unknown> = {
      actor: pageCheck === undefined ? admitted : { ...admitted, pageCheck },
      client,
      host,
      scheme,
      agent: request.headers.get('user-agent') ?? '',
      cookie: request.headers.get('cookie') ?? '',
      rawQuery: changeSetId === undefined ? request.query : withoutChangeSet(request.query),
      params,
      query: fields,
      body: readBody === undefined ? undefined : await readBody(request, fields, params),
      form: route.form === undefined ? emptyForm : await readForm(request, route.form),
      receive,
      events: route.events === undefined ? undefined : eventsRequest(request),
    };
    const limits = this.#options.limitReads(actor);
    const handle = () => runLimited(route, limits, async () => route.handle?.(input));
    const handled =
      changeSetId === undefined
        ? await handle()
        : await this.#options.overlaidReads?.run(actor, changeSetId, handle);
    const result = pageCheck === undefined ? handled : addPageCheck(handled, pageCheck);
    const reply = toResponse(result, route.status ?? 200);
    const limit = { path: route.path, most: route.events?.most ?? 0 };
    const response = this.#withStandardHeaders(this.#admit(request, actor, reply, limit));
    const isShared = changeSetId === undefined && actor.grants === undefined;
    if (result instanceof Reply && result.lasts && mayBeCached && isShared)
      cache.set(actor.kind === 'none' ? 'anyone' : 'known', toAddress(request), response, since);
    return this.#encoded(request, response);
  }

  /** The response; if it is an event stream, one that is counted. @throws ApiError if there are too many */
  #admit({ method }: ApiRequest, actor: Actor, response: ApiResponse, limit: StreamLimit): ApiResponse {
    const { events } = response;
    // The front sends no events to HEAD.
    if (events === undefined || method !== 'GET') return response;
    return { ...response, events: this.#options.streams.admit(actor, events, limit) };
  }

  /** The answer to a reading request as its client wants it; others stay as they are. */
  #encoded(request: ApiRequest, response: ApiResponse): ApiResponse | Promise<ApiResponse> {
    if (!isReading(request)) return response;
    const { headers } = request;
    return this.#responses.respond(
      response,
      headers.get('if-none-match') ?? '',
      headers.get('accept-encoding') ?? '',
    );
  }

  #matchPath(path: string, host: string): ApiMatch {
    // Many requests have the same path as the request before.
    if (path !== this.#lastPath) {
      this.#lastMatch = this.#matchOf(path);
      this.#lastPath = path;
    }
    const match = this.#lastMatch;
    const [endpoint] = match?.methods.values() ?? [];
    if (
      match === undefined ||
      endpoint === undefined ||
      !this.#options.auth.isReachable(endpoint.route, host)
    )
      throw apiError('common.notFound', {});
    return match;
  }

  #matchOf(path: string): ApiMatch | undefined {
    const below = path === prefix ? '/' : path.slice(prefix.length);
    const match = `${path}/`.startsWith(`${prefix}/`) ? this.#router.match(below) : undefined;
    return match && { ...match, isPublic: this.#refusals.find(match) };
  }
}

function methodNotAllowed(method: string, methods: ReadonlyMap<string, unknown>): ApiError {
  const allowed = allowedMethods(methods);
  return apiError('common.methodNotAllowed', { method, allowed }, { headers: [['Allow', allowed]] });
}

/**
 * @throws ApiError 401 without a valid credential, 403 if it is not sufficient (Core, "Authentication" 6, 7)
 */
function checkAccess(access: Access, actor: Actor, reason: () => RefusalReason): void {
  if (access === 'public') return;
  if (actor.kind === 'none') {
    throw apiError('auth.required', { reason: reason() }, { headers: [['WWW-Authenticate', 'Bearer']] });
  }
  if (access === 'admin' && actor.kind !== 'session') throw apiError('auth.sessionRequired', {});
  if (access === 'write' && actor.kind === 'token' && !actor.canWrite) throw apiError('auth.readOnly', {});
}

/**
 * A browser sends cookies automatically, but not this header. So another site cannot forge the request (Core,
 * "Authentication", rule 5).
 */
export function checkCsrf(request: Pick<ApiRequest, 'method' | 'headers'>, actor: Actor): void {
  if (actor.kind !== 'session' || isReading(request)) return;
  if ((request.headers.get('x-ic-csrf') ?? '') === '') throw apiError('auth.csrf', {});
}

/**
 * The refusal is the same for all paths, so scripts of public pages may read it too.
 *
 * @throws ApiError 429 `common.rateLimited` with `Retry-After`
 */
function checkRate(rateLimit: RateLimit, client: Client, actor: Actor): void {
  const waitMs = rateLimit.take(client.key, actor.kind !== 'none');
  if (waitMs > 0) throw tooMany('common.rateLimited', waitMs).withHeaders(refusedForAllOrigins);
}

function eventsRequest({ headers }: ApiRequest): EventsRequest | undefined {
  const types = (headers.get('accept') ?? '').split(',').map((type) => type.split(';', 1)[0]?.trim());
  if (!types.some((type) => type?.toLowerCase() === eventStreamType)) return undefined;
  return { lastId: headers.get('last-event-id') ?? '' };
}
