import { printedHtml } from './printed.ts';
import { SafeString } from './safe.ts';
import { toText } from './text.ts';

/** Global, because it then says where it found something. Every user sets it back to the start. */
const needsEscaping = /[&<>"']/g;

/** From this many UTF-16 units on, five searches for one character each are faster than a regular expression. */
const long = 64;

/**
 * The text with `& < > " '` written as `&amp; &lt; &gt; &quot; &#x27;`, exactly as Django does: fit for
 * element content and for quoted attribute values.
 *
 * Most texts need no escaping. A regular expression finds that out at a speed that does not depend on what
 * other texts the process has seen, which a loop over the characters does. V8 searches for a single character
 * several characters at a time, so in a long text each of the five is searched for by itself.
 */
export function escapeHtml(text: string): string {
  return text.length >= long ? escapeLong(text) : escapeShort(text);
}

function escapeShort(text: string): string {
  if (!needsEscaping.test(text)) return text;
  const first = needsEscaping.lastIndex - 1;
  needsEscaping.lastIndex = 0;
  return escapeFrom(text, first);
}

/** @param first position of the first special character */
function escapeFrom(text: string, first: number): string {
  const { length } = text;
  let out = '';
  let copied = 0;
  for (let index = first; index < length; index += 1) {
    const code = text.charCodeAt(index);
    if (code > last || code < firstSpecial || ((specialCharacters >>> (code - firstSpecial)) & 1) === 0)
      continue;
    if (copied !== index) out += text.slice(copied, index);
    out += replacementOf(code);
    copied = index + 1;
  }
  return copied === length ? out : out + text.slice(copied);
}

/** Keeps the next position of each character, so that each passes over the text once. */
function escapeLong(text: string): string {
  let amp = findNextPosition('&', text, 0);
  let less = findNextPosition('<', text, 0);
  let greater = findNextPosition('>', text, 0);
  let quote = findNextPosition('"', text, 0);
  let apostrophe = findNextPosition("'", text, 0);
  let next = Math.min(amp, less, greater, quote, apostrophe);
  if (next === nowhere) return text;
  let out = '';
  let copied = 0;
  while (next !== nowhere) {
    if (next > copied) out += text.slice(copied, next);
    copied = next + 1;
    if (next === amp) {
      out += '&amp;';
      amp = findNextPosition('&', text, copied);
    } else if (next === less) {
      out += '&lt;';
      less = findNextPosition('<', text, copied);
    } else if (next === greater) {
      out += '&gt;';
      greater = findNextPosition('>', text, copied);
    } else if (next === quote) {
      out += '&quot;';
      quote = findNextPosition('"', text, copied);
    } else {
      out += '&#x27;';
      apostrophe = findNextPosition("'", text, copied);
    }
    next = Math.min(amp, less, greater, quote, apostrophe);
  }
  return copied === text.length ? out : out + text.slice(copied);
}

/** Beyond every position in a text. */
export const nowhere = 0x7fffffff;

/** The next position of a character, or `nowhere`. */
export function findNextPosition(char: string, text: string, from: number): number {
  const index = text.indexOf(char, from);
  return index === -1 ? nowhere : index;
}

/** Lowest and highest code of a special character, and one bit for each code in this range: 1 for special. */
const firstSpecial = 34;
const last = 62;
const specialCharacters =
  1 |
  (1 << (38 - firstSpecial)) |
  (1 << (39 - firstSpecial)) |
  (1 << (60 - firstSpecial)) |
  (1 << (62 - firstSpecial));

function replacementOf(code: number): string {
  switch (code) {
    case 38:
      return '&amp;';
    case 60:
      return '&lt;';
    case 62:
      return '&gt;';
    case 34:
      return '&quot;';
    default:
      return '&#x27;';
  }
}

/**
 * The output of `{{ value }}` with autoescape on: a SafeString unchanged, any other value as escaped text.
 */
function escapeValue(value: unknown): string {
  return typeof value === 'string' ? escapeHtml(value) : escapeOther(value);
}

function escapeOther(value: unknown): string {
  if (typeof value === 'number') return toText(value);
  if (value instanceof SafeString) return value.value;
  const html = typeof value === 'object' && value !== null ? printedHtml(value) : undefined;
  if (html !== undefined) return html;
  return escapeHtml(toText(value));
}

export { escapeValue as escape };
