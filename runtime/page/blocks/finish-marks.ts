/**
 * From the output of a preview, with invisible marks, to its HTML (Core, "Rendering of blocks"):
 *
 * - a comment where the mark of a block, list or slot stands between elements, nothing elsewhere
 * - `data-ic-field` on an element whose whole content is an unchanged value, or whose attributes hold the address of
 *   an image
 * - no other mark, and no comment or attribute of that form that comes from a text
 */

import { lineBreaksBr } from '../../filters/html.ts';
import { findLead, hasPrivateUse, type MarkTexts, markLength, withoutMarks } from '../../marks/mark-text.ts';
import { escapeHtml } from '../../values/escape.ts';
import type { SafeString } from '../../values/safe.ts';
import { isRawText, TagReader } from '../tags.ts';
import type { Mark } from './mark.ts';

export function finishMarks(html: string, marks: readonly Mark[], texts: MarkTexts): string {
  // Few outputs have texts that may look like a mark of ours, or contain a part of one.
  const isSuspect = html.includes('<!--') || hasPrivateUse(html) || /-[iI][cC]-/.test(html);
  const first = new Finishing(html, marks, texts, isSuspect);
  const output = first.output();
  return first.isSuspect === isSuspect ? output : new Finishing(html, marks, texts, true).output();
}

/** One walk over the marks, and over the tags before the last of them. */
class Finishing {
  readonly #html: string;
  readonly #marks: readonly Mark[];
  readonly #texts: MarkTexts;
  /** The first tag that does not end before the current mark, if `#hasTag`. */
  readonly #tag: TagReader;
  #hasTag: boolean;
  /** The tag before that one. */
  readonly #before = { name: '', closing: false, foreign: false, end: 0 };
  /** What the last tag with a mark in it gets at its end. */
  #attribute: TagAttribute = { end: -1, field: undefined, isPlaced: false };
  #output = '';
  /** The HTML that is not in the output yet: what `#kept` has, and what follows from `#copied` on. */
  #kept = '';
  #copied = 0;
  /** Whether what looks like a mark is taken out of the HTML. */
  readonly #cleans: boolean;
  /** Whether that must be done. */
  isSuspect: boolean;
  /** Whether the HTML has comments besides those of ours. */
  readonly #hasComments: boolean;

  constructor(html: string, marks: readonly Mark[], texts: MarkTexts, cleans: boolean) {
    this.#html = html;
    this.#marks = marks;
    this.#texts = texts;
    this.#tag = new TagReader(html);
    this.#hasTag = this.#tag.next();
    this.#cleans = cleans;
    this.isSuspect = cleans;
    this.#hasComments = cleans && html.includes('<!--');
  }

  output(): string {
    for (let at = findLead(this.#html, 0); at >= 0; at = findLead(this.#html, at)) {
      const number = this.#texts.numberAt(this.#html, at);
      const mark = number === undefined ? undefined : this.#marks[number];
      if (number === undefined || mark === undefined) {
        this.isSuspect = true;
        at += 1;
        continue;
      }
      if (this.#isInTag(at)) this.#placeInTag(at, mark);
      else this.#placeInText(at, mark);
      this.#insert(at, '');
      at += markLength;
      this.#copied = at;
    }
    this.#endTag();
    this.#insert(this.#html.length, '');
    return this.#cleans ? this.#output + cleaned(this.#kept) : this.#output;
  }

  /** Goes on to the tags around a position. */
  #isInTag(at: number): boolean {
    const tag = this.#tag;
    const before = this.#before;
    while (this.#hasTag && tag.end <= at) {
      before.name = tag.name;
      before.closing = tag.closing;
      before.foreign = tag.foreign;
      before.end = tag.end;
      this.#hasTag = tag.next();
    }
    return this.#hasTag && tag.start <= at;
  }

  #placeInText(at: number, mark: Mark): void {
    this.#endTag();
    const { name, closing, foreign, end } = this.#before;
    if (!closing && !foreign && isRawText(name)) return;
    if (mark.kind === 'comment') {
      if (!this.#hasComments || !this.#isInComment(end, at)) this.#insert(at, mark.html);
    } else if (mark.kind === 'value' && end > 0 && !closing && this.#isContent(at, mark.value)) {
      this.#addAttribute(end, mark.field);
      this.#endTag();
    }
  }

  #placeInTag(at: number, mark: Mark): void {
    const { start, end, closing } = this.#tag;
    if (mark.kind !== 'comment' && !isInQuotes(this.#html, start, at)) {
      this.isSuspect = true;
      if (closing || mark.kind !== 'attribute') return;
      this.#endTag(end);
      this.#attribute = { end, field: undefined, isPlaced: true };
      this.#insert(at, attributeHtml(this.#html.charCodeAt(at - 1), mark.field));
    } else if (mark.kind === 'image' && !closing) this.#addAttribute(end, mark.field);
  }

  /** What the template says itself wins, then the first. */
  #addAttribute(end: number, field: string): void {
    this.#endTag(end);
    if (this.#attribute.end !== end) this.#attribute = { end, field, isPlaced: false };
  }

  /** Places the attribute of the last tag, unless that is the one that ends at `except`. */
  #endTag(except?: number): void {
    const { end, field, isPlaced } = this.#attribute;
    if (end === except || isPlaced || field === undefined) return;
    this.#attribute.isPlaced = true;
    const at = this.#html.charCodeAt(end - 2) === slash ? end - 2 : end - 1;
    this.#insert(at, attributeHtml(this.#html.charCodeAt(at - 1), field));
  }

