/**
 * The size of a template, counted while its tags are nested. A partial counts at every tag that renders it: a
 * few definitions that render each other twice would otherwise become more nodes than any machine can walk.
 */
import { errorAt, type SourceText } from './errors.ts';
import type { Item } from './items.ts';

/** Limit of characters in tags and outputs. Their code is several times as long. */
const maxTagLength = 1024 * 1024;

/** Limit of characters in all, text included. */
const maxLength = 32 * 1024 * 1024;

/** Characters counted so far: those of tags and outputs, and all. */
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

  /** Characters counted since `before`. */
  since(before: Size): Size {
    return { tags: this.#size.tags - before.tags, all: this.#size.all - before.all };
  }

  /** @throws TemplateError if the template is too large */
  addItem(item: Item): void {
    const length = item.end - item.start;
    const isTag = 'type' in item ? item.type !== 'Text' : item.kind !== 'comment';
    this.add({ tags: isTag ? length : 0, all: length }, item.start);
  }

  /** @throws TemplateError at `offset` if the template is too large */
  add(more: Size, offset: number): void {
    this.#size = this.sum(this.#size, more, offset);
  }

  /** @throws TemplateError at `offset` if the template is too large */
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
