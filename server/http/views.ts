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

/** Most views that wait for their consumer; further ones are only counted. */
const maxWaiting = 10_000;

/** How long views wait at most, in milliseconds. */
const waitMs = 1000;

/**
 * The views of pages on their way to whoever counts them. Views are GET requests that a page answered with 200 or
 * 304, also from the cache; previews and prefetches are none. As long as nobody consumes views, nothing is noted.
 *
 * - Limit: `maxWaiting`. Consumers get them once a second, in order, and must take them at once.
 */
export class Views {
  readonly #consumers: ((views: readonly View[], lost: number) => void)[] = [];
  #onStart: () => void = () => {};
  #waiting: View[] = [];
  #lost = 0;
  #timer: NodeJS.Timeout | undefined;

  /** Whether views are noted. */
  get isOn(): boolean {
    return this.#consumers.length > 0;
  }

  /** @param consume gets views, and the number of those for which there was no room */
  consumeWith(consume: (views: readonly View[], lost: number) => void): void {
    this.#consumers.push(consume);
    this.#onStart();
  }

  /** Calls `start` when views begin to be noted. */
  onStart(start: () => void): void {
    this.#onStart = start;
    if (this.isOn) start();
  }

  push(view: View): void {
    if (this.#waiting.length >= maxWaiting) {
      this.#lost += 1;
      return;
    }
    this.#waiting.push(view);
    this.#timer ??= setTimeout(() => this.flush(), waitMs).unref();
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
    const lost = this.#lost;
    if (views.length + lost === 0) return;
    this.#waiting = [];
    this.#lost = 0;
    for (const consume of this.#consumers) consume(views, lost);
  }
}
