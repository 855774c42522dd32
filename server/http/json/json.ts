import { setImmediate as nextTurn } from 'node:timers/promises';
import { type ApiError, apiError } from '../../base/errors.ts';
import { TimeSlices } from '../../base/timers.ts';
import { findJsonFault, isExact, type JsonFault, JsonReader } from './reader.ts';
import { JsonWriter } from './writer.ts';

/** Deepest nesting; no document of this API is nested that deep. */
const maxDepth = 100;
/**
 * Largest number of commas and opening brackets; more cost time and memory out of proportion to their bytes.
 */
const defaultMaxElements = 100_000;

/** Up to this size the engine's own parser reads a body at once, in 5 ms at most. */
const maxBytesAtOnce = 64 * 2 ** 10;

/**
 * Parses the bytes of a JSON body (Core, "General rules"), a large one in slices between which other requests
 * are served.
 *
 * Depth and number of elements are counted in the raw bytes first: otherwise 16 MB of brackets would take
 * seconds and hundreds of megabytes. Values that cannot be kept exactly as sent are refused: lone surrogates,
 * NUL, numbers that overflow, whole numbers with more digits than a double keeps. Duplicate members are
 * refused too, because parsers disagree about which of them counts.
 *
 * @throws ApiError `common.invalidJson` with `position`, in characters, or in bytes for faults found in the
 *   raw bytes; `common.invalid` for a value that cannot be kept exactly
 */
export async function readJsonBody(bytes: Uint8Array, options: JsonBodyOptions = {}): Promise<unknown> {
  return bytes.length <= maxBytesAtOnce ? parseJson(bytes, options) : parseInSlices(bytes, options);
}

export interface JsonBodyOptions {
  readonly maxElements?: number;
  /** Dotted path of a text in which NUL may be, because it is cleaned later. */
  readonly cleanedField?: string | undefined;
}

/** `readJsonBody` at once. */
export function parseJson(
  bytes: Uint8Array,
  { cleanedField }: Pick<JsonBodyOptions, 'cleanedField'> = {},
): unknown {
  const structure = new Structure(defaultMaxElements);
  structure.scan(bytes, 0, bytes.length);
  const text = decode(bytes);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalidJson(findJsonFault(text));
  }
  if (countMembers(value) < structure.members) throw invalidJson(findJsonFault(text));
  checkExact(value, text, cleanedField);
  return value;
}

/** `readJsonBody` in slices, whatever the size. */
export async function parseInSlices(
  bytes: Uint8Array,
  { maxElements = defaultMaxElements, cleanedField }: JsonBodyOptions = {},
): Promise<unknown> {
  const { value, inexact } = await readInSlices(bytes, maxElements, cleanedField);
  if (inexact !== undefined) throw apiError('common.invalid', inexact);
  return value;
}

/**
 * JSON from another host, which need not be exact: numbers are rounded as `JSON.parse` does. Large texts are read in
 * slices.
 *
 * @throws ApiError `common.invalidJson`
 */
export async function readForeignJson(bytes: Uint8Array): Promise<unknown> {
  if (bytes.length > maxBytesAtOnce) return (await readInSlices(bytes, maxForeignElements)).value;
  new Structure(maxForeignElements).scan(bytes, 0, bytes.length);
  const text = decode(bytes);
  try {
    return JSON.parse(text);
  } catch {
    throw invalidJson(findJsonFault(text));
  }
}

const maxForeignElements = 1_000_000;

/** Refuses a text that would take long to parse whatever it says. @throws ApiError `common.invalidJson` */
export async function refuseExcessiveJson(text: string): Promise<void> {
  if (text.length > maxBytesAtOnce) await scanInSlices(Buffer.from(text), maxForeignElements);
}

async function scanInSlices(bytes: Uint8Array, maxElements: number): Promise<void> {
  const structure = new Structure(maxElements);
  for (let start = 0; start < bytes.length; start += pieceBytes) {
    structure.scan(bytes, start, Math.min(start + pieceBytes, bytes.length));
    await nextTurn();
  }
}

async function readInSlices(
  bytes: Uint8Array,
  maxElements: number,
  cleanedField?: string,
): Promise<JsonReader> {
  await scanInSlices(bytes, maxElements);
  return readText(await decodeInSlices(bytes), cleanedField);
}

/** JSON text that the server has written itself, read in slices. */
export async function readOwnJson(text: string): Promise<unknown> {
  return (await readText(text)).value;
}

/**
 * The JSON of a value in pieces, as `JSON.stringify` writes it, with pauses in which others have their turn.
 *
 * @param value as JSON can hold it; not to be changed meanwhile
 */
export async function* jsonInSlices(value: unknown): AsyncGenerator<string> {
  const writer = new JsonWriter(value);
  const slices = new TimeSlices();
  for (let piece = writer.next(); piece !== undefined; piece = writer.next()) {
    yield piece;
    if (slices.isOver) await slices.pause();
  }
}

