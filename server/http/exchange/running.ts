/** Exchanges whose answers come later or go out in parts. */
import type { HttpResponse } from 'uWebSockets.js';

/** One request whose answer comes later or goes out in parts. */
export class Exchange {
  onAbort: () => void = () => {};
  readonly #res: HttpResponse;
  readonly #finish: () => void;
  #aborted = false;
  #finished = false;

  constructor(res: HttpResponse, onFinish: () => void) {
    this.#res = res;
    this.#finish = onFinish;
    res.onAborted(() => {
      this.#aborted = true;
      this.onAbort();
    });
  }

  /** Calls `writer` unless the client has disconnected. `writer` returns true if the answer is complete. */
  write(writer: () => boolean): void {
    let done = true;
    if (!this.#aborted) {
      this.#res.cork(() => {
        done = writer();
      });
    }
    if (done) this.finish();
  }

  /** To be called when nothing more will be written. */
  finish(): void {
    if (this.#finished) return;
    this.#finished = true;
    this.#finish();
  }
}

/** Counts the running exchanges, so that a shutdown can wait for them. */
export class RunningExchanges {
  #count = 0;
  #whenIdle: (() => void) | undefined;

  start(res: HttpResponse): Exchange {
    this.#count++;
    return new Exchange(res, () => {
      this.#count--;
      if (this.#count === 0) this.#whenIdle?.();
    });
  }

  idle(graceMs: number): Promise<void> {
    if (this.#count === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, graceMs);
      this.#whenIdle = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
