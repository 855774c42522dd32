import { notedHeaders } from '../framing.ts';
import { maxHeaders, type RequestHead } from '../transport.ts';

/** A request head whose texts are kept: one that came in several pieces, or that waits. */
export class HeadCopy implements RequestHead {
  readonly #url: string;
  /** Names and values in turn, each byte a character. */
  readonly #headers: readonly string[];

  constructor(url: string, headers: readonly string[]) {
    this.#url = url;
    this.#headers = headers;
  }

  get headerCount(): number {
    return this.#headers.length / 2;
  }

  getUrl(): string {
    const mark = this.#url.indexOf('?');
    return mark < 0 ? this.#url : this.#url.slice(0, mark);
  }

  getQuery(): string {
    const mark = this.#url.indexOf('?');
    return mark < 0 ? '' : this.#url.slice(mark + 1);
  }

  getHeader(name: string): string {
    const headers = this.#headers;
    for (let index = 0; index < headers.length; index += 2)
      if (headers[index]?.toLowerCase() === name) return toValue(headers[index + 1]);
    return '';
  }

  forEach(visit: (name: string, value: string) => void): void {
    const headers = this.#headers;
    for (let index = 0; index < headers.length; index += 2)
      visit((headers[index] ?? '').toLowerCase(), toValue(headers[index + 1]));
  }

  copy(): this {
    return this;
  }
}

function toValue(text = ''): string {
  return decoded(text.replace(/[ \t]+$/, ''));
}

/** Bytes are read as UTF-8, as uWebSockets.js does; answers must not depend on the transport. */
function decoded(text: string): string {
  return /[\x80-\xff]/.test(text) ? Buffer.from(text, 'latin1').toString('utf8') : text;
}

/**
 * A request head that lies in the bytes that have just been read. One object reads those of all connections, because
 * this runs for every request: a text is made when it is asked for.
 */
export class HeadView implements RequestHead {
  #bytes: Buffer = Buffer.alloc(0);
  /** Start and end of the target, and of each name and value. */
  readonly #bounds = new Int32Array(2 + 4 * (maxHeaders + 1));
  #count = 0;
  /** Where the target has its question mark, if that was looked for. */
  #mark = -1;

  /** @param bytes in which the next head lies */
  begin(bytes: Buffer): void {
    this.#bytes = bytes;
    this.#count = 0;
    this.#mark = -1;
  }

