import type { StartTimer } from '../../base/timers.ts';

/** Lets event streams wait for the next commit. */
export class CommitWaiter {
  readonly #later: StartTimer;
  readonly #waiting = new Set<(hasCommit: boolean) => void>();
  #commits = 0;

  constructor(later: StartTimer) {
    this.#later = later;
  }

  /** Number of commits so far, to be passed to {@link next}. */
  get commits(): number {
    return this.#commits;
  }

  /** To be called after every commit. */
  wake(): void {
    this.#commits += 1;
    for (const tell of [...this.#waiting]) tell(true);
  }

  /**
   * Resolves with true when there has been a commit after `seen` was read, with false when the time for a sign of life
   * has come or the signal is aborted.
   */
  next(seen: number, signal: AbortSignal): Promise<boolean> {
    if (this.#commits !== seen) return Promise.resolve(true);
    if (signal.aborted) return Promise.resolve(false);
    return new Promise((resolve) => {
      const tell = (hasCommit: boolean): void => {
        cancel();
        signal.removeEventListener('abort', end);
        this.#waiting.delete(tell);
        resolve(hasCommit);
      };
      const end = (): void => tell(false);
      const cancel = this.#later(heartbeatMs, end);
      signal.addEventListener('abort', end);
      this.#waiting.add(tell);
    });
  }
}

/** How long a stream is silent at most, in milliseconds. */
const heartbeatMs = 15_000;
