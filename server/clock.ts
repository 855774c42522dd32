/** Milliseconds since 1970, as `Date.now` gives them; tests pass one of their own. */
export type Clock = () => number;

/** Whole Unix seconds, the unit of every timestamp of the API. */
export function unixSeconds(clock: Clock): number {
  return Math.floor(clock() / 1000);
}

/**
 * The next `updated_at` of an object: at least one second after the last, so that two changes within one second
 * are told apart (open points 11).
 */
export function nextUpdatedAt(now: number, previous: number): number {
  return Math.max(now, previous + 1);
}
