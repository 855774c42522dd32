import type { ReadSet } from '../../runtime/content/reads.ts';
import type { ContentVersion } from '../changes/content-version.ts';
import type { PageCacheStats } from './model.ts';

/**
 * The page cache: complete answers, ready to be written.
 *
 * - **Key**: see `CacheKey`; for pages scheme, website and host of their absolute URLs, then raw path and raw query.
 *   At most `maxKeyLength` characters; longer ones are refused.
 * - **An entry depends on** what its render has read (`runtime/content/reads.ts`), and on the day.
 * - **Invalidation**: `retire()` at every change, all entries at once: clients see an empty cache. A retired
 *   entry is not found by `get`; `reuse` brings it back if nothing that it depends on has changed. An entry is
 *   refused if something that it depends on has changed since its render. Entries expire at `expiresAt`, the
 *   midnight that follows the start of their render.
 * - **Limit**: bytes: all forms of bodies, key, dependencies, and a flat `entryOverhead`, of retired
 *   entries too. The least recently used entries are removed first. A value larger than the whole cache is
 *   refused. Limit 0 switches the cache off.
 * - **State**: `#spaces` and the list from `#newest` to `#oldest` hold the same nodes, and `#bytes` is the
 *   sum of their sizes. Only `#link` and `#unlink` touch the list. An entry is live if its generation is the
 *   current one; `#live` counts these.
 *
 * A hit costs two map lookups and the exchange of a few references; nothing is allocated. `get`, `set`,
 * `retire`, `clear` and eviction take constant time, `reuse` a lookup for each dependency.
 */
export class PageCache<Value> {
  readonly #maxBytes: number;
  readonly #nowMs: () => number;
  readonly #onRemove: (value: Value) => void;
  readonly #version: Pick<ContentVersion, 'current' | 'holds'>;
  #spaces = new Map<string, Map<string, Entry<Value>>>();
  #newest: Entry<Value> | undefined;
  #oldest: Entry<Value> | undefined;
  #bytes = 0;
  #generation = 0;
  #live = noEntries();
  #hits = 0;
  #misses = 0;

  constructor({ maxBytes, nowMs, version, onRemove = () => {} }: PageCacheOptions<Value>) {
    this.#onRemove = onRemove;
    this.#maxBytes = maxBytes;
    this.#nowMs = nowMs;
    this.#version = version;
  }

