/** Exchanges whose answers come later or go out in parts. */
import type { Responder } from './transport.ts';
import { UnsentBodies, type WaitingBody } from './unread.ts';

/** Gives the exchange of a request when it turns out that its answer comes later or goes out in parts. */
export interface Exchanges {
  start(res: Responder): Exchange;
}

/** One request whose answer comes later or goes out in parts. */
export class Exchange implements Exchanges {
  onAbort = nothing;
  /** Aborted when the server begins to stop. */
  readonly closing: AbortSignal;
  readonly #res: Responder;
  readonly #unread: UnsentBodies;
  readonly #onFinish: () => void;
  #release = nothing;
  #onWritable: () => boolean = allTaken;
  #onWritableAt: (offset: number) => boolean = allTaken;
  #aborted = false;
  #finished = false;
  #paused = false;
  /** Whether the whole body has been written. */
  #ended = false;

  constructor(res: Responder, unread: UnsentBodies, closing: AbortSignal, onFinish: () => void) {
    this.#res = res;
    this.closing = closing;
    this.#unread = unread;
    this.#onFinish = onFinish;
    res.onAborted(() => {
      this.#aborted = true;
      this.onAbort();
    });
  }

  /** It has been started. */
  start(): this {
    return this;
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
    const peer = readPeer(this.#res);
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

  get aborted(): boolean {
    return this.#aborted;
  }

  /**
   * Writes one part of a body and resolves when the client has taken it: with false if nothing more can be
   * written, because the client has gone or too many other answers are waiting.
   *
   * @param length length of the whole body
   * @param head status and headers, with the first part
   */
  writePart(part: Uint8Array, length: number, head: string | undefined): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    if (this.#aborted) return Promise.resolve(false);
    const res = this.#res;
    const stop = this.onAbort;
    const peer = readPeer(res);
    const release = (): void => {
      this.#release();
      this.#release = nothing;
    };
    this.onAbort = () => {
      release();
      stop();
      resolve(false);
    };
    const take = (rest: Uint8Array): boolean => {
      const [taken, finished] = res.tryEnd(rest, length);
      if (finished) this.#ended = true;
      return taken || finished;
    };
    const settle = (): void => {
      release();
      this.onAbort = stop;
      resolve(true);
    };
    res.cork(() => {
      if (head !== undefined) res.writeStatus(head);
      const from = res.getWriteOffset();
      if (take(part)) {
        settle();
        return;
      }
      if (!this.#unread.hold(peer, part)) {
        res.close();
        return;
      }
      this.#release = () => this.#unread.release(peer, part);
      this.#onWritableAt = (offset) => {
        if (!take(part.subarray(offset - from))) return false;
        this.#onWritableAt = allTaken;
        settle();
        return true;
      };
      // What `settle` wakes runs within this call and may set the next handler: one that is given to the library then
      // is lost, because the library puts the running one back.
      res.onWritable((offset) => this.#onWritableAt(offset));
    });
    return promise;
  }

  /**
   * Writes as much of a part as the client takes now, and keeps nothing of it. The next part begins at `position`;
   * if the client did not take all of this one, `writable` says when it takes more. Undefined if it has gone.
   *
   * @param length length of the whole body
   * @param head status and headers, with the first part
   */
  tryPart(part: Uint8Array, length: number, head: string | undefined): WrittenPart | undefined {
    if (this.#aborted) return undefined;
    const res = this.#res;
    let written: WrittenPart | undefined;
    res.cork(() => {
      if (head !== undefined) res.writeStatus(head);
      const [drained, finished] = res.tryEnd(part, length, true);
      this.#ended = finished;
      written = { position: finished ? length : res.getWriteOffset(), drained, finished };
      if (!finished && !drained) res.onWritable(() => this.#onWritable());
    });
    return written;
  }

  /**
   * Writes a part of a body without a length and resolves when the client has taken it: with false if it has gone.
   *
   * @param head status and headers, with the first part
   * @param flush a few bytes that may follow, because uWebSockets.js sends what it has kept only with a further
   *   write. Called as often as the client takes something; no bytes end that
   */
  writeChunk(part: Uint8Array, head: string | undefined, flush: () => Uint8Array): Promise<boolean> {
    if (this.#aborted) return Promise.resolve(false);
    const res = this.#res;
    let isTaken = true;
    res.cork(() => {
      if (head !== undefined) res.writeStatus(head);
      isTaken = res.write(part);
    });
    if (isTaken) return Promise.resolve(true);
    const taken = this.writable();
    const tell = this.#onWritable;
    this.#onWritable = () => {
      const bytes = flush();
      return (bytes.length === 0 || res.write(bytes)) && tell();
    };
    res.onWritable(() => this.#onWritable());
    return taken;
  }

  /** Writes the few bytes of a part that `writeChunk` has left. */
  writeRest(part: Uint8Array): void {
    if (!this.#aborted) this.#res.cork(() => void this.#res.write(part));
  }

  /** Ends a body without a length. @param head status and headers, if nothing was written before */
  endChunks(closeConnection: boolean, head?: string): void {
    this.write(() => {
      this.#ended = true;
      if (head !== undefined) this.#res.writeStatus(head);
      this.#res.end('', closeConnection);
      return true;
    });
  }

  /** Resolves when the client takes more after a part that it did not take whole: with false if it has gone. */
  writable(): Promise<boolean> {
    if (this.#aborted) return Promise.resolve(false);
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const stop = this.onAbort;
    this.onAbort = () => {
      stop();
      resolve(false);
    };
    this.#onWritable = () => {
      this.onAbort = stop;
      resolve(true);
      return true;
    };
    return promise;
  }

  /** Closes the connection, unless the answer is complete. */
  close(): void {
    if (!this.#aborted && !this.#ended) this.#res.close();
  }

  /**
   * Stops reading from the client until `resumeReading`. More bytes may still come in this turn (see `BodyStream`).
   */
  pauseReading(): void {
    if (this.#paused || this.#aborted || this.#finished) return;
    this.#paused = true;
    this.#res.pause();
  }

  /** The library must not be told to go on when it was not stopped: then it reads nothing any more. */
  resumeReading(): void {
    if (!this.#paused || this.#aborted || this.#finished) return;
    this.#paused = false;
    this.#res.resume();
  }

  /** To be called when nothing more will be written. */
  finish(): void {
    if (this.#finished) return;
    this.#finished = true;
    this.#release();
    this.#onFinish();
  }
}

function nothing(): void {}

function allTaken(): boolean {
  return true;
}

/** What `tryPart` has done. */
export interface WrittenPart extends Progress {
  /** Bytes of the body that have been written so far. */
  readonly position: number;
}

/** What a further write has done: whether the client took all of it, and whether the answer is complete. */
export interface Progress {
  readonly drained: boolean;
  readonly finished: boolean;
}

/** Counts the running exchanges, so that a shutdown can wait for them. */
export class RunningExchanges implements Exchanges {
  readonly #unread = new UnsentBodies();
  readonly #closing = new AbortController();
  #count = 0;
  #whenIdle: (() => void) | undefined;
  readonly #onFinish = (): void => {
    this.#count--;
    if (this.#count === 0) this.#whenIdle?.();
  };

  start(res: Responder): Exchange {
    this.#count++;
    return new Exchange(res, this.#unread, this.#closing.signal, this.#onFinish);
  }

  /** Ends the answers that would go on without end. */
  endStreams(): void {
    this.#closing.abort();
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
export function readPeer(res: Responder): string {
  return res.peer ?? Buffer.from(res.getRemoteAddressAsText()).toString('latin1');
}