/** The same as one text. Its pieces are joined as they come: all of them at once would hold the thread. */
export async function writeJson(value: unknown): Promise<string> {
  const texts: string[] = [];
  let pieces: string[] = [];
  for await (const piece of jsonInSlices(value)) {
    pieces.push(piece);
    if (pieces.length < piecesPerText) continue;
    texts.push(pieces.join(''));
    pieces = [];
  }
  texts.push(pieces.join(''));
  return texts.join('');
}

const piecesPerText = 1000;

async function readText(text: string, cleanedField?: string): Promise<JsonReader> {
  const reader = new JsonReader(text, cleanedField);
  const slices = new TimeSlices();
  let steps = 0;
  const isDue = () => ++steps % stepsPerLook === 0 && slices.isOver;
  while (!reader.read(isDue)) await slices.pause();
  if (reader.fault !== undefined) throw invalidJson(reader.fault);
  return reader;
}

/** Bytes that are scanned or decoded at once; about 1 ms. */
const pieceBytes = 2 ** 18;
/** Steps of a reader between two looks at the clock. */
const stepsPerLook = 16;

async function decodeInSlices(bytes: Uint8Array): Promise<string> {
  let text = '';
  for (let start = 0; start < bytes.length; ) {
    const end = characterStart(bytes, start + pieceBytes);
    try {
      text += decoder.decode(bytes.subarray(start, end));
    } catch {
      // A few bytes more, because the first byte of the next piece may be the wrong one.
      throw notUtf8(start + firstInvalidByte(bytes.subarray(start, end + 4)));
    }
    start = end;
    await nextTurn();
  }
  return text;
}

/** The last position up to `position` at which a character begins, if the bytes are UTF-8. */
function characterStart(bytes: Uint8Array, position: number): number {
  for (let start = position; start > position - 4; start--) {
    const byte = bytes[start];
    if (byte === undefined || byte < 0x80 || byte >= 0xc0) return Math.min(start, bytes.length);
  }
  return Math.min(position, bytes.length);
}

function invalidJson(fault: JsonFault): ApiError {
  return apiError('common.invalidJson', { ...fault });
}

/** Counts depth, elements and members in the raw bytes. */
class Structure {
  /** Number of members of all objects together, if the text is JSON. */
  members = 0;
  #depth = 0;
  #elements = 0;
  #inString = false;
  #isEscaped = false;
  readonly #maxElements: number;

  constructor(maxElements: number) {
    this.#maxElements = maxElements;
  }

  /** @throws ApiError `common.invalidJson` */
  scan(bytes: Uint8Array, start: number, end: number): void {
    for (let position = start; position < end; position++) {
      const byte = bytes[position];
      if (this.#inString) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (byte === 0x5c) this.#isEscaped = true;
        else if (byte === 0x22) this.#inString = false;
      } else if (byte === 0x22) {
        this.#inString = true;
      } else if (byte === 0x5b || byte === 0x7b) {
        this.#depth++;
        this.#elements++;
      } else if (byte === 0x5d || byte === 0x7d) {
        this.#depth--;
      } else if (byte === 0x2c) {
        this.#elements++;
      } else if (byte === 0x3a) {
        this.members++;
      }
      if (this.#depth > maxDepth)
        throw invalidJson({ position, reason: `nested deeper than ${maxDepth} levels` });
      if (this.#elements > this.#maxElements)
        throw invalidJson({ position, reason: `more than ${this.#maxElements} elements` });
    }
  }
}

function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) for (const element of value) count += countMembers(element);
  // What JSON.parse makes inherits nothing that this loop would meet; a list of names would take longer.
  else for (const name in value) count += 1 + countMembers(Reflect.get(value, name));
  return count;
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decode(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw notUtf8(firstInvalidByte(bytes));
  }
}

function notUtf8(position: number): ApiError {
  return invalidJson({ position, reason: 'not UTF-8' });
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
function checkExact(value: unknown, text: string, cleanedField: string | undefined): void {
  if (!text.includes('\\u') && !/\d[eE]|\d{16}/.test(text)) return;
  const rounded = /\d{16}/.test(text) ? roundedIntegers(text) : new Set<number>();
  const problem = findInexact(value, '', { rounded, cleanedField });
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
    if (typeof value === 'number' && source.length >= 16 && !isExact(value, source)) rounded.add(value);
    return value;
  });
  return rounded;
}

function findInexact(
  value: unknown,
  field: string,
  known: { readonly rounded: ReadonlySet<number>; readonly cleanedField: string | undefined },
): { field: string; reason: string } | undefined {
  if (typeof value === 'string') return inexactText(value, field, known.cleanedField);
  if (typeof value === 'number') {
    return Number.isFinite(value) && !known.rounded.has(value)
      ? undefined
      : { field: field || 'body', reason: 'is a number out of range' };
  }
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, member] of Object.entries(value)) {
    const path = field === '' ? key : `${field}.${key}`;
    const problem = inexactText(key, path) ?? findInexact(member, path, known);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function inexactText(
  text: string,
  field: string,
  cleanedField?: string,
): { field: string; reason: string } | undefined {
  if (!text.isWellFormed())
    return { field: field.toWellFormed() || 'body', reason: 'contains half a surrogate pair' };
  if (field !== cleanedField && text.includes('\0'))
    return { field: field || 'body', reason: 'contains a NUL character' };
  return undefined;
}
