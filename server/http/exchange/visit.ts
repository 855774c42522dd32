import { noted } from '../framing.ts';
import type { View } from '../views.ts';
import { peerOf } from './running.ts';
import type { Responder } from './transport.ts';

/** What a view tells of the request. */
export type Visit = Pick<
  View,
  'host' | 'path' | 'referer' | 'userAgent' | 'peer' | 'forwardedFor' | 'cookie'
>;

/**
 * Notes who sent the request that `refusalOf` has checked last; undefined if it can be no view.
 *
 * @param localPeer the address of all peers if the server listens on a loopback address. Otherwise it is asked of
 *   the connection, which takes several times as long as everything else here.
 */
export function visitOf(
  res: Responder,
  method: string,
  host: string,
  path: string,
  localPeer: string | undefined,
): Visit | undefined {
  if (method !== 'GET' || noted.isPrefetch) return undefined;
  const { referer, userAgent, forwardedFor, cookie } = noted;
  return {
    host,
    path,
    referer,
    userAgent,
    peer: localPeer ?? peerOf(res),
    forwardedFor,
    cookie: cookie.includes('ic_session=') ? cookie : '',
  };
}

/** The view of a page. @param siteId website of the page @param status line or head of the answer */
export function viewOf(visit: Visit, siteId: number, status: string): View {
  // Field by field: copying an object with `...` takes longer than all the rest.
  const { host, path, referer, userAgent, peer, forwardedFor, cookie } = visit;
  const kind = status.startsWith('304') ? 304 : 200;
  return {
    at: Date.now(),
    siteId,
    host,
    path,
    status: kind,
    referer,
    userAgent,
    peer,
    forwardedFor,
    cookie,
    times: 1,
  };
}
