import { isHostHeader, type Origin, resolveOrigin, type Scheme } from '../origin.ts';
import { isPrefetch } from '../prefetch.ts';
import { readPeer } from './running.ts';
import type { Responder } from './transport.ts';

/** The headers of a request as received, including duplicates; names in lower case. */
interface HeaderSource {
  forEach(visit: (name: string, value: string) => void): void;
  forEachNoted?(visit: (name: string, value: string) => void): void;
}

/** Longest path plus query. Longer than any that this server makes (RFC 9110 asks for at least 8,000). */
export const maxTargetLength = 8192;

/** The error status for a request that is not answered. */
export type Refusal = '400 Bad Request' | '414 URI Too Long';

/**
 * Reads the heads of requests. One object reads those of a whole listener, because this runs for every request: it
 * allocates no memory, unless it keeps all headers.
 */
export class HeadReader {
  readonly #headers = new ReadHeaders();
  readonly #note = (name: string, value: string): void => this.#headers.note(name, value);
  readonly #keep = (name: string, value: string): void => this.#headers.keep(name, value);
  #lastSentHost = '';
  #lastValidHost: string | undefined;

  /**
   * The headers of a request, or a status if it is malformed, or if a proxy may have framed or routed it differently
   * (RFC 9112, 3.2 and 6.3).
   *
   * @param keepsAll whether `all` gets the headers
   * @returns headers that are valid until the next call
   */
  read(
    source: HeaderSource,
    method: string,
    path: string,
    query: string,
    keepsAll = false,
  ): RequestHeaders | Refusal {
    if (isMixedCase(method)) return '400 Bad Request';
    if (path.length + query.length > maxTargetLength) return '414 URI Too Long';
    if (!path.startsWith('/')) return '400 Bad Request';
    const headers = this.#headers;
    headers.clear(keepsAll);
    if (keepsAll) source.forEach(this.#keep);
    else if (source.forEachNoted === undefined) source.forEach(this.#note);
    else source.forEachNoted(this.#note);
    const host = this.#validHost(headers.host);
    if (host === undefined) return '400 Bad Request';
    headers.host = host;
    return headers.isAmbiguous ? '400 Bad Request' : headers;
  }

  /**
   * The host in lower case; undefined if it is not valid. Most requests have the same host as the request before. They
   * get the very same text: tables find it faster than an equal one, whose hash is not known.
   */
  #validHost(host: string): string | undefined {
    if (host === this.#lastSentHost) return this.#lastValidHost;
    this.#lastSentHost = host;
    this.#lastValidHost = isHostHeader(host) ? host.toLowerCase() : undefined;
    return this.#lastValidHost;
  }
}

/** Methods are case-sensitive (RFC 9110, 9.1), but the library finds a handler for `get` too. */
function isMixedCase(method: string): boolean {
  return method !== 'GET' && /[a-z]/.test(method);
}

/** What the front needs to know of the headers of every request. */
export interface RequestHeaders {
  /** Value of the header `Host` in lower case. */
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

/** The names that `ReadHeaders` notes. A transport that makes no text of other names looks for these. */
export const notedHeaders = [
  'host',
  'range',
  'x-moz',
  'cookie',
  'referer',
  'purpose',
  'if-match',
  'if-range',
  'x-purpose',
  'user-agent',
  'sec-purpose',
  'authorization',
  'if-none-match',
  'content-length',
  'accept-encoding',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'transfer-encoding',
  'if-modified-since',
  'if-unmodified-since',
] as const;

type NotedHeader = (typeof notedHeaders)[number];

/** Compiles only for names that transports look for. */
function isNoted(name: string, noted: NotedHeader): boolean {
  return name === noted;
}

/** Headers that are read one after the other. */
class ReadHeaders implements RequestHeaders {
  host = '';
  forwardedHost = '';
  forwardedProto = '';
  referer = '';
  userAgent = '';
  forwardedFor = '';
  cookie = '';
  acceptEncoding: string | undefined;
  ifNoneMatch: string | undefined;
  isPrefetch = false;
  isConditional = false;
  isTimed = false;
  authorizations = 0;
  cookies = 0;
  forwardedFors = 0;
  lengths = 0;
  codings = 0;
  all: Map<string, string> | undefined;
  #hosts = 0;
  /** Lengths and codings that another parser may understand differently. */
  #unknown = 0;

  /** Whether a proxy may have framed or routed the request differently. */
  get isAmbiguous(): boolean {
    return this.#hosts > 1 || this.lengths > 1 || this.codings > 1 || this.#unknown > 0;
  }

  clear(keepsAll: boolean): void {
    this.host = '';
    this.forwardedHost = '';
    this.forwardedProto = '';
    this.referer = '';
    this.userAgent = '';
    this.forwardedFor = '';
    this.cookie = '';
    this.acceptEncoding = undefined;
    this.ifNoneMatch = undefined;
    this.isPrefetch = false;
    this.isConditional = false;
    this.isTimed = false;
    this.authorizations = 0;
    this.cookies = 0;
    this.forwardedFors = 0;
    this.lengths = 0;
    this.codings = 0;
    this.all = keepsAll ? new Map() : undefined;
    this.#hosts = 0;
    this.#unknown = 0;
  }

  keep(name: string, value: string): void {
    this.note(name, value);
    if (this.all !== undefined) addHeader(this.all, name, value);
  }

  /** By length first: comparing each name with each of these would take longer than all the rest. */
  note(name: string, value: string): void {
    switch (name.length) {
      case 4:
        if (isNoted(name, 'host')) this.#noteHost(value);
        break;
      case 5:
        if (isNoted(name, 'range')) this.isConditional = true;
        else if (isNoted(name, 'x-moz')) this.isPrefetch ||= isPrefetch(value);
        break;
      case 6:
        if (isNoted(name, 'cookie')) this.#noteCookie(value);
        break;
      case 7:
        if (isNoted(name, 'referer')) this.referer = value;
        else if (isNoted(name, 'purpose')) this.isPrefetch ||= isPrefetch(value);
        break;
      case 8:
        if (isNoted(name, 'if-match') || isNoted(name, 'if-range')) this.isConditional = true;
        break;
      case 9:
        if (isNoted(name, 'x-purpose')) this.isPrefetch ||= isPrefetch(value);
        break;
      case 10:
        if (isNoted(name, 'user-agent')) this.userAgent = value;
        break;
      case 11:
        if (isNoted(name, 'sec-purpose')) this.isPrefetch ||= isPrefetch(value);
        break;
      case 13:
        if (isNoted(name, 'authorization')) this.authorizations++;
        else if (isNoted(name, 'if-none-match')) this.ifNoneMatch ??= value;
        break;
      case 14:
        if (isNoted(name, 'content-length')) this.#noteLength(value);
        break;
      case 15:
        if (isNoted(name, 'accept-encoding')) this.acceptEncoding ??= value;
        else if (isNoted(name, 'x-forwarded-for')) this.#noteForwardedFor(value);
        break;
      case 16:
        if (isNoted(name, 'x-forwarded-host')) this.forwardedHost = value;
        break;
      case 17:
        if (isNoted(name, 'x-forwarded-proto')) this.forwardedProto = value;
        else if (isNoted(name, 'transfer-encoding')) this.#noteCoding(value);
        else if (isNoted(name, 'if-modified-since')) this.isTimed = true;
        break;
      case 19:
        if (isNoted(name, 'if-unmodified-since')) this.isConditional = true;
        break;
    }
  }

  #noteHost(value: string): void {
    this.#hosts++;
    if (this.#hosts === 1) this.host = value;
  }

  #noteCookie(value: string): void {
    this.cookies++;
    this.cookie = this.cookies === 1 ? value : `${this.cookie}; ${value}`;
  }

  /** Only the last entry counts, which is in the last header. */
  #noteForwardedFor(value: string): void {
    this.forwardedFors++;
    this.forwardedFor = value;
  }

  #noteCoding(value: string): void {
    this.codings++;
    if (value.toLowerCase() !== 'chunked') this.#unknown++;
  }

  #noteLength(value: string): void {
    this.lengths++;
    // The parser has already refused values other than digits.
    if (value === '') this.#unknown++;
  }
}

/**
 * A header of the request whose headers these are, empty when absent. Those that every answer from the cache asks for
 * have been read: asking the library again takes as long as finding the page.
 */
export function readHeader(
  head: { getHeader(name: string): string },
  headers: RequestHeaders,
  name: string,
): string {
  switch (name) {
    case 'accept-encoding':
      return headers.acceptEncoding ?? '';
    case 'if-none-match':
      return headers.ifNoneMatch ?? '';
    case 'cookie':
      return headers.cookie;
    default:
      return head.getHeader(name);
  }
}

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

/** All headers of a request; see `addHeader`. */
export function readAllHeaders(source: HeaderSource): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  source.forEach((name, value) => {
    addHeader(headers, name, value);
  });
  return headers;
}

/** Several headers of one name mean the same as one header with all values (RFC 9110, 5.3; RFC 6265, 5.4). */
function addHeader(headers: Map<string, string>, name: string, value: string): void {
  const before = headers.get(name);
  if (before === undefined) headers.set(name, value);
  else headers.set(name, `${before}${name === 'cookie' ? '; ' : ', '}${value}`);
}
