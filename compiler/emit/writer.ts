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
  #lastText: { value: string; readonly line: number; readonly indent: number } | undefined;

  line(code: string, offset?: number): void {
    const indent = '  '.repeat(this.#indent);
    const line = this.#lines.length + 1;
    if (offset !== undefined) this.#segments.push(line, 0, offset);
    this.#lines.push(indent + this.#takeMarks(code, line, indent.length));
  }

  /** Appends constant text to the output; text after text is one statement. */
  text(value: string, offset: number): void {
    const last = this.#lastText;
    if (last !== undefined && last.line === this.#lines.length && last.indent === this.#indent) {
      last.value += value;
      this.#lines[last.line - 1] = `${'  '.repeat(this.#indent)}o += ${literal(last.value)};`;
      return;
    }
    this.line(`o += ${literal(value)};`, offset);
    this.#lastText = { value, line: this.#lines.length, indent: this.#indent };
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

export function mark(offset: number): string {
  return `\u0001${offset}\u0002`;
}

/** A JavaScript literal of any JSON value: the only way text from a template enters generated code. */
export function literal(value: string | number | boolean | null): string {
  return Object.is(value, -0) ? '-0' : JSON.stringify(value);
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
