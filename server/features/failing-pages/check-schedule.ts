/** Commits that come within this time are checked together, in milliseconds. */
const gatherMs = 40;
/** The time between two checks, in times of what one takes: so many saves in a row stay as fast as without checks. */
const rest = { factor: 50, mostMs: 1_000 } as const;

export interface CheckScheduleOptions {
  readonly monotonic: () => number;
  /** Whether this process is the one that checks. */
  readonly mayCheck: () => boolean;
  /** Never fails. @returns after which time another look is due, if nothing wakes it before, in milliseconds */
  readonly check: () => Promise<number | undefined>;
}

/** When checks run: one at a time, soon after there is something to check, and with a rest between two of them. */
export class CheckSchedule {
  readonly #options: CheckScheduleOptions;
  #timer: NodeJS.Timeout | undefined;
  /** Whether the timer is that of another look, and nothing has woken it. */
  #isRepeat = false;
  /** On the monotonic clock. */
  #restUntilMs = 0;
  #running: Promise<void> | undefined;
  /** Whether there is more to check since the check that runs has begun. */
  #isWoken = false;
  #isClosed = false;

  constructor(options: CheckScheduleOptions) {
    this.#options = options;
  }

  get isBusy(): boolean {
    return this.#timer !== undefined || this.#running !== undefined;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Something is to be checked. */
  wake(): void {
    if (this.#isClosed || !this.#options.mayCheck()) return;
    this.#isWoken = true;
    if (this.#running !== undefined || (this.#timer !== undefined && !this.#isRepeat)) return;
    clearTimeout(this.#timer);
    this.#start(Math.max(gatherMs, this.#restUntilMs - this.#options.monotonic()), false);
  }

  /** The check that runs has taken this long by now. */
  restAfter(cpuMs: number): void {
    this.#restUntilMs = this.#options.monotonic() + Math.min(rest.factor * cpuMs, rest.mostMs);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#running;
  }

  #start(delayMs: number, isRepeat: boolean): void {
    this.#isRepeat = isRepeat;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#running = this.#run();
    }, delayMs).unref();
  }

  async #run(): Promise<void> {
    this.#isWoken = false;
    const repeatMs = await this.#options.check();
    this.#running = undefined;
    if (this.#isWoken) this.wake();
    else if (repeatMs !== undefined && !this.#isClosed && this.#options.mayCheck())
      this.#start(repeatMs, true);
  }
}
