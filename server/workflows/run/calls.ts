import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';

/** Longest time for which a request that we have sent is known, in milliseconds. */
const knownMs = 10 * 60_000;

/**
 * The requests that http-request nodes have sent, by the ID in their header `X-IC-Delivery`. An HTTP input believes
 * `X-IC-Webhook-Hop` only of requests that this instance has sent itself: anyone else could claim any number.
 */
export class CallTickets {
  readonly #sent: LRUCache<string, true>;

  constructor(clock: () => number) {
    this.#sent = new LRUCache({ max: 100_000, ttl: knownMs, perf: { now: clock } });
  }

  /** Headers for a request of a run. @param hop that of the run */
  headersFor(hop: number): Readonly<Record<string, string>> {
    const id = randomUUID();
    this.#sent.set(id, true);
    return { 'X-IC-Delivery': id, 'X-IC-Webhook-Hop': String(hop + 1) };
  }

  has(id: string): boolean {
    return this.#sent.has(id);
  }
}
