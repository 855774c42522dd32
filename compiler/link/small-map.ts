/** A map with text keys that mostly holds one entry. The first entry needs no table. */
export class SmallMap<Value> {
  #firstKey: string | undefined;
  #first: Value | undefined;
  #others: Map<string, Value> | undefined;

  get(key: string): Value | undefined {
    return key === this.#firstKey ? this.#first : this.#others?.get(key);
  }

  values(): readonly Value[] {
    return [...(this.#first === undefined ? [] : [this.#first]), ...(this.#others?.values() ?? [])];
  }

  set(key: string, value: Value): void {
    if (this.#firstKey === undefined || this.#firstKey === key) {
      this.#firstKey = key;
      this.#first = value;
    } else {
      this.#others ??= new Map();
      this.#others.set(key, value);
    }
  }

  delete(key: string): void {
    if (key === this.#firstKey) {
      this.#firstKey = undefined;
      this.#first = undefined;
    } else {
      this.#others?.delete(key);
    }
  }

  clear(): void {
    this.#firstKey = undefined;
    this.#first = undefined;
    this.#others = undefined;
  }
}
