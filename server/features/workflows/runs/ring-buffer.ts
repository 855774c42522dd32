/**
 * The newest of many things. In place of an array with `push` and `shift`, which moves into a new one again and again
 * and leaves in the old one what it held (see `slot-set.ts`).
 */
export class RingBuffer<Item> implements Iterable<Item> {
  readonly #max: number;
  readonly #items: (Item | undefined)[] = [];
  #first = 0;
  #length = 0;

  /** @param max how many are kept */
  constructor(max: number) {
    this.#max = max;
  }

  get length(): number {
    return this.#length;
  }

  /** Adds an item, and drops the oldest if there are too many. */
  add(item: Item): void {
    if (this.#length === this.#max) this.drop(1);
    this.#items[(this.#first + this.#length) % this.#max] = item;
    this.#length += 1;
  }

  /** Drops the oldest items. */
  drop(count: number): void {
    for (let left = Math.min(count, this.#length); left > 0; left -= 1) {
      this.#items[this.#first] = undefined;
      this.#first = (this.#first + 1) % this.#max;
      this.#length -= 1;
    }
  }

  /** From the oldest. */
  *[Symbol.iterator](): IterableIterator<Item> {
    for (let index = 0; index < this.#length; index += 1) {
      const item = this.#items[(this.#first + index) % this.#max];
      if (item !== undefined) yield item;
    }
  }
}
