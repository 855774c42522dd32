/**
 * Collects generated JavaScript line by line and remembers which template offset each stretch of it came from.
 *
 * Expressions are strings when they reach the writer, so a position inside one travels as a mark:
 * `mark(offset)` puts U+0001 digits U+0002 in front of the code it belongs to. No literal can contain one, because
 * all of them go through JSON.stringify, which escapes control characters.
 */
export class Writer {
  readonly #lines: string[] = [];
  readonly #segments: number[] = [];
  #indent = 0;
  #row: Row | undefined;
  #appended = 0;

  line(code: string, offset?: number): void {
    const indent = '  '.repeat(this.#indent);
    const line = this.#lines.length + 1;
    if (offset !== undefined) this.#segments.push(line, 0, offset);
    this.#lines.push(indent + this.#takeMarks(code, line, indent.length));
  }

  /**
   * Appends a string to the output. What is appended in a row is one statement, up to the end of the template's
   * line: V8 builds a few short strings faster than it appends each of them to a long one.
   */
  append(code: string, offset: number): void {
    this.#appendPart({ code: `${mark(offset)}${code}`, text: undefined }, offset);
  }

  /** Appends constant text. */
  text(value: string, offset: number): void {
    const previous = this.#row?.parts.at(-1);
    if (this.#rowIsOpen() && previous?.text !== undefined) {
      this.#row?.parts.pop();
      this.#appendPart({ code: '', text: previous.text + value }, offset);
    } else {
      this.#appendPart({ code: '', text: value }, offset);
    }
  }

  #appendPart(part: Part, offset: number): void {
    if (part.text === undefined) this.#appended += 1;
    if (this.#row !== undefined && this.#rowIsOpen()) {
      this.#lines.pop();
      this.#segments.length = this.#row.segments;
      this.#row.parts.push(part);
    } else {
      this.#row = { parts: [part], indent: this.#indent, segments: this.#segments.length, line: 0, offset };
    }
    const code = this.#row.parts
      .map(({ code, text }) => (text === undefined ? code : literal(text)))
      .join(' + ');
    this.line(`o += ${code};`, this.#row.offset);
    this.#row.line = this.#lines.length;
  }

  /** Whether the last line is a row of appended strings that may go on. */
  #rowIsOpen(): boolean {
    const row = this.#row;
    if (row === undefined || row.line !== this.#lines.length || row.indent !== this.#indent) return false;
    const endsLine = row.parts.at(-1)?.text?.includes('\n') === true;
    return !endsLine && row.parts.length < maxRowLength;
  }

  /** Values appended since this was asked last. */
  takeAppended(): number {
    const count = this.#appended;
    this.#appended = 0;
    return count;
  }

  /** Writes `head`, runs `body` one level deeper, writes `tail`. */
  block(head: string, body: () => void, tail = '}', offset?: number): void {
    this.line(head, offset);
    this.#indent += 1;
    body();
    this.#indent -= 1;
    this.line(tail);
  }

  code(): string {
    return this.#lines.join('\n');
  }

  /** Flat triples of generated line (from 1), column (from 0) and template offset, ascending. */
  segments(): readonly number[] {
    return this.#segments;
  }

  #takeMarks(code: string, line: number, indent: number): string {
    if (!code.includes('\u0001')) return code;
    let out = '';
    let at = 0;
    for (let open = code.indexOf('\u0001'); open >= 0; open = code.indexOf('\u0001', at)) {
      const close = code.indexOf('\u0002', open);
      out += code.slice(at, open);
      this.#segments.push(line, indent + out.length, Number(code.slice(open + 1, close)));
      at = close + 1;
    }
    return out + code.slice(at);
  }
}

const maxRowLength = 12;

/** Code of a string, or constant text. */
interface Part {
  readonly code: string;
  readonly text: string | undefined;
}

interface Row {
  readonly parts: Part[];
  readonly indent: number;
  /** How many segment numbers there were before it. */
  readonly segments: number;
  readonly offset: number;
  line: number;
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

/** The mangling table: a template name as the beginning of a JavaScript name. */
export function mangle(name: string): string {
  return name
    .replace(/[^A-Za-z0-9_]/g, (char) => `$${char.codePointAt(0)?.toString(36)}`)
    .replace(/^(?=\d)/, '$');
}
