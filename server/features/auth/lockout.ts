import type { Clock } from '../../base/clock.ts';
import { tooMany } from '../../base/errors.ts';

export interface LockoutOptions {
  /** Must not jump: a clock that is set back would keep clients locked out. */
  readonly monotonic: Clock;
  /** The failures that several nodes count together; undefined on one machine. */
  readonly shared?: SharedFailures | undefined;
  /** Failures before a client is locked out. Default 10. */
  readonly maxFailures?: number;
  /** Largest number of clients that are remembered. */
  readonly maxClients?: number;
}

/** Failures of clients on all nodes. */
export interface SharedFailures {
  /** Undefined if there are none. */
  read(clientKey: string): Promise<{ readonly failures: number; readonly ageMs: number } | undefined>;
  add(clientKey: string): Promise<void>;
  clear(clientKey: string): Promise<void>;
}

const usualFailures = 10;
/** How long a client is locked out, in milliseconds. */
export const lockMs = 15 * 60_000;

interface Attempts {
  failures: number;
  /** Checks that are running. They count too, so that a hundred parallel requests get only ten attempts. */
  running: number;
  lastFailureAt: number;
  /** Whether somebody was told that the client is locked out. */
  isTold: boolean;
}

const noAttempts: Readonly<Attempts> = { failures: 0, running: 0, lastFailureAt: 0, isTold: false };

/**
 * Limits the guessing of passwords (Core, "Limits"). The failures of a client are forgotten after 15 minutes
 * without another failure.
 */
export class Lockout {
  readonly #monotonic: Clock;
  readonly #shared: SharedFailures | undefined;
  readonly #maxFailures: number;
  readonly #maxClients: number;
  readonly #clients = new Map<string, Attempts>();

  constructor({ monotonic, shared, maxFailures = usualFailures, maxClients = 100_000 }: LockoutOptions) {
    this.#maxFailures = maxFailures;
    this.#monotonic = monotonic;
    this.#shared = shared;
    this.#maxClients = maxClients;
  }

  /**
   * Runs one password check for a client. The check counts as a failure if its result is undefined.
   *
   * @param keepsFailures whether a success leaves the count as it is, because it shows less than what is guessed
   * @throws ApiError 429 `auth.tooManyAttempts` with `Retry-After`, without running the check
   */
  async attempt<T>(
    clientKey: string,
    check: () => Promise<T | undefined>,
    keepsFailures = false,
  ): Promise<T | undefined> {
    if (this.#shared !== undefined) await this.#learn(clientKey, this.#shared);
    const attempts = this.#attemptsOf(clientKey);
    if (attempts.failures >= this.#maxFailures)
      throw tooMany('auth.tooManyAttempts', attempts.lastFailureAt + lockMs - this.#monotonic());
    if (attempts.failures + attempts.running >= this.#maxFailures)
      throw tooMany('auth.tooManyAttempts', 1000);
    attempts.running++;
    try {
      const result = await check();
      if (result === undefined) {
        this.#fail(attempts);
        await this.#shared?.add(clientKey);
      } else if (!keepsFailures) {
        if (attempts.failures > 0) await this.#shared?.clear(clientKey);
        attempts.failures = 0;
      }
      return result;
    } finally {
      attempts.running--;
      if (attempts.failures === 0 && attempts.running === 0) this.#clients.delete(clientKey);
    }
  }

  /** Whether a failure on this node has locked a client out; true once for each lock. */
  takeLock(clientKey: string): boolean {
    const attempts = this.#clients.get(clientKey);
    if (attempts === undefined || attempts.failures < this.#maxFailures || attempts.isTold) return false;
    attempts.isTold = true;
    return true;
  }

  /** Takes over what other nodes have counted. */
  async #learn(clientKey: string, shared: SharedFailures): Promise<void> {
    const known = await shared.read(clientKey);
    const attempts = this.#attemptsOf(clientKey);
    if (known === undefined || known.ageMs >= lockMs || known.failures <= attempts.failures) return;
    attempts.failures = known.failures;
    // The node with the last failure tells it.
    attempts.isTold = known.failures >= this.#maxFailures;
    attempts.lastFailureAt = this.#monotonic() - known.ageMs;
  }

  #attemptsOf(clientKey: string): Attempts {
    const attempts = this.#clients.get(clientKey) ?? { ...noAttempts };
    const isOver = this.#monotonic() >= attempts.lastFailureAt + lockMs;
    if (attempts.failures > 0 && isOver) attempts.failures = 0;
    // Deleted first, so that the order of the map is the order of the last use.
    this.#clients.delete(clientKey);
    this.#clients.set(clientKey, attempts);
    if (this.#clients.size > this.#maxClients) this.#forgetOldest();
    return attempts;
  }

  #fail(attempts: Attempts): void {
    if (attempts.failures === 0) attempts.isTold = false;
    attempts.failures++;
    attempts.lastFailureAt = this.#monotonic();
  }

  #forgetOldest(): void {
    const oldest = this.#clients.keys().next();
    if (!oldest.done) this.#clients.delete(oldest.value);
  }
}
