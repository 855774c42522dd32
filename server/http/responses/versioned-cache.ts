import type { ReadSet } from '../../../runtime/content/dependency-recorder.ts';
import type { CacheKey } from './cache-entry.ts';
import { RequestCoalescer } from './request-coalescer.ts';
import { ResponseCache } from './response-cache.ts';
import type { VersionSource } from './version-source.ts';

/**
 * A part of the cache for values that depend on all content.
 *
 * - **Invalidation**: when the version has moved, the next call removes all entries.
 * - A value is stored only if the version is still the version at which its work began.
 * - Equal requests at one version share one computation; failures are not stored.
 */
export class VersionedCache<Value extends object> {
  readonly #version: VersionSource;
  readonly #measureBytes: (value: Value) => number;
  readonly #entries: ResponseCache<Value>;
  readonly #running: RequestCoalescer<{ readonly value: Value; readonly reads: ReadSet }>;
  #versionOfEntries: number;

  /** @param measureBytes size of the body of a value */
  constructor(version: VersionSource, maxBytes: number, measureBytes: (value: Value) => number) {
    this.#version = version;
    this.#measureBytes = measureBytes;
    this.#entries = new ResponseCache({ maxBytes, nowMs: () => 0, version });
    // The next caller computes again anyway, and long lists shall not be made several times for one request.
    this.#running = new RequestCoalescer(version, { maxRestarts: 0 });
    this.#versionOfEntries = version.current();
  }

  /** To be passed to {@link set}. */
  version(): number {
    return this.#version.current();
  }

  get(key: CacheKey): Value | undefined {
    const version = this.#version.current();
    if (version !== this.#versionOfEntries) {
      this.#entries.clear();
      this.#versionOfEntries = version;
    }
    return this.#entries.get(key);
  }

  /** @param since what {@link version} was when the work began */
  set(key: CacheKey, value: Value, since: number): void {
    this.#entries.set(key, value, {
      bodyBytes: this.#measureBytes(value),
      reads: { seq: since, dependencies: undefined },
      expiresAt: Number.POSITIVE_INFINITY,
    });
  }

  /** The value of a key. If there is none, `create` makes it once for all equal requests. */
  take(key: CacheKey, create: () => Promise<Value>): Value | Promise<Value> {
    return this.get(key) ?? this.#create(key, create);
  }

  async #create(key: CacheKey, create: () => Promise<Value>): Promise<Value> {
    const { value } = await this.#running.take(`${key.partition} ${key.address}`, async () => {
      const since = this.version();
      const created = await create();
      this.set(key, created, since);
      return { value: created, reads: { seq: since, dependencies: undefined } };
    });
    return value;
  }
}
