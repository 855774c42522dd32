import { randomUUID } from 'node:crypto';
import { ApiError, apiError } from '../errors.ts';
import type { Log } from '../log.ts';
import type { ApiHandler, ApiRequest, ApiResponse } from './api.ts';
import { type Client, clientOf } from './client.ts';
import { parseJson } from './json.ts';
import { emptyForm, readForm } from './multipart.ts';
import type { RateLimit } from './rate-limit.ts';
import { jsonHeaders, Reply } from './reply.ts';
import type { Access, Actor, Input, Route } from './route.ts';
import { allowedMethods, createRouter, type RouteMatch } from './router.ts';
import { bodyValidator, paramsValidator, queryValidator } from './validate.ts';

/** JSON bodies (Core, "Limits"). */
const maxJsonBytes = 16 * 2 ** 20;

const prefix = '/api/v1';

export interface ApiOptions {
  readonly routes: readonly Route[];
  /** Sent as `X-IC-Build` with every response. */
  readonly build: string;
  readonly log: Log;
  readonly rateLimit: RateLimit;
  /** Whether a route is there for requests to this host; the answer is the same for all methods of a path. */
  isReachable(route: Route, host: string): boolean;
  /** Who sends the request; anonymous when its credential is missing or not valid. */
  authenticate(request: ApiRequest, query: URLSearchParams): Promise<Actor>;
  /** The actor with the person it says it writes for. */
  attribute(actor: Actor, request: ApiRequest): Actor;
}

/** A route with its schemas compiled. */
interface Endpoint {
  readonly route: Route;
  params(values: ReadonlyMap<string, string>): unknown;
  query(values: URLSearchParams): unknown;
  readonly body: ((value: unknown) => unknown) | undefined;
}

/**
 * Everything below `/api/` as one function from request to response.
 *
 * Order of checks (open points 12, "Access"): path 404, method 405, credential 401/403, CSRF 403, rate limit 429,
 * then path parameters, query and body.
 */
export function createApi(options: ApiOptions): ApiHandler {
  const router = createRouter(options.routes.map(toEndpoint));
  const withStandardHeaders = standardHeaders(options.build);
  return async (request) => {
    try {
      return withStandardHeaders(await answer(request));
    } catch (error) {
      return withStandardHeaders(errorResponse(error, request, options.log));
    }
  };

  async function answer(request: ApiRequest): Promise<ApiResponse> {
    const { host, scheme } = request;
    const match = matchPath(request.path, host);
    const endpoint = match.methods.get(request.method === 'HEAD' ? 'GET' : request.method);
    if (endpoint === undefined) throw methodNotAllowed(request.method, match.methods);
    const query = new URLSearchParams(request.query);
    const actor = await options.authenticate(request, query);
    checkAccess(endpoint.route.access, actor);
    checkCsrf(request, actor);
    const client = clientOf(request.peer, request.headers.get('x-forwarded-for') ?? '');
    checkRate(options.rateLimit, client, actor);
    const input: Input<unknown, unknown, unknown> = {
      actor: options.attribute(actor, request),
      client,
      host,
      scheme,
      rawQuery: request.query,
      params: endpoint.params(match.params),
      query: endpoint.query(query),
      body:
        endpoint.body === undefined
          ? undefined
          : endpoint.body(await readJson(request, endpoint.route.bodyOptional ?? false)),
      form: endpoint.route.form === undefined ? emptyForm : await readForm(request, endpoint.route.form),
    };
    return toResponse(await endpoint.route.handle(input), endpoint.route.status ?? 200);
  }

  function matchPath(path: string, host: string): RouteMatch<Endpoint> {
    const match = path.startsWith(`${prefix}/`) ? router.match(path.slice(prefix.length)) : undefined;
    const [endpoint] = match?.methods.values() ?? [];
    if (match === undefined || endpoint === undefined || !options.isReachable(endpoint.route, host))
      throw apiError('common.notFound', {});
    return match;
  }
}

function toEndpoint(route: Route): Endpoint {
  return {
    route,
    params: route.params === undefined ? nothing : paramsValidator(route.params),
    query: route.query === undefined ? nothing : queryValidator(route.query),
    body: route.body === undefined || route.form !== undefined ? undefined : bodyValidator(route.body),
  };
}

