import { isHostHeader } from './origin.ts';

/** The headers of a request as they came, doubles included, names in lower case. */
interface HeaderSource {
  forEach(visit: (name: string, value: string) => void): void;
}

/** Longer than any path and query this server makes (RFC 9110 asks for at least 8,000). */
const maxTargetLength = 8192;

/**
 * The status that a request gets which is malformed, or which a proxy may have framed or routed differently
 * (RFC 9112, 3.2 and 6.3); nothing for a sound one. Runs for every request, so it allocates nothing of its own.
 */
export function refusalOf(
  headers: HeaderSource,
  path: string,
  query: string,
  host: string,
): string | undefined {
  if (path.length + query.length > maxTargetLength) return '414 URI Too Long';
  if (!path.startsWith('/') || !isValidHost(host)) return '400 Bad Request';
  framing.hosts = 0;
  framing.lengths = 0;
  framing.unknown = 0;
  framing.forwardedHost = '';
  framing.forwardedProto = '';
  headers.forEach(noteFramingHeader);
  return framing.hosts > 1 || framing.lengths > 1 || framing.unknown > 0 ? '400 Bad Request' : undefined;
}

// Counted in one place by one function, because this runs for every request.
const framing = { hosts: 0, lengths: 0, unknown: 0, forwardedHost: '', forwardedProto: '' };

/**
 * What a proxy says of the request looked at last: `X-Forwarded-Host` and `X-Forwarded-Proto`, empty when absent.
 * Found in passing, so that requests without a proxy pay nothing for it.
 */
export const forwarded: { readonly forwardedHost: string; readonly forwardedProto: string } = framing;

function noteFramingHeader(name: string, value: string): void {
  if (name === 'host') {
    framing.hosts++;
  } else if (name === 'content-length') {
    framing.lengths++;
    // Other texts than digits do not come this far.
    if (value === '') framing.unknown++;
  } else if (name === 'x-forwarded-host') {
    framing.forwardedHost = value;
  } else if (name === 'x-forwarded-proto') {
    framing.forwardedProto = value;
  } else if (name === 'transfer-encoding' && value.toLowerCase() !== 'chunked') {
    framing.unknown++;
  }
}

let lastValidHost = '';

/** Most requests repeat the last one. */
function isValidHost(host: string): boolean {
  if (host === lastValidHost && host !== '') return true;
  if (!isHostHeader(host)) return false;
  lastValidHost = host;
  return true;
}
