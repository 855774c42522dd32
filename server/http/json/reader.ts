/** A fault of a text that should be JSON (RFC 8259). */
export interface JsonFault {
  readonly position: number;
  readonly reason: string;
}

/** A value that cannot be kept exactly as sent, with the path to it, such as `blocks.0.title`. */
export interface InexactValue {
  readonly field: string;
  readonly reason: string;
}

/**
 * Finds the first character at which `text` is not JSON or repeats the name of a member. For a text that is
 * known to be wrong and whose depth has been checked.
 */
export function findJsonFault(text: string): JsonFault {
  const reader = new JsonReader(text);
  reader.read(() => false);
  return reader.fault ?? { position: text.length, reason: 'unexpected end' };
}

/** Characters of a string, or of white space, that one step reads. */
const stepLength = 10_000;
/** Most members of one object: to list their names cannot be interrupted, and takes 10 ms for so many. */
const maxMembers = 50_000;
/** Longest number in characters. Longer ones are out of range or have digits that cannot be kept. */
const maxNumberLength = 10_000;

/**
 * Reads JSON step by step, so that reading a large text can be interrupted. It also says what the engine's own
 * parser does not: the position of a fault, a member name that comes twice, a value that cannot be kept exactly.
 * The engine's parser is several times as fast, so it reads all small texts.
 *
 * The text must not be nested deeply: the depth is not checked here.
 */
export class JsonReader {
  value: unknown;
  fault: JsonFault | undefined;
  /** The first value that cannot be kept exactly. */
  inexact: InexactValue | undefined;
  readonly #text: string;
  readonly #cleanedField: string | undefined;
  readonly #open: Container[] = [];
  #position = 0;
  #next: Expected = 'value';
  #string: PartialString = { start: 0, isName: false, text: '', plainStart: 0, hasEscapes: false };

  /** @param cleanedField path of a text in which NUL may be */
  constructor(text: string, cleanedField?: string) {
    this.#text = text;
    this.#cleanedField = cleanedField;
  }

  /** Takes steps until `isDue` or to the end. Returns true at the end or at a fault. */
  read(isDue: () => boolean): boolean {
    while (this.#next !== 'nothing' && this.fault === undefined) {
      if (this.#next === 'string') this.#readString();
      else if (this.#skipSpace()) this.#readNext();
      if (isDue()) return false;
    }
    return true;
  }

  #readNext(): void {
    switch (this.#next) {
      case 'value':
        this.#readValue();
        break;
      case 'first':
        this.#readFirst();
        break;
      case 'member':
        this.#readMember();
        break;
      case 'colon':
        this.#readColon();
        break;
      default:
        this.#readSeparator();
    }
  }

  #readValue(): void {
    const next = this.#text[this.#position];
    if (next === '{' || next === '[') this.#beginContainer(next);
    else if (next === '"') this.#beginString(false);
    else if (next === '-' || (next !== undefined && next >= '0' && next <= '9')) this.#readNumber();
    else this.#readLiteral();
  }

