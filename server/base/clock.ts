/** Milliseconds since 1970, as `Date.now` returns them; tests pass their own clock. */
export type Clock = () => number;

/** Milliseconds since the start of the process, which cannot be set. */
export const monotonicClock: Clock = () => performance.now();

/** How far a rough clock is ahead at most, in milliseconds. */
const roughMs = 50;

/**
 * A clock for questions that every request asks: asking the system takes longer than finding a page in the cache, so
 * that it is asked once in 50 ms. The clock is ahead by up to this time and not behind, so that nothing outlives its
 * time.
 */
export function roughClock(): Clock {
  let ahead: number | undefined;
  const forget = (): void => {
    ahead = undefined;
  };
  return () => {
    if (ahead === undefined) {
      ahead = Date.now() + roughMs;
      setTimeout(forget, roughMs).unref();
    }
    return ahead;
  };
}

/** Whole Unix seconds, the unit of every timestamp of the API. */
export function unixSeconds(clock: Clock): number {
  return Math.floor(clock() / 1000);
}

/**
 * The next `updated_at` of an object: at least one second after the last one, so that two changes within one
 * second have different values.
 */
export function nextUpdatedAt(now: number, previous: number): number {
  return Math.max(now, previous + 1);
}
