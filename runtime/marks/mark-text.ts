/**
 * The marks of a preview as they stand in its output until it is finished: control characters, in two families.
 * Those of fields are around values, and filters never see them. Those of the structure are between values. Each
 * contains a number that is made anew for every preview, so that no text from outside is a mark.
 *
 * Core names private-use characters from U+F0000. Those used here show as little, and have one byte: with a single
 * character above U+00FF the whole output would take two bytes for each character, and each step over it longer.
 */
import { randomBytes } from 'node:crypto';
import { SafeString } from '../values/safe.ts';

/** First character of all marks. */
const lead = '\x80';
/** The second character says which family it is. */
const families = { field: '\x81', structure: '\x82' } as const;
type Family = keyof typeof families;

/** Key and number are written in digits from U+0083 to U+009F. */
const firstDigit = 0x83;
const base = 0x9f - firstDigit + 1;
const keyDigits = 8;
const numberDigits = 5;

/** Length of a mark. */
export const markLength = 2 + keyDigits + numberDigits;

/** The marks of one preview. */
export class MarkTexts {
  readonly #key = Array.from({ length: keyDigits }, () => digit(randomDigit())).join('');
  readonly #begin = { field: this.#beginOf('field'), structure: this.#beginOf('structure') };

  /** The mark with a number below 2^24. */
  of(family: Family, number: number): string {
    return this.#begin[family] + tailOf(number);
  }

  /** The number of the mark at a position where {@link findLead} found one; undefined if it is none. */
  numberAt(text: string, position: number): number | undefined {
    if (!text.startsWith(this.#key, position + 2)) return undefined;
    let number = 0;
    for (let at = position + 2 + keyDigits; at < position + markLength; at += 1) {
      const value = text.charCodeAt(at) - firstDigit;
      if (!(value >= 0 && value < base)) return undefined;
      number = number * base + value;
    }
    return number;
  }

  #beginOf(family: Family): string {
    return lead + families[family] + this.#key;
  }
}

/** The position from which on a mark may begin; -1 if there is none. */
export function findLead(text: string, from: number): number {
  return text.indexOf(lead, from);
}

/** The ends of marks by their numbers, which all previews share. */
const tails: string[] = [];
const maxTails = 10_000;

function tailOf(number: number): string {
  const known = tails[number];
  if (known !== undefined) return known;
  let tail = '';
  for (let rest = number, count = 0; count < numberDigits; rest = Math.floor(rest / base), count += 1)
    tail = digit(rest % base) + tail;
  if (number < maxTails) tails[number] = tail;
  return tail;
}

function digit(value: number): string {
  return String.fromCharCode(firstDigit + value);
}

/** Random bytes that no preview has used. Asking the system for them takes longer than anything else here. */
let pool = Buffer.alloc(0);
let used = 0;

/** Bytes beyond the last multiple of the base are left out, so that all digits are equally likely. */
function randomDigit(): number {
  for (;;) {
    if (used === pool.length) {
      pool = randomBytes(1024);
      used = 0;
    }
    const byte = pool[used++] ?? 0;
    if (byte < 256 - (256 % base)) return byte % base;
  }
}

/** A mark of the structure in the pattern of a regular expression. */
export const structureMark = `${lead}${families.structure}[\\x83-\\x9f]{${keyDigits + numberDigits}}`;

const fieldLead = lead + families.field;
const fieldMarks = new RegExp(`${fieldLead}[\\x83-\\x9f]{${keyDigits + numberDigits}}`, 'g');

/** A value without the marks of fields around it. */
export function unmarked<Value>(value: Value): Value | string | SafeString {
  if (typeof value === 'string') return value.includes(fieldLead) ? value.replaceAll(fieldMarks, '') : value;
  if (value instanceof SafeString && value.value.includes(fieldLead))
    return new SafeString(value.value.replaceAll(fieldMarks, ''));
  return value;
}

/** Characters of marks, complete or not, and those that Core names. */
const markCharacters = /[\x80-\x9f\u{F0000}\u{F0001}\u{F0100}-\u{F02FF}]+/gu;

/** Whether a text has characters that Core names for marks. */
export function hasPrivateUse(text: string): boolean {
  return text.includes('\uDB80');
}

/** A text without any character of marks. */
export function withoutMarks(text: string): string {
  return text.replaceAll(markCharacters, '');
}
