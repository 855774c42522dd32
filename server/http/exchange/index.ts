/**
 * The only folder that touches uWebSockets.js. Its rules, and how they are kept:
 *
 *  1. `req` is valid only until the handler returns: everything is read from it at once, into plain values.
 *  2. `res` must not be touched after an abort: `onAborted` is set before the handler returns, unless the
 *     answer has been written by then, and every later write looks at `aborted` first.
 *  3. A handler runs corked; a write after an `await` goes through `res.cork`.
 *  4. `onData` must be set before the handler returns, or the first bytes of the body are lost.
 *  5. A body is sent even to HEAD unless `endWithoutBody` is called, and that without arguments; this folder
 *     then writes Content-Length itself.
 *  6. What `end` cannot send is kept in a buffer without limit. So answers go out with `tryEnd` (answers.ts).
 *  7. The first of two Content-Length headers frames the message, the first of two Hosts is reported, and
 *     every transfer coding is taken for chunks. A proxy may have understood such a request differently, so
 *     it is refused and the connection closed.
 *
 * A status line may hold whole header lines: uWebSockets.js writes it as it is. One call with a prepared head
 * instead of one call per header keeps a cached page close to the speed of the bare library.
 */
import '../uws-limits.ts';
import type * as uWS from 'uWebSockets.js';
import { us_listen_socket_close, us_socket_local_port } from 'uWebSockets.js';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type ApiError, apiError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import type { ApiHandler, PlainApiResponse } from '../api.ts';
import { BodyCollector } from '../body.ts';
import { BodyMemory } from '../body-memory.ts';
import { clientOf } from '../client.ts';
import { forwarded, maxTargetLength, refusalOf } from '../framing.ts';
import { responseHead } from '../head.ts';
import { type Origin, originOf, type Scheme } from '../origin.ts';
import type { PublicHandler, PublicRequest, PublicResponse } from '../public.ts';
import type { Headers, SecurityHeaders } from '../security-headers.ts';
import { StreamedBody } from '../streamed-body.ts';
import { internalError, isBodyless, plainRefusal, refuse, writeApi, writePublic } from './answers.ts';
import { createUwsApp, limitConnections, listen, type TlsFiles } from './listening.ts';
import { type Exchange, peerOf, RunningExchanges } from './running.ts';

export type { TlsFiles } from './listening.ts';

export interface FrontOptions {
  readonly api: ApiHandler;
  /** The answer of the API to a request that is refused before the API sees it. */
  readonly refuseApi: (error: ApiError) => PlainApiResponse;
  readonly delivery: PublicHandler;
  readonly security: SecurityHeaders;
  readonly log: Log;
  /** Paths of certificate and key; without them the server speaks plain HTTP. */
  readonly tls?: TlsFiles | undefined;
  /** Largest number of connections; more are closed at once. */
  readonly maxConnections?: number;
}

/** Largest number of requests that are answered without a body from one packet of a client. */
const maxBodylessPerTurn = 32;

/** The listening socket and the handling of all its requests. */
export class Front {
  readonly #options: FrontOptions;
  readonly #app: uWS.TemplatedApp;
  readonly #running = new RunningExchanges();
  readonly #bodies = new BodyMemory();
  readonly #ownScheme: Scheme;
  #bodyless = 0;
  #listening: uWS.us_listen_socket | undefined;

