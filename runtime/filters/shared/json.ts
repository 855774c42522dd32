import { chargeWork } from '../../values/effort.ts';
import { findNextPosition, nowhere } from '../../values/escape.ts';
import { checkTextLength, FilterError, maxDepth } from '../../values/limits.ts';
import { isOrdered, listEntries } from '../../values/map.ts';
import { SafeString } from '../../values/safe.ts';

/** How JSON is laid out. */
export interface JsonStyle {
  readonly comma: string;
  readonly colon: string;
  /** Whether characters beyond ASCII are written as `\uXXXX`. */
  readonly ascii: boolean;
}

/**
 * The value as JSON that is safe inside a script element: `<`, `>`, `&` and the line separators of Unicode
 * are written as `\uXXXX`. Only own enumerable properties count; functions are left out, dates are ISO texts.
 * Throws a FilterError for cycles, nesting deeper than `maxDepth`, and more than 8 MB.
 */
export function toJson(value: unknown, style: JsonStyle): string {
  if (!style.ascii && style.colon === ':' && isPlainJson(value)) {
    const json = escapeMarkup(JSON.stringify(value));
    chargeWork(json.length);
    return json;
  }
  const writer = new JsonWriter(style);
  writer.value(value, 0);
  return writer.text;
}

/** Most that `JSON.stringify` may write: a value counts as one, a text also for each 16 of its characters. */
const maxPlainSize = 100_000;

/**
 * Whether `JSON.stringify` gives what the writer gives: texts, finite numbers, booleans and none in lists and
 * maps that keep JavaScript's order and lead nowhere else. Deep, endless or large data is left to the writer.
 */
function isPlainJson(value: unknown): boolean {
  return sizeLeft(value, maxPlainSize, 0) >= 0;
}

/** How much of the size is left after a value; negative if the data is not plain. */
function sizeLeft(value: unknown, left: number, depth: number): number {
  if (typeof value === 'string') return left - 1 - (value.length >> 4);
  if (typeof value === 'number') return Number.isFinite(value) ? left - 1 : -1;
  if (typeof value === 'boolean' || value === null) return left - 1;
  if (depth > maxDepth) return -1;
  let rest = left - 1;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && rest >= 0; index += 1)
      rest = sizeLeft(value[index], rest, depth + 1);
    return rest;
  }
  if (!isPlainMap(value)) return -1;
  for (const key in value) {
    rest = sizeLeft(value[key], rest - (key.length >> 4), depth + 1);
    if (rest < 0) break;
  }
  return rest;
}

function isPlainMap(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return (prototype === null || prototype === Object.prototype) && !isOrdered(value);
}

class JsonWriter {
  text = '';
  readonly #style: JsonStyle;

  constructor(style: JsonStyle) {
    this.#style = style;
  }

  value(value: unknown, depth: number): void {
    if (depth > maxDepth) throw new FilterError(`JSON cannot be nested more than ${maxDepth} deep`);
    if (typeof value === 'string') this.#write(this.#string(value));
    else if (typeof value === 'number') this.#write(Number.isFinite(value) ? String(value) : 'null');
    else if (typeof value === 'boolean' || typeof value === 'bigint') this.#write(String(value));
    else if (typeof value !== 'object' || value === null) this.#write('null');
    else if (value instanceof SafeString) this.#write(this.#string(value.value));
    else if (value instanceof Date) this.#write(Number.isNaN(value.getTime()) ? 'null' : dateJson(value));
    else if (Array.isArray(value)) this.#list(value, depth);
    else this.#map(value, depth);
  }

  #list(list: readonly unknown[], depth: number): void {
    this.#write('[');
    for (let index = 0; index < list.length; index += 1) {
      if (index > 0) this.#write(this.#style.comma);
      this.value(list[index], depth + 1);
    }
    this.#write(']');
  }

  #map(map: object, depth: number): void {
    this.#write('{');
    let separator = '';
    for (const [key, entry] of listEntries(map)) {
      if (entry === undefined || typeof entry === 'function' || typeof entry === 'symbol') continue;
      this.#write(`${separator}${this.#string(key)}${this.#style.colon}`);
      this.value(entry, depth + 1);
      separator = this.#style.comma;
    }
    this.#write('}');
  }

  #string(text: string): string {
    const json = JSON.stringify(text).replace(markup, escapeUnit);
    return this.#style.ascii ? json.replace(beyondAscii, escapeLowerUnit) : json;
  }

  #write(part: string): void {
    checkTextLength(this.text.length + part.length);
    chargeWork(part.length);
    this.text += part;
  }
}

const markup = /[<>&\u2028\u2029]/g;
const beyondAscii = /[^\0-\x7e]/g;

/**
 * As `replace(markup, escapeUnit)`, but each character is searched for by itself, which V8 does fastest, and
 * passes over the text once.
 */
function escapeMarkup(json: string): string {
  if (json.includes('\u2028') || json.includes('\u2029')) return json.replace(markup, escapeUnit);
  let amp = findNextPosition('&', json, 0);
  let less = findNextPosition('<', json, 0);
  let greater = findNextPosition('>', json, 0);
  let next = Math.min(amp, less, greater);
  if (next === nowhere) return json;
  let out = '';
  let copied = 0;
  while (next !== nowhere) {
    out += json.slice(copied, next);
    copied = next + 1;
    if (next === less) {
      out += '\\u003C';
      less = findNextPosition('<', json, copied);
    } else if (next === greater) {
      out += '\\u003E';
      greater = findNextPosition('>', json, copied);
    } else {
      out += '\\u0026';
      amp = findNextPosition('&', json, copied);
    }
    next = Math.min(amp, less, greater);
  }
  return out + json.slice(copied);
}

function escapeUnit(char: string): string {
  return markupCodes.get(char) ?? char;
}

const markupCodes = new Map(
  Array.from('<>&\u2028\u2029', (char) => {
    const code = char.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
    return [char, `\\u${code}`];
  }),
);

function escapeLowerUnit(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** As in Django's encoder: milliseconds only if there are any, and `Z`. */
function dateJson(value: Date): string {
  return `"${value.toISOString().replace('.000Z', 'Z')}"`;
}
