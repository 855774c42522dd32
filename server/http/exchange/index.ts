/**
 * The only folder that touches connections. A transport (transport.ts) speaks HTTP: `uws/` or `node/`; everything
 * else here is the same for both.
 */
import { type ApiError, apiError } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import type { ApiHandler, ApiResponse, PlainApiResponse, ReadyHandler } from '../api-exchange.ts';
import { BodyMemory } from '../body/body.ts';
import { StreamedBody } from '../body/streamed.ts';
import { resolveClient } from '../client-address.ts';
import type { Origin, Scheme } from '../origin.ts';
import type { PublicHandler, PublicResponse } from '../public-exchange.ts';
import type { HeaderScope, Headers, SecurityHeaders } from '../security-headers.ts';
import type { SharedResponse } from '../shared-responses.ts';
import { ViewEventBuffer, type ViewRequest } from '../view-event-buffer.ts';
import {
  internalError,
  mustBeLast,
  plainRefusal,
  refuse,
  responseHead,
  writeApi,
  writePublic,
} from './answers.ts';
import { ApiCall, type ApiHead, BodyTimes } from './api-call.ts';
import { BodylessTurns } from './bodyless-turns.ts';
import {
  HeadReader,
  maxTargetLength,
  type RequestHeaders,
  readAllHeaders,
  readHeader,
  visitorsOrigin,
} from './framing.ts';
import { FrontRequest, findVisit, viewStatus } from './front-request.ts';
import { type Exchange, type Exchanges, RunningExchanges, readPeer } from './running.ts';
import { writeEvents } from './streaming.ts';
import type { RequestHead, Responder, Transport } from './transport.ts';

export interface FrontOptions {
  readonly api: ApiHandler;
  /** Answers a GET of the API at once if it can. */
  readonly ready?: ReadyHandler;
  /** The answer of the API to a request that is refused before the API sees it. */
  readonly refuseApi: (error: ApiError) => PlainApiResponse;
  readonly delivery: PublicHandler;
  readonly security: SecurityHeaders;
  readonly log: Log;
  readonly transport: Transport;
  /** What the transport speaks. */
  readonly scheme: Scheme;
  /** Gets the views of pages. */
  readonly views?: ViewEventBuffer;
  /** The address of all clients if only this machine can connect. */
  readonly localPeer?: string | undefined;
  /** How long a body may take, in seconds, and one more for every 500 bytes. Default: 20. */
  readonly bodySeconds?: number;
  /** Path of a new temporary file, for the bytes of large uploads that arrive faster than they are read. */
  readonly spillPath: () => string;
}

const defaultBodySeconds = 20;

/** Largest number of requests to the API that are answered in one turn of the event loop. */
const maxApiPerTurn = 100;

/** The listening socket and the handling of all its requests. */
export class HttpServer {
  readonly #options: FrontOptions;
  readonly #heads = new HeadReader();
  readonly #running = new RunningExchanges();
  readonly #bodies = new BodyMemory();
  readonly #bodyTimes: BodyTimes;
  /** Whether there are other threads. */
  readonly #shares: boolean;
  readonly #turns: BodylessTurns | undefined;
  readonly #views: ViewEventBuffer;
  #apiInTurn = 0;

