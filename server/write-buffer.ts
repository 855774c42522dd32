export interface WriteBufferOptions<Entry> {
  /** Longest time an entry waits, in milliseconds. */
  readonly intervalMs: number;
  /** With so many entries they are written at once. */
  readonly maxEntries: number;
  write(entries: readonly Entry[]): Promise<void>;
  failed(error: unknown): void;
}

/**
 * Counters that are collected in memory and written together, off the path of the request that counts. Entries of
 * one key are merged. What has not been written when the process is killed is lost.
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

  /** @param merge gives the entry from the one that waits under the same key, if there is one */
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

  /** Resolves when everything added so far is written, or was reported as failed. */
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
