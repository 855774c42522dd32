/**
 * From the output of a preview, with invisible marks, to its HTML (Core, "Rendering of blocks"):
 *
 * - a comment where the mark of a block, list or slot stands between elements, nothing elsewhere
 * - `data-ic-field` on an element whose whole content is an unchanged value, or whose attributes hold the address of
 *   an image
 * - no other mark, and no comment or attribute of that form that comes from a text
 */

import { type MarkFamily, markLength, withoutMarks } from '../../blocks/mark-text.ts';
import { lineBreaksBr } from '../../filters/html.ts';
import { escapeHtml } from '../../values/escape.ts';
import type { SafeString } from '../../values/safe.ts';
import { type HtmlTag, isRawText, tagsOf } from '../scan.ts';
import type { Mark } from './mark.ts';

interface Families {
  readonly fields: MarkFamily;
  readonly structure: MarkFamily;
}

export function finishMarks(html: string, marks: readonly Mark[], families: Families): string {
  const { found, hasOthers } = findMarks(html, marks, families);
  const placing = new Placing(html);
  const edits = found.length === 0 ? [] : placing.edits(found);
  // Only then can a text look like a mark of ours, or contain a part of one.
  const isSuspect = hasOthers || placing.isSuspect || placing.hasComments || /-ic-/i.test(html);
  return isSuspect ? cleanlyJoined(html, edits) : joined(html, found, edits);
}

interface FoundMark {
  readonly at: number;
  readonly number: number;
  readonly mark: Mark;
}

/** First UTF-16 unit of the characters of marks. */
const leadUnit = '\uDB80';

/** The marks in a text, and whether it has other characters of that kind. */
function findMarks(html: string, marks: readonly Mark[], { fields, structure }: Families) {
  const found: FoundMark[] = [];
  let hasOthers = false;
  for (let at = html.indexOf(leadUnit); at >= 0; at = html.indexOf(leadUnit, at)) {
    const family = html.startsWith(structure.key, at)
      ? structure
      : html.startsWith(fields.key, at)
        ? fields
        : undefined;
    const number = family?.numberAt(html, at);
    const mark = number === undefined ? undefined : marks[number];
    if (number === undefined || mark === undefined) {
      hasOthers = true;
      at += 1;
    } else {
      found.push({ at, number, mark });
      at += markLength;
    }
  }
  return { found, hasOthers };
}

/** HTML of ours that goes to a position of the output. */
interface Edit {
  readonly at: number;
  readonly html: string;
}

/** Finds the places of marks in one walk over the tags of the output. */
class Placing {
  /** Whether the output has comments besides those of ours. */
  readonly hasComments: boolean;
  /** Whether a value stands in a tag outside of quotes, where it may be part of the name of an attribute. */
  isSuspect = false;
  readonly #html: string;
  /** In order of their positions. */
  readonly #edits: Edit[] = [];
  /** Attributes for tags by the end of the tag. What the template says itself wins, then the first. */
  readonly #attributes = new Map<number, string>();
  readonly #ownAttributes = new Set<number>();

  constructor(html: string) {
    this.#html = html;
    this.hasComments = html.includes('<!--');
  }

