/**
 * A view of a page: what visitor statistics need to know of a request (Data, Automation and Operations, "Statistics").
 * Equal views of one second are one with their number.
 */
export interface ViewEvent extends ViewRequest {
  /** Unix milliseconds, right to the second. */
  readonly at: number;
  readonly siteId: number;
  readonly status: 200 | 304;
  /** How many views it stands for. */
  readonly times: number;
}

/** What a view tells of the request. */
export interface ViewRequest {
  /** Host that the visitor used. */
  readonly host: string;
  /** Raw path, without the query. */
  readonly path: string;
  /** Headers as sent, empty when absent. */
  readonly referer: string;
  readonly userAgent: string;
  /** Address at the other end of the connection and `X-Forwarded-For`, for `resolveClient`. */
  readonly peer: string;
  readonly forwardedFor: string;
  /** The Cookie header if it holds a session, which may be an administrator's; else empty. */
  readonly cookie: string;
}

/** So many views are handed over at once. */
const maxWaiting = 10_000;

/** Views wait until the end of the second, in milliseconds, so that those of one second come together. */
const waitMs = 1000;

/**
 * The views of pages on their way to whoever counts them. Views are GET requests that a page answered with 200 or
 * 304, also from the cache; previews and prefetches are none. As long as nobody consumes views, nothing is noted.
 *
 * Flushes once a second or at `maxWaiting` views, in the order of their first. Consumers handle a batch synchronously
 * and may drop the excess. Equal views of a second come as one, so a popular page costs its consumers little.
 */
export class ViewEventBuffer {
  readonly #consumers: ((views: readonly ViewEvent[]) => void)[] = [];
  #onStart: () => void = () => {};
  #collect: () => Promise<void> = async () => {};
  #waiting = new CombinedViews();
  #timer: NodeJS.Timeout | undefined;
  /** When the first of the waiting views came, Unix milliseconds. */
  #since = 0;

  /** Whether views are noted. */
  get isOn(): boolean {
    return this.#consumers.length > 0;
  }

  consumeWith(consume: (views: readonly ViewEvent[]) => void): void {
    this.#consumers.push(consume);
    this.#onStart();
  }

  /** Calls `start` when views begin to be noted. */
  onStart(start: () => void): void {
    this.#onStart = start;
    if (this.isOn) start();
  }

  /** @param collect resolves when views that were noted elsewhere until the call have been pushed here */
  collectWith(collect: () => Promise<void>): void {
    this.#collect = collect;
  }

  /** A view of this second. The visit is copied. */
  note(visit: ViewRequest, siteId: number, status: ViewEvent['status']): void {
    this.#wait();
    this.#waiting.add(visit, siteId, status, this.#since, 1);
    if (this.#waiting.all.length >= maxWaiting) this.flush();
  }

  push(view: ViewEvent): void {
    this.#wait();
    this.#waiting.add(view, view.siteId, view.status, view.at, view.times);
    if (this.#waiting.all.length >= maxWaiting) this.flush();
  }

  /** Views of another thread. */
  pushAll(views: readonly ViewEvent[]): void {
    for (const view of views) this.push(view);
  }

  /** Hands everything over that was answered until now, by any thread. */
  async flushAll(): Promise<void> {
    await this.#collect();
    this.flush();
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

  /** The clock is asked once for all views that wait, since that takes as long as comparing two of them. */
  #wait(): void {
    if (this.#timer !== undefined) return;
    this.#since = Date.now();
    this.#timer = setTimeout(() => this.flush(), waitMs - (this.#since % waitMs)).unref();
  }
}

/** So many different views of one page by one address are compared with a new one. */
const maxCompared = 8;

interface Combined extends ViewEvent {
  times: number;
}

/** Views in the order of their first. Those that only add to a number are not kept, which spares memory and time. */
class CombinedViews {
  readonly all: Combined[] = [];
  readonly #byPath = new Map<string, PathViews>();

  add(visit: ViewRequest, siteId: number, status: ViewEvent['status'], at: number, times: number): void {
    let views = this.#byPath.get(visit.path);
    if (views === undefined) {
      views = new PathViews();
      this.#byPath.set(visit.path, views);
    }
    const known = views.find(visit, siteId, status, at);
    if (known !== undefined) {
      known.times += times;
      return;
    }
    // Field by field: copying an object with `...` takes longer than all the rest.
    const { host, path, referer, userAgent, peer, forwardedFor, cookie } = visit;
    const first = { at, siteId, host, path, status, referer, userAgent, peer, forwardedFor, cookie, times };
    this.all.push(first);
    views.add(first);
  }
}

/** The different views of one path. */
class PathViews {
  /** The one that was found or added last. It is often the next one too, and then no address is looked up. */
  #last: Combined | undefined;
  readonly #byAddress = new Map<string, Combined[]>();

  find(visit: ViewRequest, siteId: number, status: ViewEvent['status'], at: number): Combined | undefined {
    const last = this.#last;
    if (last !== undefined && tellsSame(last, visit, siteId, status, at)) return last;
    const similar = this.#byAddress.get(addressOf(visit)) ?? [];
    for (const other of similar) {
      if (!tellsSame(other, visit, siteId, status, at)) continue;
      this.#last = other;
      return other;
    }
    return undefined;
  }

  add(view: Combined): void {
    this.#last = view;
    const similar = this.#byAddress.get(addressOf(view));
    if (similar === undefined) this.#byAddress.set(addressOf(view), [view]);
    else if (similar.length < maxCompared) similar.push(view);
  }
}

function addressOf({ forwardedFor, peer }: ViewRequest): string {
  return forwardedFor === '' ? peer : forwardedFor;
}

function isOfSameSecond(a: number, b: number): boolean {
  return a === b || Math.floor(a / 1000) === Math.floor(b / 1000);
}

/** Whether a visit is a further one like a view of the same path. */
function tellsSame(
  view: Combined,
  visit: ViewRequest,
  siteId: number,
  status: ViewEvent['status'],
  at: number,
): boolean {
  return (
    view.siteId === siteId &&
    view.status === status &&
    isOfSameSecond(view.at, at) &&
    view.userAgent === visit.userAgent &&
    view.referer === visit.referer &&
    view.host === visit.host &&
    view.peer === visit.peer &&
    view.forwardedFor === visit.forwardedFor &&
    view.cookie === visit.cookie
  );
}
