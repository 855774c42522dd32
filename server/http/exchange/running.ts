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

  /** Writes unless the client is gone; `writer` says whether that was all. */
  write(writer: () => boolean): void {
    let done = true;
    if (!this.#aborted) {
      this.#res.cork(() => {
        done = writer();
      });
    }
    if (done) this.finish();
  }

  /** Nothing more will be written. */
  finish(): void {
    if (this.#finished) return;
    this.#finished = true;
    this.#finish();
  }
}

/** What a shutdown waits for. */
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
