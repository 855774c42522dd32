import type { Readable } from 'node:stream';
import { type ApiError, apiError, busy, tooMany } from '../../base/errors.ts';
import type { Client } from '../client-address.ts';
import { type BodyFlow, BodyStream } from './incoming.ts';

/**
 * How long the rest of a dropped body is awaited: bytes, milliseconds without a byte, milliseconds in all. A
 * client that waits for the answer before it sends the body gets it after the short time.
 */
const drainLimits = { bytes: 64 * 2 ** 20, quietMs: 200, totalMs: 10_000 } as const;

/** Chunks with fewer bytes are joined, in pieces of so many. */
const shortBytes = 1024;
const jointBytes = 4096;

/** Who waits for the body. */
interface Reading {
  readonly maxBytes: number;
  done(body: Uint8Array): void;
  failed(error: ApiError): void;
}

/**
 * Collects the body of one request. Bytes are kept from the start, because the transport delivers them before
 * the handler can ask for the body. They are dropped when the answer does not need them.
 */
export class BodyCollector {
  /** True when the last byte has arrived; true from the start for a request that announces no body. */
  complete: boolean;
  readonly #announced: number;
  readonly #share: BodyShare;
  readonly #flow: BodyFlow;
  #stream: BodyStream | undefined;
  #chunks: Buffer[] = [];
  /** Where short chunks are joined, and how many bytes of them there are. */
  #joint: Buffer | undefined;
  #joined = 0;
  #size = 0;
  #discarded = false;
  /** Why the body could not be kept. */
  #refusal: ApiError | undefined;
  /** Bytes that may still arrive after the body was dropped. */
  #undrained: number;
  #drain: { arrived(): void; end(): void } | undefined;
  #reading: Reading | undefined;

  /**
   * @param headers the parser has already checked Content-Length and Transfer-Encoding
   * @param share of the memory for bodies
   */
  constructor(headers: ReadonlyMap<string, string>, share: BodyShare, flow: BodyFlow) {
    this.#share = share;
    this.#flow = flow;
    this.#announced = Number(headers.get('content-length') ?? 0);
    this.complete = this.#announced === 0 && !headers.has('transfer-encoding');
    // A client that sends `Expect` reads first. A body above the limit would not arrive completely anyway.
    const mayDrain = !headers.has('expect') && this.#announced <= drainLimits.bytes;
    this.#undrained = mayDrain ? drainLimits.bytes : 0;
  }

  /** Takes a chunk that is valid only during this call. */
  add(chunk: ArrayBuffer, isLast: boolean): void {
    this.complete = isLast;
    if (this.#discarded) {
      this.#undrained -= chunk.byteLength;
      if (isLast || this.#undrained <= 0) this.#drain?.end();
      else this.#drain?.arrived();
      return;
    }
    if (this.#stream !== undefined) {
      this.#stream.arrive(new Uint8Array(chunk), isLast);
      return;
    }
    this.#size += chunk.byteLength;
    const reading = this.#reading;
    if (reading !== undefined && this.#size > reading.maxBytes) {
      this.#refuse(apiError('common.tooLarge', { max: reading.maxBytes }));
      return;
    }
    const refusal = this.#share.grow(chunk.byteLength);
    if (refusal !== undefined) {
      this.#refuse(refusal);
      return;
    }
    if (chunk.byteLength > 0) this.#keep(new Uint8Array(chunk));
    if (isLast) this.#endReading()?.done(this.#take());
  }

  /** Joins short chunks: each takes more memory than it has bytes, and only bytes are counted. */
  #keep(bytes: Uint8Array): void {
    const isFirst = this.#size === bytes.length;
    if (isFirst || bytes.length >= shortBytes) {
      this.#endJoint();
      this.#chunks.push(Buffer.from(bytes));
      return;
    }
    if (this.#joined + bytes.length > jointBytes) this.#endJoint();
    this.#joint ??= Buffer.allocUnsafeSlow(jointBytes);
    this.#joint.set(bytes, this.#joined);
    this.#joined += bytes.length;
  }

  #endJoint(): void {
    if (this.#joint === undefined || this.#joined === 0) return;
    this.#chunks.push(Buffer.from(this.#joint.subarray(0, this.#joined)));
    this.#joined = 0;
  }

  #refuse(refusal: ApiError): void {
    this.#refusal = refusal;
    this.discard();
    this.#endReading()?.failed(refusal);
  }

  /**
   * @throws ApiError `common.tooLarge`, at once when the announced length says so; `common.aborted`; 429 or 503
   *   if there is no memory for it
   */
  read(maxBytes: number): Promise<Uint8Array> {
    return new Promise((resolve, reject) => this.receive(maxBytes, resolve, reject));
  }

