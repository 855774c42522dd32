import { FilterError } from '../../values/limits.ts';
import { SafeString } from '../../values/safe.ts';
import { stringRepr, toRepr, toText } from '../../values/text.ts';
import { maxPlaces, toExponentialHalfEven, toFixedHalfEven } from './rounding.ts';
import { characterCount, isMap, lookup, sliceCharacters } from './values.ts';

/** Python's `%` operator with one value: `percentFormat('%05.1f kg', 2.25)` is `002.2 kg`. */

/** Largest width and largest precision of a field. */
const maxWidth = 10_000;

/**
 * Longest format. For each opening bracket the search for the closing one may run to the end of the format.
 */
const maxFormatLength = 10_000;

const directivePattern = /%(?:\(([^)]*)\))?([#0\- +]*)(\d*)(?:\.(\d*))?[hlL]?([a-zA-Z%]?)/g;

/**
 * The value in the format; undefined where Python reports an error (no number for `d`, too many directives).
 * Throws a FilterError for widths above 10,000 and for longer formats.
 */
export function percentFormat(format: string, value: unknown): string | undefined {
  if (format.length > maxFormatLength)
    throw new FilterError(`stringformat takes a format of at most ${maxFormatLength} characters`);
  let used = false;
  let failed = false;
  const text = format.replace(directivePattern, (...match: unknown[]) => {
    const directive = parseDirective(match);
    if (directive.conversion === '%') {
      if (match[0] !== '%%') failed = true;
      return '%';
    }
    const argument = directive.key === undefined ? value : lookup(value, directive.key);
    if (argument === undefined || (directive.key === undefined && used)) failed = true;
    if (directive.key === undefined) used = true;
    const formatted = failed ? undefined : convert(directive, argument);
    if (formatted === undefined) failed = true;
    return formatted ?? '';
  });
  const allUsed = used || isMap(value) || Array.isArray(value);
  return failed || !allUsed ? undefined : text;
}

/** Largest width and precision of a format that is read once. */
const maxCompiledWidth = 100;

/** A format with one directive, read once. Undefined for all other formats. */
export function compileFormat(format: string): ((value: unknown) => string | undefined) | undefined {
  if (format.length > maxCompiledWidth) return undefined;
  const matches = [...format.matchAll(directivePattern)].filter(([text]) => text !== '%%');
  const [match] = matches;
  if (match === undefined || matches.length !== 1) return undefined;
  const directive = readDirective([...match]);
  if (directive.key !== undefined || directive.conversion === '%' || isWide(directive)) return undefined;
  const before = format.slice(0, match.index).replaceAll('%%', '%');
  const after = format.slice(match.index + match[0].length).replaceAll('%%', '%');
  const places = plainPlaces(directive);
  return (value) => {
    const isPlain = places !== undefined && typeof value === 'number' && value > 0 && value < 1e21;
    const text = isPlain ? toFixedHalfEven(value, places) : convert(directive, value);
    return text === undefined ? undefined : before + text + after;
  };
}

/** The digits after the point of `%.2f`, to which nothing is added; undefined for other directives. */
function plainPlaces(directive: Directive): number | undefined {
  const { conversion, width, sign, isFull, precision = 6 } = directive;
  const isPlain = conversion === 'f' && width === 0 && sign === '' && !isFull;
  return isPlain ? precision : undefined;
}

function isWide({ width, precision = 0 }: Directive): boolean {
  return width > maxCompiledWidth || precision > Math.min(maxPlaces, maxCompiledWidth);
}

interface Directive {
  /** Key of a map in `%(key)s`. */
  readonly key: string | undefined;
  /** Flag `#`: with `0x`, or always with a point. */
  readonly isFull: boolean;
  /** Flag `-`: filled on the right. */
  readonly isLeft: boolean;
  /** Flag `0`: filled with zeros. */
  readonly hasZeros: boolean;
  /** What stands before numbers that are not negative. */
  readonly sign: string;
  readonly width: number;
  readonly precision: number | undefined;
  readonly conversion: string;
  readonly isUpper: boolean;
}

/** @throws FilterError for a width or precision above 10,000 */
function parseDirective(match: readonly unknown[]): Directive {
  const directive = readDirective(match);
  const { width, precision = 0 } = directive;
  if (width > maxWidth || precision > maxWidth) {
    throw new FilterError(`stringformat can fill ${maxWidth} characters, not ${width || precision}`);
  }
  return directive;
}

function readDirective(match: readonly unknown[]): Directive {
  const [, key, flags = '', width = '', precision, conversion = ''] = match.map((part) =>
    typeof part === 'string' ? part : undefined,
  );
  return {
    key,
    isFull: flags.includes('#'),
    isLeft: flags.includes('-'),
    hasZeros: flags.includes('0'),
    sign: flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : '',
    width: Number(width),
    precision: precision === undefined ? undefined : Number(precision),
    conversion,
    isUpper: conversion !== conversion.toLowerCase(),
  };
}

function convert(directive: Directive, value: unknown): string | undefined {
  switch (directive.conversion) {
    case 's':
      return padText(directive, toText(value));
    case 'r':
      return padText(directive, toRepr(value));
    case 'a':
      return padText(directive, asciiRepr(value));
    case 'c':
      return convertCharacter(directive, value);
    case 'd':
    case 'i':
    case 'u':
      return convertInteger(directive, wholeNumber(value), 10);
    case 'o':
      return convertInteger(directive, exactInteger(value), 8);
    case 'x':
    case 'X':
      return convertInteger(directive, exactInteger(value), 16);
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
      return convertFloat(directive, value);
    default:
      return undefined;
  }
}

// --- text ------------------------------------------------------------------------------------------------

function padText({ isLeft, width, precision }: Directive, text: string): string {
  const cut = precision === undefined ? text : sliceCharacters(text, 0, precision);
  if (width === 0) return cut;
  const filler = ' '.repeat(Math.max(0, width - characterCount(cut)));
  return isLeft ? cut + filler : filler + cut;
}

function asciiRepr(value: unknown): string {
  const repr = typeof value === 'string' ? stringRepr(value) : toRepr(value);
  return repr.replace(/[^\0-\x7e]/gu, (char) => {
    const code = char.codePointAt(0) ?? 0;
    const [letter, digits] = code < 0x100 ? ['x', 2] : code < 0x10000 ? ['u', 4] : ['U', 8];
    return `\\${letter}${code.toString(16).padStart(Number(digits), '0')}`;
  });
}

function convertCharacter(directive: Directive, value: unknown): string | undefined {
  const text = value instanceof SafeString ? value.value : value;
  const whole = { ...directive, precision: undefined };
  if (typeof text === 'string') return characterCount(text) === 1 ? padText(whole, text) : undefined;
  const code = Number(exactInteger(value) ?? -1);
  return code >= 0 && code <= 0x10ffff ? padText(whole, String.fromCodePoint(code)) : undefined;
}

// --- numbers ---------------------------------------------------------------------------------------------

/** A number where that is exact, else a bigint. */
type Whole = number | bigint;

function wholeNumber(value: unknown): Whole | undefined {
  return exactInteger(typeof value === 'number' ? Math.trunc(value) : value);
}

function exactInteger(value: unknown): Whole | undefined {
  if (typeof value === 'number') {
    if (Number.isSafeInteger(value)) return value;
    return Number.isInteger(value) ? BigInt(value) : undefined;
  }
  if (typeof value === 'boolean') return value ? 1 : 0;
  return typeof value === 'bigint' ? value : undefined;
}

function convertInteger(
  directive: Directive,
  value: Whole | undefined,
  radix: 8 | 10 | 16,
): string | undefined {
  if (value === undefined) return undefined;
  const magnitude = (value < 0 ? -value : value).toString(radix);
  const { precision = 0, isFull, isUpper } = directive;
  const digits = precision > magnitude.length ? magnitude.padStart(precision, '0') : magnitude;
  const marker = !isFull || radix === 10 ? '' : radix === 16 ? '0x' : '0o';
  const text = marker + digits;
  return padNumber(directive, value < 0, isUpper ? text.toUpperCase() : text, marker.length);
}

function convertFloat(directive: Directive, value: unknown): string | undefined {
  if (typeof value !== 'number' && typeof value !== 'boolean') return undefined;
  const number = Number(value);
  const precision = directive.precision ?? 6;
  if (precision > maxPlaces) throw new FilterError(`stringformat shows ${maxPlaces} digits after the point`);
  const magnitude = Math.abs(number);
  const text = Number.isFinite(number)
    ? floatText(directive, magnitude, precision)
    : Number.isNaN(number)
      ? 'nan'
      : 'inf';
  const isNegative = number < 0 || Object.is(number, -0);
  return padNumber(directive, isNegative, directive.isUpper ? text.toUpperCase() : text, 0);
}

function floatText({ conversion, isFull }: Directive, magnitude: number, precision: number): string {
  if (conversion === 'f' || conversion === 'F') {
    const text = fixed(magnitude, precision);
    return isFull ? withPoint(text) : text;
  }
  if (conversion === 'e' || conversion === 'E') {
    const text = exponential(magnitude, precision);
    return isFull ? withPoint(text) : text;
  }
  const digits = Math.max(1, precision);
  const exponent = magnitude === 0 ? 0 : Number(toExponentialHalfEven(magnitude, digits - 1).split('e')[1]);
  const usesExponent = exponent < -4 || exponent >= digits;
  const text = usesExponent ? exponential(magnitude, digits - 1) : fixed(magnitude, digits - 1 - exponent);
  if (isFull) return withPoint(text);
  const [mantissa = '', exponentPart] = text.split('e');
  const bare = mantissa.includes('.') ? mantissa.replace(/\.?0+$/, '') : mantissa;
  return exponentPart === undefined ? bare : `${bare}e${exponentPart}`;
}

function withPoint(text: string): string {
  return text.includes('.') ? text : text.replace(/^\d+/, '$&.');
}

/** `toFixed` writes exponents from 1e21 on; here such numbers are written with all digits. */
function fixed(magnitude: number, places: number): string {
  if (magnitude < 1e21) return toFixedHalfEven(magnitude, Math.min(places, maxPlaces));
  return BigInt(magnitude).toString() + (places > 0 ? `.${'0'.repeat(places)}` : '');
}

function exponential(magnitude: number, places: number): string {
  return toExponentialHalfEven(magnitude, Math.min(places, maxPlaces)).replace(/e([+-])(\d)$/, 'e$10$2');
}

/** Adds sign and filling to digits. Zeros are put after the sign and the `0x`. */
function padNumber(directive: Directive, negative: boolean, text: string, markerLength: number): string {
  const sign = negative ? '-' : directive.sign;
  const missing = directive.width - sign.length - text.length;
  if (missing <= 0) return sign + text;
  if (directive.isLeft) return sign + text + ' '.repeat(missing);
  if (!directive.hasZeros) return ' '.repeat(missing) + sign + text;
  return sign + text.slice(0, markerLength) + '0'.repeat(missing) + text.slice(markerLength);
}
