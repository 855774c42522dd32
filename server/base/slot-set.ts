/**
 * Things that come and go quickly, such as running requests. Adding and removing allocates nothing, and nothing that
 * was removed stays reachable.
 *
 * A `Map` or `Set` makes a new table after a few hundred additions, and its old table refers to the new one and to
 * what was in it then. Once one table is in the old generation of the heap, the next one and its contents follow, until
 * the whole heap is collected: a third of what runs of workflows allocate did.
 */
export class SlotSet<Item extends object> {
  readonly #items: (Item | undefined)[] = [];
  readonly #free: number[] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** @returns the slot, by which the item is found and removed; later items may get the same one */
  add(item: Item): number {
    const slot = this.#free.pop() ?? this.#items.length;
    this.#items[slot] = item;
    this.#size += 1;
    return slot;
  }

  at(slot: number): Item | undefined {
    return this.#items[slot];
  }

  /** Does nothing if `item` is not in the slot any more. */
  remove(slot: number, item: Item): void {
    if (this.#items[slot] !== item) return;
    this.#items[slot] = undefined;
    this.#free.push(slot);
    this.#size -= 1;
  }

  /** In no order. Items may be removed meanwhile. */
  *[Symbol.iterator](): IterableIterator<Item> {
    for (const item of this.#items) if (item !== undefined) yield item;
  }
}
