import { type Exchange, RunningExchanges, readPeer } from '../running.ts';
import { writeWhole } from '../streaming.ts';
import type { RequestHead, Responder } from '../transport.ts';
import type { FromThread, SharedKey, ToThread } from './messages.ts';

type ToRequest = Extract<ToThread, { readonly id: number }>;

/** The requests that a thread has forwarded to the main thread and whose answers are not complete. */
export class ForwardedExchanges {
  readonly #post: (message: FromThread, transfer?: ArrayBuffer[]) => void;
  readonly #running = new RunningExchanges();
  readonly #exchanges = new Map<number, ForwardedExchange>();
  #last = 0;

  constructor(post: (message: FromThread, transfer?: ArrayBuffer[]) => void) {
    this.#post = post;
  }

  /** @param key under which an answer may be shared; undefined if it may not */
  forward(res: Responder, req: RequestHead, method: string, key: SharedKey | undefined): void {
    this.#last += 1;
    const id = this.#last;
    const headers: string[] = [];
    req.forEach((name, value) => {
      headers.push(name, value);
    });
    // First, because the library ends the process if a handler throws before.
    const exchange = this.#running.start(res);
    const events: ForwardedEvents = {
      onTaken: (bytes) => this.#post({ kind: 'taken', id, bytes }),
      onEnd: () => this.#exchanges.delete(id),
    };
    this.#exchanges.set(id, new ForwardedExchange(res, exchange, events));
    exchange.onAbort = () => {
      this.#exchanges.delete(id);
      exchange.finish();
      this.#post({ kind: 'aborted', id });
    };
    this.#post({
      kind: 'request',
      id,
      method,
      path: req.getUrl(),
      query: req.getQuery() ?? '',
      headers,
      peer: readPeer(res),
      key,
    });
    // The main thread knows from the head whether there is a body.
    const hasBody = headers.includes('content-length') || headers.includes('transfer-encoding');
    res.onData((chunk, isLast) => {
      if (!hasBody) return;
      const copy = chunk.slice(0);
      this.#post({ kind: 'data', id, chunk: copy, isLast }, [copy]);
    });
  }

  receive(message: ToRequest): void {
    const exchange = this.#exchanges.get(message.id);
    if (exchange === undefined) return;
    exchange.receive(message);
  }
}

/** The thread's side of one forwarded request. */
class ForwardedExchange {
  readonly #res: Responder;
  readonly #exchange: Exchange;
  readonly #onTaken: (bytes: number) => void;
  readonly #onEnd: () => void;
  #written = Promise.resolve(true);
  #left = -1;

  constructor(res: Responder, exchange: Exchange, { onTaken, onEnd }: ForwardedEvents) {
    this.#res = res;
    this.#exchange = exchange;
    this.#onTaken = onTaken;
    this.#onEnd = onEnd;
  }

  receive(message: ToRequest): void {
    switch (message.kind) {
      case 'part':
        this.#written = this.#write(message, this.#written);
        return;
      case 'chunk':
        this.#written = this.#writeChunk(message, this.#written);
        return;
      case 'end':
        this.#endAfter(this.#written, message);
        return;
      case 'head':
        this.#finish((res) => res.writeStatus(message.head).endWithoutBody());
        break;
      case 'close':
        this.#exchange.close();
        break;
      case 'pause':
        this.#exchange.pauseReading();
        break;
      case 'resume':
        this.#exchange.resumeReading();
        break;
    }
  }

  /** Writes a part after the one before, and resolves when the client has taken it. */
  async #write({ head, part, total }: Extract<ToThread, { kind: 'part' }>, before: Promise<boolean>) {
    const mayWrite = await before;
    if (!mayWrite || !(await this.#exchange.writePart(part, total, head))) return false;
    this.#left = (this.#left < 0 ? total : this.#left) - part.length;
    if (this.#left === 0) this.#end();
    else this.#onTaken(part.length);
    return true;
  }

  async #writeChunk({ head, part }: Extract<ToThread, { kind: 'chunk' }>, before: Promise<boolean>) {
    if (!(await before) || !(await writeWhole(this.#exchange, part, head))) return false;
    this.#onTaken(part.length);
    return true;
  }

  /** Nearly always nothing has been written before. */
  #endAfter(
    written: Promise<boolean>,
    { head, body, closeConnection }: Extract<ToThread, { kind: 'end' }>,
  ): void {
    const end = () =>
      this.#finish((res) => (head === '' ? res : res.writeStatus(head)).end(body, closeConnection));
    if (head === '') written.then(end);
    else end();
  }

  #finish(write: (res: Responder) => void): void {
    this.#exchange.write(() => {
      write(this.#res);
      return true;
    });
    this.#onEnd();
  }

  #end(): void {
    this.#exchange.finish();
    this.#onEnd();
  }
}

interface ForwardedEvents {
  /** The client has taken bytes of the answer. */
  onTaken(bytes: number): void;
  /** The answer is complete. */
  onEnd(): void;
}
