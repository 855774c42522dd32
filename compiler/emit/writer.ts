/**
 * Collects generated JavaScript line by line and records the template offset of each part.
 *
 * Expressions are strings when they reach the writer, so positions inside them are marks in the text:
 * `mark(offset)` makes U+0001, digits, U+0002, and stands in front of the code for that offset. No literal
 * can contain a mark, because all literals go through JSON.stringify, which escapes control characters.
 */
export class Writer {
  readonly #lines: string[] = [];
  readonly #segments: number[] = [];
  #indent = '';
  /** Strings that one statement will append to the output. Any other line ends the row. */
  #row: Row | undefined;
  #appended = 0;
  #length = 0;
  /** The last template offset that code was written for. */
  #offset = 0;

  line(code: string, offset?: number): void {
    this.#endRow();
    this.#write(code, offset);
  }

  /**
   * Appends a string to the output. Strings in a row become one statement, up to the end of the line in the
   * template: V8 joins a few short strings faster than it appends each of them to a long one.
   */
  append(code: string, offset: number): void {
    this.#appended += 1;
    this.#rowAt(offset).parts.push({ kind: 'value', code: mark(offset) + code });
  }

  /**
   * Appends one of several constant texts: that of the first test that holds, else the last one. Short texts around
   * it become part of each, because joining two strings costs more than a longer constant.
   *
   * @param tests conditions as code, one less than texts
   */
  choice(tests: readonly string[], texts: readonly string[], offset: number): void {
    this.#appended += 1;
    const { parts } = this.#rowAt(offset);
    const code = tests.map((test) => mark(offset) + test);
    const room = Math.floor(maxAround / texts.length);
    const before = parts.at(-1);
    const start = before?.kind === 'text' && before.text.length <= room ? before.text : '';
    if (start !== '') parts.pop();
    const joined = texts.map((text) => start + text);
    parts.push({ kind: 'choice', tests: code, texts: joined, room: room - start.length });
  }

  /** Appends constant text. */
  text(value: string, offset: number): void {
    const row = this.#rowAt(offset);
    const last = row.parts.at(-1);
    if (last?.kind === 'text') last.text += value;
    else if (last?.kind === 'choice' && value.length <= last.room) {
      last.texts = last.texts.map((text) => text + value);
      last.room -= value.length;
    } else row.parts.push({ kind: 'text', text: value });
    row.endsLine = value.includes('\n');
  }

  /** The current row if it takes further strings, else a new row. */
  #rowAt(offset: number): Row {
    const row = this.#row;
    if (row !== undefined && !row.endsLine && row.parts.length < maxRowLength) return row;
    this.#endRow();
    this.#row = { parts: [], offset, endsLine: false };
    return this.#row;
  }

  #endRow(): void {
    const row = this.#row;
    if (row === undefined) return;
    this.#row = undefined;
    let code = '';
    for (const part of row.parts) code += (code === '' ? 'o += ' : ' + ') + codeOf(part);
    this.#write(`${code};`, row.offset);
  }

  #write(code: string, offset: number | undefined): void {
    const line = this.#lines.length + 1;
    if (offset !== undefined) {
      this.#segments.push(line, 0, offset);
      this.#offset = offset;
    }
    const made = this.#indent + this.#takeMarks(code, line);
    this.#lines.push(made);
    this.#length += made.length;
    if (this.#length > maxCodeLength) throw new CodeTooLong(this.#offset);
  }

  /** Number of values appended since the last call. */
  takeAppended(): number {
    const count = this.#appended;
    this.#appended = 0;
    return count;
  }

  /** Writes `head`, runs `body` one level deeper, writes `tail`. */
  block(head: string, body: () => void, tail = '}', offset?: number): void {
    this.line(head, offset);
    const outer = this.#indent;
    this.#indent += '  ';
    body();
    this.#endRow();
    this.#indent = outer;
    this.line(tail);
  }

  lines(): readonly string[] {
    this.#endRow();
    return this.#lines;
  }

  /**
   * Flat triples of generated line (from 1), column (from 0) and template offset, ascending.
   * @param above how many lines will stand above the written lines
   */
  segments(above: number): readonly number[] {
    this.#endRow();
    const segments = this.#segments.slice();
    for (let index = 0; index < segments.length; index += 3) segments[index] = above + (segments[index] ?? 0);
    return segments;
  }

  #takeMarks(code: string, line: number): string {
    let open = code.indexOf('\u0001');
    if (open < 0) return code;
    const indent = this.#indent.length;
    let out = '';
    let at = 0;
    for (; open >= 0; open = code.indexOf('\u0001', at)) {
      if (open > at) out += code.slice(at, open);
      let offset = 0;
      at = open + 1;
      for (; code.charCodeAt(at) !== 2; at += 1) offset = 10 * offset + code.charCodeAt(at) - zero;
      this.#segments.push(line, indent + out.length, offset);
      at += 1;
    }
    return out + code.slice(at);
  }
}

/** The character code of the digit 0. */
const zero = 48;

const maxRowLength = 12;

/** Limit of characters in the code of one unit: several times the usual code of the largest template. */
const maxCodeLength = 32 * 1024 * 1024;

/** The code of a template is too long. emitUnit reports it as a TemplateError at the offset. */
export class CodeTooLong extends Error {
  readonly offset: number;

  constructor(offset: number) {
    super(`the template becomes more than ${maxCodeLength / 2 ** 20} MB of code`);
    this.offset = offset;
  }
}

/** Most characters that the constant texts around a choice may become as parts of all its texts. */
const maxAround = 256;

/** A string that is appended. */
type Part =
  | { readonly kind: 'text'; text: string }
  | { readonly kind: 'value'; readonly code: string }
  | {
      readonly kind: 'choice';
      readonly tests: readonly string[];
      texts: readonly string[];
      /** Characters of constant text that may still become part of each text. */
      room: number;
    };

function codeOf(part: Part): string {
  switch (part.kind) {
    case 'text':
      return literal(part.text);
    case 'value':
      return part.code;
    case 'choice': {
      const choices = part.tests.map((test, index) => `${test} ? ${literal(part.texts[index] ?? '')} : `);
      return `(${choices.join('')}${literal(part.texts.at(-1) ?? '')})`;
    }
  }
}

interface Row {
  readonly parts: Part[];
  readonly offset: number;
  /** Whether the line of the template ends in this row. */
  endsLine: boolean;
}

export function mark(offset: number): string {
  return `\u0001${offset}\u0002`;
}

/** A JavaScript literal of any JSON value: the only way text from a template enters generated code. */
export function literal(value: string | number | boolean | null): string {
  return typeof value === 'number' ? (Object.is(value, -0) ? '-0' : String(value)) : JSON.stringify(value);
}

const plainName = /^[A-Za-z_$][\w$]*$/;

/** A property read: `.name` where the name allows it, `["..."]` otherwise. */
export function property(name: string): string {
  return plainName.test(name) ? `.${name}` : `[${literal(name)}]`;
}

/** The same for a value that may have no properties. */
export function optionalProperty(name: string): string {
  return plainName.test(name) ? `?.${name}` : `?.[${literal(name)}]`;
}

const needsNoMangling = /^[A-Za-z_]\w*$/;

/** A name of the template as the beginning of a JavaScript name. */
export function mangle(name: string): string {
  if (needsNoMangling.test(name)) return name;
  return name
    .replace(/[^A-Za-z0-9_]/g, (char) => `$${char.codePointAt(0)?.toString(36)}`)
    .replace(/^(?=\d)/, '$');
}
