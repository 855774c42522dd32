/** Most addresses that are taken from one page or style sheet, and characters of all of them. */
const limits = { addresses: 5_000, characters: 2 ** 20 } as const;

/** Addresses of a page or style sheet with what they are, each once and with what it was first. */
export class AddressSet<Kind> {
  readonly #kinds = new Map<string, Kind>();
  #characters = 0;

  add(url: string, kind: Kind): undefined {
    if (this.#kinds.has(url) || this.#kinds.size >= limits.addresses) return;
    if (this.#characters + url.length > limits.characters) return;
    this.#characters += url.length;
    this.#kinds.set(url, kind);
  }

  [Symbol.iterator](): Iterator<[url: string, kind: Kind]> {
    return this.#kinds.entries();
  }
}
