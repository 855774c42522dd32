/**
 * Until when threads may give shared answers, in the memory that they share. A thread looks at each request, because
 * the whole process may have been stopped since the last one.
 *
 * The limit stands on two clocks, in milliseconds cut to 32 bits; 0 = no limit. The monotonic clock of the system is
 * the same in all threads and cannot be set. The time of day goes on while a virtual machine is paused.
 */

/** Number of cells that a limit takes. */
export const timeLimitCells = 2;

const clocks = [monotonicMs, Date.now];

function monotonicMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
}

/** @param ms from now; 0: the time is over now */
export function setTimeLimit(state: Int32Array, index: number, ms: number): void {
  for (const [place, now] of clocks.entries()) Atomics.store(state, index + place, toCell(now() + ms) || 1);
}

export function isTimeOver(state: Int32Array, index: number): boolean {
  if (Atomics.load(state, index) === 0) return false;
  // The difference is right also where the 32 bits begin again.
  return clocks.some((now, place) => toCell(toCell(now()) - Atomics.load(state, index + place)) >= 0);
}

/** `|` takes the lowest 32 bits of any whole number. */
function toCell(ms: number): number {
  return ms | 0;
}
