import { checkListLength, FilterError } from '../../values/limits.ts';
import { listMapKeys } from '../../values/map.ts';
import { emptyOperand, type Operand } from '../../values/operand.ts';
import { printedText } from '../../values/printed.ts';
import { SafeString } from '../../values/safe.ts';
import { toText } from '../../values/text.ts';

/** Python's view of values: truth, length, iteration, lookups and numbers, for data that may be hostile. */

/** Python's truth: none, false, 0, empty texts, lists and maps are false. */
export function isTruthy(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return Boolean(value) && typeof value !== 'function';
  if (Array.isArray(value)) return value.length > 0;
  if (value instanceof SafeString) return value.value !== '';
  if (!isMap(value)) return true;
  const printed = printedText(value);
  if (printed !== undefined) return printed !== '';
  for (const key in value) if (Object.hasOwn(value, key)) return true;
  return false;
}

/** Python's `len()`; undefined for values that have none. Texts count characters, not UTF-16 units. */
export function findLength(value: unknown): number | undefined {
  if (typeof value === 'string') return characterCount(value);
  if (value instanceof SafeString) return characterCount(value.value);
  if (Array.isArray(value)) return value.length;
  return isMap(value) ? Object.keys(value).length : undefined;
}

/** The items of a Python `for` loop: entries, characters or keys; undefined for other values. */
export function findItems(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  if (typeof value === 'string') return characters(value);
  if (value instanceof SafeString) return characters(value.value);
  return isMap(value) ? listMapKeys(value) : undefined;
}

/** Whether the value is a map of data: neither list, date nor safe text. */
export function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof SafeString) &&
    !(value instanceof Date)
  );
}

/** Own property or list entry `key`; undefined if there is none. Never reaches a prototype. */
export function lookup(value: unknown, key: string): unknown {
  if (Array.isArray(value)) return /^\d{1,10}$/.test(key) ? value[Number(key)] : undefined;
  if (!isMap(value) || !Object.hasOwn(value, key)) return undefined;
  const found = value[key];
  return typeof found === 'function' ? undefined : found;
}

/** Own property along a dotted path. */
export function lookupPath(value: unknown, path: readonly string[]): unknown {
  let found = value;
  for (const key of path) {
    if (found === undefined) return undefined;
    found = lookup(found, key);
  }
  return found;
}

// --- numbers ---------------------------------------------------------------------------------------------

const integer = /^[+-]?\d+(?:_\d+)*$/;
const floatPattern =
  /^[+-]?(?:(?:\d+(?:_\d+)*\.?(?:\d+(?:_\d+)*)?|\.\d+(?:_\d+)*)(?:e[+-]?\d+)?|inf(?:inity)?|nan)$/i;

/** Longest text that is read as a number, in characters (Python has a similar limit). */
const maxDigits = 4300;

/** Python's `int()`; undefined where that is an error. Numbers lose their fraction. */
export function parseInteger(value: unknown): bigint | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? BigInt(Math.trunc(value)) : undefined;
  if (typeof value === 'bigint') return value;
  if (typeof value === 'boolean') return value ? 1n : 0n;
  const text = numeralOf(value);
  if (text === undefined || !integer.test(text)) return undefined;
  const digits = text.replaceAll('_', '');
  return digits.startsWith('+') ? BigInt(digits.slice(1)) : BigInt(digits);
}

/** Python's `float()`; undefined where that is an error. */
export function parseFloatNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint' || typeof value === 'boolean') return Number(value);
  const text = numeralOf(value);
  if (text === undefined || !floatPattern.test(text)) return undefined;
  const plain = text.replaceAll('_', '').toLowerCase();
  if (plain.includes('nan')) return Number.NaN;
  if (plain.includes('inf')) return plain.startsWith('-') ? -Infinity : Infinity;
  return Number(plain);
}

