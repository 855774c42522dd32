/**
 * The units in memory. Those used least recently go when all together take more than `maxBytes`; the unit that was
 * added last stays, however large it is. A map keeps its entries in the order in which they were set, so that an
 * engine with few templates pays nothing for the order, neither when it is made nor for each of them.
 */
import type { Unit } from './model.ts';

export class UnitCache {
  readonly #maxBytes: number;
  readonly #units = new Map<number, Unit>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get(id: number): Unit | undefined {
    return this.#units.get(id);
  }

  add(unit: Unit): void {
    this.#units.set(unit.id, unit);
    unit.loaded.units.set(unit.key, unit);
    this.#bytes += unit.sizeBytes;
    if (this.#bytes > this.#maxBytes) this.#dropOldest(unit);
  }

  #dropOldest(last: Unit): void {
    for (const unit of this.#units.values()) {
      if (this.#bytes <= this.#maxBytes || unit === last) return;
      this.drop(unit);
    }
  }

  /** Notes that a unit was used. */
  touch(unit: Unit): void {
    if (this.#units.delete(unit.id)) this.#units.set(unit.id, unit);
  }

  drop(unit: Unit): void {
    if (!this.#units.delete(unit.id)) return;
    unit.loaded.units.delete(unit.key);
    this.#bytes -= unit.sizeBytes;
  }
}
