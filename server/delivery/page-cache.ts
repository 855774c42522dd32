import type { ContentVersion } from '../../runtime/content/version.ts';
import type { PageCacheStats } from './model.ts';

/**
 * The page cache: complete answers, ready to be written.
 *
 * - **Key**: website, host of its absolute URLs, raw path and raw query, as one text. At most `maxKeyLength`
 *   characters; longer ones are refused.
 * - **An entry depends on** the whole content at one content version, and on the day.
 * - **Invalidation**: `clear()` at every change, everything at once: no dependency can be forgotten. An entry
 *   is refused if the content version is no longer the one its render started with; since the version moves
 *   before the cache is cleared, no entry made before a change is ever found after it. Entries expire at
 *   `expiresAt`, the midnight that follows the start of their render.
 * - **Limit**: bytes: bodies of both encodings, key, and a flat `entryOverhead`. The least recently used
 *   entries are removed first. A value larger than the whole cache is refused. Limit 0 switches the cache
 *   off.
 * - **State**: `#entries` and the list from `#newest` to `#oldest` hold the same nodes, and `#bytes` is the
 *   sum of their sizes. Only `#link` and `#unlink` touch the list.
 *
 * A hit costs one map lookup and the exchange of a few references; nothing is allocated. `get`, `set`,
 * `clear` and eviction take constant time; `clear` drops the map and the list as a whole.
 */
export class PageCache<Value> {
  readonly #maxBytes: number;
  readonly #nowMs: () => number;
  readonly #version: ContentVersion;
  #entries = new Map<string, Entry<Value>>();
  #newest: Entry<Value> | undefined;
  #oldest: Entry<Value> | undefined;
  #bytes = 0;
  #hits = 0;
  #misses = 0;

  constructor({ maxBytes, nowMs, version }: PageCacheOptions) {
    this.#maxBytes = maxBytes;
    this.#nowMs = nowMs;
    this.#version = version;
  }

  /** The value of a key, now the most recently used. Counts a hit; misses are counted by `set`. */
  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    if (entry.expiresAt <= this.#nowMs()) {
      this.#remove(entry);
      return undefined;
    }
    if (entry !== this.#newest) {
      this.#unlink(entry);
      this.#link(entry);
    }
    this.#hits += 1;
    return entry.value;
  }

  /**
   * Stores a value, or refuses it and returns false. Counts a miss when it stores: an answer that can never
   * be stored says nothing about the cache.
   */
  set(key: string, value: Value, facts: EntryFacts): boolean {
    const sizeBytes = facts.bodyBytes + key.length * 2 + entryOverhead;
    if (sizeBytes > this.#maxBytes || key.length > maxKeyLength) return false;
    if (facts.version !== this.#version.current() || facts.expiresAt <= this.#nowMs()) return false;
    const known = this.#entries.get(key);
    if (known !== undefined) this.#remove(known);
    const entry = new Entry(key, value, sizeBytes, facts.expiresAt);
    this.#entries.set(key, entry);
    this.#link(entry);
    this.#bytes += sizeBytes;
    this.#misses += 1;
    while (this.#bytes > this.#maxBytes && this.#oldest !== undefined) this.#remove(this.#oldest);
    return true;
  }

  clear(): void {
    this.#entries = new Map();
    this.#newest = undefined;
    this.#oldest = undefined;
    this.#bytes = 0;
  }

  /** Core, "Page cache statistics". */
  stats(): PageCacheStats {
    return {
      enabled: this.#maxBytes > 0,
      entries: this.#entries.size,
      bytes: this.#bytes,
      max_bytes: this.#maxBytes,
      hits: this.#hits,
      misses: this.#misses,
    };
  }

  #remove(entry: Entry<Value>): void {
    this.#entries.delete(entry.key);
    this.#unlink(entry);
    this.#bytes -= entry.sizeBytes;
  }

  #link(entry: Entry<Value>): void {
    entry.older = this.#newest;
    entry.newer = undefined;
    if (this.#newest !== undefined) this.#newest.newer = entry;
    this.#newest = entry;
    this.#oldest ??= entry;
  }

  #unlink(entry: Entry<Value>): void {
    if (entry.newer === undefined) this.#newest = entry.older;
    else entry.newer.older = entry.older;
    if (entry.older === undefined) this.#oldest = entry.newer;
    else entry.older.newer = entry.newer;
  }
}

export interface PageCacheOptions {
  /** 0 = off. */
  readonly maxBytes: number;
  /** Unix milliseconds. */
  readonly nowMs: () => number;
  readonly version: ContentVersion;
}

export interface EntryFacts {
  /** Size of all bodies of the value, in bytes. */
  readonly bodyBytes: number;
  /** Content version at which the render started. */
  readonly version: number;
  /** Unix milliseconds. */
  readonly expiresAt: number;
}

/** Longest key in characters. Addresses are seldom longer, and anyone can invent any number of long ones. */
export const maxKeyLength = 2048;

/** Estimated bytes of an entry besides bodies and key: headers, array buffers, nodes. */
export const entryOverhead = 1536;

class Entry<Value> {
  readonly key: string;
  readonly value: Value;
  readonly sizeBytes: number;
  readonly expiresAt: number;
  newer: Entry<Value> | undefined;
  older: Entry<Value> | undefined;

  constructor(key: string, value: Value, sizeBytes: number, expiresAt: number) {
    this.key = key;
    this.value = value;
    this.sizeBytes = sizeBytes;
    this.expiresAt = expiresAt;
  }
}

/** The next local midnight after a time, both Unix milliseconds; right on days with a clock change too. */
export function nextMidnight(nowMs: number): number {
  const date = new Date(nowMs);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1).getTime();
}
