/**
 * The marks of a preview as they stand in its output until it is finished: characters that no font shows, in two
 * families. Those of fields are around values, and filters never see them. Those of the structure are between
 * values. Each contains a number that is made anew for every preview, so that no text from outside is a mark.
 */
import { randomBytes } from 'node:crypto';
import { SafeString } from '../values/safe.ts';

const keyLength = 5;
const digits = 3;

/** One kind of marks of one preview. */
export class MarkFamily {
  /** What every mark begins with. */
  readonly key: string;
  readonly #first: number;
  readonly #tails: string[];

  /** @param lead first character @param first of the 256 characters that follow it */
  constructor(lead: number, first: number) {
    this.#first = first;
    this.#tails = tailsFrom(first);
    const bytes = Array.from({ length: keyLength }, () => first + randomByte());
    this.key = String.fromCodePoint(lead, ...bytes);
  }

  /** The mark with a number below 2^24. */
  mark(number: number): string {
    const tails = this.#tails;
    if (number >= maxTails) return this.key + tailOf(number, this.#first);
    tails[number] ??= tailOf(number, this.#first);
    return this.key + tails[number];
  }

  /** The number of the mark at a position where {@link key} stands; undefined if it is not complete. */
  numberAt(text: string, position: number): number | undefined {
    let number = 0;
    for (let digit = 0; digit < digits; digit += 1) {
      // All characters of a family have the same first unit.
      const unit = text.charCodeAt(position + this.key.length + 2 * digit + 1);
      const byte = unit - lowUnitOf(this.#first);
      if (!(byte >= 0 && byte <= 0xff)) return undefined;
      number = number * 256 + byte;
    }
    return number;
  }
}

/** The second UTF-16 unit of a character beyond U+FFFF. */
function lowUnitOf(codePoint: number): number {
  return 0xdc00 + (codePoint & 0x3ff);
}

/** Random bytes that no preview has used. Asking the system for them takes longer than anything else here. */
let pool = Buffer.alloc(0);
let used = 0;

function randomByte(): number {
  if (used === pool.length) {
    pool = randomBytes(1024);
    used = 0;
  }
  return pool[used++] ?? 0;
}

/** The ends of marks by their numbers, which all previews share. */
const allTails = new Map<number, string[]>();
const maxTails = 10_000;

function tailsFrom(first: number): string[] {
  const known = allTails.get(first) ?? [];
  allTails.set(first, known);
  return known;
}

function tailOf(number: number, first: number): string {
  const code = (shift: number) => first + ((number >>> shift) & 0xff);
  return String.fromCodePoint(code(16), code(8), code(0));
}

/** Length of a mark in UTF-16 units. */
export const markLength = 2 * (1 + keyLength + digits);

export const fieldFamily = { lead: 0xf0000, first: 0xf0100 } as const;
export const structureFamily = { lead: 0xf0001, first: 0xf0200 } as const;

const fieldMarks = /[\u{F0000}\u{F0100}-\u{F01FF}]+/gu;
const allMarks = /[\u{F0000}\u{F0001}\u{F0100}-\u{F02FF}]+/gu;
/** First UTF-16 unit of all marks. */
const leadUnit = '\uDB80';

/** A value without the marks of fields around it. */
export function unmarked<Value>(value: Value): Value | string | SafeString {
  if (typeof value === 'string') return value.includes(leadUnit) ? value.replace(fieldMarks, '') : value;
  if (value instanceof SafeString && value.value.includes(leadUnit))
    return new SafeString(value.value.replace(fieldMarks, ''));
  return value;
}

/** A text without any mark, complete or not. */
export function withoutMarks(text: string): string {
  return text.includes(leadUnit) ? text.replace(allMarks, '') : text;
}
