/** A view of a page: what visitor statistics need to know of a request (Data, Automation and Operations, "Statistics"). */
export interface View {
  /** Unix milliseconds. */
  readonly at: number;
  readonly siteId: number;
  /** Host that the visitor used. */
  readonly host: string;
  /** Raw path, without the query. */
  readonly path: string;
  readonly status: 200 | 304;
  /** Headers as sent, empty when absent. */
  readonly referer: string;
  readonly userAgent: string;
  /** Address at the other end of the connection and `X-Forwarded-For`, for `clientOf`. */
  readonly peer: string;
  readonly forwardedFor: string;
  /** The Cookie header if it holds a session, which may be an administrator's; else empty. */
  readonly cookie: string;
}

/** So many views are handed over at once. */
const maxWaiting = 10_000;

/** How long views wait at most, in milliseconds. */
const waitMs = 1000;

/**
 * The views of pages on their way to whoever counts them. Views are GET requests that a page answered with 200 or
 * 304, also from the cache; previews and prefetches are none. As long as nobody consumes views, nothing is noted.
 *
 * Consumers get them once a second, or when `maxWaiting` are there, in order, and must take them at once; what is too
 * much for them they leave out.
 */
export class Views {
  readonly #consumers: ((views: readonly View[]) => void)[] = [];
  #onStart: () => void = () => {};
  #waiting: View[] = [];
  #timer: NodeJS.Timeout | undefined;

  /** Whether views are noted. */
  get isOn(): boolean {
    return this.#consumers.length > 0;
  }

  consumeWith(consume: (views: readonly View[]) => void): void {
    this.#consumers.push(consume);
    this.#onStart();
  }

  /** Calls `start` when views begin to be noted. */
  onStart(start: () => void): void {
    this.#onStart = start;
    if (this.isOn) start();
  }

  push(view: View): void {
    this.#waiting.push(view);
    if (this.#waiting.length >= maxWaiting) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), waitMs).unref();
  }

  /** Views of another thread. */
  pushAll(views: readonly View[]): void {
    for (const view of views) this.push(view);
  }

  /** Hands everything over now. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const views = this.#waiting;
    if (views.length === 0) return;
    this.#waiting = [];
    for (const consume of this.#consumers) consume(views);
  }
}
