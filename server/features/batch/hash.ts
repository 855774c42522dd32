import { createHash, type Hash } from 'node:crypto';
import { TimeSlices } from '../../base/timers.ts';

/** Characters of one text after which others have their turn. */
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
  readonly #slices = new TimeSlices();

  async add(value: unknown): Promise<void> {
    if (this.#slices.isOver) await this.#slices.pause();
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
      if (start > 0) await this.#slices.pause();
      // As UTF-16, so that a text may be cut anywhere.
      this.#hash.update(text.slice(start, start + sliceCharacters), 'utf16le');
    }
  }
}
