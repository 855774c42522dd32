import type { Origin, Scheme } from '../origin.ts';
import type { PublicRequest, PublicResponse } from '../public-exchange.ts';
import type { ViewEvent, ViewRequest } from '../view-event-buffer.ts';
import { type RequestHeaders, readHeader } from './framing.ts';
import { readPeer } from './running.ts';
import type { RequestHead, Responder } from './transport.ts';

/** A public request. Headers are read on demand, as long as `headers` and `req` are valid. */
export class FrontRequest implements PublicRequest {
  readonly method: 'GET' | 'HEAD';
  readonly path: string;
  readonly query: string;
  readonly headers: RequestHeaders;
  readonly #origin: Origin;
  readonly #req: RequestHead;
  readonly #res: Responder;

  constructor(
    req: RequestHead,
    res: Responder,
    headers: RequestHeaders,
    isHead: boolean,
    origin: Origin,
    path: string,
    query: string,
  ) {
    this.#req = req;
    this.#res = res;
    this.headers = headers;
    this.method = isHead ? 'HEAD' : 'GET';
    this.#origin = origin;
    this.path = path;
    this.query = query;
  }

  get host(): string {
    return this.#origin.host;
  }

  get scheme(): Scheme {
    return this.#origin.scheme;
  }

  get acceptEncoding(): string {
    return this.headers.acceptEncoding ?? '';
  }

  get ifNoneMatch(): string {
    return this.headers.ifNoneMatch ?? '';
  }

  get cookie(): string {
    return this.headers.cookie;
  }

  header(name: string): string {
    return readHeader(this.#req, this.headers, name);
  }

  peer(): string {
    return readPeer(this.#res);
  }
}

/** What a visitor asks for. */
interface VisitedPlace {
  readonly host: string;
  readonly path: string;
}

/**
 * A visit whose headers are read where they lie, so that a view that was seen before costs no copy. Valid as long as
 * the headers are; to keep it, `copy` it.
 */
class RequestVisit implements ViewRequest {
  readonly peer: string;
  readonly #place: VisitedPlace;
  readonly #headers: RequestHeaders;

  constructor(place: VisitedPlace, headers: RequestHeaders, peer: string) {
    this.#place = place;
    this.#headers = headers;
    this.peer = peer;
  }

  get host(): string {
    return this.#place.host;
  }

  get path(): string {
    return this.#place.path;
  }

  get referer(): string {
    return this.#headers.referer;
  }

  get userAgent(): string {
    return this.#headers.userAgent;
  }

  get forwardedFor(): string {
    return this.#headers.forwardedFor;
  }

  get cookie(): string {
    const { cookie } = this.#headers;
    return cookie !== '' && cookie.includes('ic_session=') ? cookie : '';
  }

  copy(): ViewRequest {
    const { host, path, peer, referer, userAgent, forwardedFor, cookie } = this;
    return { host, path, peer, referer, userAgent, forwardedFor, cookie };
  }
}

/**
 * The visit of a request; undefined if it can be no view.
 *
 * @param localPeer the address of all peers if the server listens on a loopback address. Otherwise it is asked of
 *   the connection, which takes several times as long as everything else here.
 */
export function findVisit(
  res: Responder,
  method: string,
  place: VisitedPlace,
  headers: RequestHeaders,
  localPeer: string | undefined,
): RequestVisit | undefined {
  if (method !== 'GET' || headers.isPrefetch) return undefined;
  return new RequestVisit(place, headers, localPeer ?? readPeer(res));
}

/** The status of an answer that shows a page. */
export function viewStatus({ body }: PublicResponse): ViewEvent['status'] {
  return body === undefined ? 304 : 200;
}