  /** Adds the target, a name or a value; false if there are too many. */
  add(start: number, length: number): boolean {
    const count = this.#count;
    if (count === this.#bounds.length) return false;
    this.#bounds[count] = start;
    this.#bounds[count + 1] = start + length;
    this.#count = count + 2;
    return true;
  }

  /** Lengthens what was added last; false if this does not follow it. */
  extend(start: number, length: number): boolean {
    if (this.#bounds[this.#count - 1] !== start) return false;
    this.#bounds[this.#count - 1] = start + length;
    return true;
  }

  get headerCount(): number {
    return (this.#count - 2) / 4;
  }

  getUrl(): string {
    return this.#text(this.#at(0), this.#findMark());
  }

  getQuery(): string {
    const [mark, end] = [this.#findMark(), this.#at(1)];
    return mark === end ? '' : this.#text(mark + 1, end);
  }

  getHeader(name: string): string {
    for (let index = 2; index < this.#count; index += 4)
      if (this.#hasName(index, name)) return this.#value(index);
    return '';
  }

  forEach(visit: (name: string, value: string) => void): void {
    for (let index = 2; index < this.#count; index += 4) visit(this.#name(index), this.#value(index));
  }

  /** Most of what browsers send is not looked at: no text is made of it. */
  forEachNoted(visit: (name: string, value: string) => void): void {
    for (let index = 2; index < this.#count; index += 4) {
      const noted = this.#findNoted(index);
      if (noted !== undefined) visit(noted.name, this.#notedValue(noted, index));
    }
  }

  /** The same head with texts of its own. */
  copy(): HeadCopy {
    const [url = '', ...headers] = this.texts();
    return new HeadCopy(url, headers);
  }

  /** Target, names and values as far as they have been added, each byte a character. */
  texts(): string[] {
    const texts: string[] = [];
    for (let index = 0; index < this.#count; index += 2)
      texts.push(this.#text(this.#at(index), this.#at(index + 1)));
    return texts;
  }

  #at(index: number): number {
    return this.#bounds[index] ?? 0;
  }

  /** Where the question mark is; the end of the target if there is none. */
  #findMark(): number {
    if (this.#mark >= 0) return this.#mark;
    const bytes = this.#bytes;
    const end = this.#at(1);
    let position = this.#at(0);
    while (position < end && bytes[position] !== questionMark) position++;
    this.#mark = position;
    return position;
  }

  /** Right for targets and names, of which the parser lets only ASCII through. */
  #text(start: number, end: number): string {
    return this.#bytes.toString('latin1', start, end);
  }

  #name(index: number): string {
    return this.#findNoted(index)?.name ?? this.#text(this.#at(index), this.#at(index + 1)).toLowerCase();
  }

  /** What is known of the name if the front notes headers of that name. */
  #findNoted(index: number): NotedName | undefined {
    const start = this.#at(index);
    const candidates = notedByKey[keyOf(this.#at(index + 1) - start, this.#bytes[start] ?? 0)];
    if (candidates === undefined) return undefined;
    for (const noted of candidates) if (holdsIgnoringCase(this.#bytes, start, noted.codes)) return noted;
    return undefined;
  }

  #hasName(index: number, name: string): boolean {
    const start = this.#at(index);
    const length = this.#at(index + 1) - start;
    return length === name.length && this.#text(start, start + length).toLowerCase() === name;
  }

  #value(index: number): string {
    return this.#bytes.toString('utf8', this.#at(index + 2), this.#valueEnd(index));
  }

  /**
   * A short value, such as a host, is mostly the same as in the request before. Then it is the very same text, which
   * tables find faster than an equal one. Not so a secret: comparing it would take longer the more of it is right.
   */
  #notedValue(noted: NotedName, index: number): string {
    const start = this.#at(index + 2);
    const end = this.#valueEnd(index);
    if (noted.isSecret || end - start > maxRepeatedLength) return this.#bytes.toString('utf8', start, end);
    if (holds(this.#bytes, start, end, noted.lastValue)) return noted.lastValue;
    noted.lastValue = this.#bytes.toString('utf8', start, end);
    return noted.lastValue;
  }

  #valueEnd(index: number): number {
    const bytes = this.#bytes;
    const start = this.#at(index + 2);
    let end = this.#at(index + 3);
    while (end > start && (bytes[end - 1] === space || bytes[end - 1] === tab)) end--;
    return end;
  }
}

/** A name of headers that the front notes. */
interface NotedName {
  readonly name: string;
  readonly codes: Uint8Array;
  readonly isSecret: boolean;
  /** Of the last request that had such a header, unless it was long. */
  lastValue: string;
}

/** Whether the bytes are the text; never if it has other characters than ASCII. */
function holds(bytes: Uint8Array, start: number, end: number, text: string): boolean {
  if (end - start !== text.length) return false;
  for (let position = 0; position < text.length; position++) {
    const code = text.charCodeAt(position);
    if (code >= firstBeyondAscii || bytes[start + position] !== code) return false;
  }
  return true;
}

/** @param codes lower-case letters and hyphens: no other character of a name differs from them by that bit alone */
function holdsIgnoringCase(bytes: Uint8Array, start: number, codes: Uint8Array): boolean {
  for (let position = 0; position < codes.length; position++)
    if (((bytes[start + position] ?? 0) | lowerBit) !== codes[position]) return false;
  return true;
}

const questionMark = 0x3f;
const space = 0x20;
const tab = 0x09;
/** What a lower-case letter has more than an upper-case one. */
const lowerBit = 0x20;

const firstBeyondAscii = 0x80;

/** Longer values are made anew, which takes less time than comparing them. */
const maxRepeatedLength = 40;

/** A small number for names of a length and a first letter. */
function keyOf(length: number, firstCode: number): number {
  return length * 32 + (firstCode & 31);
}

const notedByKey: (NotedName[] | undefined)[] = [];
for (const name of notedHeaders) {
  const key = keyOf(name.length, name.charCodeAt(0));
  const isSecret = name === 'authorization' || name === 'cookie';
  const noted = { name, codes: Buffer.from(name), isSecret, lastValue: '' };
  notedByKey[key] = [...(notedByKey[key] ?? []), noted];
}
