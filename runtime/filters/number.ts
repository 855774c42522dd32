import { escapeHtml } from '../values/escape.ts';
import { checkListLength, FilterError } from '../values/limits.ts';
import { SafeString } from '../values/safe.ts';
import { toText } from '../values/text.ts';
import { type FilterDefinition, type FilterEnv, keepSafe, type QuickPrint, valueFilter } from './filter.ts';
import { type Decimal, isWhole, parseDecimal, toFixedPlaces } from './shared/decimal.ts';
import { isFarFromTie, scales, toFixedHalfEven } from './shared/rounding.ts';
import {
  findLength,
  integerArgument,
  listInput,
  lookupPath,
  narrow,
  parseFloatNumber,
  parseInteger,
} from './shared/values.ts';
import { type FilterWords, filterWords } from './shared/words.ts';

/** Filters for numbers. */
export const numberFilters: readonly FilterDefinition[] = [
  valueFilter('add', [1, 1], (value, _env, argument) => add(value, argument)),
  { ...valueFilter('divisibleby', [1, 1], divisibleBy), returns: 'boolean' },
  {
    ...valueFilter('filesizeformat', [0, 0], (value, env) =>
      keepSafe(value, fileSize(Number(parseInteger(value) ?? 0n), env)),
    ),
    quick: (_args, escaping) => quickFileSize(escaping),
    quickText: true,
  },
  valueFilter('float', [0, 1], (value, _env, fallback = 0) => finiteOr(parseFloatNumber(value), fallback)),
  {
    ...valueFilter('floatformat', [0, 1], (value, env, argument) =>
      keepSafe(value, floatFormat(value, env, argument)),
    ),
    quick: ([argument]) => quickFloat(argument),
  },
  valueFilter('get_digit', [1, 1], (value, _env, position) => getDigit(value, position)),
  valueFilter('integer', [0, 1], (value, _env, fallback = 0) => integer(value, fallback)),
  {
    ...valueFilter('pluralize', [0, 1], (value, _env, suffixes = 's') => pluralize(value, toText(suffixes))),
    quick: ([suffixes = 's'], escaping) => quickPlural(toText(suffixes), escaping),
  },
  valueFilter('sum', [0, 1], (value, _env, field) => sum(value, field)),
];

/** Adds whole numbers, joins texts, joins lists. Other values give ''. */
function add(value: unknown, argument: unknown): unknown {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(argument)) return Number(value) + Number(argument);
  const left = parseInteger(value);
  const right = parseInteger(argument);
  if (left !== undefined && right !== undefined) return narrow(left + right);
  if (Array.isArray(value) && Array.isArray(argument)) {
    checkListLength(value.length + argument.length);
    return [...value, ...argument];
  }
  if (value instanceof SafeString && argument instanceof SafeString) {
    return new SafeString(value.value + argument.value);
  }
  return isText(value) && isText(argument) ? toText(value) + toText(argument) : '';
}

function isText(value: unknown): boolean {
  return typeof value === 'string' || value instanceof SafeString;
}

function divisibleBy(value: unknown, _env: unknown, argument: unknown): boolean {
  const divisor = integerArgument('divisibleby', argument);
  if (divisor === 0) throw new FilterError('divisibleby cannot divide by 0');
  return integerArgument('divisibleby', value, 'input') % divisor === 0;
}

// --- sizes -----------------------------------------------------------------------------------------------

const sizeUnits = ['KB', 'MB', 'GB', 'TB', 'PB'] as const;

function quickFileSize(escaping: boolean): QuickPrint {
  return (value, env) => {
    if (!Number.isSafeInteger(value)) return undefined;
    const text = fileSize(Number(value), env);
    return escaping ? escapeHtml(text) : text;
  };
}

