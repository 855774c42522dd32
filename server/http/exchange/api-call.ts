import type { Readable } from 'node:stream';
import type { ApiRequest } from '../api-exchange.ts';
import { BodyCollector } from '../body/body.ts';
import type { BodyFlow } from '../body/incoming.ts';
import type { BodyShare } from '../body/memory.ts';
import type { Origin, Scheme } from '../origin.ts';
import type { BodyTime, BodyTimes } from './body-time.ts';
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
