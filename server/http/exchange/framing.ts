import { isHostHeader } from '../origin.ts';

/** The headers of a request as received, including duplicates; names in lower case. */
interface HeaderSource {
  forEach(visit: (name: string, value: string) => void): void;
}

/** Longest path plus query. Longer than any that this server makes (RFC 9110 asks for at least 8,000). */
export const maxTargetLength = 8192;

/**
 * The error status for a request that is malformed, or that a proxy may have framed or routed differently
 * (RFC 9112, 3.2 and 6.3). Undefined for a valid request. Runs for every request, so it allocates no memory, unless it
 * keeps the headers.
 *
 * @param keeps whether `noted.all` gets the headers
 */
export function refusalOf(
  headers: HeaderSource,
  method: string,
  path: string,
  query: string,
  keeps = false,
): string | undefined {
  if (isMixedCase(method)) return '400 Bad Request';
  if (path.length + query.length > maxTargetLength) return '414 URI Too Long';
  if (!path.startsWith('/')) return '400 Bad Request';
  framing.host = '';
  framing.hosts = 0;
  framing.lengths = 0;
  framing.codings = 0;
  framing.unknown = 0;
  framing.authorizations = 0;
  framing.cookies = 0;
  framing.forwardedFors = 0;
  framing.forwardedHost = '';
  framing.forwardedProto = '';
  framing.referer = '';
  framing.forwardedFor = '';
  framing.cookie = '';
  framing.isPrefetch = false;
  framing.userAgent = '';
  framing.acceptEncoding = undefined;
  framing.ifNoneMatch = undefined;
  framing.isConditional = false;
  framing.isTimed = false;
  framing.all = keeps ? new Map() : undefined;
  headers.forEach(keeps ? keepHeader : noteHeader);
  const host = validHost(framing.host);
  if (host === undefined) return '400 Bad Request';
  framing.host = host;
  return framing.hosts > 1 || framing.lengths > 1 || framing.unknown > 0 ? '400 Bad Request' : undefined;
}

/** Methods are case-sensitive (RFC 9110, 9.1), but the library finds a handler for `get` too. */
function isMixedCase(method: string): boolean {
  return method !== 'GET' && /[a-z]/.test(method);
}

// One shared object and one shared callback, because this code runs for every request.
const framing = {
  host: '',
  hosts: 0,
  lengths: 0,
  codings: 0,
  unknown: 0,
  authorizations: 0,
  cookies: 0,
  forwardedFors: 0,
  forwardedHost: '',
  forwardedProto: '',
  referer: '',
  forwardedFor: '',
  cookie: '',
  isPrefetch: false,
  userAgent: '',
  acceptEncoding: undefined as string | undefined,
  ifNoneMatch: undefined as string | undefined,
  isConditional: false,
  isTimed: false,
  all: undefined as Map<string, string> | undefined,
};

/** What `refusalOf` reads in the same pass. */
interface NotedHeaders {
  /** Value of the first header `Host` in lower case. */
  readonly host: string;
  /** Values of headers, empty when absent; of several `X-Forwarded-For` the last. */
  readonly forwardedHost: string;
  readonly forwardedProto: string;
  readonly referer: string;
  readonly userAgent: string;
  readonly forwardedFor: string;
  readonly cookie: string;
  /** Values of the first headers of these names; undefined when absent. */
  readonly acceptEncoding: string | undefined;
  readonly ifNoneMatch: string | undefined;
  /** Whether the browser loads the page in advance. */
  readonly isPrefetch: boolean;
  /** Whether there is a range, or a condition other than `If-None-Match` and `If-Modified-Since`. */
  readonly isConditional: boolean;
  /** Whether there is an `If-Modified-Since`. */
  readonly isTimed: boolean;
  /** Numbers of the headers of these names. */
  readonly authorizations: number;
  readonly cookies: number;
  readonly forwardedFors: number;
  readonly lengths: number;
  readonly codings: number;
  /** All headers, if they were to be kept; see `addHeader`. */
  readonly all: ReadonlyMap<string, string> | undefined;
}

