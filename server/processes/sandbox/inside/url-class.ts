import type { Host } from './host.ts';
import type { Query, QueryClass } from './query-class.ts';

/** Parts of an address, all text, named as the properties of `URL`. */
type UrlParts = Readonly<Record<string, string>>;

/**
 * Creates the class `URL`.
 *
 * The text of this function runs in the isolate, so it may use nothing outside of itself.
 */
export function createUrlClass(host: Host, URLSearchParams: QueryClass): new (address: unknown) => object {
  const partNames = [
    ...['href', 'protocol', 'username', 'password', 'host', 'hostname', 'port', 'pathname', 'search', 'hash'],
  ];

  class URL {
    #parts: UrlParts;
    readonly #searchParams: Query;

    constructor(address: unknown, base?: unknown) {
      this.#parts = readParts(parse(address, base));
      this.#searchParams = new URLSearchParams(this.#parts.search, (text) => this.#change('search', text));
    }

    get origin(): string {
      return this.#parts.origin ?? '';
    }

    get searchParams(): Query {
      return this.#searchParams;
    }

    toString(): string {
      return this.#parts.href ?? '';
    }

    toJSON(): string {
      return this.toString();
    }

    static canParse(address: unknown, base?: unknown): boolean {
      return parse(address, base) !== undefined;
    }

    #change(name: string, value: string): void {
      this.#parts = readParts(host('url.change', this.toString(), name, value));
    }

    static {
      for (const name of partNames)
        Reflect.defineProperty(URL.prototype, name, {
          get(this: URL) {
            return this.#parts[name];
          },
          set(this: URL, value: unknown) {
            this.#change(name, String(value));
            if (name === 'search' || name === 'href') this.#searchParams.read(this.#parts.search ?? '');
          },
          configurable: true,
        });
    }
  }
  return URL;

  function parse(address: unknown, base: unknown): string | undefined {
    return host('url.parse', String(address), base === undefined ? '' : String(base));
  }

  function readParts(parts: string | undefined): UrlParts {
    if (parts === undefined) throw new TypeError('Invalid URL');
    return JSON.parse(parts);
  }
}
