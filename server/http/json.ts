import { apiError } from '../errors.ts';
import { findJsonFault, type JsonFault } from './json-fault.ts';

/** Deepest nesting; no document of this API is nested that deep. */
const maxDepth = 100;
/**
 * Largest number of commas and opening brackets; more cost time and memory out of proportion to their bytes.
 */
const maxElements = 500_000;

/**
 * Parses the bytes of a JSON body (Core, "General rules").
 *
 * Depth and number of elements are counted in the raw bytes first: otherwise 16 MB of brackets would take
 * seconds and hundreds of megabytes. Values that cannot be kept exactly as sent are refused: lone surrogates,
 * NUL, numbers that overflow, whole numbers with more digits than a double keeps. Duplicate members are
 * refused too, because parsers disagree about which of them counts.
 *
 * @throws ApiError `common.invalidJson` with `position`, in characters, or in bytes for faults found in the
 *   raw bytes; `common.invalid` for a value that cannot be kept exactly
 */
export function parseJson(bytes: Uint8Array): unknown {
  const { fault, members } = scanStructure(bytes);
  if (fault !== undefined) throw apiError('common.invalidJson', fault);
  const text = decode(bytes);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw apiError('common.invalidJson', findJsonFault(text));
  }
  if (countMembers(value) < members) throw apiError('common.invalidJson', findJsonFault(text));
  checkExact(value, text);
  return value;
}

interface Structure {
  readonly fault?: JsonFault;
  /** Number of members of all objects together, if the text is JSON. */
  readonly members: number;
}

function scanStructure(bytes: Uint8Array): Structure {
  let depth = 0;
  let elements = 0;
  let members = 0;
  let inString = false;
  for (let position = 0; position < bytes.length; position++) {
    const byte = bytes[position];
    if (inString) {
      if (byte === 0x5c) position++;
      else if (byte === 0x22) inString = false;
    } else if (byte === 0x22) {
      inString = true;
    } else if (byte === 0x5b || byte === 0x7b) {
      depth++;
      elements++;
      if (depth > maxDepth)
        return { members, fault: { position, reason: `nested deeper than ${maxDepth} levels` } };
    } else if (byte === 0x5d || byte === 0x7d) {
      depth--;
    } else if (byte === 0x2c) {
      elements++;
    } else if (byte === 0x3a) {
      members++;
    }
    if (elements > maxElements)
      return { members, fault: { position, reason: `more than ${maxElements} elements` } };
  }
  return { members };
}

function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const values: unknown[] = Object.values(value);
  let count = Array.isArray(value) ? 0 : values.length;
  for (const member of values) count += countMembers(member);
  return count;
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decode(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw apiError('common.invalidJson', { position: firstInvalidByte(bytes), reason: 'not UTF-8' });
  }
}

/** Binary search: a prefix can be decoded as a stream if and only if it contains no invalid byte. */
function firstInvalidByte(bytes: Uint8Array): number {
  let valid = 0;
  let invalid = bytes.length;
  while (invalid - valid > 1) {
    const middle = (valid + invalid) >> 1;
    try {
      new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, middle), { stream: true });
      valid = middle;
    } catch {
      invalid = middle;
    }
  }
  return valid;
}

/**
 * Refuses values that cannot be kept exactly. Without an escape, an exponent or many digits there are none.
 */
function checkExact(value: unknown, text: string): void {
  if (!text.includes('\\u') && !/\d[eE]|\d{16}/.test(text)) return;
  const problem = findInexact(value, '', /\d{16}/.test(text) ? roundedIntegers(text) : new Set());
  if (problem !== undefined) throw apiError('common.invalid', problem);
}

/** `JSON.parse` with the third argument of its reviver, which TypeScript's types do not contain yet. */
const parseWithSource: (
  text: string,
  reviver: (key: string, value: unknown, context?: { readonly source?: string }) => unknown,
) => unknown = JSON.parse;

/** The whole numbers whose parsed value differs from their digits. */
function roundedIntegers(text: string): ReadonlySet<number> {
  const rounded = new Set<number>();
  parseWithSource(text, (_key, value, context) => {
    const source = context?.source ?? '';
    if (typeof value === 'number' && /^-?\d{16,}$/.test(source) && isRounded(value, source))
      rounded.add(value);
    return value;
  });
  return rounded;
}

function isRounded(value: number, source: string): boolean {
  return Number.isFinite(value) && String(value) !== source && BigInt(value) !== BigInt(source);
}

function findInexact(
  value: unknown,
  field: string,
  rounded: ReadonlySet<number>,
): { field: string; reason: string } | undefined {
  if (typeof value === 'string') return inexactText(value, field);
  if (typeof value === 'number') {
    return Number.isFinite(value) && !rounded.has(value)
      ? undefined
      : { field: field || 'body', reason: 'is a number out of range' };
  }
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, member] of Object.entries(value)) {
    const path = field === '' ? key : `${field}.${key}`;
    const problem = inexactText(key, path) ?? findInexact(member, path, rounded);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function inexactText(text: string, field: string): { field: string; reason: string } | undefined {
  if (!text.isWellFormed())
    return { field: field.toWellFormed() || 'body', reason: 'contains half a surrogate pair' };
  if (text.includes('\0')) return { field: field || 'body', reason: 'contains a NUL character' };
  return undefined;
}
