/**
 * HTML split into text and tags, as tolerant as Python's `html.parser`: everything that is not a tag is text.
 * Comments, declarations and processing instructions are left out.
 *
 * The time is linear in the length of every input. A search that found nothing up to the end is never
 * repeated from a later start. After the first quote that is never closed, quotes in tags have no meaning.
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
      position = scanner.endOfUnfinished(open);
      yield { type: 'text', text: source.slice(open, position) };
      continue;
    }
    position = tag.end;
    if (tag.token === undefined) continue;
    yield tag.token;
    if (tag.token.type !== 'start' || !rawText.has(tag.token.name)) continue;
    const close = scanner.closeOf(tag.token.name, position);
    if (close > position) yield { type: 'text', text: source.slice(position, close) };
    position = close;
  }
  if (position < source.length) yield { type: 'text', text: source.slice(position) };
}

/** Elements whose content is text up to their end tag. */
export const rawText: ReadonlySet<string> = new Set(['script', 'style']);

interface Tag {
  /** Absent for comments and the like. */
  readonly token: HtmlToken | undefined;
  /** Position after the tag. */
  readonly end: number;
}

class TagScanner {
  readonly #source: string;
  /** Texts that a search did not find up to the end. */
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
    if (next === bang || next === question) return this.#skipTo('>', open + 2);
    if (next === slash) return this.#endTag(open);
    return isLetter(next) ? this.#startTag(open) : undefined;
  }

  /** Where the text ends that begins with a `<` which starts no tag: an unfinished tag ends before the next one. */
  endOfUnfinished(open: number): number {
    const next = this.#source.charCodeAt(open + 1);
    const isUnfinished = isLetter(next) || next === slash || next === bang || next === question;
    const end = isUnfinished ? this.#source.indexOf('<', open + 1) : -1;
    return end === -1 ? open + 1 : end;
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
    if (!isLetter(this.#source.charCodeAt(open + 2))) return { token: undefined, end: end + 1 };
    return { token: { type: 'end', name: this.#nameAt(open + 2) }, end: end + 1 };
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

  /** Position of the `>` that ends the tag, or -1 if each `>` is part of a quoted attribute value. */
  #closeOutsideQuotes(open: number): number {
    const source = this.#source;
    let index = open + 1;
    while (index < source.length) {
      const code = source.charCodeAt(index);
      if (code === greater) return index;
      if (code === equals) {
        index += 1;
        while (isBlank(source.charCodeAt(index))) index += 1;
        const quote = source.charCodeAt(index);
        if (quote !== doubleQuote && quote !== singleQuote) continue;
        index = this.#find(quote === doubleQuote ? '"' : "'", index + 1);
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

const bang = 0x21;
const doubleQuote = 0x22;
const singleQuote = 0x27;
const slash = 0x2f;
const equals = 0x3d;
const greater = 0x3e;
const question = 0x3f;

function isLetter(code: number): boolean {
  return (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a);
}

function isBlank(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d);
}

function isNameEnd(code: number): boolean {
  return isBlank(code) || code === slash || code === greater;
}
