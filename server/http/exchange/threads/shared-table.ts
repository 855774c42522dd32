import type { Encoding } from '../../../../runtime/tasks/encode.ts';
import { roughClock } from '../../../base/clock.ts';
import { codingsFor } from '../../negotiate.ts';
import type { Scheme } from '../../origin.ts';
import type { PublicResponse } from '../../public-exchange.ts';
import type { Headers } from '../../security-headers.ts';
import type { ViewEventBuffer } from '../../view-event-buffer.ts';
import { writePublic } from '../answers.ts';
import { BodylessTurns } from '../bodyless-turns.ts';
import { HeadReader, type RequestHeaders, visitorsOrigin } from '../framing.ts';
import { findVisit, viewStatus } from '../front-request.ts';
import { RunningExchanges } from '../running.ts';
import type { RequestHead, Responder } from '../transport.ts';
import type { SharedEntry, SharedKey, ThreadSettings } from './messages.ts';
import { type Entry, SharedEntries } from './shared-entries.ts';
import { isTimeOver } from './time-limit.ts';

/** The head of a shared answer has the headers of every answer. */
const noHeaders: Headers = [];

/** Most addresses that are remembered; then all are forgotten. */
const maxEntries = 50_000;

/**
 * The shared answers of one thread, by what a request asks for.
 *
 * - **Key**: see `SharedKey`. Requests that ask for more have none.
 * - **Invalidation**: the shared version and the time limit, which are read at each request; the time of the entry;
 *   `drop`.
 * - **Limit**: `maxEntries`. The bytes belong to the caches of the main thread, which says what they drop.
 */
export class SharedAnswerTable {
  readonly #state: Int32Array;
  readonly #scheme: Scheme;
  readonly #localPeer: string | undefined;
  readonly #views: ViewEventBuffer;
  readonly #reportUse: (times: ReadonlyMap<number, number>) => void;
  readonly #running = new RunningExchanges();
  readonly #turns = new BodylessTurns();
  readonly #nowMs = roughClock();
  readonly #heads = new HeadReader();
  readonly #entries = new SharedEntries();
  #byNumber = new Map<number, Entry>();
  #used: Entry[] = [];
  readonly #spaces = new SpaceNames();
  /** Of the request that `answer` was asked for last. */
  #host = '';
  #key: SharedKey | undefined;

  constructor(
    { state, tls, localPeer }: Pick<ThreadSettings, 'state' | 'tls' | 'localPeer'>,
    views: ViewEventBuffer,
    reportUse: (times: ReadonlyMap<number, number>) => void,
  ) {
    this.#state = new Int32Array(state);
    this.#localPeer = localPeer;
    this.#views = views;
    this.#reportUse = reportUse;
    this.#scheme = tls === undefined ? 'http' : 'https';
  }

