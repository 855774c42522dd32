import { createHash, type Hash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Other work gets its turn after this time, in milliseconds, and after this many characters of one text. */
const sliceMs = 4;
const sliceCharacters = 2 ** 20;

/**
 * SHA-256 of a JSON value as hex; the order of fields does not count. A body may have 16 MB, so it is made in
 * slices.
 */
export async function hashOfJson(value: unknown): Promise<string> {
  const walk = new HashWalk();
  await walk.add(value);
  return walk.digest();
}

class HashWalk {
  readonly #hash: Hash = createHash('sha256');
  #sliceEnd = performance.now() + sliceMs;

  async add(value: unknown): Promise<void> {
    if (performance.now() > this.#sliceEnd) await this.#pause();
    if (typeof value === 'string') return this.#addText(value);
    if (typeof value !== 'object' || value === null) {
      this.#hash.update(`${value};`);
      return;
    }
    const fields = Object.entries(value);
    this.#hash.update(`${Array.isArray(value) ? '[' : '{'}${fields.length};`);
    if (!Array.isArray(value)) fields.sort(([left], [right]) => (left < right ? -1 : 1));
    for (const [name, field] of fields) {
      if (!Array.isArray(value)) await this.#addText(name);
      await this.add(field);
    }
  }

  digest(): string {
    return this.#hash.digest('hex');
  }

  /** With its length in front, so that different values never give the same bytes. */
  async #addText(text: string): Promise<void> {
    this.#hash.update(`"${text.length};`);
    for (let start = 0; start < text.length; start += sliceCharacters) {
      if (start > 0) await this.#pause();
      // As UTF-16, so that a text may be cut anywhere.
      this.#hash.update(text.slice(start, start + sliceCharacters), 'utf16le');
    }
  }

  async #pause(): Promise<void> {
    await nextTurn();
    this.#sliceEnd = performance.now() + sliceMs;
  }
}