  constructor(options: FrontOptions) {
    this.#options = options;
    this.#ownScheme = options.tls === undefined ? 'http' : 'https';
    this.#app = createUwsApp(options.tls);
    limitConnections(this.#app, options.maxConnections ?? 10_000);
    this.#app.any('/*', (res, req) => this.#route(res, req));
  }

  /**
   * Starts accepting; resolves with the port. The port differs from `port` only if that is 0.
   *
   * @param host empty for all interfaces
   * @throws StartupError when the address is not available
   */
  async listen(host: string, port: number): Promise<number> {
    this.#listening = await listen(this.#app, host, port);
    return us_socket_local_port(this.#listening);
  }

  /** Stops accepting, waits until running requests are answered or `graceMs` have passed, then closes all. */
  async close(graceMs: number): Promise<void> {
    if (this.#listening !== undefined) us_listen_socket_close(this.#listening);
    this.#listening = undefined;
    await this.#running.idle(graceMs);
    this.#app.close();
  }

  #route(res: uWS.HttpResponse, req: uWS.HttpRequest): void {
    const path = req.getUrl();
    // Without a '?' `getQuery` returns undefined, although its type says otherwise.
    const query = req.getQuery() || '';
    const host = req.getHeader('host');
    const method = req.getCaseSensitiveMethod();
    const isApi = path.startsWith('/api/') || path === '/api';
    const refusal = refusalOf(req, method, path, query, host);
    if (refusal !== undefined) {
      const isTooLong = isApi && refusal.startsWith('414');
      this.#refuse(res, isTooLong ? this.#addressTooLong() : plainRefusal(refusal), this.#ownScheme);
    } else if (isApi) {
      this.#answerApi(res, req, method, path, query);
    } else if (method === 'GET' || method === 'HEAD') {
      const origin = this.#visitorsOrigin(res, host);
      this.#answerPublic(res, new UwsPublicRequest(req, res, method === 'HEAD', origin, path, query));
    } else {
      const { scheme } = this.#visitorsOrigin(res, host);
      this.#refuse(res, plainRefusal('405 Method Not Allowed', [['Allow', 'GET, HEAD']]), scheme);
    }
  }

  #refuse(res: uWS.HttpResponse, answer: PublicResponse, scheme: Scheme): void {
    refuse(res, answer, this.#options.security.of('all', scheme));
  }

  #addressTooLong(): PublicResponse {
    const error = apiError('common.addressTooLong', { max: maxTargetLength });
    return { ...this.#options.refuseApi(error), status: '414 URI Too Long' };
  }

  /** The peer address costs time, so it is read only for a request with headers of a proxy. */
  #visitorsOrigin(res: uWS.HttpResponse, hostHeader: string): Origin {
    const own = { host: hostHeader.toLowerCase(), scheme: this.#ownScheme };
    const { forwardedHost, forwardedProto } = forwarded;
    if (forwardedHost === '' && forwardedProto === '') return own;
    return originOf(own, peerOf(res), forwardedHost, forwardedProto);
  }

  /** Handles nearly all traffic: a cached page is available at once and is written without a promise. */
  #answerPublic(res: uWS.HttpResponse, request: UwsPublicRequest): void {
    const { delivery, log } = this.#options;
    try {
      const answer = delivery(request);
      if (answer instanceof Promise) this.#answerPublicLater(res, request, answer);
      else if (isBodyless(request.method, answer) && this.#mustWaitATurn())
        this.#answerPublicLater(res, request, nextTurn(answer));
      else this.#writePublic(res, request, answer, () => this.#running.start(res));
    } catch (error) {
      log.error({ err: error, path: request.path }, 'unexpected error');
      this.#writePublic(res, request, internalError, () => this.#running.start(res));
    }
  }

  /**
   * Heads without a body go to the library's buffer, even if the client does not read. So some are answered in
   * the next turn of the event loop: requests that have come in one packet are handled one after the other, and
   * at the one after the unanswered one the library closes the connection.
   */
  #mustWaitATurn(): boolean {
    this.#bodyless = (this.#bodyless + 1) % maxBodylessPerTurn;
    return this.#bodyless === 0;
  }

  async #answerPublicLater(
    res: uWS.HttpResponse,
    request: UwsPublicRequest,
    answer: Promise<PublicResponse>,
  ): Promise<void> {
    const exchange = this.#running.start(res);
    let response = internalError;
    try {
      response = await answer;
      // Throws for a forbidden character now, where the error can still be answered.
      responseHead(response.status, response.headers, this.#addedTo(request, response));
    } catch (error) {
      this.#options.log.error({ err: error, path: request.path }, 'unexpected error');
      response = internalError;
    }
    exchange.write(() => this.#writePublic(res, request, response, () => exchange));
    if (exchange.aborted && response.body instanceof StreamedBody) response.body.discard();
  }

  #writePublic(
    res: uWS.HttpResponse,
    request: UwsPublicRequest,
    response: PublicResponse,
    exchange: () => Exchange,
  ): boolean {
    return writePublic(res, request.method, response, this.#addedTo(request, response), exchange);
  }

  /** The security headers of a public answer. */
  #addedTo({ scheme }: UwsPublicRequest, { scope = 'all' }: PublicResponse): Headers {
    return this.#options.security.of(scope, scheme);
  }

  async #answerApi(
    res: uWS.HttpResponse,
    req: uWS.HttpRequest,
    method: string,
    path: string,
    query: string,
  ): Promise<void> {
    const headers = readHeaders(req);
    const exchange = this.#running.start(res);
    const peer = peerOf(res);
    const client = clientOf(peer, headers.get('x-forwarded-for') ?? '');
    const body = new BodyCollector(headers, this.#bodies.share(client), {
      pause: () => exchange.pauseReading(),
      resume: () => exchange.resumeReading(),
    });
    res.onData((chunk, isLast) => body.add(chunk, isLast));
    exchange.onAbort = () => body.abort();
    const { host, scheme } = this.#visitorsOrigin(res, req.getHeader('host'));
    const response = await this.#options.api({
      method,
      path,
      query,
      host,
      scheme,
      peer,
      headers,
      body: (maxBytes) => body.read(maxBytes),
      stream: () => body.stream(),
    });
    await body.drained();
    const isLast = mustBeLast(method, headers, response.body !== undefined);
    // If another request arrived with this one, the library now closes the connection (see `refuse`). So a
    // client beyond its budget is not answered thousands of times from one packet, while others wait.
    if (isLast || response.status === 429) await nextTurn();
    const added = this.#options.security.of('all', scheme);
    exchange.write(() => writeApi(res, method, response, added, isLast || !body.complete, exchange));
  }
}

