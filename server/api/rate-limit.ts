import type { Clock } from '../base/clock.ts';

export interface RateLimitOptions {
  /** Requests per minute without login, 0 = no limit. Callers with a login have ten times as many. */
  readonly perMinute: number;
  /** Must not jump: a clock that is set back would lock all clients out. */
  readonly monotonic: Clock;
  /** Largest number of clients that are remembered, per kind of budget. */
  readonly maxClients?: number;
}

const authenticatedFactor = 10;
/** A client may spend its budget of one minute plus this share of it at once. */
const reserve = 0.5;

/**
 * Limits requests to the API by client (Core, "Limits"). Callers with and without a credential have separate
 * budgets.
 */
export class RateLimit {
  readonly #monotonic: Clock;
  readonly #anonymous: Budgets | undefined;
  readonly #authenticated: Budgets | undefined;

  constructor({ perMinute, monotonic, maxClients = 100_000 }: RateLimitOptions) {
    this.#monotonic = monotonic;
    if (perMinute === 0) return;
    this.#anonymous = new Budgets(perMinute, maxClients);
    this.#authenticated = new Budgets(perMinute * authenticatedFactor, maxClients);
  }

  /**
   * Takes one request from the budget of a client.
   *
   * @returns 0 if the budget had a request left, else the milliseconds until it has one
   */
  take(clientKey: string, isAuthenticated: boolean): number {
    const budgets = isAuthenticated ? this.#authenticated : this.#anonymous;
    return budgets?.take(clientKey, this.#monotonic()) ?? 0;
  }
}

/**
 * One bucket per client that refills evenly. A bucket is stored as one number: the time at which it will be
 * full again. A client with a full bucket is the same as an unknown client. So the client that was inactive
 * longest can be forgotten, unless more than `maxClients` clients are active at once.
 */
class Budgets {
  readonly #fullAt = new Map<string, number>();
  /** Milliseconds until one request is added to a bucket. */
  readonly #interval: number;
  /** A request is allowed if its bucket will be full within this time in milliseconds. */
  readonly #tolerance: number;
  readonly #maxClients: number;

  constructor(perMinute: number, maxClients: number) {
    this.#interval = 60_000 / perMinute;
    this.#tolerance = (Math.floor(perMinute * (1 + reserve)) - 1) * this.#interval;
    this.#maxClients = maxClients;
  }

  take(key: string, now: number): number {
    const fullAt = Math.max(now, this.#fullAt.get(key) ?? now);
    const wait = fullAt - now - this.#tolerance;
    // Sums of fractions are inexact: less than a microsecond counts as 0.
    if (wait > 0.001) return wait;
    // Deleted first, so that the order of the map is the order of the last use.
    this.#fullAt.delete(key);
    this.#fullAt.set(key, fullAt + this.#interval);
    if (this.#fullAt.size > this.#maxClients) this.#forgetQuietest();
    return 0;
  }

  #forgetQuietest(): void {
    const oldest = this.#fullAt.keys().next();
    if (!oldest.done) this.#fullAt.delete(oldest.value);
  }
}
