/**
 * How much a template asks the compiler for, counted while it is nested. A partial counts wherever it is rendered: a few
 * definitions that render each other twice would else become more nodes than any machine can walk.
 */
import { errorAt, type SourceText } from './errors.ts';
import type { Item } from './items.ts';

/** Characters of tags and outputs; what they become is several times as long. */
const maxTagLength = 1024 * 1024;

/** Characters of everything, text included. */
const maxLength = 32 * 1024 * 1024;

/** Characters counted so far. */
export interface Size {
  readonly tags: number;
  readonly all: number;
}

export class SizeCounter {
  readonly #text: SourceText;
  #size: Size = { tags: 0, all: 0 };

  constructor(text: SourceText) {
    this.#text = text;
  }

  get size(): Size {
    return this.#size;
  }

  /** How much has been counted since `before`. */
  since(before: Size): Size {
    return { tags: this.#size.tags - before.tags, all: this.#size.all - before.all };
  }

  /** @throws TemplateError if that is too much */
  addItem({ kind, start, end }: Item): void {
    const length = end - start;
    this.add({ tags: kind === 'text' || kind === 'comment' ? 0 : length, all: length }, start);
  }

  /** @throws TemplateError at `offset` if that is too much */
  add(more: Size, offset: number): void {
    this.#size = this.sum(this.#size, more, offset);
  }

  /** @throws TemplateError at `offset` if that is too much */
  sum(size: Size, more: Size, offset: number): Size {
    const tags = size.tags + more.tags;
    const all = size.all + more.all;
    if (tags > maxTagLength) throw this.#tooLarge('its tags', maxTagLength, offset);
    if (all > maxLength) throw this.#tooLarge('it', maxLength, offset);
    return { tags, all };
  }

  #tooLarge(what: string, limit: number, offset: number): Error {
    const megabytes = limit / 2 ** 20;
    const reason = `the template is too large: with its partials wherever they are rendered, ${what} would have more than ${megabytes} MB`;
    return errorAt(this.#text, offset, reason);
  }
}
