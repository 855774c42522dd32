import type { Clock } from '../../../base/clock.ts';
import { sliceMs } from '../../../base/timers.ts';

/** Shares the thread between all runs, which together have one slice of it, and the rest of the server. */
export class RunScheduler {
  readonly #monotonic: Clock;
  #planned: (() => void)[] = [];
  #dueAt = 0;
  #isOpen = false;

  constructor(monotonic: Clock) {
    this.#monotonic = monotonic;
  }

  /** Whether runs have worked long enough in this turn. @param at now, in monotonic milliseconds */
  isDue(at: number): boolean {
    this.#open(at);
    return at >= this.#dueAt;
  }

  /** Calls `task` in the next turn that has time for it. */
  plan(task: () => void): void {
    this.#planned.push(task);
    this.#open(this.#monotonic());
  }

  #open(at: number): void {
    if (this.#isOpen) return;
    this.#isOpen = true;
    this.#dueAt = at + sliceMs;
    setImmediate(() => this.#next());
  }

  #next(): void {
    this.#isOpen = false;
    const tasks = this.#planned;
    this.#planned = [];
    let count = 0;
    while (count < tasks.length && (count === 0 || !this.isDue(this.#monotonic()))) {
      tasks[count]?.();
      count += 1;
    }
    if (count === tasks.length) return;
    this.#planned = [...tasks.slice(count), ...this.#planned];
    this.#open(this.#monotonic());
  }
}