function nothing(): undefined {
  return undefined;
}

function methodNotAllowed(method: string, methods: ReadonlyMap<string, unknown>): ApiError {
  return apiError('common.methodNotAllowed', { method }, { headers: [['Allow', allowedMethods(methods)]] });
}

/** @throws ApiError 401 without a valid credential, 403 with one that is not enough (Core, "Authentication" 6, 7) */
function checkAccess(access: Access, actor: Actor): void {
  if (access === 'public') return;
  if (actor.kind === 'none') {
    throw apiError('auth.required', {}, { headers: [['WWW-Authenticate', 'Bearer']] });
  }
  if (access === 'admin' && actor.kind !== 'session') throw apiError('auth.sessionRequired', {});
  if (access === 'write' && actor.kind === 'token' && !actor.canWrite) throw apiError('auth.readOnly', {});
}

/** A browser sends cookies by itself but not this header, so another site cannot forge it (rule 5). */
function checkCsrf(request: ApiRequest, actor: Actor): void {
  if (actor.kind !== 'session' || request.method === 'GET' || request.method === 'HEAD') return;
  if ((request.headers.get('x-ic-csrf') ?? '') === '') throw apiError('auth.csrf', {});
}

/** @throws ApiError 429 `common.rateLimited` with `Retry-After` */
function checkRate(rateLimit: RateLimit, client: Client, actor: Actor): void {
  const waitMs = rateLimit.take(client.key, actor.kind !== 'none');
  if (waitMs === 0) return;
  const seconds = Math.ceil(waitMs / 1000);
  throw apiError(
    'common.rateLimited',
    { retry_after: seconds },
    { headers: [['Retry-After', String(seconds)]] },
  );
}

/** @param optional whether an empty body counts as `{}` */
async function readJson(request: ApiRequest, optional: boolean): Promise<unknown> {
  const type = request.headers.get('content-type');
  const encoding = request.headers.get('content-encoding') ?? 'identity';
  const isJson = type !== undefined && /^application\/json[ \t]*(?:;|$)/i.test(type);
  if ((type !== undefined && !isJson) || encoding.toLowerCase() !== 'identity') throw wrongContentType();
  const bytes = await request.body(maxJsonBytes);
  if (!isJson && bytes.length > 0) throw wrongContentType();
  return optional && bytes.length === 0 ? {} : parseJson(bytes);
}

function wrongContentType(): ApiError {
  return apiError('common.contentType', { expected: 'application/json' });
}

function toResponse(result: unknown, status: number): ApiResponse {
  if (result instanceof Reply) return { ...result, status: result.status ?? status };
  return result === undefined ? jsonResponse(204, undefined, []) : jsonResponse(status, result, []);
}

function errorResponse(error: unknown, request: ApiRequest, log: Log): ApiResponse {
  if (error instanceof ApiError) return jsonResponse(error.status, error.toBody(), error.headers);
  const id = randomUUID();
  log.error({ err: error, id, method: request.method, path: request.path }, 'unexpected error');
  return jsonResponse(500, apiError('common.internal', { id }).toBody(), []);
}

function jsonResponse(
  status: number,
  value: unknown,
  headers: readonly (readonly [string, string])[],
): ApiResponse {
  if (value === undefined) return { status, headers, body: undefined };
  const all = headers.length === 0 ? jsonHeaders : [...jsonHeaders, ...headers];
  return { status, headers: all, body: JSON.stringify(value) };
}

/** Adds what every answer carries; the same headers give the same array again, whose text is then known as well. */
function standardHeaders(build: string): (response: ApiResponse) => ApiResponse {
  const completed = new WeakMap<ApiResponse['headers'], ApiResponse['headers']>();
  const standard: ApiResponse['headers'] = [
    ['X-IC-Build', build],
    ['X-Content-Type-Options', 'nosniff'],
    ['Cache-Control', 'no-store'],
  ];
  return (response) => {
    const headers = completed.get(response.headers) ?? [...response.headers, ...standard];
    completed.set(response.headers, headers);
    return { ...response, headers };
  };
}