  /** The value of a key, now the most recently used. Counts a hit; misses are counted by `set` and `reuse`. */
  get(key: CacheKey): Value | undefined {
    const entry = this.#entryOf(key);
    if (entry === undefined || entry.generation !== this.#generation) return undefined;
    if (entry.expiresAt <= this.#nowMs()) {
      this.#remove(entry);
      return undefined;
    }
    this.#use(entry);
    this.#hits += 1;
    return entry.value;
  }

  /**
   * The value of a retired entry, which is live again. Undefined if there is none, or if something that it
   * depends on has changed; then it must be made anew. Counts a miss when it finds one.
   */
  reuse(key: CacheKey): Value | undefined {
    const entry = this.#entryOf(key);
    if (entry === undefined || entry.generation === this.#generation) return undefined;
    if (entry.expiresAt <= this.#nowMs() || !this.#version.holds(entry.reads)) {
      this.#remove(entry);
      return undefined;
    }
    // Nothing has changed for it up to now, so later checks need only look at later changes.
    entry.reads = { seq: this.#version.current(), dependencies: entry.reads.dependencies };
    this.#enliven(entry);
    this.#use(entry);
    this.#misses += 1;
    return entry.value;
  }

  /**
   * Stores a value, or refuses it and returns false. Counts a miss when it stores: an answer that can never
   * be stored says nothing about the cache.
   */
  set(key: CacheKey, value: Value, facts: EntryFacts): boolean {
    const dependencyBytes = facts.reads.dependencies?.byteLength ?? 0;
    const keyLength = key.space.length + key.address.length;
    const sizeBytes = facts.bodyBytes + dependencyBytes + keyLength * 2 + entryOverhead;
    if (sizeBytes > this.#maxBytes || keyLength > maxKeyLength) return false;
    if (!this.#version.holds(facts.reads) || facts.expiresAt <= this.#nowMs()) return false;
    const known = this.#entryOf(key);
    if (known !== undefined) this.#remove(known);
    const entry = new Entry(key, value, sizeBytes, facts);
    this.#add(entry);
    this.#link(entry);
    this.#bytes += sizeBytes;
    // Rendered before the newest change, which has not touched it: clients find an empty cache after a change.
    if (facts.reads.seq >= this.#version.current()) this.#enliven(entry);
    this.#misses += 1;
    this.#evict();
    return true;
  }

  /** A value was given without being asked for here. Nothing happens if it is not in the cache any more. */
  used(key: CacheKey, value: Value, times: number): void {
    this.#hits += times;
    const entry = this.#entryOf(key);
    if (entry?.value === value) this.#use(entry);
  }

  /** The bodies of a value have another size now. Nothing happens if the value is not in the cache any more. */
  resize(key: CacheKey, value: Value, bodyBytes: number): void {
    const entry = this.#entryOf(key);
    if (entry?.value !== value) return;
    const growth = bodyBytes - entry.bodyBytes;
    entry.bodyBytes = bodyBytes;
    entry.sizeBytes += growth;
    this.#bytes += growth;
    if (entry.generation === this.#generation) this.#live.bytes += growth;
    this.#evict();
  }

  /** After a change of content: no entry is found any more, but `reuse` may bring it back. */
  retire(): void {
    this.#generation += 1;
    this.#live = noEntries();
  }

  clear(): void {
    this.retire();
    this.#spaces = new Map();
    this.#newest = undefined;
    this.#oldest = undefined;
    this.#bytes = 0;
  }

  /** Core, "Page cache statistics". */
  stats(): PageCacheStats {
    return {
      enabled: this.#maxBytes > 0,
      entries: this.#live.count,
      bytes: this.#live.bytes,
      max_bytes: this.#maxBytes,
      hits: this.#hits,
      misses: this.#misses,
    };
  }

  #evict(): void {
    while (this.#bytes > this.#maxBytes && this.#oldest !== undefined) this.#remove(this.#oldest);
  }

  #entryOf({ space, address }: CacheKey): Entry<Value> | undefined {
    return this.#spaces.get(space)?.get(address);
  }

  #add(entry: Entry<Value>): void {
    const { space, address } = entry.key;
    const entries = this.#spaces.get(space) ?? new Map<string, Entry<Value>>();
    this.#spaces.set(space, entries.set(address, entry));
  }

  #remove(entry: Entry<Value>): void {
    const { space, address } = entry.key;
    const entries = this.#spaces.get(space);
    entries?.delete(address);
    if (entries?.size === 0) this.#spaces.delete(space);
    this.#unlink(entry);
    this.#bytes -= entry.sizeBytes;
    this.#onRemove(entry.value);
    if (entry.generation !== this.#generation) return;
    this.#live.count -= 1;
    this.#live.bytes -= entry.sizeBytes;
  }

  #enliven(entry: Entry<Value>): void {
    entry.generation = this.#generation;
    this.#live.count += 1;
    this.#live.bytes += entry.sizeBytes;
  }

  #use(entry: Entry<Value>): void {
    if (entry === this.#newest) return;
    this.#unlink(entry);
    this.#link(entry);
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

export interface PageCacheOptions<Value> {
  /** 0 = off. */
  readonly maxBytes: number;
  /** Unix milliseconds. */
  readonly nowMs: () => number;
  readonly version: Pick<ContentVersion, 'current' | 'holds'>;
  /** Called for a value that leaves the cache, except by `clear`. */
  readonly onRemove?: (value: Value) => void;
}

/** Two texts, so that a lookup neither joins them nor hashes what many keys have in common. */
export interface CacheKey {
  readonly space: string;
  readonly address: string;
}

export interface EntryFacts {
  /** Size of all bodies of the value, in bytes. */
  readonly bodyBytes: number;
  /** What the render has read. */
  readonly reads: ReadSet;
  /** Unix milliseconds. */
  readonly expiresAt: number;
}

/** Longest key in characters. Addresses are seldom longer, and anyone can invent any number of long ones. */
export const maxKeyLength = 2048;

/** Estimated bytes of an entry besides bodies and key: headers, array buffers, nodes. */
export const entryOverhead = 1536;

class Entry<Value> {
  readonly key: CacheKey;
  readonly value: Value;
  sizeBytes: number;
  bodyBytes: number;
  readonly expiresAt: number;
  reads: ReadSet;
  generation = -1;
  newer: Entry<Value> | undefined;
  older: Entry<Value> | undefined;

  constructor(key: CacheKey, value: Value, sizeBytes: number, { bodyBytes, reads, expiresAt }: EntryFacts) {
    this.key = key;
    this.value = value;
    this.sizeBytes = sizeBytes;
    this.bodyBytes = bodyBytes;
    this.reads = reads;
    this.expiresAt = expiresAt;
  }
}

function noEntries(): { count: number; bytes: number } {
  return { count: 0, bytes: 0 };
}

/** The next local midnight after a time, both Unix milliseconds; right on days with a clock change too. */
export function nextMidnight(nowMs: number): number {
  const date = new Date(nowMs);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1).getTime();
}
