import { resolveClient } from './client-address.ts';

export type Scheme = 'http' | 'https';

/** Host and scheme to which the sender addressed a request. */
export interface Origin {
  /** Lower case, port included. */
  readonly host: string;
  readonly scheme: Scheme;
}

/**
 * Host and scheme that a visitor uses (Core, "Public non-API routes", sitemap). Behind a proxy on a local or
 * private address, they come from the last entries of `X-Forwarded-Host` and `X-Forwarded-Proto`, which the
 * proxy has added. From other senders these headers are ignored.
 *
 * @param own host and scheme of the connection itself
 * @param peer address at the other end of the connection
 */
export function resolveOrigin(
  own: Origin,
  peer: string,
  forwardedHost: string,
  forwardedProto: string,
): Origin {
  if (!resolveClient(peer, '').isLocal) return own;
  const host = lastOf(forwardedHost);
  const proto = lastOf(forwardedProto);
  return {
    host: isHostHeader(host) ? host : own.host,
    scheme: proto === 'http' || proto === 'https' ? proto : own.scheme,
  };
}

function lastOf(list: string): string {
  return list
    .slice(list.lastIndexOf(',') + 1)
    .trim()
    .toLowerCase();
}

/** A name or address with an optional port (RFC 9112, 3.2), nothing else. */
export function isHostHeader(host: string): boolean {
  return /^(?:[\w.-]{1,255}|\[[\da-fA-F:.]{2,45}\])(?::\d{1,5})?$/.test(host);
}
