import type { PublicResponse } from '../public-exchange.ts';
import type { View, Visit } from '../views.ts';
import { noted } from './framing.ts';
import { peerOf } from './running.ts';
import type { Responder } from './transport.ts';

/**
 * Who sent the request that `refusalOf` has checked last: its headers are read where they are noted, so that a view
 * that was seen before costs no copy. Valid until the next request; to keep it, `copy` it.
 */
class NotedVisit implements Visit {
  readonly host: string;
  readonly path: string;
  readonly peer: string;

  constructor(host: string, path: string, peer: string) {
    this.host = host;
    this.path = path;
    this.peer = peer;
  }

  get referer(): string {
    return noted.referer;
  }

  get userAgent(): string {
    return noted.userAgent;
  }

  get forwardedFor(): string {
    return noted.forwardedFor;
  }

  get cookie(): string {
    const { cookie } = noted;
    return cookie !== '' && cookie.includes('ic_session=') ? cookie : '';
  }

  copy(): Visit {
    const { host, path, peer, referer, userAgent, forwardedFor, cookie } = this;
    return { host, path, peer, referer, userAgent, forwardedFor, cookie };
  }
}

/**
 * The visit of the request that `refusalOf` has checked last; undefined if it can be no view.
 *
 * @param localPeer the address of all peers if the server listens on a loopback address. Otherwise it is asked of
 *   the connection, which takes several times as long as everything else here.
 */
export function visitOf(
  res: Responder,
  { method, host, path }: { readonly method: string; readonly host: string; readonly path: string },
  localPeer: string | undefined,
): NotedVisit | undefined {
  if (method !== 'GET' || noted.isPrefetch) return undefined;
  return new NotedVisit(host, path, localPeer ?? peerOf(res));
}

/** The status of an answer that shows a page. */
export function viewStatus({ body }: PublicResponse): View['status'] {
  return body === undefined ? 304 : 200;
}
