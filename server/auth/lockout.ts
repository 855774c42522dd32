import type { Clock } from '../clock.ts';
import { type ApiError, apiError } from '../errors.ts';

/** What stops guessing of passwords (Core, "Limits"; open points 12, "Access"). */
export interface Lockout {
  /**
   * Runs one check of a password for a client and counts it as a failure when it gives nothing.
   *
   * @throws ApiError 429 `auth.tooManyAttempts` with `Retry-After`, without running the check
   */
  attempt<T>(clientKey: string, check: () => Promise<T | undefined>): Promise<T | undefined>;
}

export interface LockoutOptions {
  /** Must not jump: a clock that is set back would keep people locked out. */
  readonly monotonic: Clock;
  /** Clients that are remembered at once. */
  readonly maxClients?: number;
}

const maxFailures = 10;
const lockMs = 15 * 60_000;

interface Attempts {
  failures: number;
  /** Checks that have begun and not ended: a client that sends a hundred at once has ten guesses all the same. */
  running: number;
  lastFailureAt: number;
}

export function createLockout({ monotonic, maxClients = 100_000 }: LockoutOptions): Lockout {
  const clients = new Map<string, Attempts>();

  return {
    async attempt(clientKey, check) {
      const attempts = attemptsOf(clientKey);
      if (attempts.failures >= maxFailures) throw tooMany(attempts.lastFailureAt + lockMs - monotonic());
      if (attempts.failures + attempts.running >= maxFailures) throw tooMany(1000);
      attempts.running++;
      try {
        const result = await check();
        if (result === undefined) fail(attempts);
        else attempts.failures = 0;
        return result;
      } finally {
        attempts.running--;
        if (attempts.failures === 0 && attempts.running === 0) clients.delete(clientKey);
      }
    },
  };

  /** Failures count until a quarter of an hour has passed without another. */
  function attemptsOf(clientKey: string): Attempts {
    const attempts = clients.get(clientKey) ?? { failures: 0, running: 0, lastFailureAt: 0 };
    if (attempts.failures > 0 && monotonic() >= attempts.lastFailureAt + lockMs) attempts.failures = 0;
    // Deleted first, so that the order of the map is the order of the last use.
    clients.delete(clientKey);
    clients.set(clientKey, attempts);
    if (clients.size > maxClients) forgetOldest();
    return attempts;
  }

  function fail(attempts: Attempts): void {
    attempts.failures++;
    attempts.lastFailureAt = monotonic();
  }

  function forgetOldest(): void {
    const oldest = clients.keys().next();
    if (!oldest.done) clients.delete(oldest.value);
  }
}

function tooMany(waitMs: number): ApiError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  return apiError(
    'auth.tooManyAttempts',
    { retry_after: seconds },
    { headers: [['Retry-After', String(seconds)]] },
  );
}