  constructor(options: FrontOptions) {
    this.#options = options;
    this.#shares = options.transport.sharing !== undefined;
    this.#turns = options.transport.keepsUnreadHeads ? new BodylessTurns() : undefined;
    this.#views = options.views ?? new ViewEventBuffer();
    this.#bodyTimes = new BodyTimes(options.bodySeconds ?? defaultBodySeconds);
    options.transport.countWith?.(this.#views);
    options.transport.handleWith((res, req, method) => this.#route(res, req, method));
  }

  /**
   * Starts accepting; resolves with the port. The port differs from `port` only if that is 0.
   *
   * @param host empty for all interfaces
   * @throws StartupError when the address is not available
   */
  listen(host: string, port: number): Promise<number> {
    return this.#options.transport.listen(host, port);
  }

  /** Stops accepting, waits until running requests are answered or `graceMs` have passed, then closes all. */
  async close(graceMs: number): Promise<void> {
    const { transport } = this.#options;
    transport.stopAccepting();
    this.#running.endStreams();
    await this.#running.idle(graceMs);
    await transport.close();
  }

  #route(res: Responder, req: RequestHead, method: string): void {
    const path = req.getUrl();
    const query = req.getQuery() || '';
    const isApi = path.startsWith('/api/') || path === '/api';
    // A GET may have an answer at hand, which needs no headers but a few.
    const headers = this.#heads.read(req, method, path, query, isApi && method !== 'GET');
    if (typeof headers === 'string') {
      const isTooLong = isApi && headers.startsWith('414');
      this.#refuse(res, isTooLong ? this.#addressTooLong() : plainRefusal(headers), this.#options.scheme);
    } else if (isApi) {
      const waits = this.#isTurnFull();
      if (method === 'GET' && !waits && this.#answerReady(res, req, headers, path, query)) return;
      const { host, scheme } = this.#originOf(res, headers);
      const peer = this.#options.localPeer ?? readPeer(res);
      const all = headers.all ?? readAllHeaders(req);
      this.#answerApi(res, { method, path, query, host, scheme, peer, headers: all }, waits);
    } else if (method === 'GET' || method === 'HEAD') {
      const origin = this.#originOf(res, headers);
      if (headers.codings > 0 && !this.#options.transport.isFramingSure) {
        this.#refuse(res, plainRefusal('411 Length Required'), origin.scheme);
        return;
      }
      this.#answerPublic(res, new FrontRequest(req, res, headers, method === 'HEAD', origin, path, query));
    } else {
      const { scheme } = this.#originOf(res, headers);
      this.#refuse(res, plainRefusal('405 Method Not Allowed', [['Allow', 'GET, HEAD']]), scheme);
    }
  }

  #originOf(res: Responder, headers: RequestHeaders): Origin {
    return visitorsOrigin(res, headers, this.#options.scheme);
  }

  #refuse(res: Responder, answer: PublicResponse, scheme: Scheme): void {
    refuse(res, answer, this.#headersFor('all', scheme));
  }

  #addressTooLong(): PublicResponse {
    const error = apiError('common.addressTooLong', { max: maxTargetLength });
    return { ...this.#options.refuseApi(error), status: '414 URI Too Long' };
  }

  /** Handles nearly all traffic: a cached page is available at once and is written without a promise. */
  #answerPublic(res: Responder, request: FrontRequest): void {
    const { delivery, log } = this.#options;
    try {
      const answer = delivery(request);
      if (answer instanceof Promise) {
        this.#answerPublicLater(res, request, answer, this.#visitOf(res, request)?.copy());
        return;
      }
      if (answer.viewOf !== undefined) this.#count(this.#visitOf(res, request), answer);
      if (this.#turns?.mustWait(request.method, answer) === true) this.#writeInNextTurn(res, request, answer);
      else this.#writePublic(res, request, answer, this.#running);
    } catch (error) {
      log.error({ err: error, path: request.path }, 'unexpected error');
      this.#writePublic(res, request, internalError, this.#running);
    }
  }

  #writeInNextTurn(res: Responder, request: FrontRequest, answer: PublicResponse): void {
    this.#checkHead(request, answer);
    const exchange = this.#running.start(res);
    setImmediate(() => this.#writeLate(exchange, res, request, answer));
  }

  async #answerPublicLater(
    res: Responder,
    request: FrontRequest,
    answer: Promise<PublicResponse>,
    visit?: ViewRequest,
  ): Promise<void> {
    const exchange = this.#running.start(res);
    let response = internalError;
    try {
      response = await answer;
      this.#count(visit, response);
      this.#checkHead(request, response);
    } catch (error) {
      this.#options.log.error({ err: error, path: request.path }, 'unexpected error');
      response = internalError;
    }
    this.#writeLate(exchange, res, request, response);
  }

  /** Throws for a forbidden character now, where the error can still be answered. */
  #checkHead(request: FrontRequest, response: PublicResponse): void {
    responseHead(response.status, response.headers, this.#addedTo(request, response));
  }

  #writeLate(exchange: Exchange, res: Responder, request: FrontRequest, response: PublicResponse): void {
    exchange.write(() => this.#writePublic(res, request, response, exchange));
    if (exchange.aborted && response.body instanceof StreamedBody) response.body.discard();
  }

  #visitOf(res: Responder, request: FrontRequest): ReturnType<typeof findVisit> {
    return this.#views.isOn
      ? findVisit(res, request.method, request, request.headers, this.#options.localPeer)
      : undefined;
  }

  #count(visit: ViewRequest | undefined, answer: PublicResponse): void {
    const { viewOf: siteId } = answer;
    if (visit !== undefined && siteId !== undefined) this.#views.note(visit, siteId, viewStatus(answer));
  }