/** Headers of the request that `refusalOf` has checked last. */
export const noted: NotedHeaders = framing;

/**
 * A header of the request that `refusalOf` has checked last, empty when absent. Those that every answer from the
 * cache asks for have been noted: asking the library again takes as long as finding the page.
 */
export function headerOf(headers: { getHeader(name: string): string }, name: string): string {
  switch (name) {
    case 'accept-encoding':
      return noted.acceptEncoding ?? '';
    case 'if-none-match':
      return noted.ifNoneMatch ?? '';
    case 'cookie':
      return noted.cookie;
    default:
      return headers.getHeader(name);
  }
}

function keepHeader(name: string, value: string): void {
  noteHeader(name, value);
  if (framing.all !== undefined) addHeader(framing.all, name, value);
}

/** Several headers of one name mean the same as one header with all values (RFC 9110, 5.3; RFC 6265, 5.4). */
export function addHeader(headers: Map<string, string>, name: string, value: string): void {
  const before = headers.get(name);
  if (before === undefined) headers.set(name, value);
  else headers.set(name, `${before}${name === 'cookie' ? '; ' : ', '}${value}`);
}

/** By length first: comparing each name with each of these would take longer than all the rest. */
function noteHeader(name: string, value: string): void {
  switch (name.length) {
    case 4:
      if (name === 'host') noteHost(value);
      break;
    case 5:
      if (name === 'range') framing.isConditional = true;
      break;
    case 6:
      if (name === 'cookie') noteCookie(value);
      break;
    case 7:
      if (name === 'referer') framing.referer = value;
      else if (name === 'purpose') framing.isPrefetch ||= value.startsWith('prefetch');
      break;
    case 8:
      if (name === 'if-match' || name === 'if-range') framing.isConditional = true;
      break;
    case 10:
      if (name === 'user-agent') framing.userAgent = value;
      break;
    case 11:
      if (name === 'sec-purpose') framing.isPrefetch ||= value.startsWith('prefetch');
      break;
    case 13:
      if (name === 'authorization') framing.authorizations++;
      else if (name === 'if-none-match') framing.ifNoneMatch ??= value;
      break;
    case 14:
      if (name === 'content-length') noteLength(value);
      break;
    case 15:
      if (name === 'accept-encoding') framing.acceptEncoding ??= value;
      else if (name === 'x-forwarded-for') noteForwardedFor(value);
      break;
    case 16:
      if (name === 'x-forwarded-host') framing.forwardedHost = value;
      break;
    case 17:
      if (name === 'x-forwarded-proto') framing.forwardedProto = value;
      else if (name === 'transfer-encoding') noteCoding(value);
      else if (name === 'if-modified-since') framing.isTimed = true;
      break;
    case 19:
      if (name === 'if-unmodified-since') framing.isConditional = true;
      break;
  }
}

function noteHost(value: string): void {
  framing.hosts++;
  if (framing.hosts === 1) framing.host = value === lastSentHost ? lastSentHost : value;
}

function noteCookie(value: string): void {
  framing.cookies++;
  framing.cookie = framing.cookies === 1 ? value : `${framing.cookie}; ${value}`;
}

/** Only the last entry counts, which is in the last header. */
function noteForwardedFor(value: string): void {
  framing.forwardedFors++;
  framing.forwardedFor = value;
}

function noteCoding(value: string): void {
  framing.codings++;
  if (value.toLowerCase() !== 'chunked') framing.unknown++;
}

function noteLength(value: string): void {
  framing.lengths++;
  // The parser has already refused values other than digits.
  if (value === '') framing.unknown++;
}

let lastSentHost = '';
let lastValidHost: string | undefined;

/**
 * The host in lower case; undefined if it is not valid. Most requests have the same host as the request before. They
 * get the very same text: tables find it faster than an equal one, whose hash is not known.
 */
function validHost(host: string): string | undefined {
  if (host === lastSentHost) return lastValidHost;
  lastSentHost = host;
  lastValidHost = isHostHeader(host) ? host.toLowerCase() : undefined;
  return lastValidHost;
}
