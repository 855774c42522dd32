import { setImmediate as nextTurn } from 'node:timers/promises';

/** Runs `task` after a time in milliseconds; the returned function cancels it. */
export type StartTimer = (ms: number, task: () => void) => () => void;

/** By the timers of the system. */
export const startTimer: StartTimer = (ms, task) => {
  const timer = setTimeout(task, ms);
  return () => clearTimeout(timer);
};

/** How long one piece of work may hold the thread before visitors are served, in milliseconds. */
export const sliceMs = 4;

/** Cuts work of many small steps into slices, so that the main thread serves others in between. */
export class TimeSlices {
  #sliceEnd = performance.now() + sliceMs;

  /** Whether the slice is over. */
  get isOver(): boolean {
    return performance.now() >= this.#sliceEnd;
  }

  /** Call it between two steps. Once the slice is over, the promise resolves in the next turn of the event loop. */
  next(): Promise<void> | undefined {
    return this.isOver ? this.pause() : undefined;
  }

  /** Ends the slice now. */
  async pause(): Promise<void> {
    await nextTurn();
    this.#sliceEnd = performance.now() + sliceMs;
  }
}

/** Runs a step for each entry of a list, in slices. */
export async function forEachInSlices<T>(
  list: Iterable<T>,
  step: (entry: T, index: number) => Promise<void>,
): Promise<void> {
  const slices = new TimeSlices();
  let index = 0;
  for (const entry of list) {
    await step(entry, index);
    index++;
    const pause = slices.next();
    if (pause !== undefined) await pause;
  }
}