/** A whole number as a JavaScript number where that is exact, else as a bigint. */
export function narrow(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

/** A value that must be a whole number; throws a FilterError naming the filter otherwise. */
export function integerArgument(filter: string, value: unknown, operand: Operand = 'argument'): number {
  // Adding 0 makes 0 of -0, which Python's int does not have.
  if (typeof value === 'number' && Number.isFinite(value)) return Math.trunc(value) + 0;
  const parsed = parseInteger(value);
  if (parsed !== undefined) return Number(parsed);
  const empty = emptyOperand(value, operand);
  const found = empty === undefined ? `, not "${toText(value).slice(0, 40)}"` : '';
  throw new FilterError(`${filter} needs a whole number${found}`, empty);
}

/** The items of a value that must be a list; throws a FilterError naming the filter otherwise. */
export function listInput(filter: string, value: unknown): readonly unknown[] {
  const items = findItems(value);
  if (items === undefined) throw new FilterError(`${filter} needs a list`, emptyOperand(value, 'input'));
  return items;
}

function numeralOf(value: unknown): string | undefined {
  const text = value instanceof SafeString ? value.value : value;
  if (typeof text !== 'string' || text.length > maxDigits) return undefined;
  return text.trim();
}

// --- characters ------------------------------------------------------------------------------------------

const surrogate = /[\ud800-\udfff]/;

/** Whether every character is one UTF-16 unit, so that positions and characters are the same. */
export function isPlain(text: string): boolean {
  return !surrogate.test(text);
}

/** The characters (code points) of a text. Throws a FilterError for more than a list may hold. */
export function characters(text: string): string[] {
  const plain = isPlain(text);
  if (plain) checkListLength(text.length);
  const list = plain ? text.split('') : Array.from(text);
  checkListLength(list.length);
  return list;
}

/** Number of characters (code points). */
export function characterCount(text: string): number {
  if (isPlain(text)) return text.length;
  let count = text.length;
  let wasHigh = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    const isPair: boolean = wasHigh && isLowSurrogate(code);
    if (isPair) count -= 1;
    wasHigh = !isPair && code >= 0xd800 && code <= 0xdbff;
  }
  return count;
}

/** The characters from `start` (inclusive) to `end` (exclusive), counted in code points. */
export function sliceCharacters(text: string, start: number, end: number): string {
  if (isPlain(text)) return text.slice(start, end);
  const from = unitsOf(text, 0, start);
  return text.slice(from, unitsOf(text, from, end - start));
}

/** The position after `count` more characters, or the end of the text. */
function unitsOf(text: string, from: number, count: number): number {
  const last = text.length - 1;
  let index = from;
  for (let left = count; left > 0 && index <= last; left -= 1) {
    const code = text.charCodeAt(index);
    // V8 leaves its quick way for good when a position beyond the end is read once.
    const isHigh = code >= 0xd800 && code <= 0xdbff && index < last;
    index += isHigh && isLowSurrogate(text.charCodeAt(index + 1)) ? 2 : 1;
  }
  return index;
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}

/** Whether Python's `str.isspace()` holds for the UTF-16 unit. */
export function isSpace(code: number): boolean {
  if (code <= 0x20) return code >= 0x1c || (code >= 0x09 && code <= 0x0d);
  if (code < 0x1680) return code === 0x85 || code === 0xa0;
  if (code < 0x2000) return code === 0x1680;
  if (code <= 0x202f) return code <= 0x200a || code === 0x2028 || code === 0x2029 || code === 0x202f;
  return code === 0x205f || code === 0x3000;
}

/** Python's `str.split()`: the words between runs of white space, `limit` of them at most. */
export function splitWords(text: string, limit: number): string[] {
  const words: string[] = [];
  let start = -1;
  for (let index = 0; index < text.length && words.length < limit; index += 1) {
    if (!isSpace(text.charCodeAt(index))) {
      if (start === -1) start = index;
    } else if (start !== -1) {
      words.push(text.slice(start, index));
      start = -1;
    }
  }
  if (start !== -1 && words.length < limit) words.push(text.slice(start));
  return words;
}
