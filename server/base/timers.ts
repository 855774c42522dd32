import { setImmediate as nextTurn } from 'node:timers/promises';

/** Runs `task` after a time in milliseconds; the returned function cancels it. */
export type Later = (ms: number, task: () => void) => () => void;

/** By the timers of the system. */
export const afterTime: Later = (ms, task) => {
  const timer = setTimeout(task, ms);
  return () => clearTimeout(timer);
};

/** Visitors get their turn after this time, in milliseconds. */
const sliceMs = 4;

/** Cuts work of many small steps into slices, so that the main thread serves others in between. */
export class Turns {
  #sliceEnd = performance.now() + sliceMs;

  /** To be called between two steps. Others get their turn if the slice is over. */
  async next(): Promise<void> {
    if (performance.now() < this.#sliceEnd) return;
    await nextTurn();
    this.#sliceEnd = performance.now() + sliceMs;
  }
}
