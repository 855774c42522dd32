import { CacheEntry, type CacheKey, type EntryFacts } from './cache-entry.ts';
import type { VersionSource } from './version-source.ts';

/**
 * A part of the cache of responses, with a budget of its own: responses that are ready to be written, or what they are
 * made of.
 *
 * - **Key**: see `CacheKey`; for pages scheme, website and host of their absolute URLs, then raw path and raw query.
 *   At most `maxKeyLength` characters; longer ones are refused.
 * - **Variants**: an entry may stand for other addresses too, for pages those with any query that they do not read.
 *   It remembers which of them were asked for, because clients see an entry of its own behind each address.
 * - **An entry depends on** what the work that made it has read (`runtime/content/dependency-recorder.ts`), and on the
 *   time until `expiresAt`.
 * - **Invalidation**: `markStale()` at every change, all entries at once: clients see an empty cache. `get` does not
 *   find a stale entry; `revalidate` brings it back if nothing that it depends on has changed. An entry is refused if
 *   something that it depends on has changed since it was made.
 * - **Limit**: bytes: all representations, key, dependencies, and a flat `entryOverhead`, of stale entries too. The
 *   least recently used entries are removed first. A value larger than the whole part is refused. Limit 0 switches
 *   the part off.
 * - **State**: `#partitions` and the list from `#newest` to `#oldest` hold the same nodes, and `#bytes` is the
 *   sum of their sizes. Only `#link` and `#unlink` touch the list. An entry is live if its generation is the
 *   current one; `#live` counts these.
 *
 * A hit costs two map lookups and the exchange of a few references; nothing is allocated. `get`, `set`,
 * `markStale`, `clear` and eviction take constant time, `revalidate` a lookup for each dependency.
 */
export class ResponseCache<Value> {
  readonly #maxBytes: number;
  readonly #nowMs: () => number;
  readonly #onRemove: (value: Value) => void;
  readonly #version: VersionSource;
  #partitions = new Map<string, Map<string, CacheEntry<Value>>>();
  #newest: CacheEntry<Value> | undefined;
  #oldest: CacheEntry<Value> | undefined;
  #bytes = 0;
  #generation = 0;
  /** The version of the last change that has emptied the cache for clients. */
  #staleSeq = 0;
  #live = noEntries();
  #hits = 0;
  #misses = 0;

  constructor({ maxBytes, nowMs, version, onRemove = () => {} }: ResponseCacheOptions<Value>) {
    this.#onRemove = onRemove;
    this.#maxBytes = maxBytes;
    this.#nowMs = nowMs;
    this.#version = version;
  }

