/** Requests and answers between the front and the API. They do not expose the transport. */

import type { Readable } from 'node:stream';
import type { CompressedBody } from './body/compressed-body.ts';
import type { EventStream } from './body/events.ts';
import type { Body } from './body/parts.ts';
import type { StreamedBody } from './body/streamed.ts';

export interface ApiRequest {
  /** Upper case, as in the route table. */
  readonly method: string;
  /** Raw path as sent, beginning with '/', without the query. */
  readonly path: string;
  /** Raw query without '?', empty when there is none. */
  readonly query: string;
  /** Address at the other end of the connection, which may be a proxy's. */
  readonly peer: string;
  /** Host and scheme the caller used; see `originOf`. */
  readonly host: string;
  readonly scheme: 'http' | 'https';
  /** Headers by lower-case name; several headers of one name are joined. */
  readonly headers: ReadonlyMap<string, string>;
  /**
   * The whole body. Bytes are counted while they arrive.
   *
   * @throws ApiError `common.tooLarge` as soon as there are more than `maxBytes`
   */
  body(maxBytes: number): Promise<Uint8Array>;
  /** The same without a promise: one of the two functions is called once, perhaps at once. */
  receive(maxBytes: number, done: (body: Uint8Array) => void, failed: (error: unknown) => void): void;
  /**
   * The body while it arrives; the client is held back when nobody reads. In place of `body`. The stream fails
   * with ApiError `common.aborted` when the client has gone.
   */
  stream(): Readable;
}

export interface ApiResponse {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Body | undefined;
  /** Whether the bytes are the same for everybody as long as the server runs. */
  readonly isFixed?: boolean | undefined;
  /** In place of a body: one that is read while it is sent. */
  readonly stream?: StreamedBody | undefined;
  /** In place of a body: one that `EncodedResponses` turns into a body or a stream, as the client wants it. */
  readonly compressed?: CompressedBody | undefined;
  /** In place of a body: events, until the client goes or the server stops. */
  readonly events?: EventStream | undefined;
}

/** An answer of the API that is made at once, such as a refusal. */
export interface PlainApiResponse extends ApiResponse {
  readonly body: string | undefined;
}

/** A GET as far as an answer that is at hand needs it. */
export interface ReadyRequest extends Pick<ApiRequest, 'path' | 'query'> {
  /** A header by its lower-case name, empty when absent. Valid only during the call. */
  header(name: string): string;
  /** Address at the other end of the connection. */
  peer(): string;
}

/** The answer to a GET below `/api/` if it is at hand, else undefined. */
export type ReadyHandler = (request: ReadyRequest) => ApiResponse | undefined;

/**
 * Answers one request below `/api/`: calls `answer` once, perhaps at once. Never throws. It returns nothing, and so no
 * promise, whose value would be lost.
 */
export type ApiHandler = (request: ApiRequest, answer: (response: ApiResponse) => void) => undefined;
