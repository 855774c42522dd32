import type { Readable } from 'node:stream';
import { SlotSet } from '../../base/slot-set.ts';
import type { ApiRequest } from '../api-exchange.ts';
import { BodyCollector, type BodyShare } from '../body/body.ts';
import type { BodyFlow } from '../body/incoming.ts';
import type { Origin, Scheme } from '../origin.ts';
import type { Exchange } from './running.ts';

/** The head of a request below `/api/`. */
export interface ApiHead extends Origin, Pick<ApiRequest, 'method' | 'path' | 'query' | 'peer' | 'headers'> {}

/** A request below `/api/`, from its head to its answer. One object, because most of them live for a moment only. */
export class ApiCall implements ApiRequest, BodyFlow {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly host: string;
  readonly scheme: Scheme;
  readonly peer: string;
  readonly headers: ReadonlyMap<string, string>;
  readonly exchange: Exchange;
  readonly spillPath: () => string;
  readonly #body: BodyCollector;
  readonly #time: BodyTime | undefined;

  /** @param share of the memory for bodies */
  constructor(
    head: ApiHead,
    exchange: Exchange,
    share: BodyShare,
    times: BodyTimes,
    spillPath: () => string,
  ) {
    this.method = head.method;
    this.path = head.path;
    this.query = head.query;
    this.host = head.host;
    this.scheme = head.scheme;
    this.peer = head.peer;
    this.headers = head.headers;
    this.exchange = exchange;
    this.spillPath = spillPath;
    this.#body = new BodyCollector(head.headers, share, this);
    this.#time = this.#body.complete ? undefined : times.start(exchange);
    exchange.onAbort = () => this.#abort();
  }

  get hasWholeBody(): boolean {
    return this.#body.complete;
  }

  body(maxBytes: number): Promise<Uint8Array> {
    return this.#body.read(maxBytes);
  }

  receive(maxBytes: number, done: (body: Uint8Array) => void, failed: (error: unknown) => void): void {
    this.#body.receive(maxBytes, done, failed);
  }

  stream(): Readable {
    return this.#body.stream();
  }

  /** Takes a part of the body that is valid only during this call. */
  arrived(chunk: ArrayBuffer, isLast: boolean): void {
    this.#time?.arrived(chunk.byteLength);
    if (isLast) this.#time?.end();
    this.#body.add(chunk, isLast);
  }

  pause(): void {
    this.exchange.pauseReading();
    this.#time?.pause();
  }

  resume(): void {
    this.exchange.resumeReading();
    this.#time?.resume();
  }

  /** To be called when there is an answer: drops the body. @returns a promise if the rest of it must arrive first */
  endBody(): Promise<void> | undefined {
    if (!this.#body.complete) return this.#body.drained().then(() => this.#time?.end());
    this.#body.discard();
    this.#time?.end();
    return undefined;
  }

  #abort(): void {
    this.#time?.end();
    this.#body.abort();
  }
}

/** Bytes per second that a client must send at least, after the first seconds (as Apache's mod_reqtimeout). */
const minBytesPerSecond = 500;

/**
 * Bounds the time that bodies may take to arrive: `seconds`, and one more for every 500 bytes. Time in which the
 * server holds a client back does not count. One timer looks at all of them, because most bodies arrive with the head
 * of their request and need none; so a body may take up to a quarter longer, at most a second.
 */
export class BodyTimes {
  readonly #seconds: number;
  readonly #open = new SlotSet<BodyTime>();
  #timer: NodeJS.Timeout | undefined;

  constructor(seconds: number) {
    this.#seconds = seconds;
  }

  /** @param request closed once when its time is over, unless the time was ended before */
  start(request: Closable): BodyTime {
    const time = new BodyTime(this.#open, request);
    this.#timer ??= setInterval(() => this.#look(), Math.min(1000, this.#seconds * 250)).unref();
    return time;
  }

  #look(): void {
    const now = performance.now();
    for (const time of this.#open) if (time.isOver(now, this.#seconds)) time.expire();
    if (this.#open.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

interface Closable {
  close(): void;
}

/** The time of one body. Nothing is done for each part of it but an addition. */
export class BodyTime {
  readonly #open: SlotSet<BodyTime>;
  readonly #slot: number;
  readonly #request: Closable;
  readonly #start = performance.now();
  #bytes = 0;
  #heldMs = 0;
  #heldSince: number | undefined;

  constructor(open: SlotSet<BodyTime>, request: Closable) {
    this.#open = open;
    this.#request = request;
    this.#slot = open.add(this);
  }

  arrived(bytes: number): void {
    this.#bytes += bytes;
  }

  pause(): void {
    this.#heldSince ??= performance.now();
  }

  resume(): void {
    if (this.#heldSince !== undefined) this.#heldMs += performance.now() - this.#heldSince;
    this.#heldSince = undefined;
  }

  /** To be called when the body is complete or nobody waits for it. */
  end(): void {
    this.#open.remove(this.#slot, this);
  }

  isOver(now: number, seconds: number): boolean {
    const held = this.#heldMs + (this.#heldSince === undefined ? 0 : now - this.#heldSince);
    return now - this.#start - held >= (seconds + this.#bytes / minBytesPerSecond) * 1000;
  }

  expire(): void {
    this.end();
    this.#request.close();
  }
}
