/** Exchanges whose answers come later or go out in parts. */
import type { HttpResponse } from 'uWebSockets.js';
import { UnreadAnswers, type WaitingBody } from './unread.ts';

/** One request whose answer comes later or goes out in parts. */
export class Exchange {
  onAbort: () => void = () => {};
  readonly #res: HttpResponse;
  readonly #unread: UnreadAnswers;
  readonly #onFinish: () => void;
  #release: () => void = () => {};
  #aborted = false;
  #finished = false;

  constructor(res: HttpResponse, unread: UnreadAnswers, onFinish: () => void) {
    this.#res = res;
    this.#unread = unread;
    this.#onFinish = onFinish;
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

  /**
   * Calls `more` with the number of bytes written whenever the client has taken some, until it has finished the
   * answer. If too many other answers are waiting, closes the connection and returns false.
   *
   * @param body the body, which is kept until then
   */
  continueWith(body: WaitingBody, more: (offset: number) => Progress): boolean {
    const peer = peerOf(this.#res);
    this.onAbort = () => this.finish();
    if (!this.#unread.hold(peer, body)) {
      this.#res.close();
      return false;
    }
    this.#release = () => this.#unread.release(peer, body);
    this.#res.onWritable((offset) => {
      const { drained, finished } = more(offset);
      if (finished) this.finish();
      return drained;
    });
    return true;
  }

  /** To be called when nothing more will be written. */
  finish(): void {
    if (this.#finished) return;
    this.#finished = true;
    this.#release();
    this.#onFinish();
  }
}

/** What a further write has done: whether the client took all of it, and whether the answer is complete. */
export interface Progress {
  readonly drained: boolean;
  readonly finished: boolean;
}

/** Counts the running exchanges, so that a shutdown can wait for them. */
export class RunningExchanges {
  readonly #unread = new UnreadAnswers();
  #count = 0;
  #whenIdle: (() => void) | undefined;

  start(res: HttpResponse): Exchange {
    this.#count++;
    return new Exchange(res, this.#unread, () => {
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

/** The address at the other end of the connection. */
export function peerOf(res: HttpResponse): string {
  return Buffer.from(res.getRemoteAddressAsText()).toString('latin1');
}
