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
  framing.unknown = 0;
  noted.forwardedHost = '';
  noted.forwardedProto = '';
  noted.forwardedFor = '';
  noted.referer = '';
  noted.userAgent = '';
  noted.isConditional = false;
  noted.isTimed = false;
  noted.hasBody = false;
  noted.authorizations = 0;
  noted.cookies = 0;
  noted.forwardedFors = 0;
  headers.forEach(noteHeader);
  return framing.hosts > 1 || framing.lengths > 1 || framing.unknown > 0 ? '400 Bad Request' : undefined;
}

/** Methods are case-sensitive (RFC 9110, 9.1), but the library finds a handler for `get` too. */
function isMixedCase(method: string): boolean {
  return method !== 'GET' && /[a-z]/.test(method);
}

// Shared objects and one shared callback, because this code runs for every request.
const framing = { hosts: 0, lengths: 0, unknown: 0 };
const noted = {
  forwardedHost: '',
  forwardedProto: '',
  forwardedFor: '',
  referer: '',
  userAgent: '',
  isConditional: false,
  isTimed: false,
  hasBody: false,
  authorizations: 0,
  cookies: 0,
  forwardedFors: 0,
};

/**
 * Headers of the request that `refusalOf` has checked last, empty when absent. `refusalOf` reads them in the same
 * pass, so that they cost nothing extra. `isTimed`: there is an `If-Modified-Since`; `isConditional`: a range, or a
 * condition other than that and `If-None-Match`; `hasBody`: a length or a transfer coding; `authorizations`,
 * `cookies` and `forwardedFors` count the headers of these names.
 */
export const lastHeaders: Readonly<typeof noted> = noted;

/** By length first: comparing each name with each of these would take longer than all the rest. */
function noteHeader(name: string, value: string): void {
  switch (name.length) {
    case 4:
      if (name === 'host') framing.hosts++;
      break;
    case 5:
      if (name === 'range') noted.isConditional = true;
      break;
    case 6:
      if (name === 'cookie') noted.cookies++;
      break;
    case 7:
      if (name === 'referer') noted.referer = value;
      break;
    case 8:
      if (name === 'if-match' || name === 'if-range') noted.isConditional = true;
      break;
    case 10:
      if (name === 'user-agent') noted.userAgent = value;
      break;
    case 13:
      if (name === 'authorization') noted.authorizations++;
      break;
    case 14:
      if (name === 'content-length') noteLength(value);
      break;
    case 15:
      if (name === 'x-forwarded-for') noteForwardedFor(value);
      break;
    case 16:
      if (name === 'x-forwarded-host') noted.forwardedHost = value;
      break;
    case 17:
      if (name === 'x-forwarded-proto') noted.forwardedProto = value;
      else if (name === 'transfer-encoding') noteCoding(value);
      else if (name === 'if-modified-since') noted.isTimed = true;
      break;
    case 19:
      if (name === 'if-unmodified-since') noted.isConditional = true;
      break;
  }
}

function noteForwardedFor(value: string): void {
  noted.forwardedFor = value;
  noted.forwardedFors++;
}

function noteCoding(value: string): void {
  noted.hasBody = true;
  if (value.toLowerCase() !== 'chunked') framing.unknown++;
}

function noteLength(value: string): void {
  noted.hasBody = true;
  framing.lengths++;
  // The parser has already refused values other than digits.
  if (value === '') framing.unknown++;
}

let lastValidHost = '';

/** Most requests have the same host as the request before. */
function isValidHost(host: string): boolean {
  if (host === lastValidHost && host !== '') return true;
  if (!isHostHeader(host)) return false;
  lastValidHost = host;
  return true;
}
