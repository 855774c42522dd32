import { isHostHeader } from './origin.ts';

/** The headers of a request as received, including duplicates; names in lower case. */
interface HeaderSource {
  forEach(visit: (name: string, value: string) => void): void;
}

/** Longest path plus query. Longer than any that this server makes (RFC 9110 asks for at least 8,000). */
export const maxTargetLength = 8192;

/**
 * The error status for a request that is malformed, or that a proxy may have framed or routed differently
 * (RFC 9112, 3.2 and 6.3). Undefined for a valid request. Runs for every request, so it allocates no memory.
 */
export function refusalOf(
  headers: HeaderSource,
  method: string,
  path: string,
  query: string,
  host: string,
): string | undefined {
  if (isMixedCase(method)) return '400 Bad Request';
  if (path.length + query.length > maxTargetLength) return '414 URI Too Long';
  if (!path.startsWith('/') || !isValidHost(host)) return '400 Bad Request';
  framing.hosts = 0;
  framing.lengths = 0;
  framing.codings = 0;
  framing.unknown = 0;
  framing.authorizations = 0;
  framing.cookies = 0;
  framing.forwardedFors = 0;
  framing.forwardedHost = '';
  framing.forwardedProto = '';
  headers.forEach(noteFramingHeader);
  return framing.hosts > 1 || framing.lengths > 1 || framing.unknown > 0 ? '400 Bad Request' : undefined;
}

/** Methods are case-sensitive (RFC 9110, 9.1), but the library finds a handler for `get` too. */
function isMixedCase(method: string): boolean {
  return method !== 'GET' && /[a-z]/.test(method);
}

// One shared object and one shared callback, because this code runs for every request.
const framing = {
  hosts: 0,
  lengths: 0,
  codings: 0,
  unknown: 0,
  authorizations: 0,
  cookies: 0,
  forwardedFors: 0,
  forwardedHost: '',
  forwardedProto: '',
};

/** What `refusalOf` reads in the same pass. */
interface NotedHeaders {
  /** `X-Forwarded-Host` and `X-Forwarded-Proto`, empty when absent. */
  readonly forwardedHost: string;
  readonly forwardedProto: string;
  /** Numbers of the headers of these names. */
  readonly authorizations: number;
  readonly cookies: number;
  readonly forwardedFors: number;
  readonly lengths: number;
  readonly codings: number;
}

/** Headers of the request that `refusalOf` has checked last. */
export const noted: NotedHeaders = framing;

function noteFramingHeader(name: string, value: string): void {
  if (name === 'host') {
    framing.hosts++;
  } else if (name === 'content-length') {
    framing.lengths++;
    // The parser has already refused values other than digits.
    if (value === '') framing.unknown++;
  } else if (name === 'authorization') {
    framing.authorizations++;
  } else if (name === 'cookie') {
    framing.cookies++;
  } else if (name === 'x-forwarded-for') {
    framing.forwardedFors++;
  } else if (name === 'x-forwarded-host') {
    framing.forwardedHost = value;
  } else if (name === 'x-forwarded-proto') {
    framing.forwardedProto = value;
  } else if (name === 'transfer-encoding') {
    framing.codings++;
    if (value.toLowerCase() !== 'chunked') framing.unknown++;
  }
}

let lastValidHost = '';

/** Most requests have the same host as the request before. */
function isValidHost(host: string): boolean {
  if (host === lastValidHost && host !== '') return true;
  if (!isHostHeader(host)) return false;
  lastValidHost = host;
  return true;
}
