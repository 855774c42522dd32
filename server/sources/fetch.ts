import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.ts';
import { readBytes } from '../outgoing/answer.ts';
import type { Outgoing } from '../outgoing/client.ts';
import { OutgoingError } from '../outgoing/errors.ts';
import type { Source } from './model.ts';
import { type Environment, type Expanded, expand, type Params } from './placeholders.ts';

/** The answer of a source. */
export interface Fetched {
  readonly status: number;
  /** At most 10 MB; the rest is left out (Data, Automation and Operations, "Limits"). */
  readonly bytes: Uint8Array;
  /** Until when it counts, Unix milliseconds; the past for an answer that is not kept. */
  readonly expiresAt: number;
  readonly cached: boolean;
}

/** A source could not be asked, or did not answer as it should. The text names no secret. */
export class SourceError extends Error {
  readonly status: number;

  constructor(message: string, status = 0) {
    super(message);
    this.status = status;
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
  readonly #kept = new LRUCache<string, Fetched>({
    maxSize: maxCacheBytes,
    sizeCalculation: ({ bytes }, key) => bytes.length + key.length + 100,
  });
  readonly #running = new Map<string, Promise<Fetched>>();

  constructor(outgoing: Pick<Outgoing, 'send'>, clock: Clock, environment: Environment) {
    this.#outgoing = outgoing;
    this.#clock = clock;
    this.#environment = environment;
  }

  expand(source: Asked, params: Params): Expanded {
    return expand(source, params, this.#environment);
  }

  /** @throws SourceError */
  fetch(source: Asked, params: Params): Promise<Fetched> {
    const request = this.expand(source, params);
    const key = JSON.stringify([request.method, request.url, request.body ?? '']);
    const known = this.#kept.get(key);
    if (known !== undefined && known.expiresAt > this.#clock())
      return Promise.resolve({ ...known, cached: true });
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

  async #fetchNew(request: Expanded, source: Asked, key: string): Promise<Fetched> {
    const answer = await this.send(request, source.timeout);
    const expiresAt = source.cache_ttl === 0 ? 0 : this.#clock() + source.cache_ttl * 1000;
    const fetched = { ...answer, expiresAt, cached: false };
    // `clear()` during the request means that the answer may be that of another source.
    if (source.cache_ttl > 0 && this.#running.has(key)) this.#kept.set(key, fetched);
    return fetched;
  }

  /** One request without the cache. @throws SourceError also for a status of 400 or above */
  async send(
    { method, url, headers, body, mask }: Expanded,
    timeoutSeconds: number,
  ): Promise<Pick<Fetched, 'status' | 'bytes'>> {
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
      if (answer.status >= 400) throw new SourceError(`it answered ${answer.status}`, answer.status);
      return { status: answer.status, bytes };
    } catch (error) {
      if (error instanceof OutgoingError) throw new SourceError(mask(error.message));
      throw error;
    }
  }
}
