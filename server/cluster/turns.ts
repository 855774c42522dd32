/** Work on the replica, one after the other: changes of this node, and taking over those of others. */
export class Turns {
  #last: Promise<void> = Promise.resolve();

  /** Waits for the turn; resolves with what ends it. */
  async take(): Promise<() => void> {
    const before = this.#last;
    let end = (): void => {};
    this.#last = new Promise((resolve) => {
      end = resolve;
    });
    await before;
    return end;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    const end = await this.take();
    try {
      return await work();
    } finally {
      end();
    }
  }
}
