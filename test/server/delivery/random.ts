/** Numbers that look random; the same for the same seed. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = (seed % 2147483646) + 1;
  }

  /** A whole number from 0 to `limit` - 1. */
  below(limit: number): number {
    this.#state = (this.#state * 48271) % 2147483647;
    return limit === 0 ? 0 : this.#state % limit;
  }

  one<T>(list: readonly T[]): T | undefined {
    return list[this.below(list.length)];
  }
}
