/**
 * The only folder that touches uWebSockets.js. Its rules, and how they are kept:
 *
 *  1. `req` is valid only until the handler returns: everything is read from it at once, into plain values.
 *  2. `res` must not be touched after an abort: `onAborted` is set before the handler returns, unless the answer
 *     has been written by then, and every later write looks at `aborted` first.
 *  3. A handler runs corked; a write after an `await` goes through `res.cork`.
 *  4. `onData` must be set before the handler returns, or the first bytes of the body are lost.
 *  5. A body is sent even to HEAD unless `endWithoutBody` is called, and that without arguments; Content-Length is
 *     then ours to write.
 *  6. The first of two Content-Length headers frames the message, the first of two Hosts is reported, and every
 *     transfer coding is taken for chunks. A proxy may have understood it differently, so these are refused and the
 *     connection closed.
 *
 * A status line may hold whole header lines: uWebSockets.js writes it as it is. One call with a prepared head
 * instead of one per header is what keeps a cached page close to what the bare library can do.
 */
import '../uws-limits.ts';
import type * as uWS from 'uWebSockets.js';
import { us_listen_socket_close, us_socket_local_port } from 'uWebSockets.js';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Log } from '../../log.ts';
import type { ApiHandler } from '../api.ts';
import { BodyCollector } from '../body.ts';
import { forwarded, refusalOf } from '../framing.ts';
import { responseHead } from '../head.ts';
import { type Origin, originOf, type Scheme } from '../origin.ts';
import type { PublicHandler, PublicRequest, PublicResponse } from '../public.ts';
import { internalError, refuse, writeApi, writePublic } from './answers.ts';
import { createUwsApp, listen, type TlsFiles } from './listening.ts';
import { RunningExchanges } from './running.ts';

export type { TlsFiles } from './listening.ts';

export interface FrontOptions {
  readonly api: ApiHandler;
  readonly site: PublicHandler;
  readonly log: Log;
  /** Paths of certificate and key; without them plain HTTP is spoken. */
  readonly tls?: TlsFiles | undefined;
}

export interface Front {
  /**
   * Starts accepting; resolves with the port, which differs from the one asked for when that is 0.
   *
   * @param host an empty one stands for all interfaces
   * @throws StartupError when the address cannot be had
   */
  listen(host: string, port: number): Promise<number>;
  /** Stops accepting, waits until running requests are answered or `graceMs` have passed, closes everything. */
  close(graceMs: number): Promise<void>;
}

