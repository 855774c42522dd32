import type { Host } from './host.ts';

/** `URLSearchParams` as the author's code sees it. */
export interface Query {
  /** Replaces all pairs by those of a query. */
  read(query: string): void;
}

/** @param changed gets the text of the query after each change */
export type QueryClass = new (query?: unknown, changed?: (text: string) => void) => Query;

/**
 * Creates the class `URLSearchParams`.
 *
 * The text of this function runs in the isolate, so it may use nothing outside of itself.
 */
export function createQueryClass(host: Host): QueryClass {
  return class URLSearchParams {
    #pairs: [string, string][] = [];
    readonly #changed: (text: string) => void;

    constructor(query: unknown = '', changed: (text: string) => void = () => {}) {
      this.#changed = changed;
      this.read(String(query));
    }

    read(query: string): void {
      this.#pairs = JSON.parse(host('query.parse', query) ?? '[]');
    }

    get size(): number {
      return this.#pairs.length;
    }

    get(name: unknown): string | null {
      return this.#pairs.find(([key]) => key === String(name))?.[1] ?? null;
    }

    getAll(name: unknown): string[] {
      return this.#pairs.filter(([key]) => key === String(name)).map(([, value]) => value);
    }

    has(name: unknown): boolean {
      return this.#pairs.some(([key]) => key === String(name));
    }

    append(name: unknown, value: unknown): void {
      this.#write([...this.#pairs, [String(name), String(value)]]);
    }

    delete(name: unknown): void {
      this.#write(this.#pairs.filter(([key]) => key !== String(name)));
    }

    /** The first pair of the name gets the value, and the others go. */
    set(name: unknown, value: unknown): void {
      const first = this.#pairs.findIndex(([key]) => key === String(name));
      const others = this.#pairs.filter(([key], index) => index <= first || key !== String(name));
      if (first < 0) others.push([String(name), String(value)]);
      else others[first] = [String(name), String(value)];
      this.#write(others);
    }

    sort(): void {
      this.#write([...this.#pairs].sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0)));
    }

    *entries(): Generator<[string, string]> {
      for (const [name, value] of this.#pairs) yield [name, value];
    }

    *keys(): Generator<string> {
      for (const [name] of this.#pairs) yield name;
    }

    *values(): Generator<string> {
      for (const [, value] of this.#pairs) yield value;
    }

    [Symbol.iterator](): Generator<[string, string]> {
      return this.entries();
    }

    forEach(visit: (value: string, name: string) => void): void {
      for (const [name, value] of this.#pairs) visit(value, name);
    }

    toString(): string {
      return host('query.text', JSON.stringify(this.#pairs)) ?? '';
    }

    #write(pairs: [string, string][]): void {
      this.#pairs = pairs;
      this.#changed(this.toString());
    }
  };
}
