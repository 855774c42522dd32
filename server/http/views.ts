/**
 * A view of a page: what visitor statistics need to know of a request (Data, Automation and Operations, "Statistics").
 * Equal views of one second are one with their number.
 */
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
  /** How many views it stands for. */
  readonly times: number;
}

/** So many views are handed over at once. */
const maxWaiting = 10_000;

/** How long views wait at most, in milliseconds. */
const waitMs = 1000;

/**
 * The views of pages on their way to whoever counts them. Views are GET requests that a page answered with 200 or
 * 304, also from the cache; previews and prefetches are none. As long as nobody consumes views, nothing is noted.
 *
 * Consumers get them once a second, or when `maxWaiting` are there, in the order of their first, and must take them at
 * once; what is too much for them they leave out. Equal views of a second come as one, so that a page that is asked
 * for very often costs its consumers little.
 */
export class Views {
  readonly #consumers: ((views: readonly View[]) => void)[] = [];
  #onStart: () => void = () => {};
  #waiting = new CombinedViews();
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
    this.#waiting.add(view);
    if (this.#waiting.all.length >= maxWaiting) this.flush();
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
    const views = this.#waiting.all;
    if (views.length === 0) return;
    this.#waiting = new CombinedViews();
    for (const consume of this.#consumers) consume(views);
  }
}

/** So many different views of one page by one address are compared with a new one. */
const maxCompared = 8;

interface Combined extends View {
  times: number;
}

/** Views in the order of their first. Those that only add to a number are not kept, which spares memory and time. */
class CombinedViews {
  readonly all: Combined[] = [];
  readonly #byPath = new Map<string, Map<string, Combined[]>>();

  add(view: View): void {
    const similar = this.#similarTo(view);
    for (const other of similar) {
      if (!isEqual(view, other)) continue;
      other.times += view.times;
      return;
    }
    const first = { ...view };
    this.all.push(first);
    if (similar.length < maxCompared) similar.push(first);
  }

  /** Views of the same path by the same address. */
  #similarTo({ path, forwardedFor, peer }: View): Combined[] {
    let byAddress = this.#byPath.get(path);
    if (byAddress === undefined) {
      byAddress = new Map();
      this.#byPath.set(path, byAddress);
    }
    const address = forwardedFor === '' ? peer : forwardedFor;
    let similar = byAddress.get(address);
    if (similar === undefined) {
      similar = [];
      byAddress.set(address, similar);
    }
    return similar;
  }
}

/** Whether two views of one path tell the same, their times within the second apart. */
function isEqual(a: View, b: View): boolean {
  return (
    a.userAgent === b.userAgent &&
    a.referer === b.referer &&
    a.siteId === b.siteId &&
    a.host === b.host &&
    a.status === b.status &&
    a.peer === b.peer &&
    a.forwardedFor === b.forwardedFor &&
    a.cookie === b.cookie &&
    Math.floor(a.at / 1000) === Math.floor(b.at / 1000)
  );
}
