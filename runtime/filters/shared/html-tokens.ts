/**
 * HTML split into text and tags, tolerant as Python's `html.parser`: what is no tag is text. Comments,
 * declarations and processing instructions are left out.
 *
 * Linear in the length of the input whatever it holds: a search that found nothing up to the end is never
 * repeated from a later start, and quoting in tags is given up for the rest once a quote was never closed.
 */
export type HtmlToken =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'start'; readonly name: string; readonly raw: string; readonly selfClosing: boolean }
  | { readonly type: 'end'; readonly name: string };

/** The tokens of the source in order. */
export function* htmlTokens(source: string): Generator<HtmlToken> {
  const scanner = new TagScanner(source);
  let position = 0;
  while (position < source.length) {
    const open = source.indexOf('<', position);
    if (open === -1) break;
    if (open > position) yield { type: 'text', text: source.slice(position, open) };
    const tag = scanner.tagAt(open);
    if (tag === undefined) {
      yield { type: 'text', text: '<' };
      position = open + 1;
      continue;
    }
    position = tag.end;
    if (tag.token === undefined) continue;
    yield tag.token;
    if (tag.token.type !== 'start' || !RAW_TEXT.has(tag.token.name)) continue;
    const close = scanner.closeOf(tag.token.name, position);
    if (close > position) yield { type: 'text', text: source.slice(position, close) };
    position = close;
  }
  if (position < source.length) yield { type: 'text', text: source.slice(position) };
}

/** Elements whose content is text up to their end tag. */
const RAW_TEXT: ReadonlySet<string> = new Set(['script', 'style']);

interface Tag {
  /** Absent for comments and the like. */
  readonly token: HtmlToken | undefined;
  /** Position behind the tag. */
  readonly end: number;
}

class TagScanner {
  readonly #source: string;
  /** Searches that found nothing, by what was searched for. */
  readonly #exhausted = new Set<string>();
  #quotesCount = true;

  constructor(source: string) {
    this.#source = source;
  }

  /** The tag, comment or declaration that starts here; undefined if the `<` is just text. */
  tagAt(open: number): Tag | undefined {
    const source = this.#source;
    if (source.startsWith('<!--', open)) return this.#skipTo('-->', open + 4);
    const next = source.charCodeAt(open + 1);
    if (next === BANG || next === QUESTION) return this.#skipTo('>', open + 2);
    if (next === SLASH) return this.#endTag(open);
    return isLetter(next) ? this.#startTag(open) : undefined;
  }

  /** Where the end tag of a raw text element starts, or the end of the source. */
  closeOf(name: string, from: number): number {
    const key = `</${name}`;
    if (!this.#exhausted.has(key)) {
      const pattern = new RegExp(`${key}(?=[\\s/>])`, 'gi');
      pattern.lastIndex = from;
      const match = pattern.exec(this.#source);
      if (match !== null) return match.index;
      this.#exhausted.add(key);
    }
    return this.#source.length;
  }

  #skipTo(closing: string, from: number): Tag | undefined {
    const end = this.#find(closing, from);
    return end === -1 ? undefined : { token: undefined, end: end + closing.length };
  }

  #endTag(open: number): Tag | undefined {
    const end = this.#find('>', open + 2);
    if (end === -1) return undefined;
    const name = this.#nameAt(open + 2);
    return { token: name === '' ? undefined : { type: 'end', name }, end: end + 1 };
  }

  #startTag(open: number): Tag | undefined {
    const first = this.#find('>', open + 1);
    if (first === -1) return undefined;
    const close = this.#quotesCount ? this.#closeOutsideQuotes(open) : first;
    const end = (close === -1 ? first : close) + 1;
    const raw = this.#source.slice(open, end);
    return {
      token: { type: 'start', name: this.#nameAt(open + 1), raw, selfClosing: raw.endsWith('/>') },
      end,
    };
  }

  /** The `>` that ends the tag, or -1 if every one stands in a quoted attribute value. */
  #closeOutsideQuotes(open: number): number {
    const source = this.#source;
    let index = open + 1;
    while (index < source.length) {
      const code = source.charCodeAt(index);
      if (code === GREATER) return index;
      if (code === EQUALS) {
        index += 1;
        while (isBlank(source.charCodeAt(index))) index += 1;
        const quote = source.charCodeAt(index);
        if (quote !== DOUBLE_QUOTE && quote !== SINGLE_QUOTE) continue;
        index = this.#find(quote === DOUBLE_QUOTE ? '"' : "'", index + 1);
        if (index === -1) break;
      }
      index += 1;
    }
    this.#quotesCount = false;
    return -1;
  }

  #nameAt(start: number): string {
    let end = start;
    while (end < this.#source.length && !isNameEnd(this.#source.charCodeAt(end))) end += 1;
    return this.#source.slice(start, end).toLowerCase();
  }

  #find(text: string, from: number): number {
    if (this.#exhausted.has(text)) return -1;
    const found = this.#source.indexOf(text, from);
    if (found === -1) this.#exhausted.add(text);
    return found;
  }
}

const BANG = 0x21;
const DOUBLE_QUOTE = 0x22;
const SINGLE_QUOTE = 0x27;
const SLASH = 0x2f;
const EQUALS = 0x3d;
const GREATER = 0x3e;
const QUESTION = 0x3f;

function isLetter(code: number): boolean {
  return (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a);
}

function isBlank(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d);
}

function isNameEnd(code: number): boolean {
  return isBlank(code) || code === SLASH || code === GREATER;
}
