import { compareCodePoints } from './compare.ts';
import { chargeWork } from './effort.ts';
import { checkTextLength, maxDepth } from './limits.ts';
import { listMapKeys } from './map.ts';
import { printedHtml, printedText } from './printed.ts';
import { SafeString } from './safe.ts';

/**
 * The text that `{{ value }}` prints, before escaping: what Python's `str()` gives, as in Django.
 *
 *     'a' -> a    null -> None    true -> True    1.5 -> 1.5    [1, 'a'] -> [1, 'a']    {a: 1} -> {'a': 1}
 *
 * A Date prints as `2024-05-01 10:30:00+00:00`; undefined, functions and symbols print nothing.
 * Only own enumerable properties are read. Throws a FilterError if lists or maps print as more than 8 MB.
 */
export function toText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return (value | 0) === value ? `${value}` : numberText(value);
  if (value === null) return 'None';
  switch (typeof value) {
    case 'boolean':
      return value ? 'True' : 'False';
    case 'bigint':
      return value.toString();
    case 'object':
      return objectText(value);
    default:
      return '';
  }
}

/**
 * Python's `repr()` of the value: as `toText`, but strings in quotes.
 * Throws a FilterError if the result has more than 8 MB.
 */
export function toRepr(value: unknown): string {
  const writer = new ReprWriter(listMapKeys);
  writer.value(value);
  return writer.text;
}

/** As `toRepr`, with the keys of maps sorted (as in Python's `pprint`). */
export function toSortedRepr(value: unknown): string {
  const writer = new ReprWriter(sortedKeys);
  writer.value(value);
  return writer.text;
}

/** The own enumerable keys of a map, sorted by code point. */
export function sortedKeys(map: object): string[] {
  return Object.keys(map).sort(compareCodePoints);
}

/**
 * Python's `repr()` of a string, with control characters escaped. Double quotes are used only if the text
 * holds single quotes and no double quotes.
 */
export function stringRepr(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const escaped = text.replace(unprintable, (char) =>
    char === quote ? `\\${char}` : escapeUnprintable(char),
  );
  return `${quote}${escaped}${quote}`;
}

// ---------------------------------------------------------------------------------------------------------

function objectText(value: object): string {
  if (value instanceof SafeString) return value.value;
  if (value instanceof Date) return dateText(value);
  return printedHtml(value) ?? printedText(value) ?? toRepr(value);
}

/** A whole number as Python prints an int, any other number as Python prints a float. */
function numberText(value: number): string {
  if (Number.isInteger(value)) return Object.is(value, -0) ? '0' : String(value);
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  if (Math.abs(value) >= 1e-4) return String(value);
  return value.toExponential().replace(/e-(\d)$/, 'e-0$1');
}

function dateText(value: Date): string {
  if (Number.isNaN(value.getTime())) return '';
  const iso = value.toISOString();
  const millis = value.getUTCMilliseconds();
  const fraction = millis === 0 ? '' : `.${String(millis).padStart(3, '0')}000`;
  return `${iso.slice(0, -5).replace('T', ' ')}${fraction}+00:00`;
}

const unprintable = /['"\\]|[^\P{C}]|[^\P{Z} ]/gu;

function escapeUnprintable(char: string): string {
  switch (char) {
    case '\\':
      return '\\\\';
    case '\n':
      return '\\n';
    case '\r':
      return '\\r';
    case '\t':
      return '\\t';
    case "'":
    case '"':
      return char;
  }
  const code = char.codePointAt(0) ?? 0;
  if (code < 0x100) return `\\x${code.toString(16).padStart(2, '0')}`;
  if (code < 0x10000) return `\\u${code.toString(16).padStart(4, '0')}`;
  return `\\U${code.toString(16).padStart(8, '0')}`;
}

/**
 * Writes one value. The length is checked at every part, so that a small value which refers to one large
 * value many times costs no more than the limit.
 */
class ReprWriter {
  text = '';
  readonly #open: object[] = [];
  readonly #keysOf: (map: object) => readonly string[];

  constructor(listKeys: (map: object) => readonly string[]) {
    this.#keysOf = listKeys;
  }

  value(value: unknown): void {
    if (value === undefined || typeof value === 'function' || typeof value === 'symbol') this.#write('None');
    else if (typeof value === 'string') this.#write(stringRepr(value));
    else if (typeof value !== 'object' || value === null) this.#write(toText(value));
    else if (value instanceof SafeString) this.#write(stringRepr(value.value));
    else if (value instanceof Date) this.#write(dateRepr(value));
    else this.#collection(value);
  }

  #collection(value: object): void {
    const isList = Array.isArray(value);
    if (this.#open.length >= maxDepth || this.#open.includes(value)) {
      this.#write(isList ? '[...]' : '{...}');
      return;
    }
    this.#open.push(value);
    if (isList) this.#list(value);
    else this.#map({ ...value }, this.#keysOf(value));
    this.#open.pop();
  }

  #list(list: readonly unknown[]): void {
    this.#write('[');
    for (let index = 0; index < list.length; index += 1) {
      if (index > 0) this.#write(', ');
      this.value(list[index]);
    }
    this.#write(']');
  }

  #map(map: Readonly<Record<string, unknown>>, keys: readonly string[]): void {
    this.#write('{');
    let separator = '';
    for (const key of keys) {
      this.#write(`${separator}${stringRepr(key)}: `);
      this.value(map[key]);
      separator = ', ';
    }
    this.#write('}');
  }

  #write(part: string): void {
    checkTextLength(this.text.length + part.length);
    chargeWork(part.length);
    this.text += part;
  }
}

function dateRepr(value: Date): string {
  if (Number.isNaN(value.getTime())) return 'None';
  const parts = [
    value.getUTCFullYear(),
    value.getUTCMonth() + 1,
    value.getUTCDate(),
    value.getUTCHours(),
    value.getUTCMinutes(),
  ];
  const millis = value.getUTCMilliseconds();
  if (value.getUTCSeconds() > 0 || millis > 0) parts.push(value.getUTCSeconds());
  if (millis > 0) parts.push(millis * 1000);
  return `datetime.datetime(${parts.join(', ')}, tzinfo=datetime.timezone.utc)`;
}
