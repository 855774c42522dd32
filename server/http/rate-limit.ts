import type { Clock } from '../clock.ts';

/** Limits requests to the API by client (Core, "Limits"; open points 12, "Access"). */
export interface RateLimit {
  /**
   * Takes one request from the budget of a client. Callers with and without a credential have separate ones.
   *
   * @returns 0 when there was one left, else the milliseconds until there is
   */
  take(clientKey: string, isAuthenticated: boolean): number;
}

export interface RateLimitOptions {
  /** Requests without login, 0 = no limit; with one ten times as many. */
  readonly perMinute: number;
  /** Must not jump: a clock that is set back would lock everybody out. */
  readonly monotonic: Clock;
  /** Clients that are remembered at once, per kind of budget. */
  readonly maxClients?: number;
}

const authenticatedFactor = 10;
/** A client may spend its budget of a minute and this part of it more at once. */
const reserve = 0.5;

export function createRateLimit(options: RateLimitOptions): RateLimit {
  const { perMinute, monotonic, maxClients = 100_000 } = options;
  if (perMinute === 0) return { take: () => 0 };
  const anonymous = new Budgets(perMinute, maxClients);
  const authenticated = new Budgets(perMinute * authenticatedFactor, maxClients);
  return {
    take: (clientKey, isAuthenticated) =>
      (isAuthenticated ? authenticated : anonymous).take(clientKey, monotonic()),
  };
}

/**
 * A bucket per client that refills evenly, kept as one number: the time at which it will be full again. A client
 * whose time has passed is the same as one never seen, so forgetting the one that was quiet longest is harmless
 * until more clients than `maxClients` are busy at once.
 */
class Budgets {
  readonly #fullAt = new Map<string, number>();
  /** Milliseconds in which one request comes back. */
  readonly #interval: number;
  /** How far in the future a bucket may be full for one more request to fit. */
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
    // Sums of fractions: less than a microsecond is nothing.
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
