import { clientOf } from './client.ts';

export type Scheme = 'http' | 'https';

/** What a request is addressed to, as its sender knows it. */
export interface Origin {
  /** Lower case, port included. */
  readonly host: string;
  readonly scheme: Scheme;
}

/**
 * The address a visitor uses (Core, "Public non-API routes", sitemap): behind a proxy on a local or private address
 * what it says in `X-Forwarded-Host` and `X-Forwarded-Proto`, of several entries the last, which is the proxy's own.
 * From anybody else these headers count for nothing.
 *
 * @param own what the connection itself shows
 * @param peer address at the other end of the connection
 */
export function originOf(own: Origin, peer: string, forwardedHost: string, forwardedProto: string): Origin {
  if (!clientOf(peer, '').isLocal) return own;
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
