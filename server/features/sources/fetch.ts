import { LRUCache } from 'lru-cache';
import type { Clock } from '../../base/clock.ts';
import { type ApiError, apiError } from '../../base/errors.ts';
import { readBytes } from '../../http/outgoing/answer.ts';
import type { Outgoing } from '../../http/outgoing/client.ts';
import { OutgoingError } from '../../http/outgoing/errors.ts';
import type { Source } from './model.ts';
import { type Environment, type Expanded, expand, type Params } from './placeholders.ts';

/** The answer of a source. */
export interface SourceResponse {
  readonly status: number;
  /** At most 10 MB; the rest is left out (Data, Automation and Operations, "Limits"). */
  readonly bytes: Uint8Array;
  /** Until when it counts, Unix milliseconds; the past for an answer that is not kept. */
  readonly expiresAt: number;
  readonly cached: boolean;
}

/** What came back for one request. */
export interface SourceReply extends Pick<SourceResponse, 'status' | 'bytes'> {
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
}

/** A source could not be asked, or did not answer as it should. The text names no secret. */
export class SourceError extends Error {
  /** The same by its code. */
  readonly failure: ApiError;
  /** What came back nevertheless. */
  readonly reply: SourceReply | undefined;

  constructor(failure: ApiError, reply?: SourceReply) {
    super(failure.message);
    this.failure = failure;
    this.reply = reply;
  }
}

const maxBytes = 10 * 2 ** 20;
const maxCacheBytes = 64 * 2 ** 20;
const maxRedirects = 5;

type Asked = Pick<Source, 'method' | 'url' | 'headers' | 'body' | 'timeout' | 'cache_ttl'>;

/**
 * Asks sources and keeps their answers.
 *
 * - Key: method, expanded address and body.
 * - Time: `cache_ttl` of the source; `clear()` when any source is changed or deleted.
 * - Limit: 64 MB; the least recently used answers are removed first.
 * - Equal requests at the same time share one. Failures are not kept.
 */
export class SourceFetcher {
  readonly #outgoing: Pick<Outgoing, 'send'>;
  readonly #clock: Clock;
  readonly #environment: Environment;
  readonly #kept = new LRUCache<string, SourceResponse>({
    maxSize: maxCacheBytes,
    sizeCalculation: ({ bytes }, key) => bytes.length + key.length + 100,
  });
  readonly #running = new Map<string, Promise<SourceResponse>>();

  constructor(outgoing: Pick<Outgoing, 'send'>, clock: Clock, environment: Environment) {
    this.#outgoing = outgoing;
    this.#clock = clock;
    this.#environment = environment;
  }

  /** @throws SourceError for a parameter that would leave its place in the address */
  expand(source: Asked, params: Params): Expanded {
    try {
      return expand(source, params, this.#environment);
    } catch (error) {
      if (error instanceof OutgoingError)
        throw new SourceError(apiError('source.unreachable', { reason: error.message }));
      throw error;
    }
  }

  /** @throws SourceError */
  async fetch(source: Asked, params: Params): Promise<SourceResponse> {
    const request = this.expand(source, params);
    const key = JSON.stringify([request.method, request.url, request.body ?? '']);
    const known = this.#kept.get(key);
    if (known !== undefined && known.expiresAt > this.#clock()) return { ...known, cached: true };
    const running = this.#running.get(key);
    if (running !== undefined) return running;
    const work = this.#fetchNew(request, source, key).finally(() => {
      if (this.#running.get(key) === work) this.#running.delete(key);
    });
    this.#running.set(key, work);
    return work;
  }

  clear(): void {
    this.#kept.clear();
    this.#running.clear();
  }

  async #fetchNew(request: Expanded, source: Asked, key: string): Promise<SourceResponse> {
    const { status, bytes } = await this.send(request, source.timeout);
    const expiresAt = source.cache_ttl === 0 ? 0 : this.#clock() + source.cache_ttl * 1000;
    const fetched = { status, bytes, expiresAt, cached: false };
    // `clear()` during the request means that the answer may be that of another source.
    if (source.cache_ttl > 0 && this.#running.has(key)) this.#kept.set(key, fetched);
    return fetched;
  }

  /** One request without the cache. @throws SourceError also for a status of 400 or above */
  async send({ method, url, headers, body, mask }: Expanded, timeoutSeconds: number): Promise<SourceReply> {
    const timeoutMs = timeoutSeconds * 1000;
    try {
      const answer = await this.#outgoing.send({
        method,
        url,
        headers,
        ...(body === undefined ? {} : { body }),
        maxRedirects,
        timeouts: { headersMs: timeoutMs, idleMs: timeoutMs, totalMs: timeoutMs },
      });
      const { bytes } = await readBytes(answer, maxBytes, 'truncate');
      const reply = { status: answer.status, headers: answer.headers, bytes };
      if (reply.status >= 400)
        throw new SourceError(apiError('source.status', { status: reply.status }), reply);
      return reply;
    } catch (error) {
      if (error instanceof OutgoingError)
        throw new SourceError(apiError('source.unreachable', { reason: mask(error.message) }));
      throw error;
    }
  }
}
