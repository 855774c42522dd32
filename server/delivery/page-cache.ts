import type { ReadSet } from '../../runtime/content/reads.ts';
import type { ContentVersion } from '../content-version.ts';
import type { PageCacheStats } from './model.ts';

/**
 * The page cache: complete answers, ready to be written.
 *
 * - **Key**: website, host of its absolute URLs, raw path and raw query, as one text. At most `maxKeyLength`
 *   characters; longer ones are refused.
 * - **An entry depends on** what its render has read (`runtime/content/reads.ts`), and on the day.
 * - **Invalidation**: `retire()` at every change, all entries at once: clients see an empty cache. A retired
 *   entry is not found by `get`; `reuse` brings it back if nothing that it depends on has changed. An entry is
 *   refused if something that it depends on has changed since its render. Entries expire at `expiresAt`, the
 *   midnight that follows the start of their render.
 * - **Limit**: bytes: all forms of bodies, key, dependencies, and a flat `entryOverhead`, of retired
 *   entries too. The least recently used entries are removed first. A value larger than the whole cache is
 *   refused. Limit 0 switches the cache off.
 * - **State**: `#entries` and the list from `#newest` to `#oldest` hold the same nodes, and `#bytes` is the
 *   sum of their sizes. Only `#link` and `#unlink` touch the list. An entry is live if its generation is the
 *   current one; `#live` counts these.
 *
 * A hit costs one map lookup and the exchange of a few references; nothing is allocated. `get`, `set`,
 * `retire`, `clear` and eviction take constant time, `reuse` a lookup for each dependency.
 */
export class PageCache<Value> {
  readonly #maxBytes: number;
  readonly #nowMs: () => number;
  readonly #onRemove: (value: Value) => void;
  readonly #version: Pick<ContentVersion, 'current' | 'holds'>;
  #entries = new Map<string, Entry<Value>>();
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
  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
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
  reuse(key: string): Value | undefined {
    const entry = this.#entries.get(key);
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
  set(key: string, value: Value, facts: EntryFacts): boolean {
    const dependencyBytes = facts.reads.dependencies?.byteLength ?? 0;
    const sizeBytes = facts.bodyBytes + dependencyBytes + key.length * 2 + entryOverhead;
    if (sizeBytes > this.#maxBytes || key.length > maxKeyLength) return false;
    if (!this.#version.holds(facts.reads) || facts.expiresAt <= this.#nowMs()) return false;
    const known = this.#entries.get(key);
    if (known !== undefined) this.#remove(known);
    const entry = new Entry(key, value, sizeBytes, facts);
    this.#entries.set(key, entry);
    this.#link(entry);
    this.#bytes += sizeBytes;
    // Rendered before the newest change, which has not touched it: clients find an empty cache after a change.
    if (facts.reads.seq >= this.#version.current()) this.#enliven(entry);
    this.#misses += 1;
    this.#evict();
    return true;
  }

  /** A value was given without being asked for here. Nothing happens if it is not in the cache any more. */
  used(key: string, value: Value, times: number): void {
    this.#hits += times;
    const entry = this.#entries.get(key);
    if (entry?.value === value) this.#use(entry);
  }

  /** The bodies of a value have another size now. Nothing happens if the value is not in the cache any more. */
  resize(key: string, value: Value, bodyBytes: number): void {
    const entry = this.#entries.get(key);
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
    this.#entries = new Map();
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

  #remove(entry: Entry<Value>): void {
    this.#entries.delete(entry.key);
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
  readonly key: string;
  readonly value: Value;
  sizeBytes: number;
  bodyBytes: number;
  readonly expiresAt: number;
  reads: ReadSet;
  generation = -1;
  newer: Entry<Value> | undefined;
  older: Entry<Value> | undefined;

  constructor(key: string, value: Value, sizeBytes: number, { bodyBytes, reads, expiresAt }: EntryFacts) {
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