  #writePublic(
    res: Responder,
    request: FrontRequest,
    response: PublicResponse,
    exchanges: Exchanges,
  ): boolean {
    const added = this.#addedTo(request, response);
    if (this.#shares && response.shared !== undefined) share(res, response, response.shared, added);
    return writePublic(res, request.method, response, added, exchanges);
  }

  #headersFor(scope: HeaderScope, scheme: Scheme): Headers {
    const { http, https } = this.#options.security.current;
    const lists = scheme === 'http' ? http : https;
    return scope === 'site' ? lists.site : lists.all;
  }

  /** The security headers of a public answer. */
  #addedTo({ scheme }: FrontRequest, { scope = 'all' }: PublicResponse): Headers {
    return this.#headersFor(scope, scheme);
  }

  /**
   * Whether this turn has handled as many requests to the API as one turn should. The answers to further ones wait
   * for the next turn: a client that sends thousands in one packet has its connection closed then (see `refuse`)
   * and neither keeps others waiting nor fills the memory with what its requests leave behind.
   */
  #isTurnFull(): boolean {
    if (this.#apiInTurn === 0)
      setImmediate(() => {
        this.#apiInTurn = 0;
      });
    this.#apiInTurn += 1;
    return this.#apiInTurn > maxApiPerTurn;
  }

  /** Writes an answer that the API has at hand; false if it has none. */
  #answerReady(
    res: Responder,
    req: RequestHead,
    headers: RequestHeaders,
    path: string,
    query: string,
  ): boolean {
    // A body would have to be read, and of repeated headers all count.
    if (headers.lengths + headers.codings > 0) return false;
    if (headers.authorizations > 1 || headers.cookies > 1 || headers.forwardedFors > 1) return false;
    const answer = this.#options.ready?.({
      path,
      query,
      header: (name) => readHeader(req, headers, name),
      peer: () => readPeer(res),
    });
    if (answer === undefined) return false;
    const added = this.#headersFor('all', this.#originOf(res, headers).scheme);
    writeApi(res, 'GET', answer, added, false, this.#running);
    return true;
  }

  #answerApi(res: Responder, head: ApiHead, waits: boolean): void {
    const share = this.#bodies.share(resolveClient(head.peer, head.headers.get('x-forwarded-for') ?? ''));
    const exchange = this.#running.start(res);
    const call = new ApiCall(head, exchange, share, this.#bodyTimes, this.#options.spillPath);
    res.onData((chunk, isLast) => call.arrived(chunk, isLast));
    this.#options.api(call, (response) => {
      const rest = call.endBody();
      if (rest === undefined) this.#writeInTurn(res, call, response, waits);
      else void rest.then(() => this.#writeInTurn(res, call, response, waits));
    });
  }

  /**
   * If another request arrived with this one, the library closes the connection when this one is not answered in the
   * same turn (see `refuse`). So a client beyond its budget is not answered thousands of times from one packet, while
   * others wait.
   */
  #writeInTurn(res: Responder, call: ApiCall, response: ApiResponse, waits: boolean): void {
    const hasBody = response.body !== undefined || response.stream !== undefined;
    const isLast = mustBeLast(call.method, call.headers, hasBody);
    if (isLast || waits || response.status === 429)
      setImmediate(() => this.#writeApi(res, call, response, isLast));
    else this.#writeApi(res, call, response, isLast);
  }

  #writeApi(res: Responder, call: ApiCall, response: ApiResponse, isLast: boolean): void {
    const { method, exchange } = call;
    const added = this.#headersFor('all', call.scheme);
    const closes = isLast || !call.hasWholeBody;
    if (response.events !== undefined && method === 'GET') {
      const head = responseHead('200 OK', response.headers, added);
      writeEvents(head, response.events, exchange, closes);
      return;
    }
    response.events?.discard();
    exchange.write(() => {
      try {
        return writeApi(res, method, response, added, closes, exchange);
      } catch (error) {
        // A header holds a forbidden character; nothing has been written.
        this.#options.log.error({ err: error, path: call.path }, 'unexpected error');
        return writePublic(res, 'GET', internalError, added, exchange);
      }
    });
    if (exchange.aborted) response.stream?.discard();
  }
}

function share(res: Responder, response: PublicResponse, shared: SharedResponse, added: Headers): void {
  const { status, headers, body, viewOf: siteId } = response;
  if (body === undefined || body instanceof Uint8Array)
    res.share?.(shared, { head: responseHead(status, headers, added), body, viewOf: siteId });
}
