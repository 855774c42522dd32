/**
 * Times on two clocks. The monotonic clock cannot be set, and goes on while the process is stopped. The time of day
 * goes on while a virtual machine is paused, as soon as its host has set it.
 */

/** One moment, in milliseconds of both clocks. */
export interface Moment {
  readonly monotonic: number;
  readonly timeOfDay: number;
}

/** Reads both clocks. */
export type ReadClocks = () => Moment;

export const readClocks: ReadClocks = () => ({ monotonic: performance.now(), timeOfDay: Date.now() });

/** Until when something holds: as long as neither clock has reached its end. */
export class Deadline {
  readonly #read: ReadClocks;
  #end: Moment = never;

  constructor(read: ReadClocks = readClocks) {
    this.#read = read;
  }

  /** @param ms counted from `start` */
  set(start: Moment, ms: number): void {
    this.#end = { monotonic: start.monotonic + ms, timeOfDay: start.timeOfDay + ms };
  }

  clear(): void {
    this.#end = never;
  }

  /** Milliseconds that are left; 0 or less: it is over. */
  remainingMs(): number {
    const { monotonic, timeOfDay } = this.#read();
    return Math.min(this.#end.monotonic - monotonic, this.#end.timeOfDay - timeOfDay);
  }

  isAhead(): boolean {
    return this.remainingMs() > 0;
  }

  /** Whether `set` was called since the start or the last `clear`. */
  get isSet(): boolean {
    return this.#end !== never;
  }
}

const never: Moment = { monotonic: Number.NEGATIVE_INFINITY, timeOfDay: Number.NEGATIVE_INFINITY };

/** How often turns are looked at, and how late one may come, in milliseconds. */
const turnMs = 250;
const toleratedMs = 1_000;

/** Tells how long the process stood still, in a turn of the event loop that comes late on one of the clocks. */
export class TurnWatch {
  readonly #read: ReadClocks;
  readonly #onLate: (lateMs: number) => void;
  #timer: NodeJS.Timeout | undefined;
  #last: Moment;

  constructor(onLate: (lateMs: number) => void, read: ReadClocks = readClocks) {
    this.#onLate = onLate;
    this.#read = read;
    this.#last = read();
  }

  start(): void {
    this.#last = this.#read();
    this.#timer = setInterval(() => this.look(), turnMs).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** One turn. */
  look(): void {
    const now = this.#read();
    const { monotonic, timeOfDay } = this.#last;
    this.#last = now;
    const lateMs = Math.max(now.monotonic - monotonic, now.timeOfDay - timeOfDay) - turnMs;
    if (lateMs > toleratedMs) this.#onLate(lateMs);
  }
}