  /**
   * The value of a live key that was asked for before, now the most recently used. Counts a hit; `set` and `revalidate`
   * count misses.
   */
  get(key: CacheKey): Value | undefined {
    const entry = this.#findEntry(key);
    if (entry === undefined || entry.generation !== this.#generation || !entry.isAsked) return undefined;
    if (entry.expiresAt <= this.#nowMs()) {
      this.#remove(entry);
      return undefined;
    }
    this.#use(entry);
    this.#hits += 1;
    return entry.value;
  }

  /**
   * The value of a key that stands for a variant too, and whether the variant was asked for before. Counts a hit if so,
   * else a miss. Undefined if there is none that still holds.
   */
  takeVariant(key: CacheKey, variant: string): VariantValue<Value> | undefined {
    const entry = this.#findEntry(key);
    if (entry?.variants === undefined || !this.#isValid(entry)) return undefined;
    this.#use(entry);
    const isHit = variant === '' ? entry.isAsked : entry.variants.has(variant);
    if (isHit) this.#hits += 1;
    else {
      this.#misses += 1;
      this.#noteVariant(entry, variant);
      this.#evict();
    }
    return { value: entry.value, isHit };
  }

  /**
   * The value of a stale entry, which is live again. Undefined if there is none, or if something that it depends on
   * has changed; then it must be made again. Counts a miss when it finds one.
   */
  revalidate(key: CacheKey): Value | undefined {
    const entry = this.#findEntry(key);
    if (entry === undefined || entry.generation === this.#generation || !this.#isValid(entry))
      return undefined;
    this.#noteVariant(entry, '');
    this.#use(entry);
    this.#misses += 1;
    return entry.value;
  }

  /** The value of a key, also if a change since then has not touched it. */
  find(key: CacheKey): Value | undefined {
    return this.get(key) ?? this.revalidate(key);
  }

  /**
   * Stores a value, or refuses it and returns false. Counts a miss when it stores: a response that can never be stored
   * says nothing about the cache.
   */
  set(key: CacheKey, value: Value, facts: EntryFacts): boolean {
    const dependencyBytes = facts.reads.dependencies?.byteLength ?? 0;
    const keyLength = key.partition.length + key.address.length;
    const sizeBytes = facts.bodyBytes + dependencyBytes + keyLength * 2 + entryOverhead;
    if (sizeBytes > this.#maxBytes || keyLength > maxKeyLength) return false;
    if (!this.#version.isUpToDate(facts.reads) || facts.expiresAt <= this.#nowMs()) return false;
    const previous = this.#findEntry(key);
    const entry = new CacheEntry(key, value, sizeBytes, facts);
    if (previous !== undefined) {
      this.#keepVariants(previous, entry);
      this.#remove(previous);
    }
    this.#add(entry);
    this.#link(entry);
    this.#bytes += entry.sizeBytes;
    // Else made before a change that has not touched it, after which clients find an empty cache.
    if (facts.reads.seq >= this.#staleSeq) this.#enliven(entry);
    if (facts.variant !== undefined) this.#noteVariant(entry, facts.variant);
    this.#misses += 1;
    this.#evict();
    return true;
  }

  /** Counts responses that were given without asking the cache. A value that has left it is only counted. */
  recordHits(key: CacheKey, value: Value, count: number): void {
    this.#hits += count;
    const entry = this.#findEntry(key);
    if (entry?.value === value) this.#use(entry);
  }

  /** The representations of a value have another size now. Nothing happens if the value has left the cache. */
  resize(key: CacheKey, value: Value, bodyBytes: number): void {
    const entry = this.#findEntry(key);
    if (entry?.value !== value) return;
    const growth = bodyBytes - entry.bodyBytes;
    entry.bodyBytes = bodyBytes;
    entry.sizeBytes += growth;
    this.#bytes += growth;
    if (entry.generation === this.#generation) this.#live.bytes += growth;
    this.#evict();
  }

  /** To be called after a change of content: `get` finds no entry any more, but `revalidate` may bring one back. */
  markStale(): void {
    this.#generation += 1;
    this.#staleSeq = this.#version.current();
    this.#live = noEntries();
  }

  clear(): void {
    this.markStale();
    this.#partitions = new Map();
    this.#newest = undefined;
    this.#oldest = undefined;
    this.#bytes = 0;
  }

  stats(): ResponseCacheStats {
    return {
      enabled: this.#maxBytes > 0,
      entries: this.#live.count,
      bytes: this.#live.bytes,
      max_bytes: this.#maxBytes,
      hits: this.#hits,
      misses: this.#misses,
    };
  }

  /** Whether an entry is live, or can be again. One that does not hold any more is removed. */
  #isValid(entry: CacheEntry<Value>): boolean {
    const isStale = entry.generation !== this.#generation;
    if (entry.expiresAt <= this.#nowMs() || (isStale && !this.#version.isUpToDate(entry.reads))) {
      this.#remove(entry);
      return false;
    }
    if (isStale) {
      // Nothing has changed for it up to now, so later checks need only look at later changes.
      entry.reads = { seq: this.#version.current(), dependencies: entry.reads.dependencies };
      this.#forgetVariants(entry);
      entry.isAsked = entry.variants === undefined;
      this.#enliven(entry);
    }
    return true;
  }

  #noteVariant(entry: CacheEntry<Value>, variant: string): void {
    if (variant === '') {
      if (!entry.isAsked && entry.generation === this.#generation) this.#live.count += 1;
      entry.isAsked = true;
      return;
    }
    const bytes = variant.length * 2 + variantOverhead;
    if (bytes > maxVariantBytes) return;
    if (entry.variantBytes + bytes > maxVariantBytes) this.#forgetVariants(entry);
    entry.variants?.add(variant);
    if (entry.generation === this.#generation) this.#live.count += 1;
    this.#resizeVariants(entry, entry.variantBytes + bytes);
  }

  /** An entry that takes the place of one that clients have seen stands for the same addresses. */
  #keepVariants(previous: CacheEntry<Value>, entry: CacheEntry<Value>): void {
    if (previous.variants === undefined || entry.variants === undefined) return;
    if (previous.generation !== this.#generation) return;
    entry.isAsked ||= previous.isAsked;
    entry.variants = previous.variants;
    entry.variantBytes = previous.variantBytes;
    entry.sizeBytes += previous.variantBytes;
  }

  #forgetVariants(entry: CacheEntry<Value>): void {
    if (entry.variants === undefined) return;
    if (entry.generation === this.#generation) this.#live.count -= entry.variants.size;
    entry.variants = new Set();
    this.#resizeVariants(entry, 0);
  }

  #resizeVariants(entry: CacheEntry<Value>, bytes: number): void {
    const growth = bytes - entry.variantBytes;
    entry.variantBytes = bytes;
    entry.sizeBytes += growth;
    this.#bytes += growth;
    if (entry.generation === this.#generation) this.#live.bytes += growth;
  }

  #evict(): void {
    while (this.#bytes > this.#maxBytes && this.#oldest !== undefined) this.#remove(this.#oldest);
  }

  #findEntry({ partition, address }: CacheKey): CacheEntry<Value> | undefined {
    return this.#partitions.get(partition)?.get(address);
  }

  #add(entry: CacheEntry<Value>): void {
    const { partition, address } = entry.key;
    const entries = this.#partitions.get(partition) ?? new Map<string, CacheEntry<Value>>();
    this.#partitions.set(partition, entries.set(address, entry));
  }

  #remove(entry: CacheEntry<Value>): void {
    const { partition, address } = entry.key;
    const entries = this.#partitions.get(partition);
    entries?.delete(address);
    if (entries?.size === 0) this.#partitions.delete(partition);
    this.#unlink(entry);
    this.#bytes -= entry.sizeBytes;
    this.#onRemove(entry.value);
    if (entry.generation !== this.#generation) return;
    this.#live.count -= entry.count;
    this.#live.bytes -= entry.sizeBytes;
  }

  #enliven(entry: CacheEntry<Value>): void {
    entry.generation = this.#generation;
    this.#live.count += entry.count;
    this.#live.bytes += entry.sizeBytes;
  }

  #use(entry: CacheEntry<Value>): void {
    if (entry === this.#newest) return;
    this.#unlink(entry);
    this.#link(entry);
  }

  #link(entry: CacheEntry<Value>): void {
    entry.older = this.#newest;
    entry.newer = undefined;
    if (this.#newest !== undefined) this.#newest.newer = entry;
    this.#newest = entry;
    this.#oldest ??= entry;
  }

  #unlink(entry: CacheEntry<Value>): void {
    if (entry.newer === undefined) this.#newest = entry.older;
    else entry.newer.older = entry.older;
    if (entry.older === undefined) this.#oldest = entry.newer;
    else entry.older.newer = entry.newer;
  }
}

export interface ResponseCacheOptions<Value> {
  /** 0 = off. */
  readonly maxBytes: number;
  /** Unix milliseconds. */
  readonly nowMs: () => number;
  readonly version: VersionSource;
  /** Called for a value that leaves the cache, except by `clear`. */
  readonly onRemove?: (value: Value) => void;
}

export interface VariantValue<Value> {
  readonly value: Value;
  readonly isHit: boolean;
}

/** Longest key in characters. Addresses are seldom longer, and anyone can invent any number of long ones. */
export const maxKeyLength = 2048;

/** Estimated bytes of an entry in addition to bodies and key: headers, array buffers, nodes. */
export const entryOverhead = 1536;

/** Most bytes of variants that an entry remembers. Anyone can invent any number: then it begins anew. */
const maxVariantBytes = 65_536;
/** Estimated bytes of a remembered variant besides its text. */
const variantOverhead = 64;

export interface ResponseCacheStats {
  readonly enabled: boolean;
  readonly entries: number;
  readonly bytes: number;
  readonly max_bytes: number;
  readonly hits: number;
  readonly misses: number;
}

function noEntries(): { count: number; bytes: number } {
  return { count: 0, bytes: 0 };
}

/** The next local midnight after a time, both Unix milliseconds; right on days with a clock change too. */
export function nextMidnight(nowMs: number): number {
  const date = new Date(nowMs);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1).getTime();
}
