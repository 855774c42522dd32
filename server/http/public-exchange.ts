/** Requests and answers between the front and public delivery. They do not expose the transport. */

import type { StreamedBody } from './body/streamed.ts';
import type { HeaderScope } from './security-headers.ts';
import type { SharedResponse } from './shared-responses.ts';

export interface PublicRequest {
  readonly method: 'GET' | 'HEAD';
  /**
   * Host that the visitor used, lower case, with port: the Host header, or the host that a local proxy names.
   */
  readonly host: string;
  /** Scheme that the visitor used, as far as this server or a local proxy knows. */
  readonly scheme: 'http' | 'https';
  /** Raw path as sent, percent-encoding untouched, beginning with '/'. */
  readonly path: string;
  /** Raw query without '?', empty when there is none. */
  readonly query: string;
  /**
   * The headers that choose the form of an answer and tell who asks, empty when absent. Valid as long as `header` is,
   * and faster: every answer from the cache reads them.
   */
  readonly acceptEncoding: string;
  readonly ifNoneMatch: string;
  readonly cookie: string;
  /**
   * A request header by its lower-case name, empty when absent.
   * Valid only until the handler returns its value or promise: read all headers before the first `await`.
   */
  header(name: string): string;
  /** Address at the other end of the connection, which may be a proxy's. Valid as long as `header` is. */
  peer(): string;
}

/** A complete answer. `body` is sent as it is; HEAD gets the same headers and length without it. */
export interface PublicResponse {
  /** Status line without the protocol, e.g. `200 OK`. */
  readonly status: string;
  /** Which security headers the front adds; default: `all`. */
  readonly scope?: HeaderScope;
  /** The website of the page that a visitor sees with this answer; undefined for all other answers. */
  readonly viewOf?: number | undefined;
  /** Set if other threads may give this answer to equal requests; see `SharedResponses`. */
  readonly shared?: SharedResponse | undefined;
  /** Name, value pairs in order, ready to be written. The front adds Content-Length and the security headers. */
  readonly headers: readonly (readonly [string, string])[];
  /** Undefined in a 304, and where HEAD gets the length as a header; else there is one, which may be empty. */
  readonly body: Uint8Array | string | StreamedBody | undefined;
}

/**
 * Answers one GET or HEAD outside `/api/`. A cached page is answered synchronously, so that no promise is
 * made for it; all other answers may be promises.
 */
export type PublicHandler = (request: PublicRequest) => PublicResponse | Promise<PublicResponse>;
