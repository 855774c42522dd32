/**
 * From the output of a preview, with invisible marks, to its HTML (Core, "Rendering of blocks"):
 *
 * - a comment where the mark of a block, list or slot stands between elements, nothing elsewhere
 * - `data-ic-field` on an element whose whole content is an unchanged value, or whose attributes hold the address of
 *   an image
 * - no other mark, and no comment or attribute of that form that comes from a text
 */

import { type MarkFamily, markLength, withoutMarks } from '../../blocks/mark-text.ts';
import { escapeHtml } from '../../values/escape.ts';
import { type HtmlTag, isRawText, tagsOf } from '../scan.ts';
import type { Mark } from './mark.ts';

interface Families {
  readonly fields: MarkFamily;
  readonly structure: MarkFamily;
}

export function finishMarks(html: string, marks: readonly Mark[], families: Families): string {
  const found = marks.length === 0 ? [] : findMarks(html, marks, families);
  const edits = found.length === 0 ? [] : new Placing(html, families.fields).edits(found);
  return assemble(html, edits);
}

interface FoundMark {
  readonly at: number;
  readonly number: number;
  readonly mark: Mark;
}

/** First UTF-16 unit of the marks. */
const leadUnit = '\uDB80';

function findMarks(html: string, marks: readonly Mark[], { fields, structure }: Families): FoundMark[] {
  const found: FoundMark[] = [];
  for (let at = html.indexOf(leadUnit); at >= 0; at = html.indexOf(leadUnit, at)) {
    const family = html.startsWith(structure.key, at)
      ? structure
      : html.startsWith(fields.key, at)
        ? fields
        : undefined;
    const number = family?.numberAt(html, at);
    const mark = number === undefined ? undefined : marks[number];
    if (number === undefined || mark === undefined) at += 1;
    else {
      found.push({ at, number, mark });
      at += markLength;
    }
  }
  return found;
}

/** HTML of ours that goes to a position of the output. */
interface Edit {
  readonly at: number;
  readonly html: string;
}

/** Finds the places of marks in one walk over the tags of the output. */
class Placing {
  readonly #html: string;
  readonly #fields: MarkFamily;
  readonly #edits: Edit[] = [];
  /** Attributes for tags by the end of the tag. What the template says itself wins, then the first. */
  readonly #attributes = new Map<number, string>();
  readonly #ownAttributes = new Set<number>();

  constructor(html: string, fields: MarkFamily) {
    this.#html = html;
    this.#fields = fields;
  }

  edits(found: readonly FoundMark[]): Edit[] {
    let next = 0;
    let before: HtmlTag | undefined;
    for (const tag of tagsOf(this.#html)) {
      for (let mark = found[next]; mark !== undefined && mark.at < tag.start; mark = found[++next])
        this.#placeInText(mark, before);
      for (let mark = found[next]; mark !== undefined && mark.at < tag.end; mark = found[++next])
        this.#placeInTag(mark, tag);
      before = tag;
      if (next === found.length) break;
    }
    for (const mark of found.slice(next)) this.#placeInText(mark, before);
    for (const [end, field] of this.#attributes) {
      if (this.#ownAttributes.has(end)) continue;
      const at = this.#html.charCodeAt(end - 2) === slash ? end - 2 : end - 1;
      this.#edits.push({ at, html: attributeHtml(this.#html.charCodeAt(at - 1), field) });
    }
    return this.#edits.sort((left, right) => left.at - right.at);
  }

  #placeInText({ at, number, mark }: FoundMark, before: HtmlTag | undefined): void {
    if (before !== undefined && !before.closing && !before.foreign && isRawText(before.name)) return;
    if (mark.kind === 'comment') {
      if (!this.#isInComment(before?.end ?? 0, at)) this.#edits.push({ at, html: `<!--${mark.text}-->` });
      return;
    }
    if (mark.kind !== 'value' || before === undefined || before.closing) return;
    if (!isBlank(this.#html.slice(before.end, at))) return;
    const end = this.#html.indexOf(this.#fields.mark(number + 1), at);
    const value = end < 0 ? undefined : this.#html.slice(at + markLength, end);
    if (
      value === undefined ||
      !mark.forms.includes(value) ||
      !this.#endsElement(end + markLength, before.name)
    )
      return;
    this.#addAttribute(before.end, mark.field);
  }

  #placeInTag({ at, mark }: FoundMark, { start, end, closing }: HtmlTag): void {
    if (closing) return;
    if (mark.kind === 'image') this.#addAttribute(end, mark.field);
    if (mark.kind !== 'attribute' || isInQuotes(this.#html, start, at)) return;
    this.#ownAttributes.add(end);
    this.#edits.push({ at, html: attributeHtml(this.#html.charCodeAt(at - 1), mark.field) });
  }

  #addAttribute(tagEnd: number, field: string): void {
    if (!this.#attributes.has(tagEnd)) this.#attributes.set(tagEnd, field);
  }

  /** Whether only white space stands between a position and the end tag of an element. */
  #endsElement(from: number, name: string): boolean {
    const rest = /^\s*<\/([a-z][^\s/>]*)/i.exec(this.#html.slice(from, from + maxTail));
    return rest?.[1]?.toLowerCase() === name;
  }

  #isInComment(from: number, at: number): boolean {
    const begin = this.#html.lastIndexOf('<!--', at);
    return begin >= from && this.#html.indexOf('-->', begin) > at;
  }
}

/** White space and name of an end tag are searched in so many characters. */
const maxTail = 200;
const slash = 47;

function isBlank(text: string): boolean {
  return text.trim() === '';
}

function attributeHtml(before: number, field: string): string {
  const space = before === 32 || before === 10 || before === 9 ? '' : ' ';
  return `${space}data-ic-field="${escapeHtml(field)}"`;
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

/** Joins the parts between marks, without what looks like a mark in them, and the edits. */
function assemble(html: string, edits: readonly Edit[]): string {
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
