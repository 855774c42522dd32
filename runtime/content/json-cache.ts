import { LRUCache } from 'lru-cache';
import type { Dependency } from './dependencies.ts';

/** Characters of JSON of all kept values. In memory a value takes about five bytes for each. */
const maxCharacters = 8 * 2 ** 20;

/**
 * Values of one JSON column that a worker has read, such as block trees. What is prepared for a render is kept with
 * the objects of a value.
 *
 * - Key: the dependency that stands for the value.
 * - Limit: {@link maxCharacters}; the least recently used values go.
 */
export class JsonCache<Value extends object> {
  readonly #values = new LRUCache<Dependency, { readonly value: Value; readonly size: number }>({
    maxSize: maxCharacters,
    sizeCalculation: ({ size }) => size,
  });

  /** @param read the value as JSON; undefined if there is none */
  get(key: Dependency, read: () => string | undefined): Value | undefined {
    const known = this.#values.get(key);
    if (known !== undefined) return known.value;
    const json = read();
    if (json === undefined) return undefined;
    // Type boundary: the server stores checked values.
    const value = JSON.parse(json) as Value;
    this.#values.set(key, { value, size: json.length });
    return value;
  }

  drop(key: Dependency): void {
    this.#values.delete(key);
  }

  clear(): void {
    this.#values.clear();
  }
}