/**
 * Whether the bytes after a request must not be taken for the next request, so that the connection is closed
 * after the answer:
 *
 *  - uWebSockets.js accepts chunks that a proxy may frame differently.
 *  - It stops at a header without a name and does not see a length after it. So a request that may have a body
 *    and shows no length may hide one. A DELETE nearly always has neither, so the connection stays open after
 *    its empty answer.
 *
 * @param hasAnswerBody whether the answer has a body
 */
function mustBeLast(method: string, headers: ReadonlyMap<string, string>, hasAnswerBody: boolean): boolean {
  if (headers.has('transfer-encoding')) return true;
  if (headers.has('content-length') || method === 'GET' || method === 'HEAD') return false;
  return method !== 'DELETE' || hasAnswerBody;
}

/** A public request. Header values are read from `req` on demand, while `req` is valid. */
class UwsPublicRequest implements PublicRequest {
  readonly method: 'GET' | 'HEAD';
  readonly host: string;
  readonly scheme: Scheme;
  readonly path: string;
  readonly query: string;
  readonly #req: uWS.HttpRequest;
  readonly #res: uWS.HttpResponse;

  constructor(
    req: uWS.HttpRequest,
    res: uWS.HttpResponse,
    isHead: boolean,
    origin: Origin,
    path: string,
    query: string,
  ) {
    this.#req = req;
    this.#res = res;
    this.method = isHead ? 'HEAD' : 'GET';
    this.host = origin.host;
    this.scheme = origin.scheme;
    this.path = path;
    this.query = query;
  }

  header(name: string): string {
    return this.#req.getHeader(name);
  }

  peer(): string {
    return peerOf(this.#res);
  }
}

/** Several headers of one name mean the same as one header with all values (RFC 9110, 5.3; RFC 6265, 5.4). */
function readHeaders(req: uWS.HttpRequest): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  req.forEach((name, value) => {
    const before = headers.get(name);
    if (before === undefined) headers.set(name, value);
    else headers.set(name, `${before}${name === 'cookie' ? '; ' : ', '}${value}`);
  });
  return headers;
}
