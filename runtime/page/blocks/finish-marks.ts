/**
 * From the output of a preview, with invisible marks, to its HTML (Core, "Rendering of blocks"):
 *
 * - a comment where the mark of a block, list or slot stands between elements, nothing elsewhere
 * - the same for regions, and `data-ic-region` with their names on an element with regions in its attributes
 * - `data-ic-field` on an element whose whole content is an unchanged value, or whose attributes hold the address of
 *   an image
 * - no other mark, and no comment or attribute of that form that comes from a text
 */

import { lineBreaksBr } from '../../filters/html.ts';
import type { Mark } from '../../marks/mark.ts';
import { findLead, hasPrivateUse, type MarkTexts, markLength, withoutMarks } from '../../marks/mark-text.ts';
import { isHeadTag } from '../scan.ts';
import { TagReader } from '../tags.ts';

/** The part of all comments and attributes of previews, in all cases. Searching for each is quicker than a pattern. */
const dashed = ['-ic-', '-IC-', '-Ic-', '-iC-'];

export interface FinishedHtml {
  readonly html: string;
  /** Whether it is known to have no tag of a document or of its head. */
  readonly isPlain: boolean;
}

export function finishMarks(html: string, marks: readonly Mark[], texts: MarkTexts): FinishedHtml {
  // Few outputs have texts that may look like a mark of ours, or contain a part of one.
  const isSuspect =
    html.includes('<!--') || hasPrivateUse(html) || dashed.some((name) => html.includes(name));
  const first = new Finishing(html, marks, texts, isSuspect);
  const output = first.output();
  if (first.isSuspect === isSuspect) return { html: output, isPlain: !isSuspect && first.isPlain };
  return { html: new Finishing(html, marks, texts, true).output(), isPlain: false };
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
  readonly #before = { nameStart: 0, nameEnd: 0, closing: false, isRaw: false, end: 0 };
  /** The attributes that the last tag with a mark in it gets at its end. */
  #attribute: TagAttribute = { end: -1, field: undefined, isPlaced: false, regions: [] };
  #output = '';
  /** The HTML that is not in the output yet: what `#kept` has, and what follows from `#copied` on. */
  #kept = '';
  #copied = 0;
  /** Whether what looks like a mark is taken out of the HTML. */
  readonly #cleans: boolean;
  /** Whether that must be done. */
  isSuspect: boolean;
  /** Whether no tag of a document or its head was read, and no mark parts a tag or the end of a comment. */
  isPlain = true;
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
    while (this.#hasTag) this.#nextTag();
    return this.#cleans ? this.#output + cleaned(this.#kept) : this.#output;
  }

  /** Goes on to the tags around a position. */
  #isInTag(at: number): boolean {
    const tag = this.#tag;
    const before = this.#before;
    while (this.#hasTag && tag.end <= at) {
      before.nameStart = tag.nameStart;
      before.nameEnd = tag.nameEnd;
      before.closing = tag.closing;
      before.isRaw = tag.beginsRawText;
      before.end = tag.end;
      this.#nextTag();
    }
    return this.#hasTag && tag.start <= at;
  }

  #nextTag(): void {
    const { knownName } = this.#tag;
    if (knownName !== '' && isHeadTag(knownName)) this.isPlain = false;
    this.#hasTag = this.#tag.next();
  }

  #placeInText(at: number, mark: Mark): void {
    this.#endTag();
    const { closing, isRaw, end } = this.#before;
    if (isRaw || !endsToken(this.#html.charCodeAt(at - 1))) this.isPlain = false;
    if (isRaw) return;
    if (mark.kind === 'comment' || mark.kind === 'region') {
      if (!this.#hasComments || !this.#isInComment(end, at)) this.#insert(at, mark.html);
    } else if (mark.kind === 'value' && end > 0 && !closing && this.#isContent(at, mark)) {
      this.#addAttribute(end, mark.html);
      this.#endTag();
    }
  }

  #placeInTag(at: number, mark: Mark): void {
    const { start, end, closing } = this.#tag;
    if (mark.kind === 'region') {
      if (!closing) this.#attributeAt(end).regions.push(String(mark.value));
    } else if (mark.kind !== 'comment' && !isInQuotes(this.#html, start, at)) {
      this.isSuspect = true;
      if (closing || mark.kind !== 'attribute') return;
      const attribute = this.#attributeAt(end);
      attribute.isPlaced = true;
      attribute.field = undefined;
      this.#insert(at, attributeHtml(this.#html.charCodeAt(at - 1), mark.html));
    } else if (mark.kind === 'image' && !closing) this.#addAttribute(end, mark.html);
  }

  /** What the template says itself wins, then the first. */
  #addAttribute(end: number, field: string): void {
    const attribute = this.#attributeAt(end);
    if (!attribute.isPlaced) attribute.field ??= field;
  }

  /** What the tag that ends at a position gets; places what the one before gets. */
  #attributeAt(end: number): TagAttribute {
    this.#endTag(end);
    if (this.#attribute.end !== end)
      this.#attribute = { end, field: undefined, isPlaced: false, regions: [] };
    return this.#attribute;
  }

  /** Places the attributes of the last tag, unless that is the one that ends at `except`. */
  #endTag(except?: number): void {
    const { end, field, regions } = this.#attribute;
    if (end === except || (field === undefined && regions.length === 0)) return;
    this.#attribute = { end, field: undefined, isPlaced: true, regions: [] };
    const named = regions.length === 0 ? [] : [`data-ic-region="${[...new Set(regions)].join(' ')}"`];
    const attributes = [...(field === undefined ? [] : [field]), ...named].join(' ');
    const at = this.#html.charCodeAt(end - 2) === slash ? end - 2 : end - 1;
    this.#insert(at, attributeHtml(this.#html.charCodeAt(at - 1), attributes));
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
  #isContent(at: number, mark: Mark): boolean {
    const { end } = this.#before;
    if (at > end && this.#html.slice(end, at).trim() !== '') return false;
    const from = at + markLength;
    const { value, printed } = mark;
    if (this.#isWholly(from, printed)) return true;
    // As templates print it unchanged besides: as it is, or with its line breaks.
    return (
      typeof value === 'string' &&
      (this.#isWholly(from, value) || this.#isWholly(from, lineBreaksBr(value, true)))
    );
  }

  /** Whether a text stands at a position, and nothing else before the end of the element. */
  #isWholly(from: number, text: string): boolean {
    const end = from + text.length;
    return this.#endsElement(end) && this.#html.slice(from, end) === text;
  }

  /** Whether only white space stands between a position and the end tag of the element that began last. */
  #endsElement(from: number): boolean {
    const html = this.#html;
    let at = from;
    while (isSpace(html.charCodeAt(at))) at += 1;
    if (html.charCodeAt(at) !== less || html.charCodeAt(at + 1) !== slash) return false;
    const { nameStart, nameEnd } = this.#before;
    at += 2;
    for (let index = nameStart; index < nameEnd; index += 1, at += 1)
      if (lowerCase(html.charCodeAt(index)) !== lowerCase(html.charCodeAt(at))) return false;
    const after = html.charCodeAt(at);
    return after === greater || after === slash || isSpace(after);
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
  field: string | undefined;
  /** Whether `data-ic-field` is there already. */
  isPlaced: boolean;
  /** Names of the regions in the tag. */
  regions: string[];
}

const slash = 47;
const less = 60;
const greater = 62;

/** Whether a character cannot be part of a tag or the end of a comment that goes on behind a mark. */
function endsToken(code: number): boolean {
  return code === greater || isSpace(code) || code > 127 || Number.isNaN(code);
}

/** Code of a letter of ASCII in lower case; any other code unchanged. */
function lowerCase(code: number): number {
  return code >= 65 && code <= 90 ? code + 32 : code;
}

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
  return /data-ic-(?:field|region)/i.test(neutral)
    ? neutral.replace(
        /data-ic-(field|region)(?=\s*=)/gi,
        (_mark, what: string) => `data-x-ic-${what.toLowerCase()}`,
      )
    : neutral;
}
