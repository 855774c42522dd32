export interface WriteBufferOptions<Entry> {
  /** Longest time an entry waits, in milliseconds. */
  readonly intervalMs: number;
  /** The buffer is written at once when it holds this many entries. */
  readonly maxEntries: number;
  write(entries: readonly Entry[]): Promise<void>;
  failed(error: unknown): void;
}

/**
 * Collects counters in memory and writes them together, so that a request does not wait for a write. Entries
 * of one key are merged. Entries that are not written yet are lost when the process is killed.
 */
export class WriteBuffer<Entry> {
  readonly #options: WriteBufferOptions<Entry>;
  readonly #timer: NodeJS.Timeout;
  #pending = new Map<string, Entry>();
  #written: Promise<void> = Promise.resolve();

  constructor(options: WriteBufferOptions<Entry>) {
    this.#options = options;
    this.#timer = setInterval(() => void this.flush(), options.intervalMs).unref();
  }

  /** @param merge makes the new entry from the one that waits under the same key, if there is one */
  add(key: string, merge: (waiting: Entry | undefined) => Entry): void {
    this.#pending.set(key, merge(this.#pending.get(key)));
    if (this.#pending.size >= this.#options.maxEntries) void this.flush();
  }

  forget(key: string): void {
    this.#pending.delete(key);
  }

  forgetWhere(matches: (entry: Entry) => boolean): void {
    for (const [key, entry] of this.#pending) if (matches(entry)) this.#pending.delete(key);
  }

  /** Resolves when all entries added so far are written or reported as failed. */
  flush(): Promise<void> {
    if (this.#pending.size > 0) {
      const entries = [...this.#pending.values()];
      this.#pending = new Map();
      this.#written = this.#written.then(() => this.#options.write(entries)).catch(this.#options.failed);
    }
    return this.#written;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
  }
}
