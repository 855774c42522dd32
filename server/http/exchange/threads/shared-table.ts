import { roughClock } from '../../../clock.ts';
import { noted, refusalOf } from '../../framing.ts';
import { codingsFor } from '../../negotiate.ts';
import { originOf, type Scheme } from '../../origin.ts';
import type { PublicResponse } from '../../public.ts';
import type { Headers } from '../../security-headers.ts';
import type { Views } from '../../views.ts';
import { writePublic } from '../answers.ts';
import { BodylessTurns } from '../bodyless-turns.ts';
import { type Exchanges, peerOf, RunningExchanges } from '../running.ts';
import type { RequestHead, Responder } from '../transport.ts';
import { viewStatus, visitOf } from '../visit.ts';
import type { SharedEntry, ThreadSettings } from './messages.ts';
import { isTimeOver } from './time-limit.ts';

/** The head of a shared answer has the headers of every answer. */
const noHeaders: Headers = [];

/** Most addresses that are remembered; then all are forgotten. */
const maxEntries = 50_000;

/**
 * The shared answers of one thread, by what a request asks for.
 *
 * - **Key**: accepted codings, host, address, `If-None-Match`. Requests that ask for more have none.
 * - **Invalidation**: the shared version and the time limit, which are read at each request; the time of the entry;
 *   `drop`.
 * - **Limit**: `maxEntries`. The bytes belong to the caches of the main thread, which says what they drop.
 */
export class SharedAnswerTable {
  readonly #state: Int32Array;
  readonly #scheme: Scheme;
  readonly #localPeer: string | undefined;
  readonly #views: Views;
  readonly #reportUse: (times: ReadonlyMap<number, number>) => void;
  readonly #running = new RunningExchanges();
  readonly #turns = new BodylessTurns();
  readonly #nowMs = roughClock();
  #entries = new Map<string, Entry>();
  #byNumber = new Map<number, Entry>();
  #used: Entry[] = [];
  /** Host and path of the request whose key was made last. */
  #lastHost = '';
  #lastPath = '';

  constructor(
    { state, tls, localPeer }: Pick<ThreadSettings, 'state' | 'tls' | 'localPeer'>,
    views: Views,
    reportUse: (times: ReadonlyMap<number, number>) => void,
  ) {
    this.#state = new Int32Array(state);
    this.#localPeer = localPeer;
    this.#views = views;
    this.#reportUse = reportUse;
    this.#scheme = tls === undefined ? 'http' : 'https';
  }

  /**
   * Answers a request if its answer is shared: then returns undefined. Else returns the key under which an answer
   * may be shared, empty if it may not.
   */
  answer(res: Responder, req: RequestHead, method: string): string | undefined {
    const key = this.#keyOf(res, req, method);
    const entry = this.#entries.get(key);
    if (key === '' || entry === undefined || isTimeOver(this.#state, 2)) return key;
    if (entry.version !== Atomics.load(this.#state, 0) || entry.expiresAt <= this.#nowMs()) {
      this.#entries.delete(key);
      return key;
    }
    if (entry.uses === 0) this.#used.push(entry);
    entry.uses += 1;
    this.#countView(res, method, entry);
    const form = method === 'HEAD' ? 'HEAD' : 'GET';
    const write = (exchanges: Exchanges) => writePublic(res, form, entry.response, noHeaders, exchanges);
    if (this.#turns.mustWait(method, entry.response)) {
      const exchange = this.#running.start(res);
      setImmediate(() => exchange.write(() => write(exchange)));
    } else {
      write(this.#running);
    }
    return undefined;
  }

  #countView(res: Responder, method: string, { response }: Entry): void {
    const { viewOf: siteId } = response;
    if (siteId === undefined || Atomics.load(this.#state, 1) === 0) return;
    const visit = visitOf(res, { method, host: this.#lastHost, path: this.#lastPath }, this.#localPeer);
    if (visit !== undefined) this.#views.note(visit, siteId, viewStatus(response));
  }

  /**
   * What a request asks for; empty if its answer may depend on more. A malformed request has no key, because the
   * main thread refuses it.
   */
  #keyOf(res: Responder, req: RequestHead, method: string): string {
    const path = req.getUrl();
    const query = req.getQuery() ?? '';
    if ((method !== 'GET' && method !== 'HEAD') || path.startsWith('/api/')) return '';
    if (refusalOf(req, method, path, query) !== undefined) return '';
    const { ifNoneMatch = '', acceptEncoding = '' } = noted;
    // If-Modified-Since does not count beside If-None-Match (RFC 9110, 13.1.3).
    if (noted.isConditional || (noted.isTimed && ifNoneMatch === '')) return '';
    // An administrator may have chosen another website than that of the host.
    if (noted.cookie.includes('ic_site=')) return '';
    const { host, scheme } = this.#originOf(res, noted.host);
    this.#lastHost = host;
    this.#lastPath = path;
    const codings = codingsFor(acceptEncoding).join();
    return `${scheme} ${codings} ${host}${path}?${query} ${ifNoneMatch}`;
  }

  #originOf(res: Responder, host: string): { readonly host: string; readonly scheme: Scheme } {
    const own = { host, scheme: this.#scheme };
    const { forwardedHost, forwardedProto } = noted;
    if (forwardedHost === '' && forwardedProto === '') return own;
    return originOf(own, peerOf(res), forwardedHost, forwardedProto);
  }

  add({ number, key, version, expiresAt, head, body, viewOf: siteId }: SharedEntry): void {
    if (this.#entries.size >= maxEntries) this.clear();
    const response: PublicResponse = { status: head, headers: [], body, viewOf: siteId };
    const entry: Entry = { number, key, version, expiresAt, response, uses: 0 };
    this.#entries.set(key, entry);
    this.#byNumber.set(number, entry);
  }

  drop(numbers: readonly number[]): void {
    for (const number of numbers) {
      const entry = this.#byNumber.get(number);
      if (entry === undefined) continue;
      this.#byNumber.delete(number);
      if (this.#entries.get(entry.key) === entry) this.#entries.delete(entry.key);
    }
  }

  clear(): void {
    this.report();
    this.#entries = new Map();
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

interface Entry extends Omit<SharedEntry, 'head' | 'body' | 'viewOf'> {
  readonly response: PublicResponse;
  /** Since the last report. */
  uses: number;
}
