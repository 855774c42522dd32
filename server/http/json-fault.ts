/** The position where a text stops being JSON, and what was expected there. */
export interface JsonFault {
  readonly position: number;
  readonly reason: string;
}

/**
 * Finds the first character at which `text` is not JSON (RFC 8259) or repeats the name of a member. The
 * engine's own parser gives no position for most errors and accepts repeated names. This second reading
 * happens only for a text that is known to be wrong and whose depth has been checked.
 */
export function findJsonFault(text: string): JsonFault {
  const reader = new Reader(text);
  const fault = reader.value() ?? reader.end();
  return fault ?? { position: text.length, reason: 'unexpected end' };
}

class Reader {
  readonly #text: string;
  #position = 0;

  constructor(text: string) {
    this.#text = text;
  }

  value(): JsonFault | undefined {
    this.#space();
    const next = this.#text[this.#position];
    if (next === '{') return this.#object();
    if (next === '[') return this.#members(']', () => this.value());
    if (next === '"') return this.#string();
    return this.#take(/-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y)
      ? undefined
      : this.#fault('expected a value');
  }

  end(): JsonFault | undefined {
    this.#space();
    return this.#position < this.#text.length ? this.#fault('expected the end') : undefined;
  }

  #members(close: string, member: () => JsonFault | undefined): JsonFault | undefined {
    this.#position++;
    this.#space();
    if (this.#skip(close)) return undefined;
    for (;;) {
      const fault = member();
      if (fault !== undefined) return fault;
      this.#space();
      if (this.#skip(close)) return undefined;
      if (!this.#skip(',')) return this.#fault(`expected "," or "${close}"`);
    }
  }

  #object(): JsonFault | undefined {
    const names = new Set<string>();
    return this.#members('}', () => this.#member(names));
  }

  #member(names: Set<string>): JsonFault | undefined {
    this.#space();
    const start = this.#position;
    if (this.#text[start] !== '"') return this.#fault('expected a member name in double quotes');
    const fault = this.#string();
    if (fault !== undefined) return fault;
    const name = String(JSON.parse(this.#text.slice(start, this.#position)));
    if (names.has(name)) return { position: start, reason: 'a member name must not come twice' };
    names.add(name);
    this.#space();
    return this.#skip(':') ? this.value() : this.#fault('expected ":"');
  }

  #string(): JsonFault | undefined {
    this.#position++;
    for (;;) {
      // Every character but quotation marks, backslashes and control characters.
      this.#take(/[ !#-[\]-\uffff]+/y);
      if (this.#skip('"')) return undefined;
      if (this.#text[this.#position] !== '\\')
        return this.#fault('a string must not break off or hold control characters');
      if (!this.#take(/\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y)) return this.#fault('unknown escape in a string');
    }
  }

  #space(): void {
    this.#take(/[ \t\r\n]*/y);
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

  #fault(expectation: string): JsonFault {
    const found = this.#position < this.#text.length ? '' : ', found the end';
    return { position: this.#position, reason: expectation + found };
  }
}