  /** Answers a request if its answer is shared; else returns false. */
  answer(res: Responder, req: RequestHead, method: string): boolean {
    const path = req.getUrl();
    const query = req.getQuery() ?? '';
    const headers = this.#headersOf(req, method, path, query);
    this.#key = headers === undefined ? undefined : this.#keyOf(res, headers, path, query);
    const entry = this.#key === undefined ? undefined : this.#entries.find(this.#key);
    if (headers === undefined || entry === undefined || isTimeOver(this.#state, 2)) return false;
    if (entry.version !== Atomics.load(this.#state, 0) || entry.expiresAt <= this.#nowMs()) {
      this.#entries.remove(entry);
      return false;
    }
    if (entry.uses === 0) this.#used.push(entry);
    entry.uses += 1;
    this.#countView(res, method, path, headers, entry);
    const form = method === 'HEAD' ? 'HEAD' : 'GET';
    if (this.#turns.mustWait(method, entry.response)) {
      const exchange = this.#running.start(res);
      setImmediate(() => exchange.write(() => writePublic(res, form, entry.response, noHeaders, exchange)));
    } else {
      writePublic(res, form, entry.response, noHeaders, this.#running);
    }
    return true;
  }

  /**
   * Under which key an answer to the request that `answer` was asked for last may be shared; undefined if it may not.
   */
  lastKey(): SharedKey | undefined {
    return this.#key;
  }

  #countView(
    res: Responder,
    method: string,
    path: string,
    headers: RequestHeaders,
    { response }: Entry,
  ): void {
    const { viewOf: siteId } = response;
    if (siteId === undefined || Atomics.load(this.#state, 1) === 0) return;
    const visit = findVisit(res, method, { host: this.#host, path }, headers, this.#localPeer);
    if (visit !== undefined) this.#views.note(visit, siteId, viewStatus(response));
  }

  /**
   * The headers of a request whose answer may be shared; undefined for others. A malformed request has none, because
   * the main thread refuses it.
   */
  #headersOf(req: RequestHead, method: string, path: string, query: string): RequestHeaders | undefined {
    if ((method !== 'GET' && method !== 'HEAD') || path.startsWith('/api/')) return undefined;
    const headers = this.#heads.read(req, method, path, query);
    return typeof headers === 'string' ? undefined : headers;
  }

  /** What a request asks for; undefined if its answer may depend on more. */
  #keyOf(res: Responder, headers: RequestHeaders, path: string, query: string): SharedKey | undefined {
    const { ifNoneMatch: condition = '', acceptEncoding = '' } = headers;
    // If-Modified-Since does not count beside If-None-Match (RFC 9110, 13.1.3).
    if (headers.isConditional || (headers.isTimed && condition === '')) return undefined;
    // The main thread refuses chunks.
    if (headers.codings > 0) return undefined;
    // An administrator may have chosen another website than that of the host, or look at a preview of a website.
    if (headers.cookie.includes('ic_site=') || headers.cookie.includes('ic_preview=')) return undefined;
    const { host, scheme } = visitorsOrigin(res, headers, this.#scheme);
    this.#host = host;
    const space = this.#spaces.of(scheme, codingsFor(acceptEncoding), host);
    return { space, address: query === '' ? path : `${path}?${query}`, condition };
  }

  add({ number, key, version, expiresAt, head, body, viewOf: siteId }: SharedEntry): void {
    if (this.#entries.size >= maxEntries) this.clear();
    const response: PublicResponse = { status: head, headers: [], body, viewOf: siteId };
    const entry: Entry = { number, key, version, expiresAt, response, uses: 0 };
    this.#entries.add(entry);
    this.#byNumber.set(number, entry);
  }

  drop(numbers: readonly number[]): void {
    for (const number of numbers) {
      const entry = this.#byNumber.get(number);
      if (entry === undefined) continue;
      this.#byNumber.delete(number);
      this.#entries.remove(entry);
    }
  }

  clear(): void {
    this.report();
    this.#entries.clear();
    this.#byNumber = new Map();
  }

  /** Tells how often answers were given since the last report. */
  report(): void {
    if (this.#used.length === 0) return;
    const times = new Map<number, number>();
    for (const entry of this.#used) {
      times.set(entry.number, entry.uses);
      entry.uses = 0;
    }
    this.#used = [];
    this.#reportUse(times);
  }
}

/** The first texts of keys. Most requests have the same as the request before. */
class SpaceNames {
  #scheme: Scheme = 'http';
  /** One of a few lists that `codingsFor` gives. */
  #codings: readonly Encoding[] = [];
  #host = '';
  #last = '';

  of(scheme: Scheme, codings: readonly Encoding[], host: string): string {
    if (this.#last === '' || host !== this.#host || codings !== this.#codings || scheme !== this.#scheme) {
      this.#scheme = scheme;
      this.#codings = codings;
      this.#host = host;
      this.#last = `${scheme} ${codings.join()} ${host}`;
    }
    return this.#last;
  }
}
