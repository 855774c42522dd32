import { noted } from '../framing.ts';
import type { View, Visit } from '../views.ts';
import { peerOf } from './running.ts';
import type { Responder } from './transport.ts';

/** One for all requests, because each makes a visit. */
const visit: { -readonly [Name in keyof Visit]: Visit[Name] } = {
  host: '',
  path: '',
  referer: '',
  userAgent: '',
  peer: '',
  forwardedFor: '',
  cookie: '',
};

/**
 * Notes who sent the request that `refusalOf` has checked last; undefined if it can be no view. Valid until the next
 * call: to keep it, copy it.
 *
 * @param localPeer the address of all peers if the server listens on a loopback address. Otherwise it is asked of
 *   the connection, which takes several times as long as everything else here.
 */
export function visitOf(
  res: Responder,
  { method, host, path }: { readonly method: string; readonly host: string; readonly path: string },
  localPeer: string | undefined,
): Visit | undefined {
  const { referer, userAgent, forwardedFor, cookie, isPrefetch } = noted;
  if (method !== 'GET' || isPrefetch) return undefined;
  visit.host = host;
  visit.path = path;
  visit.referer = referer;
  visit.userAgent = userAgent;
  visit.peer = localPeer ?? peerOf(res);
  visit.forwardedFor = forwardedFor;
  visit.cookie = cookie !== '' && cookie.includes('ic_session=') ? cookie : '';
  return visit;
}

/** @param status line or head of an answer that shows a page */
export function viewStatus(status: string): View['status'] {
  return status.startsWith('304') ? 304 : 200;
}
