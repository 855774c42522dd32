/**
 * What the front asks of the thing that speaks HTTP. The shape is that of uWebSockets.js, so that its objects fit as
 * they are and the fast way costs nothing; `node/` gives Node's own server the same shape.
 */

import type { SharedResponse, SharedResponses } from '../shared-responses.ts';
import type { ViewEventBuffer } from '../view-event-buffer.ts';
import type { KeptHead } from './kept-head.ts';

/** The head of a request. Valid only until the handler returns. */
export interface RequestHead {
  /** Raw path, beginning with '/' in a valid request. */
  getUrl(): string;
  /** Raw query without '?'; empty or undefined (whatever the types of the library say) if there is none. */
  getQuery(): string | undefined;
  /** The first header of a name in lower case; empty when absent. */
  getHeader(name: string): string;
  /** All headers as received, duplicates too; names in lower case. */
  forEach(visit: (name: string, value: string) => void): void;
  /** `forEach` for the names that the front notes alone; only there if that is faster. */
  forEachNoted?(visit: (name: string, value: string) => void): void;
}

/** The answer to one request. Must not be used any more after an abort or when it is complete. */
export interface Responder {
  /** Called at most once, when the connection ends before the answer is complete. */
  onAborted(handler: () => void): unknown;
  /** The body of the request in parts; a part is valid only during the call. To be called before the handler returns. */
  onData(handler: (chunk: ArrayBuffer, isLast: boolean) => void): unknown;
  /**
   * Called whenever the client has taken what was written, with the number of bytes written of the body. Returns
   * whether the client took all that was written then.
   */
  onWritable(handler: (offset: number) => boolean): unknown;
  /** Packs all writes of `work` together. */
  cork(work: () => void): unknown;
  /**
   * Status line without the protocol, and headers if there are any, as `responseHead` makes them.
   *
   * @param kept what keeps the head for other answers, if something does
   */
  writeStatus(head: string, kept?: KeptHead): this;
  /**
   * Writes as much of a part of the body as the client takes now and keeps nothing of the rest.
   *
   * @param total length of the whole body
   * @param mayChange whether the bytes may change after the call; else they must not before the answer is complete
   * @returns whether the client took all of it, and whether the answer is complete
   */
  tryEnd(part: Uint8Array | string, total: number, mayChange?: boolean): [boolean, boolean];
  /**
   * Writes a part of a body of unknown length, and keeps what the client does not take now. Must be followed by `end`
   * without a body at last.
   *
   * @returns whether the client took all of it; else `onWritable` tells when it takes more
   */
  write(part: Uint8Array): boolean;
  end(body?: Uint8Array | string, closeConnection?: boolean): unknown;
  /** Ends an answer without a body; a Content-Length must be in its head. */
  endWithoutBody(): unknown;
  /** Bytes of the body that have been written. */
  getWriteOffset(): number;
  /** Closes the connection at once. */
  close(): unknown;
  /** Stops reading from the client, and goes on. */
  pause(): void;
  resume(): void;
  /** The address at the other end of the connection, as text. */
  getRemoteAddressAsText(): ArrayBuffer;
  /** The same; only there if it costs nothing. */
  readonly peer?: string;
  /** Offers the answer to other threads; only there if the transport has some. */
  share?(answer: SharedResponse, form: SharedForm): void;
}

/** An answer as other threads give it. */
export interface SharedForm {
  /** Status and headers as `responseHead` makes them. */
  readonly head: string;
  /** In shared memory; undefined for 304. */
  readonly body: Uint8Array | undefined;
  /** The website, if the answer shows a page of one. */
  readonly viewOf: number | undefined;
}

/** @param method as sent */
export type RequestHandler = (res: Responder, req: RequestHead, method: string) => void;

/** Names of the transports, as the option `-front` takes them. */
export const transportNames = ['uws', 'node'] as const;
export type TransportName = (typeof transportNames)[number];

/** Listens on a port and hands over requests. */
export interface Transport {
  readonly name: TransportName;
  /** Undefined if it has one thread. */
  readonly sharing: SharedResponses | undefined;
  /** Whether it finds the end of every body where other parsers find it. */
  readonly isFramingSure: boolean;
  /** Whether answers without a body are kept for a client that does not read, however many they are. */
  readonly keepsUnreadHeads: boolean;
  /** What handles requests; to be set before `listen`. */
  handleWith(handler: RequestHandler): void;
  /**
   * Starts accepting; resolves with the port.
   *
   * @param host empty for all interfaces
   * @throws StartupError when the address is not available
   */
  listen(host: string, port: number): Promise<number>;
  /** Says where other threads report views to; only there if the transport has some. */
  countWith?(views: ViewEventBuffer): void;
  /** Accepts no further connections. */
  stopAccepting(): void;
  /** Closes all connections. */
  close(): void | Promise<void>;
}

export interface TransportOptions {
  /** Paths of certificate and key; without them the server speaks plain HTTP. */
  readonly tls?: TlsFiles | undefined;
  /** Largest number of connections; more are closed at once. Default: 10,000. */
  readonly maxConnections?: number;
  /** How long a connection may be silent between requests, in seconds. Default: 10. */
  readonly keepAliveSeconds?: number;
  /** How long the head of a request may take, in seconds. Default: 10. */
  readonly headerSeconds?: number;
  /** How long a client may take nothing of its answer, in seconds; with `node` alone. Default: 60. */
  readonly unreadSeconds?: number;
}

/** The times that uWebSockets.js has built in, in seconds. */
export const fixedSeconds = 10;
export const defaultMaxConnections = 10_000;
/** Bytes of all headers of a request together: room for a URL of 8 KB and for the headers of proxies. */
export const maxHeaderBytes = 16 * 1024;
/** Number of headers of a request. */
export const maxHeaders = 100;

export interface TlsFiles {
  readonly certFile: string;
  readonly keyFile: string;
}