/** `13 KB` for a number of bytes, with a no-break space. Any other value counts as 0 bytes. */
function fileSize(bytes: number, env: FilterEnv): string {
  const words = filterWords(env.lang);
  const sign = bytes < 0 ? '-' : '';
  const size = Math.abs(bytes);
  if (size < 1024) return sign + words.bytes(size);
  let scaled = size / 1024;
  let unit = 0;
  while (scaled >= 1024 && unit < sizeUnits.length - 1) {
    scaled /= 1024;
    unit += 1;
  }
  const number = toFixedHalfEven(scaled, 1);
  const localized = words.decimalSeparator === '.' ? number : number.replace('.', words.decimalSeparator);
  return `${sign}${localized}\u00a0${sizeUnits[unit]}`;
}

// --- floatformat -----------------------------------------------------------------------------------------

/** Numbers with more digits than this, exponent included, are printed unchanged. */
const maxDigits = 200;

/** Most digits after the point that the argument may name. */
const maxPlaces = 1000;

/**
 * The number rounded to the given digits after the point, by default `-1`. If the argument is negative, a
 * number without a fraction is printed without digits after the point. A `g` at the end of the argument
 * groups thousands, a `u` ignores the language. '' for a value that is not a number.
 */
function floatFormat(value: unknown, env: FilterEnv, argument: unknown = -1): unknown {
  const { places, grouped, localized } = parseFloatFormat(argument);
  const source = toText(value);
  const decimal = parseDecimal(source) ?? parseDecimal(floatSource(value));
  if (decimal === undefined) return '';
  if (places === undefined || decimal === 'special' || isLong(decimal)) return source;
  if (Math.abs(places) > maxPlaces) {
    throw new FilterError(
      `floatformat can show ${maxPlaces} digits after the point, not ${Math.abs(places)}`,
    );
  }
  const shown = places <= 0 && isWhole(decimal) ? 0 : Math.abs(places);
  const words = filterWords(localized ? env.lang : 'en');
  return new SafeString(separated(toFixedPlaces(decimal, shown), words, grouped && localized));
}

function quickFloat(argument: unknown = -1): QuickPrint | undefined {
  const { places, grouped, localized } = parseFloatFormat(argument);
  if (places === undefined || Math.abs(places) >= scales.length) return undefined;
  const hasGroups = grouped && localized;
  return (value, env) => {
    const text = plainFloat(value, places);
    if (text === undefined) return undefined;
    return localized && (hasGroups || env.lang !== 'en')
      ? separated(text, filterWords(env.lang), hasGroups)
      : text;
  };
}

function plainFloat(value: unknown, places: number): string | undefined {
  if (typeof value === 'string') return usualDecimal.test(value) ? roundedDigits(value, places) : undefined;
  if (typeof value !== 'number') return undefined;
  const shown = Math.abs(places);
  const magnitude = Math.abs(value);
  const scaled = magnitude * (scales[shown] ?? Number.NaN);
  if (places <= 0 && Number.isInteger(value)) return scaled < maxQuickScaled ? String(value) : undefined;
  if (isFarFromTie(scaled) && (scaled > minQuickScaled || value === 0)) {
    const text = magnitude.toFixed(shown);
    return value < 0 && scaled > 0.5 ? `-${text}` : text;
  }
  const digits = String(value);
  return usualDecimal.test(digits) ? roundedDigits(digits, places) : undefined;
}

/** Whole numbers from here on, and numbers near zero up to here, may have too many digits to be rounded. */
const maxQuickScaled = 1e9;
const minQuickScaled = 1e-9;

/** So short that a number can hold all shown digits. */
const usualDecimal = /^-?\d{1,9}(?:\.\d{1,17})?$/;

/** Rounds a decimal number by its digits: half away from zero, also where the binary fraction is another. */
function roundedDigits(text: string, places: number): string {
  const isNegative = text.startsWith('-');
  const [whole = '', fraction = ''] = (isNegative ? text.slice(1) : text).split('.');
  const shown = places <= 0 && Number(fraction) === 0 ? 0 : Math.abs(places);
  const kept = Number(whole + fraction.slice(0, shown).padEnd(shown, '0'));
  const rounded = fraction.charAt(shown) >= '5' ? kept + 1 : kept;
  const digits = (rounded / (scales[shown] ?? 1)).toFixed(shown);
  return isNegative && rounded > 0 ? `-${digits}` : digits;
}

