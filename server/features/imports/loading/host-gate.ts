import type { StartTimer } from '../../../base/timers.ts';

/** Requests to one host at the same time. Browsers have six. */
const perHost = 6;

/** Lets only so many requests through to each host, and none before the pause that the host asks for is over. */
export class HostGate {
  readonly #later: StartTimer;
  readonly #hosts = new Map<string, HostState>();

  constructor(later: StartTimer) {
    this.#later = later;
  }

  /** Sets the shortest time between two requests to a host, in milliseconds. Then they come one after another. */
  setPause(host: string, pauseMs: number): void {
    this.#stateOf(host).pauseMs = pauseMs;
  }

  /** Runs `work` when it is its turn. */
  async run<T>(host: string, work: () => Promise<T>): Promise<T> {
    const state = this.#stateOf(host);
    await this.#enter(state);
    try {
      return await work();
    } finally {
      this.#leave(state);
    }
  }

  #enter(state: HostState): Promise<void> {
    if (state.running < limitOf(state)) {
      state.running += 1;
      return Promise.resolve();
    }
    return new Promise((resolve) => state.waiting.push(resolve));
  }

  /** The place goes to the next that waits. */
  #leave(state: HostState): void {
    const release = (): void => {
      const next = state.waiting.shift();
      if (next === undefined) state.running -= 1;
      else next();
    };
    if (state.pauseMs === 0) release();
    else this.#later(state.pauseMs, release);
  }

  #stateOf(host: string): HostState {
    const known = this.#hosts.get(host);
    if (known !== undefined) return known;
    const state: HostState = { running: 0, pauseMs: 0, waiting: [] };
    this.#hosts.set(host, state);
    return state;
  }
}

interface HostState {
  running: number;
  pauseMs: number;
  readonly waiting: (() => void)[];
}

function limitOf({ pauseMs }: HostState): number {
  return pauseMs === 0 ? perHost : 1;
}
