/**
 * The part of PostgREST's grammar of addresses that questions need, read as PostgREST reads it: a quoted text has
 * backslashes before quotes and backslashes; what is not quoted ends at a comma or a parenthesis.
 */
export type FakeTree =
  | { readonly kind: 'and'; readonly children: readonly FakeTree[] }
  | { readonly kind: 'or'; readonly children: readonly FakeTree[] }
  | {
      readonly kind: 'filter';
      readonly field: string;
      readonly not: boolean;
      readonly operator: string;
      readonly value: string | readonly string[];
    };

export interface SelectItem {
  readonly alias: string;
  readonly field: string;
  /** `sum`, `avg`, `min`, `max`, `count`; none for a plain column. */
  readonly aggregate: string | undefined;
}

/** The value of the parameters `and` and `or`: a list in parentheses. */
export function parseLogic(kind: 'and' | 'or', text: string): FakeTree {
  const reader = new Reader(text);
  const children = reader.list(() => tree(reader));
  reader.end();
  return { kind, children };
}

export function parseSelect(text: string): SelectItem[] {
  const reader = new Reader(text);
  const items: SelectItem[] = [];
  do {
    if (reader.takes('*')) continue;
    let field = reader.name();
    let alias = field;
    if (reader.takes(':')) field = reader.name();
    else alias = '';
    let aggregate: string | undefined;
    if (field === 'count' && reader.takes('()')) aggregate = 'count';
    else if (reader.takes('.')) {
      aggregate = reader.name();
      reader.expect('()');
    }
    items.push({ alias: alias || field, field, aggregate });
  } while (reader.takes(','));
  reader.end();
  return items;
}

export function parseOrder(text: string): { readonly col: string; readonly desc: boolean }[] {
  const reader = new Reader(text);
  const order = [];
  do {
    const col = reader.name();
    const direction = reader.takes('.') ? reader.name() : 'asc';
    if (direction !== 'asc' && direction !== 'desc') throw new Error(`unexpected ${direction}`);
    order.push({ col, desc: direction === 'desc' });
  } while (reader.takes(','));
  reader.end();
  return order;
}

function tree(reader: Reader): FakeTree {
  for (const kind of ['and', 'or'] as const)
    if (reader.takes(`${kind}(`)) {
      reader.back(1);
      return { kind, children: reader.list(() => tree(reader)) };
    }
  const field = reader.name();
  reader.expect('.');
  const not = reader.takes('not.');
  const operator = reader.word();
  reader.expect('.');
  const value = operator === 'in' ? reader.list(() => reader.value()) : reader.value();
  return { kind: 'filter', field, not, operator, value };
}

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  takes(token: string): boolean {
    if (!this.#text.startsWith(token, this.#at)) return false;
    this.#at += token.length;
    return true;
  }

  expect(token: string): void {
    if (!this.takes(token)) throw new Error(`expected ${token} at ${this.#at} of ${this.#text}`);
  }

  back(count: number): void {
    this.#at -= count;
  }

  end(): void {
    if (this.#at !== this.#text.length) throw new Error(`unexpected end of ${this.#text} at ${this.#at}`);
  }

  /** `(a,b)`, with at least one entry. */
  list<Entry>(entry: () => Entry): Entry[] {
    this.expect('(');
    const entries = [entry()];
    while (this.takes(',')) entries.push(entry());
    this.expect(')');
    return entries;
  }

  word(): string {
    return this.#match(/[a-z]+/y);
  }

  name(): string {
    return this.#quoted() ?? this.#match(/[\w $-]+/y);
  }

  value(): string {
    const start = this.#at;
    const quoted = this.#quoted();
    const next = this.#text[this.#at];
    if (quoted !== undefined && (next === ',' || next === ')' || next === undefined)) return quoted;
    this.#at = start;
    return this.#match(/[^,)]*/y);
  }

  #quoted(): string | undefined {
    const start = this.#at;
    if (!this.takes('"')) return undefined;
    let text = '';
    for (;;) {
      const character = this.#text[this.#at++];
      if (character === '"') return text;
      if (character === undefined) {
        this.#at = start;
        return undefined;
      }
      text += character === '\\' ? (this.#text[this.#at++] ?? '') : character;
    }
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found === undefined) throw new Error(`unexpected text at ${this.#at} of ${this.#text}`);
    this.#at += found.length;
    return found;
  }
}
