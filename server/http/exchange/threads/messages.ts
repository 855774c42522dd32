import type { ViewEvent } from '../../view-event-buffer.ts';
import type { SharedForm } from '../transport.ts';

/**
 * What the main thread and the threads of the front tell each other. A thread numbers its requests; everything about
 * one has its number.
 */

/** From a thread. */
export type FromThread =
  /** @param descriptor where the acceptor hands over connections */
  | { readonly kind: 'ready'; readonly descriptor: number }
  | ForwardedRequest
  | { readonly kind: 'data'; readonly id: number; readonly chunk: ArrayBuffer; readonly isLast: boolean }
  | { readonly kind: 'aborted'; readonly id: number }
  /** The client has taken more bytes of an answer. */
  | { readonly kind: 'taken'; readonly id: number; readonly bytes: number }
  /** How often shared answers were given since the last report, by their numbers. */
  | { readonly kind: 'used'; readonly times: ReadonlyMap<number, number> }
  /** Views of shared answers, in order. */
  | { readonly kind: 'views'; readonly views: readonly ViewEvent[] }
  /** The answer to `collect`: all views were sent. */
  | { readonly kind: 'collected' }
  | { readonly kind: 'failed'; readonly message: string; readonly stack: string | undefined };

/** A request that the thread cannot answer itself. */
export interface ForwardedRequest {
  readonly kind: 'request';
  readonly id: number;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  /** Names in lower case and values in turn, as received. */
  readonly headers: readonly string[];
  readonly peer: string;
  /** Under which an answer may be kept; undefined if it may not be shared. */
  readonly key: SharedKey | undefined;
}

/** To a thread. */
export type ToThread =
  /** A part of an answer; the first one has the head. */
  | {
      readonly kind: 'part';
      readonly id: number;
      readonly head: string | undefined;
      readonly part: Uint8Array;
      readonly total: number;
    }
  /** A part of a body of unknown length; the first one has the head, and an `end` without a body follows the last. */
  | {
      readonly kind: 'chunk';
      readonly id: number;
      readonly head: string | undefined;
      readonly part: Uint8Array;
    }
  /** A whole answer, after which the connection may be closed. */
  | {
      readonly kind: 'end';
      readonly id: number;
      readonly head: string;
      readonly body: Uint8Array;
      readonly closeConnection: boolean;
    }
  /** An answer without a body. */
  | { readonly kind: 'head'; readonly id: number; readonly head: string }
  | { readonly kind: 'close'; readonly id: number }
  | { readonly kind: 'pause'; readonly id: number }
  | { readonly kind: 'resume'; readonly id: number }
  | { readonly kind: 'share'; readonly entry: SharedEntry }
  | { readonly kind: 'drop'; readonly entries: readonly number[] }
  /** Send the views that were noted until now. */
  | { readonly kind: 'collect' }
  /** Forget all shared answers, so that their memory becomes free. */
  | { readonly kind: 'clear' }
  /** Close all connections and end. */
  | { readonly kind: 'stop' };

/** What a request asks for, in three texts: a lookup neither joins them nor hashes what many have in common. */
export interface SharedKey {
  /** Scheme, accepted codings and host. */
  readonly space: string;
  /** Raw path and query. */
  readonly address: string;
  /** `If-None-Match`, empty when absent. */
  readonly condition: string;
}

/** An answer that threads give themselves. */
export interface SharedEntry extends SharedForm {
  readonly number: number;
  readonly key: SharedKey;
  /** The shared version at which it holds. */
  readonly version: number;
  /** Unix milliseconds. */
  readonly expiresAt: number;
}

/** What a thread needs at its start. */
export interface ThreadSettings {
  /** Three numbers: the shared version, 1 if views are to be noted, and the limit of `time-limit.ts`. */
  readonly state: SharedArrayBuffer;
  /** See `visitOf`. */
  readonly localPeer: string | undefined;
  readonly tls: { readonly certFile: string; readonly keyFile: string } | undefined;
  readonly maxConnections: number;
}