function separated(text: string, words: FilterWords, hasGroups: boolean): string {
  if (!hasGroups && words.decimalSeparator === '.') return text;
  const [whole = '', fraction] = text.split('.');
  const number = hasGroups ? whole.replace(/\B(?=(?:\d{3})+$)/g, words.groupSeparator) : whole;
  return fraction === undefined ? number : number + words.decimalSeparator + fraction;
}

function parseFloatFormat(argument: unknown): {
  places: number | undefined;
  grouped: boolean;
  localized: boolean;
} {
  if (typeof argument === 'number') return { places: Math.trunc(argument), grouped: false, localized: true };
  const text = toText(argument);
  const flags = /(?:gu|ug|g|u)?$/.exec(text)?.[0] ?? '';
  const places = parseInteger(text.slice(0, text.length - flags.length) || '-1');
  return {
    places: places === undefined ? undefined : Number(places),
    grouped: flags.includes('g'),
    localized: !flags.includes('u'),
  };
}

/** The result of Python's `float()` for booleans, as text: true is 1.0. '' for other values. */
function floatSource(value: unknown): string {
  return typeof value === 'boolean' ? (value ? '1.0' : '0.0') : '';
}

function isLong(decimal: Decimal): boolean {
  const exponent = decimal.exponent < 0n ? -decimal.exponent : decimal.exponent;
  return BigInt(decimal.digits.length) + exponent > BigInt(maxDigits);
}

// --- digits, plural, conversion --------------------------------------------------------------------------

/** The digit at a position from the right (1 = last). 0 if there is none; the value for invalid operands. */
function getDigit(value: unknown, positionArgument: unknown): unknown {
  const position = parseInteger(positionArgument);
  const number = parseInteger(value);
  if (position === undefined || number === undefined) return value;
  if (position < 1n) return narrow(number);
  const digits = number.toString().replace('-', '');
  return position > BigInt(digits.length) ? 0 : Number(digits.charAt(digits.length - Number(position)));
}

function pluralize(value: unknown, suffixes: string): string {
  const bits = suffixes.includes(',') ? suffixes.split(',') : ['', suffixes];
  if (bits.length > 2) return '';
  const count = parseFloatNumber(value) ?? (isText(value) ? undefined : findLength(value));
  if (count === undefined) return '';
  return (count === 1 ? bits[0] : bits[1]) ?? '';
}

function quickPlural(suffixes: string, escaping: boolean): QuickPrint | undefined {
  const bits = suffixes.includes(',') ? suffixes.split(',') : ['', suffixes];
  const [one = '', many = ''] = bits.length > 2 ? [] : bits.map((bit) => (escaping ? escapeHtml(bit) : bit));
  return (value) => (typeof value === 'number' ? (value === 1 ? one : many) : undefined);
}

/** The whole part of a number or numeric text, else the fallback. */
function integer(value: unknown, fallback: unknown): unknown {
  const whole = parseInteger(value);
  if (whole !== undefined) return narrow(whole);
  const number = parseFloatNumber(value);
  return number === undefined || !Number.isFinite(number) ? fallback : Math.trunc(number);
}

function finiteOr(number: number | undefined, fallback: unknown): unknown {
  return number === undefined || !Number.isFinite(number) ? fallback : number;
}

/** The sum of a list of numbers, or of one field of its entries. Empty values are skipped. */
function sum(value: unknown, field: unknown): number {
  const items = listInput('sum', value);
  const path = field === undefined ? undefined : toText(field).split('.');
  let total = 0;
  for (const [index, item] of items.entries()) {
    const entry = path === undefined ? item : lookupPath(item, path);
    if (entry === null || entry === undefined || entry === '') continue;
    const number = parseFloatNumber(entry);
    if (number === undefined) throw new FilterError(`sum needs numbers, and entry ${index + 1} is none`);
    total += number;
  }
  return total;
}