  /** `read` without a promise: one of the two functions is called once, perhaps at once. */
  receive(maxBytes: number, done: (body: Uint8Array) => void, failed: (error: ApiError) => void): void {
    if (this.#announced > maxBytes || this.#size > maxBytes) {
      this.discard();
      failed(apiError('common.tooLarge', { max: maxBytes }));
    } else if (this.#refusal !== undefined) failed(this.#refusal);
    else if (this.complete) done(this.#take());
    else if (this.#discarded) failed(apiError('common.aborted', {}));
    else this.#reading = { maxBytes, done, failed };
  }

  /**
   * The body while it arrives, in place of `read`.
   *
   * @throws ApiError if the body could not be kept or the client has gone
   */
  stream(): Readable {
    if (this.#refusal !== undefined) throw this.#refusal;
    if (this.#discarded) throw apiError('common.aborted', {});
    const stream = new BodyStream(this.#flow);
    this.#endJoint();
    const chunks = this.#chunks;
    this.#chunks = [];
    for (const chunk of chunks) stream.arrive(chunk, false);
    if (this.complete) stream.arrive(new Uint8Array(), true);
    this.#share.release();
    this.#stream = stream;
    return stream;
  }

  /**
   * Waits until a body that nobody reads has arrived, so that a client that sends before it reads can read the
   * answer. Gives up after `drainLimits`.
   */
  async drained(): Promise<void> {
    this.discard();
    if (this.complete || this.#undrained <= 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const quiet = setTimeout(resolve, drainLimits.quietMs);
    const total = setTimeout(resolve, drainLimits.totalMs);
    this.#drain = { arrived: () => quiet.refresh(), end: resolve };
    await promise;
    clearTimeout(quiet);
    clearTimeout(total);
  }

  /** The client has disconnected: rejects the running `read`. */
  abort(): void {
    const stream = this.#stream;
    this.discard();
    this.#drain?.end();
    this.#endReading()?.failed(apiError('common.aborted', {}));
    stream?.destroy(apiError('common.aborted', {}));
  }

  /** Drops the body, and all bytes that still arrive. */
  discard(): void {
    this.#discarded = true;
    this.#share.release();
    this.#chunks = [];
    this.#joint = undefined;
    this.#joined = 0;
    if (this.#stream !== undefined) this.#flow.resume();
    this.#stream = undefined;
  }

  #endReading(): Reading | undefined {
    const reading = this.#reading;
    this.#reading = undefined;
    return reading;
  }

  #take(): Uint8Array {
    this.#endJoint();
    const [first] = this.#chunks;
    const body =
      this.#chunks.length === 1 && first !== undefined ? first : Buffer.concat(this.#chunks, this.#size);
    this.#chunks = [];
    return body;
  }
}

/** Bytes of bodies in memory: from one address, and in all. */
interface Bounds {
  readonly perAddress: number;
  readonly inAll: number;
}

/**
 * The first 64 KB of each body count as small, the rest as large. Only callers with a credential may send large
 * bodies, so what others send never fills the bound of the large ones.
 */
const smallBytes = 64 * 2 ** 10;
const defaultBounds: { readonly small: Bounds; readonly large: Bounds } = {
  small: { perAddress: 8 * 2 ** 20, inAll: 64 * 2 ** 20 },
  large: { perAddress: 64 * 2 ** 20, inAll: 192 * 2 ** 20 },
};

/** Counts the bodies that are in memory, unfinished ones too, from their first byte to the answer. */
export class BodyMemory {
  readonly #small: Account;
  readonly #large: Account;

  constructor({ small, large } = defaultBounds) {
    this.#small = new Account(small);
    this.#large = new Account(large);
  }

  /** The share of one body. */
  share(client: Client): BodyShare {
    return new BodyShare(client, this.#small, this.#large);
  }
}

export class BodyShare {
  readonly #client: Client;
  readonly #small: Account;
  readonly #large: Account;
  #smallHeld = 0;
  #largeHeld = 0;

  constructor(client: Client, small: Account, large: Account) {
    this.#client = client;
    this.#small = small;
    this.#large = large;
  }

  /** Counts further bytes. Returns the refusal if they must not be kept. */
  grow(bytes: number): ApiError | undefined {
    const small = Math.min(bytes, smallBytes - this.#smallHeld);
    const large = bytes - small;
    this.#smallHeld += small;
    this.#largeHeld += large;
    // Both are asked, because both count what they refuse.
    const refusals = [this.#small.take(this.#client, small), this.#large.take(this.#client, large)];
    const refusal = refusals.find((found) => found !== undefined);
    if (refusal !== undefined) this.release();
    return refusal;
  }

  /** To be called when the bytes are no longer needed; more than once does no harm. */
  release(): void {
    this.#small.release(this.#client, this.#smallHeld);
    this.#large.release(this.#client, this.#largeHeld);
    this.#smallHeld = 0;
    this.#largeHeld = 0;
  }
}

/** Addresses that may stay known without a body. */
const keptAddresses = 1000;

/** Bytes held, by address and in all. Counts what it refuses too, until it is released. */
class Account {
  readonly #bounds: Bounds;
  readonly #heldBy = new Map<string, number>();
  #held = 0;

  constructor(bounds: Bounds) {
    this.#bounds = bounds;
  }

  /** A local address may be that of a proxy for many clients: only the bound in all applies to it. */
  take({ key, isLocal }: Client, bytes: number): ApiError | undefined {
    const { perAddress, inAll } = this.#bounds;
    this.#add(key, bytes);
    if (bytes === 0) return undefined;
    if (!isLocal && (this.#heldBy.get(key) ?? 0) > perAddress) return tooMany('common.rateLimited', 1000);
    return this.#held > inAll ? busy(1) : undefined;
  }

  release({ key }: Client, bytes: number): void {
    this.#add(key, -bytes);
  }

  #add(key: string, bytes: number): void {
    const held = (this.#heldBy.get(key) ?? 0) + bytes;
    this.#held += bytes;
    // Mostly the same addresses come again, and a map that grows and shrinks all the time leaves much to collect.
    if (held === 0 && this.#heldBy.size > keptAddresses) this.#heldBy.delete(key);
    else this.#heldBy.set(key, held);
  }
}
