/**
 * Until when threads may give shared answers, in the memory that they share. A thread looks at each request, because
 * the whole process may have been stopped since the last one.
 *
 * Milliseconds of the monotonic clock of the system, which is the same in all threads, cut to 32 bits; 0 = no limit.
 */

function now(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return (seconds * 1000 + nanoseconds / 1e6) | 0;
}

export function setTimeLimit(state: Int32Array, index: number, ms: number): void {
  Atomics.store(state, index, (now() + ms) | 0 || 1);
}

export function isTimeOver(state: Int32Array, index: number): boolean {
  const limit = Atomics.load(state, index);
  // The difference is right also where the 32 bits begin anew.
  return limit !== 0 && ((now() - limit) | 0) >= 0;
}