  edits(found: readonly FoundMark[]): Edit[] {
    let next = 0;
    let before: HtmlTag | undefined;
    for (const tag of tagsOf(this.#html)) {
      for (let mark = found[next]; mark !== undefined && mark.at < tag.start; mark = found[next])
        this.#placeInText(mark, before, found[++next]);
      for (let mark = found[next]; mark !== undefined && mark.at < tag.end; mark = found[++next])
        this.#placeInTag(mark, tag);
      before = tag;
      if (next === found.length) break;
    }
    for (let mark = found[next]; mark !== undefined; mark = found[next])
      this.#placeInText(mark, before, found[++next]);
    return merged(this.#edits, this.#attributeEdits());
  }

  /** @param following the mark after it */
  #placeInText({ at, number, mark }: FoundMark, before: HtmlTag | undefined, following?: FoundMark): void {
    if (before !== undefined && !before.closing && !before.foreign && isRawText(before.name)) return;
    if (mark.kind === 'comment') {
      if (!this.hasComments || !this.#isInComment(before?.end ?? 0, at))
        this.#edits.push({ at, html: `<!--${mark.text}-->` });
      return;
    }
    if (mark.kind !== 'value' || before === undefined || before.closing) return;
    if (following?.number !== number + 1 || !this.#isBlank(before.end, at)) return;
    if (!this.#endsElement(following.at + markLength, before.name)) return;
    if (isForm(this.#html.slice(at + markLength, following.at), mark.value))
      this.#addAttribute(before.end, mark.field);
  }

  #placeInTag({ at, mark }: FoundMark, { start, end, closing }: HtmlTag): void {
    if (mark.kind !== 'comment' && !isInQuotes(this.#html, start, at)) {
      this.isSuspect = true;
      if (closing || mark.kind !== 'attribute') return;
      this.#ownAttributes.add(end);
      this.#edits.push({ at, html: attributeHtml(this.#html.charCodeAt(at - 1), mark.field) });
    } else if (mark.kind === 'image' && !closing) this.#addAttribute(end, mark.field);
  }

  #addAttribute(tagEnd: number, field: string): void {
    if (!this.#attributes.has(tagEnd)) this.#attributes.set(tagEnd, field);
  }

  #attributeEdits(): Edit[] {
    const edits: Edit[] = [];
    for (const [end, field] of this.#attributes) {
      if (this.#ownAttributes.has(end)) continue;
      const at = this.#html.charCodeAt(end - 2) === slash ? end - 2 : end - 1;
      edits.push({ at, html: attributeHtml(this.#html.charCodeAt(at - 1), field) });
    }
    return edits;
  }

  #isBlank(from: number, to: number): boolean {
    return from === to || this.#html.slice(from, to).trim() === '';
  }

  /** Whether only white space stands between a position and the end tag of an element. */
  #endsElement(from: number, name: string): boolean {
    let at = from;
    while (at < this.#html.length && isSpace(this.#html.charCodeAt(at))) at += 1;
    if (!this.#html.startsWith('</', at)) return false;
    const end = at + 2 + name.length;
    const after = this.#html.charCodeAt(end);
    return (
      this.#html.slice(at + 2, end).toLowerCase() === name &&
      (after === greater || after === slash || isSpace(after))
    );
  }

  /** Whether a position is in a comment. @param from end of the tag before */
  #isInComment(from: number, at: number): boolean {
    const between = this.#html.slice(from, at);
    const begin = between.lastIndexOf('<!--');
    return begin >= 0 && !between.includes('-->', begin);
  }
}

/** Two lists of edits, each in order, as one. */
function merged(left: readonly Edit[], right: readonly Edit[]): Edit[] {
  const all: Edit[] = [];
  let next = 0;
  for (const edit of left) {
    for (let other = right[next]; other !== undefined && other.at <= edit.at; other = right[++next])
      all.push(other);
    all.push(edit);
  }
  return [...all, ...right.slice(next)];
}

/** Whether a text is a value as templates print it unchanged: escaped, with its line breaks, or as it is. */
function isForm(text: string, value: string | SafeString): boolean {
  if (typeof value !== 'string') return text === value.value;
  return text === value || text === escapeHtml(value) || text === lineBreaksBr(value, true);
}

const slash = 47;
const greater = 62;

/** White space of the HTML standard. */
function isSpace(code: number): boolean {
  return code === 32 || code === 10 || code === 9 || code === 12 || code === 13;
}

function attributeHtml(before: number, field: string): string {
  return `${isSpace(before) ? '' : ' '}data-ic-field="${escapeHtml(field)}"`;
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

/** The text without its marks, and with the edits. */
function joined(html: string, found: readonly FoundMark[], edits: readonly Edit[]): string {
  let out = '';
  let from = 0;
  let next = 0;
  for (const { at } of [...found, { at: html.length }]) {
    for (let edit = edits[next]; edit !== undefined && edit.at <= at; edit = edits[++next]) {
      out += html.slice(from, edit.at) + edit.html;
      from = edit.at;
    }
    out += html.slice(from, at);
    from = at + markLength;
  }
  return out;
}

/** The same for a text that may have parts that look like marks. */
function cleanlyJoined(html: string, edits: readonly Edit[]): string {
  let out = '';
  let from = 0;
  for (const { at, html: made } of edits) {
    out += cleaned(html.slice(from, at)) + made;
    from = at;
  }
  return out + cleaned(html.slice(from));
}

/** A text without marks, and without comments and attributes that look like those of a preview. */
function cleaned(text: string): string {
  const plain = withoutMarks(text);
  const neutral = plain.includes('ic-') ? plain.replace(/<!--(?=\/?ic-)/g, '<!-- ') : plain;
  return /data-ic-field/i.test(neutral)
    ? neutral.replace(/data-ic-field(?=\s*=)/gi, 'data-x-ic-field')
    : neutral;
}