  #beginContainer(bracket: '{' | '['): void {
    this.#position++;
    this.#open.push(
      bracket === '{'
        ? { close: '}', value: {}, name: '', members: 0 }
        : { close: ']', value: [], name: '', members: 0 },
    );
    this.#next = 'first';
  }

  /** The first entry of a container, or its end. */
  #readFirst(): void {
    const container = this.#open.at(-1);
    if (container !== undefined && this.#skip(container.close)) this.#endContainer();
    else this.#next = container?.close === '}' ? 'member' : 'value';
  }

  #endContainer(): void {
    const container = this.#open.pop();
    this.#complete(container?.value);
  }

  #readMember(): void {
    if (this.#text[this.#position] === '"') this.#beginString(true);
    else this.#fail('expected a member name in double quotes');
  }

  #readColon(): void {
    if (this.#skip(':')) this.#next = 'value';
    else this.#fail('expected ":"');
  }

  #beginString(isName: boolean): void {
    const start = this.#position;
    this.#position++;
    this.#string = { start, isName, text: '', plainStart: this.#position, hasEscapes: false };
    this.#next = 'string';
  }

  #readString(): void {
    this.#take(plainCharacters);
    const next = this.#text[this.#position];
    if (next === '"') this.#endString();
    else if (next === '\\') this.#readEscapes();
    else if (next === undefined || next < ' ')
      this.#fail('a string must not break off or hold control characters');
  }

  #readEscapes(): void {
    const string = this.#string;
    const start = this.#position;
    if (!this.#take(escapes)) {
      this.#fail('unknown escape in a string');
      return;
    }
    const escaped = String(JSON.parse(`"${this.#text.slice(start, this.#position)}"`));
    string.text += this.#text.slice(string.plainStart, start) + escaped;
    string.plainStart = this.#position;
    string.hasEscapes = true;
  }

  #endString(): void {
    const { isName, text, plainStart, hasEscapes } = this.#string;
    const whole = text + this.#text.slice(plainStart, this.#position);
    this.#position++;
    if (isName) this.#takeName(whole);
    // Without an escape there is nothing to find: the text was decoded from UTF-8 and has no control character.
    if (hasEscapes && this.fault === undefined) this.#checkText(whole);
    if (!isName) this.#complete(whole);
  }

  #takeName(name: string): void {
    const object = this.#open.at(-1);
    if (object === undefined) return;
    object.members += 1;
    if (Object.hasOwn(object.value, name)) this.#failName('a member name must not come twice');
    if (object.members > maxMembers) this.#failName(`more than ${maxMembers} members in one object`);
    object.name = name;
    this.#next = 'colon';
  }

  #failName(reason: string): void {
    this.fault ??= { position: this.#string.start, reason };
  }

  #checkText(text: string): void {
    if (!text.isWellFormed()) this.#noteInexact('contains half a surrogate pair');
    else if (text.includes('\0') && this.#path !== this.#cleanedField)
      this.#noteInexact('contains a NUL character');
  }

  #readNumber(): void {
    const start = this.#position;
    if (!this.#take(numbers)) {
      this.#fail('expected a value');
      return;
    }
    const source = this.#text.slice(start, this.#position);
    if (source.length > maxNumberLength) {
      this.fault = { position: start, reason: `a number of more than ${maxNumberLength} characters` };
      return;
    }
    const value = Number(source);
    if (this.inexact === undefined && !isExact(value, source)) this.#noteInexact('is a number out of range');
    this.#complete(value);
  }

  #readLiteral(): void {
    const literal = literals.find(([word]) => this.#text.startsWith(word, this.#position));
    if (literal === undefined) {
      this.#fail('expected a value');
      return;
    }
    this.#position += literal[0].length;
    this.#complete(literal[1]);
  }

  /** Puts a complete value where it belongs. */
  #complete(value: unknown): void {
    this.#next = 'separator';
    const container = this.#open.at(-1);
    if (container === undefined) this.value = value;
    else if (Array.isArray(container.value)) container.value.push(value);
    else setMember(container.value, container.name, value);
  }

  #readSeparator(): void {
    const container = this.#open.at(-1);
    if (container === undefined) {
      if (this.#position < this.#text.length) this.#fail('expected the end');
      else this.#next = 'nothing';
    } else if (this.#skip(container.close)) {
      this.#endContainer();
    } else if (this.#skip(',')) {
      this.#next = container.close === '}' ? 'member' : 'value';
    } else {
      this.#fail(`expected "," or "${container.close}"`);
    }
  }

  #noteInexact(reason: string): void {
    if (this.inexact !== undefined) return;
    this.inexact = { field: this.#path.toWellFormed() || 'body', reason };
  }

  get #path(): string {
    const names = this.#open.map(({ value, name }) => (Array.isArray(value) ? String(value.length) : name));
    return names.reduce((above, name) => (above === '' ? name : `${above}.${name}`), '');
  }

  /** Returns false if there is more white space than one step skips. */
  #skipSpace(): boolean {
    const end = this.#position + stepLength;
    while (isSpace(this.#text.charCodeAt(this.#position))) {
      if (this.#position === end) return false;
      this.#position++;
    }
    return true;
  }

  #skip(character: string): boolean {
    if (this.#text[this.#position] !== character) return false;
    this.#position++;
    return true;
  }

  #take(pattern: RegExp): boolean {
    pattern.lastIndex = this.#position;
    const found = pattern.test(this.#text);
    if (found) this.#position = pattern.lastIndex;
    return found;
  }

  #fail(expectation: string): void {
    const found = this.#position < this.#text.length ? '' : ', found the end';
    this.fault = { position: this.#position, reason: expectation + found };
  }
}

type Expected = 'value' | 'first' | 'member' | 'colon' | 'separator' | 'string' | 'nothing';

interface Container {
  readonly close: '}' | ']';
  readonly value: Record<string, unknown> | unknown[];
  /** Name of the member that is being read. */
  name: string;
  /** Members that have been read or begun. */
  members: number;
}

/** A string of which a part has been read. */
interface PartialString {
  readonly start: number;
  readonly isName: boolean;
  /** What has been read up to the last escape, and where the characters after it begin. */
  text: string;
  plainStart: number;
  hasEscapes: boolean;
}

/** Every character but quotation marks, backslashes and control characters. */
const plainCharacters = new RegExp(`[ !#-[\\]-\\uffff]{1,${stepLength}}`, 'y');
const escapes = /(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})){1,2000}/y;
/** Bounded, because the engine keeps a place on its stack for each digit. One digit more than allowed is read. */
const numbers = /-?(?:0|[1-9]\d{0,10000})(?:\.\d{1,10000})?(?:[eE][+-]?\d{1,10000})?/y;
const literals = [
  ['true', true],
  ['false', false],
  ['null', null],
] as const;

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

/** A member of the name `__proto__` is a member like others, as with the engine's parser. */
function setMember(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name === '__proto__')
    Object.defineProperty(object, name, { value, enumerable: true, writable: true, configurable: true });
  else object[name] = value;
}

/** False for a number that overflows, and for a whole number with more digits than a double keeps. */
export function isExact(value: number, source: string): boolean {
  if (!Number.isFinite(value)) return false;
  if (source.length < 16 || !/^-?\d+$/.test(source) || String(value) === source) return true;
  return BigInt(value) === BigInt(source);
}
