import { LRUCache } from 'lru-cache';
import type { Clock } from '../../base/clock.ts';

/** Most bytes of all results, and of one. */
const maxBytes = 32 * 2 ** 20;
const maxEntryBytes = 2 * 2 ** 20;

interface Entry {
  readonly json: string;
  readonly expiresAt: number;
}

/**
 * Results of reads that nodes want to be remembered (`cache`, in seconds).
 *
 * - Key: connection, action and arguments.
 * - An entry ends with its time, with a write through the same connection (other writers are not seen), and when
 *   the connections change.
 * - Limit: 32 MB; the least recently used entries are removed first. Results above 2 MB are not kept.
 */
export class ResultCache {
  readonly #clock: Clock;
  readonly #entries = new LRUCache<string, Entry>({
    maxSize: maxBytes,
    maxEntrySize: maxEntryBytes,
    sizeCalculation: ({ json }, key) => 2 * (json.length + key.length) + 100,
  });
  /** Number of writes by connection; part of the keys. */
  readonly #writes = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  key(connection: string, action: string, args: unknown): string {
    return JSON.stringify([connection, this.#writes.get(connection) ?? 0, action, args]);
  }

  /** A copy of the kept result. */
  get(key: string): { readonly value: unknown } | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined || entry.expiresAt <= this.#clock()) return undefined;
    return { value: JSON.parse(entry.json) };
  }

  /** @param bytes size of the answers behind the result, so that nothing large is written as JSON in vain */
  set(key: string, value: unknown, seconds: number, bytes: number): void {
    if (bytes > maxEntryBytes) return;
    this.#entries.set(key, { json: JSON.stringify(value), expiresAt: this.#clock() + seconds * 1000 });
  }

  written(connection: string): void {
    this.#writes.set(connection, (this.#writes.get(connection) ?? 0) + 1);
  }

  clear(): void {
    this.#entries.clear();
  }
}
