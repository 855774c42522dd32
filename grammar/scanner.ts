/** Finds the ends of texts, words and white space in a template. */

/**
 * Lets the parser skip a text, a word or white space in one step. Matching them character by character would
 * take most of the time of the parser. The scanner remembers the next closing delimiter, so that a line with
 * many openers is scanned once and not once per opener.
 */
export class Scanner {
  readonly #source: string;
  readonly #nextClose = new Map<string, number>();
  #lineEnd = -1;

  constructor(source: string) {
    this.#source = source;
  }

  /** The end of the text that begins at `from`: the next opener that is closed on its line. */
  textEnd(from: number): number {
    let brace = this.#source.indexOf('{', from);
    while (brace >= 0 && !this.#opens(brace)) brace = this.#source.indexOf('{', brace + 1);
    return brace < 0 ? this.#source.length : brace;
  }

  isText(at: number): boolean {
    return this.#source.charAt(at) !== '{' || !this.#opens(at);
  }

  /** The end of the word characters that begin at `at`. */
  wordEnd(at: number): number {
    return this.#end(wordCharacters, at);
  }

  spaceEnd(at: number): number {
    return this.#end(space, at);
  }

  /** Whether a name with lookups begins here, and a filter or the end of the tag follows it. */
  isPlain(at: number): boolean {
    plain.lastIndex = at;
    return plain.test(this.#source);
  }

  #end(characters: RegExp, from: number): number {
    characters.lastIndex = from;
    characters.test(this.#source);
    return characters.lastIndex;
  }

  #opens(at: number): boolean {
    const close = closers.get(this.#source.charAt(at + 1));
    return close !== undefined && this.#next(close, at + 2) < this.#endOfLine(at);
  }

  #next(close: string, from: number): number {
    const known = this.#nextClose.get(close) ?? -1;
    if (known >= from) return known;
    const found = orInfinity(this.#source.indexOf(close, from));
    this.#nextClose.set(close, found);
    return found;
  }

  #endOfLine(from: number): number {
    if (this.#lineEnd < from) this.#lineEnd = orInfinity(this.#source.indexOf('\n', from));
    return this.#lineEnd;
  }
}

/** The closing delimiter of an opening brace, by the character after the brace. */
const closers = new Map([
  ['{', '}}'],
  ['%', '%}'],
  ['#', '#}'],
]);

function orInfinity(index: number): number {
  return index < 0 ? Number.POSITIVE_INFINITY : index;
}

// All are sticky. All but `plain` also match an empty text, so `lastIndex` is always the end of the match.
const space = /[ \t\r\f\v]*/y;
const wordCharacters = /[\w\u00c0-\u024f\u0370-\u1fff\u3040-\ud7ff]*/y;
const plain = /[\w\u00c0-\u024f\u0370-\u1fff\u3040-\ud7ff.]+[ \t\r\f\v]*(?:\||\}\}|%\})/y;
