/** Where texts, words and white space of a template end. */

/**
 * Finds where the parser may go on at once: behind text, words and white space, which character by character would
 * take it most of its time. Whether a delimiter is closed on its own line is remembered, so that a line of many
 * openers is scanned once and not once per opener.
 */
export class Scanner {
  readonly #source: string;
  readonly #nextClose = new Map<string, number>();
  #lineEnd = -1;

  constructor(source: string) {
    this.#source = source;
  }

  /** Where the text that begins at `from` ends: at the next opener that is closed on its line. */
  textEnd(from: number): number {
    let brace = this.#source.indexOf('{', from);
    while (brace >= 0 && !this.#opens(brace)) brace = this.#source.indexOf('{', brace + 1);
    return brace < 0 ? this.#source.length : brace;
  }

  isText(at: number): boolean {
    return this.#source.charAt(at) !== '{' || !this.#opens(at);
  }

  /** The end of the characters from `at` on that words may have. */
  wordEnd(at: number): number {
    return this.#end(wordCharacters, at);
  }

  spaceEnd(at: number): number {
    return this.#end(space, at);
  }

  /** Whether a name with lookups begins here that the tag ends with, filters aside. */
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

/** What closes an opening brace, by the character after it. */
const closers = new Map([
  ['{', '}}'],
  ['%', '%}'],
  ['#', '#}'],
]);

function orInfinity(index: number): number {
  return index < 0 ? Number.POSITIVE_INFINITY : index;
}

// Sticky, and all but `plain` match everywhere, so that they always say where they end.
const space = /[ \t\r\f\v]*/y;
const wordCharacters = /[\w\u00c0-\u024f\u0370-\u1fff\u3040-\ud7ff]*/y;
const plain = /[\w\u00c0-\u024f\u0370-\u1fff\u3040-\ud7ff.]+[ \t\r\f\v]*(?:\||\}\}|%\})/y;
