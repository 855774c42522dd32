/** Buffers that are lent for a short time. When all are lent, others wait for the next one in their order. */
export class BufferPool {
  readonly #size: number;
  readonly #free: Uint8Array[] = [];
  readonly #waiting: ((buffer: Uint8Array) => void)[] = [];
  #left: number;

  /** @param options size of a buffer in bytes; buffers at the most. They are made when they are needed first. */
  constructor({ size, count }: { readonly size: number; readonly count: number }) {
    this.#size = size;
    this.#left = count;
  }

  /** Lends a buffer until `work` has ended. */
  async use<T>(work: (buffer: Uint8Array) => Promise<T>): Promise<T> {
    const buffer = this.#take() ?? (await new Promise<Uint8Array>((resolve) => this.#waiting.push(resolve)));
    try {
      return await work(buffer);
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free.push(buffer);
      else next(buffer);
    }
  }

  #take(): Uint8Array | undefined {
    const free = this.#free.pop();
    if (free !== undefined || this.#left === 0) return free;
    this.#left--;
    return Buffer.allocUnsafeSlow(this.#size);
  }
}
