/** Milliseconds since 1970, as `Date.now` returns them; tests pass their own clock. */
export type Clock = () => number;

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
