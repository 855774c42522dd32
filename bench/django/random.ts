/** Random choices from a seed. The same seed makes the same choices on every machine. */
export class Random {
  #state: number;

  constructor(seed: number) {
    // Neighbouring seeds must not begin alike.
    this.#state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) >>> 0;
    for (let round = 0; round < 4; round += 1) this.next();
  }

  /** A number from 0 to below 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from 0 to below `limit`. */
  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<Entry>(list: readonly Entry[]): Entry {
    const entry = list[this.below(list.length)];
    if (entry === undefined) throw new Error('A choice from an empty list');
    return entry;
  }

  /** An entry of a list in which each has a weight. */
  weighted<Entry>(list: readonly (readonly [weight: number, entry: Entry])[]): Entry {
    let left = this.next() * list.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, entry] of list) {
      left -= weight;
      if (left < 0) return entry;
    }
    return this.pick(list)[1];
  }

  /** A list of `from` to `to` entries. */
  list<Entry>(from: number, to: number, make: () => Entry): Entry[] {
    return Array.from({ length: from + this.below(to - from + 1) }, make);
  }
}
