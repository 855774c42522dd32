import { resolveClient } from '../client-address.ts';

/** Bytes of answers that may wait for their readers: from one address, and in all. */
const defaultLimits = { perAddress: 64 * 2 ** 20, inAll: 256 * 2 ** 20 } as const;

/**
 * Counts the bodies of answers that their clients have not taken yet, because each is kept in memory as long.
 * A body that several answers share, such as a cached page, counts once in all, but for each address in full.
 * Connections from a local or private address may be those of a proxy, so only the bound in all applies to
 * them.
 */
export class UnsentBodies {
  readonly #limits: { readonly perAddress: number; readonly inAll: number };
  readonly #holders = new Map<WaitingBody, number>();
  readonly #bytesOf = new Map<string, number>();
  #bytes = 0;

  constructor(limits = defaultLimits) {
    this.#limits = limits;
  }

  /**
   * Whether the body may be kept for the client; if so, `release` must be called with the same values once. One
   * body alone may be larger than the bound of an address, or nobody could read the longest lists.
   */
  hold(peer: string, body: WaitingBody): boolean {
    const { key, isLocal } = resolveClient(peer, '');
    const holders = this.#holders.get(body) ?? 0;
    const ofOthers = this.#bytesOf.get(key) ?? 0;
    const bytes = this.#bytes + (holders === 0 ? body.length : 0);
    const isTooMuch = ofOthers > 0 && ofOthers + body.length > this.#limits.perAddress;
    if (bytes > this.#limits.inAll || (!isLocal && isTooMuch)) return false;
    this.#bytes = bytes;
    this.#holders.set(body, holders + 1);
    this.#bytesOf.set(key, ofOthers + body.length);
    return true;
  }

  release(peer: string, body: WaitingBody): void {
    const { key } = resolveClient(peer, '');
    const holders = this.#holders.get(body) ?? 0;
    const ofClient = (this.#bytesOf.get(key) ?? 0) - body.length;
    if (holders > 1) {
      this.#holders.set(body, holders - 1);
    } else {
      this.#holders.delete(body);
      this.#bytes -= body.length;
    }
    if (ofClient > 0) this.#bytesOf.set(key, ofClient);
    else this.#bytesOf.delete(key);
  }
}

/** A body by identity; `length` in bytes. */
export interface WaitingBody {
  readonly length: number;
}
