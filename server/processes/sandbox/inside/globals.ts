/** What the process does for its isolate. Text in, text out; undefined for wrong input. */
export type Host = (name: HostCall, ...args: string[]) => string | undefined;

export type HostCall =
  | 'randomUUID'
  | 'base64.encode'
  | 'base64.decode'
  /** Address, base (empty for none): parts as JSON. */
  | 'url.parse'
  /** Address, name of a part, value: parts as JSON. */
  | 'url.change'
  /** Query: its pairs as JSON. */
  | 'query.parse'
  /** Pairs as JSON: a query. */
  | 'query.text'
  /** Sends a packet to the server at once. */
  | 'send';

/** Parts of an address, all text, named as the properties of `URL`. */
type UrlParts = Readonly<Record<string, string>>;

/**
 * Puts on the global object what code may use besides the language: `URL`, `TextEncoder`, `crypto`, `base64`.
 *
 * The text of this function runs in the isolate, so it may use nothing outside of itself.
 *
 * @returns objects that code can reach without a global name
 */
export function installGlobals(host: Host): readonly object[] {
  const partNames = [
    ...['href', 'protocol', 'username', 'password', 'host', 'hostname', 'port', 'pathname', 'search', 'hash'],
  ];

  class URL {
    #parts: UrlParts;
    readonly #searchParams: URLSearchParams;

    constructor(address: unknown, base?: unknown) {
      this.#parts = readParts(host('url.parse', String(address), base === undefined ? '' : String(base)));
      this.#searchParams = new URLSearchParams(this.#parts.search, (text) => this.#change('search', text));
    }

    get origin(): string {
      return this.#parts.origin ?? '';
    }

    get searchParams(): URLSearchParams {
      return this.#searchParams;
    }

    toString(): string {
      return this.#parts.href ?? '';
    }

    toJSON(): string {
      return this.toString();
    }

    static canParse(address: unknown, base?: unknown): boolean {
      return host('url.parse', String(address), base === undefined ? '' : String(base)) !== undefined;
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

  class URLSearchParams {
    #pairs: [string, string][] = [];
    readonly #changed: (text: string) => void;

    constructor(query: unknown = '', changed: (text: string) => void = () => {}) {
      this.#changed = changed;
      this.read(String(query));
    }

    /** Replaces all pairs by those of a query. */
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
  }

  class TextEncoder {
    get encoding(): string {
      return 'utf-8';
    }

    /** UTF-8; half a surrogate pair becomes U+FFFD. */
    encode(text: unknown = ''): Uint8Array {
      const escaped = encodeURIComponent(String(text).toWellFormed());
      const bytes = new Uint8Array(escaped.length);
      let length = 0;
      for (let at = 0; at < escaped.length; at += 1) {
        if (escaped[at] === '%') {
          bytes[length] = Number.parseInt(escaped.slice(at + 1, at + 3), 16);
          at += 2;
        } else bytes[length] = escaped.charCodeAt(at);
        length += 1;
      }
      return bytes.slice(0, length);
    }
  }

  const crypto = { randomUUID: (): string => host('randomUUID') ?? '' };
  const base64 = {
    encode: (text: unknown): string => host('base64.encode', String(text)) ?? '',
    decode(text: unknown): string {
      const decoded = host('base64.decode', String(text));
      if (decoded === undefined) throw new TypeError('base64.decode: the text is not base64');
      return decoded;
    },
  };
  for (const [name, value] of Object.entries({ URL, TextEncoder, crypto, base64 })) {
    // A bundler may have given a class another name.
    if (typeof value === 'function') Reflect.defineProperty(value, 'name', { value: name });
    Reflect.defineProperty(globalThis, name, { value, configurable: true });
  }
  return [URLSearchParams];

  function readParts(parts: string | undefined): UrlParts {
    if (parts === undefined) throw new TypeError('Invalid URL');
    return JSON.parse(parts);
  }
}