export function createFront(options: FrontOptions): Front {
  const { api, site, log } = options;
  const app = createUwsApp(options.tls);
  const running = new RunningExchanges();
  const ownScheme: Scheme = options.tls === undefined ? 'http' : 'https';
  let listening: uWS.us_listen_socket | undefined;

  app.any('/*', (res, req) => {
    const path = req.getUrl();
    // Without a '?' it is undefined, whatever the types say.
    const query = req.getQuery() || '';
    const host = req.getHeader('host');
    const refusal = refusalOf(req, path, query, host);
    if (refusal !== undefined) {
      refuse(res, refusal, []);
      return;
    }
    const method = req.getMethod();
    if (path.startsWith('/api/') || path === '/api') {
      answerApi(res, req, method.toUpperCase(), path, query);
    } else if (method === 'get' || method === 'head') {
      answerPublic(res, new UwsPublicRequest(req, method === 'head', visitorsOrigin(res, host), path, query));
    } else {
      refuse(res, '405 Method Not Allowed', [['Allow', 'GET, HEAD']]);
    }
  });

  return {
    async listen(host, port) {
      listening = await listen(app, host, port);
      return us_socket_local_port(listening);
    },
    async close(graceMs) {
      if (listening !== undefined) us_listen_socket_close(listening);
      listening = undefined;
      await running.idle(graceMs);
      app.close();
    },
  };

  /** Only a request that a proxy has marked costs a look at where it comes from. */
  function visitorsOrigin(res: uWS.HttpResponse, hostHeader: string): Origin {
    const own = { host: hostHeader.toLowerCase(), scheme: ownScheme };
    const { forwardedHost, forwardedProto } = forwarded;
    if (forwardedHost === '' && forwardedProto === '') return own;
    return originOf(own, peerOf(res), forwardedHost, forwardedProto);
  }

  /** The path of nearly all traffic: a cached page comes back at once and is written without a promise. */
  function answerPublic(res: uWS.HttpResponse, request: UwsPublicRequest): void {
    try {
      const answer = site(request);
      if (answer instanceof Promise) answerPublicLater(res, request, answer);
      else writePublic(res, request.method, answer, () => running.start(res));
    } catch (error) {
      log.error({ err: error, path: request.path }, 'unexpected error');
      writePublic(res, request.method, internalError, () => running.start(res));
    }
  }

  async function answerPublicLater(
    res: uWS.HttpResponse,
    request: UwsPublicRequest,
    answer: Promise<PublicResponse>,
  ): Promise<void> {
    const exchange = running.start(res);
    let response = internalError;
    try {
      response = await answer;
      responseHead(response.status, response.headers);
    } catch (error) {
      log.error({ err: error, path: request.path }, 'unexpected error');
      response = internalError;
    }
    exchange.write(() => writePublic(res, request.method, response, () => exchange));
  }

  async function answerApi(
    res: uWS.HttpResponse,
    req: uWS.HttpRequest,
    method: string,
    path: string,
    query: string,
  ): Promise<void> {
    const headers = readHeaders(req);
    const exchange = running.start(res);
    const body = new BodyCollector(headers);
    res.onData((chunk, isLast) => body.add(chunk, isLast));
    exchange.onAbort = () => body.abort();
    const { host, scheme } = visitorsOrigin(res, req.getHeader('host'));
    const peer = peerOf(res);
    const response = await api({
      method,
      path,
      query,
      host,
      scheme,
      peer,
      headers,
      body: (maxBytes) => body.read(maxBytes),
    });
    body.discard();
    const hidesLength = mayHideItsLength(method, headers);
    // A request that arrived together with this one finds it unanswered then, and the connection is closed.
    if (hidesLength) await nextTurn();
    exchange.write(() => writeApi(res, method, response, hidesLength || !body.complete, exchange));
  }
}

/**
 * A header without a name ends the list for uWebSockets.js, and a length after it is not seen: what a proxy took for
 * the body would be the next request here. So whoever may send a body and shows no length gets one answer.
 */
function mayHideItsLength(method: string, headers: ReadonlyMap<string, string>): boolean {
  if (method === 'GET' || method === 'HEAD') return false;
  return !headers.has('content-length') && !headers.has('transfer-encoding');
}

function peerOf(res: uWS.HttpResponse): string {
  return Buffer.from(res.getRemoteAddressAsText()).toString('latin1');
}

/** Public requests as the site sees them. Header values are read from `req` on demand, while it is valid. */
class UwsPublicRequest implements PublicRequest {
  readonly method: 'GET' | 'HEAD';
  readonly host: string;
  readonly scheme: Scheme;
  readonly path: string;
  readonly query: string;
  readonly #req: uWS.HttpRequest;

  constructor(req: uWS.HttpRequest, isHead: boolean, origin: Origin, path: string, query: string) {
    this.#req = req;
    this.method = isHead ? 'HEAD' : 'GET';
    this.host = origin.host;
    this.scheme = origin.scheme;
    this.path = path;
    this.query = query;
  }

  header(name: string): string {
    return this.#req.getHeader(name);
  }
}

/** Several headers of one name mean what one with all their values means (RFC 9110, 5.3; RFC 6265, 5.4). */
function readHeaders(req: uWS.HttpRequest): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  req.forEach((name, value) => {
    const before = headers.get(name);
    if (before === undefined) headers.set(name, value);
    else headers.set(name, `${before}${name === 'cookie' ? '; ' : ', '}${value}`);
  });
  return headers;
}