  #insert(at: number, html: string): void {
    const text = at === this.#copied ? '' : this.#html.slice(this.#copied, at);
    this.#copied = at;
    if (!this.#cleans) this.#output += text + html;
    else if (html === '') this.#kept += text;
    else {
      // As a whole: what looks like a mark may be on both sides of one.
      this.#output += cleaned(this.#kept + text) + html;
      this.#kept = '';
    }
  }

  /** Whether a value behind a mark is all that the element around it contains. */
  #isContent(at: number, value: string | SafeString): boolean {
    const { end } = this.#before;
    if (at > end && this.#html.slice(end, at).trim() !== '') return false;
    const from = at + markLength;
    if (typeof value !== 'string') return this.#isWholly(from, value.value);
    // As templates print it unchanged: escaped, as it is, or with its line breaks.
    return (
      this.#isWholly(from, escapeHtml(value)) ||
      this.#isWholly(from, value) ||
      this.#isWholly(from, lineBreaksBr(value, true))
    );
  }

  /** Whether a text stands at a position, and nothing else before the end of the element. */
  #isWholly(from: number, text: string): boolean {
    const end = from + text.length;
    return this.#endsElement(end, this.#before.name) && this.#html.slice(from, end) === text;
  }

  /** Whether only white space stands between a position and the end tag of an element. */
  #endsElement(from: number, name: string): boolean {
    let at = from;
    while (at < this.#html.length && isSpace(this.#html.charCodeAt(at))) at += 1;
    if (!this.#html.startsWith('</', at)) return false;
    const end = at + 2 + name.length;
    const after = this.#html.charCodeAt(end);
    if (after !== greater && after !== slash && !isSpace(after)) return false;
    return this.#html.startsWith(name, at + 2) || this.#html.slice(at + 2, end).toLowerCase() === name;
  }

  /** Whether a position is in a comment. @param from end of the tag before */
  #isInComment(from: number, at: number): boolean {
    const between = this.#html.slice(from, at);
    const begin = between.lastIndexOf('<!--');
    return begin >= 0 && !between.includes('-->', begin);
  }
}

interface TagAttribute {
  /** End of the tag. */
  readonly end: number;
  readonly field: string | undefined;
  isPlaced: boolean;
}

const slash = 47;
const greater = 62;

/** White space of the HTML standard. */
function isSpace(code: number): boolean {
  return code === 32 || code === 10 || code === 9 || code === 12 || code === 13;
}

/** @param before the character before it */
function attributeHtml(before: number, field: string): string {
  return isSpace(before) ? field : ` ${field}`;
}

/** Whether a position is inside an attribute value in quotes. */
function isInQuotes(html: string, tagStart: number, at: number): boolean {
  let quote = '';
  for (let index = tagStart; index < at; index += 1) {
    const character = html[index] ?? '';
    if (
      quote === '' &&
      (character === '"' || character === "'") &&
      /=\s*$/.test(html.slice(tagStart, index))
    ) {
      quote = character;
    } else if (character === quote) quote = '';
  }
  return quote !== '';
}

/** A text without marks, and without comments and attributes that look like those of a preview. */
function cleaned(text: string): string {
  const plain = withoutMarks(text);
  const neutral = plain.includes('ic-') ? plain.replace(/<!--(?=\/?ic-)/g, '<!-- ') : plain;
  return /data-ic-field/i.test(neutral)
    ? neutral.replace(/data-ic-field(?=\s*=)/gi, 'data-x-ic-field')
    : neutral;
}
