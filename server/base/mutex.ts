/** A lock: work on the replica runs one after the other, be it a change of this node or one of another node. */
export class Mutex {
  #last: Promise<void> = Promise.resolve();

  /** Waits for the lock. @returns what releases it */
  async acquire(): Promise<() => void> {
    const previous = this.#last;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#last = promise;
    await previous;
    return resolve;
  }

  /** Runs work while it has the lock. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const release = await this.acquire();
    try {
      return await work();
    } finally {
      release();
    }
  }
}
