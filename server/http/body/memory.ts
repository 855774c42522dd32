import { type ApiError, busy, tooMany } from '../../base/errors.ts';
import type { Client } from '../client-address.ts';

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
