import type { ReadSet } from '../../../runtime/content/dependency-recorder.ts';

/** Two texts, so that a lookup neither joins them nor hashes what many keys have in common. */
export interface CacheKey {
  readonly partition: string;
  readonly address: string;
}

export interface EntryFacts {
  /** Size of all bodies of the value, in bytes. */
  readonly bodyBytes: number;
  /** What the work has read. */
  readonly reads: ReadSet;
  /** Unix milliseconds. */
  readonly expiresAt: number;
  /** The variant that was asked for, if the value stands for every variant of its key; '' is the key itself. */
  readonly variant?: string | undefined;
}

/** As `ResponseCache` holds it; nobody else changes it. */
export class CacheEntry<Value> {
  readonly key: CacheKey;
  readonly value: Value;
  sizeBytes: number;
  bodyBytes: number;
  readonly expiresAt: number;
  reads: ReadSet;
  generation = -1;
  /** Whether the key itself was asked for, and not only variants. */
  isAsked: boolean;
  /** Variants that were asked for since the entry is live; undefined if it stands for its key only. */
  variants: Set<string> | undefined;
  variantBytes = 0;
  newer: CacheEntry<Value> | undefined;
  older: CacheEntry<Value> | undefined;

  constructor(
    key: CacheKey,
    value: Value,
    sizeBytes: number,
    { bodyBytes, reads, expiresAt, variant }: EntryFacts,
  ) {
    this.key = key;
    this.value = value;
    this.sizeBytes = sizeBytes;
    this.bodyBytes = bodyBytes;
    this.reads = reads;
    this.expiresAt = expiresAt;
    this.isAsked = variant === undefined || variant === '';
    this.variants = variant === undefined ? undefined : new Set();
  }

  /** Entries that clients see. */
  get count(): number {
    return (this.isAsked ? 1 : 0) + (this.variants?.size ?? 0);
  }
}
