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
  // Two numbers, because an object for each item would cost as much as all else here.
  #tags = 0;
  #all = 0;

  constructor(text: SourceText) {
    this.#text = text;
  }

  get size(): Size {
    return { tags: this.#tags, all: this.#all };
  }

  /** Characters counted since `before`. */
  since(before: Size): Size {
    return { tags: this.#tags - before.tags, all: this.#all - before.all };
  }

  /** @throws TemplateError if the template is too large */
  addItem(item: Item): void {
    const length = item.end - item.start;
    const isTag = 'type' in item ? item.type !== 'Text' : item.kind !== 'comment';
    this.#count(isTag ? length : 0, length, item.start);
  }

  /** @throws TemplateError at `offset` if the template is too large */
  add(more: Size, offset: number): void {
    this.#count(more.tags, more.all, offset);
  }

  #count(tags: number, all: number, offset: number): void {
    this.#tags += tags;
    this.#all += all;
    this.#check(this.#tags, this.#all, offset);
  }

  /** @throws TemplateError at `offset` if the template is too large */
  sum(size: Size, more: Size, offset: number): Size {
    const tags = size.tags + more.tags;
    const all = size.all + more.all;
    this.#check(tags, all, offset);
    return { tags, all };
  }

  #check(tags: number, all: number, offset: number): void {
    if (tags > maxTagLength) throw this.#tooLarge('its tags', maxTagLength, offset);
    if (all > maxLength) throw this.#tooLarge('it', maxLength, offset);
  }

  #tooLarge(what: string, limit: number, offset: number): Error {
    const megabytes = limit / 2 ** 20;
    const reason = `the template is too large: with its partials wherever they are rendered, ${what} would have more than ${megabytes} MB`;
    return errorAt(this.#text, offset, reason);
  }
}
