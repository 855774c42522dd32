import type { ReadSet } from '../../../runtime/content/dependency-recorder.ts';
import type { VersionSource } from './version-source.ts';

/**
 * Lets equal requests share running work: a request for work that is already running at the same content version waits
 * for it.
 *
 * Invariant: a caller never gets a result that was made before a change that was answered before the call. A
 * caller joins running work only if the work started at the current version. If what the work has read changes
 * while the work is running, its callers wait for new work, at most `maxRestarts` times. After that a caller gets the
 * last result. That work started after the call, which is all that can be promised while changes come
 * continuously.
 */
export class RequestCoalescer<Result extends { readonly reads: ReadSet }> {
  readonly #version: VersionSource;
  readonly #maxRestarts: number;
  readonly #running = new Map<string, RunningWork<Result>>();

  constructor(version: VersionSource, { maxRestarts = 3 } = {}) {
    this.#version = version;
    this.#maxRestarts = maxRestarts;
  }

  /** `start` begins the work. It runs once for all callers that share the work. */
  async take(key: string, start: () => Promise<Result>): Promise<Result> {
    let result = await this.#join(key, start);
    for (
      let restart = 0;
      restart < this.#maxRestarts && !this.#version.isUpToDate(result.reads);
      restart += 1
    ) {
      result = await this.#join(key, start);
    }
    return result;
  }

  #join(key: string, start: () => Promise<Result>): Promise<Result> {
    const version = this.#version.current();
    const existing = this.#running.get(key);
    if (existing?.version === version) return existing.promise;
    const running: RunningWork<Result> = { version, promise: start() };
    this.#running.set(key, running);
    const forget = () => {
      if (this.#running.get(key) === running) this.#running.delete(key);
    };
    running.promise.then(forget, forget);
    return running.promise;
  }
}

interface RunningWork<Result> {
  readonly version: number;
  readonly promise: Promise<Result>;
}
