import { type Origin, resolveOrigin, type Scheme } from '../origin.ts';
import type { PublicResponse } from '../public-exchange.ts';
import type { ViewEvent, ViewRequest } from '../view-event-buffer.ts';
import type { RequestHeaders } from './framing.ts';
import { readPeer } from './running.ts';
import type { Responder } from './transport.ts';

/**
 * Host and scheme that the visitor used. The peer address costs time, so it is read only for a request with headers of
 * a proxy.
 *
 * @param scheme of the connection itself
 */
export function visitorsOrigin(res: Responder, headers: RequestHeaders, scheme: Scheme): Origin {
  const { host, forwardedHost, forwardedProto } = headers;
  const own = { host, scheme };
  if (forwardedHost === '' && forwardedProto === '') return own;
  return resolveOrigin(own, readPeer(res), forwardedHost, forwardedProto);
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
