/** Finds the ends of texts, words and white space in a template. */
import { SyntaxFault } from './faults.ts';

/**
 * White space, inside of tags and where a `-` at a delimiter removes it: all of Unicode's, because some of it
 * looks like a blank and is typed by accident. These are the characters of Python's `str.isspace`.
 */
const spaces = String.raw`\t\n\v\f\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000`;

/**
 * Lets the parser skip a text, a word or white space in one step. Matching them character by character would
 * take most of the time of the parser. The scanner remembers the next closing delimiter, so that a line with
 * many openers is scanned once and not once per opener.
 */
export class Scanner {
  readonly #source: string;
  readonly #nextClose = new Map<string, number>();
  #lineEnd = -1;
  /** Whether the parser is inside of `{% %}`, which may span lines. */
  #isInTag = false;

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
    let end = at;
    while (end < this.#source.length && isAsciiWord[this.#source.charCodeAt(end)] === 1) end += 1;
    return this.#isAscii(end) ? end : this.#end(wordCharacters, at);
  }

  /** The end of the letters a to z that begin at `at`. */
  lettersEnd(at: number): number {
    let end = at;
    for (; end < this.#source.length; end += 1) {
      const code = this.#source.charCodeAt(end);
      if (code < firstLetter || code > lastLetter) break;
    }
    return end;
  }

  /** The end of a string that began before `at`: where its quote stands, or where its line or the source ends. */
  stringEnd(at: number, quote: string): number {
    const source = this.#source;
    let end = at;
    for (; end < source.length; end += 1) {
      const character = source.charAt(end);
      if (character === quote || character === '\n') break;
      if (character !== '\\') continue;
      if (end + 1 >= source.length || source.charAt(end + 1) === '\n') break;
      end += 1;
    }
    return end;
  }

  /** Where the comment that began before `at` has its closing delimiter. */
  commentEnd(at: number): number {
    const close = this.#source.indexOf('#}', at);
    return close < 0 ? this.#source.length : close;
  }

  /**
   * The end of what stands at `at` in a tag, up to white space or the end of the tag.
   * @throws SyntaxFault if a character follows that nobody can see
   */
  visibleEnd(at: number): number {
    let end = at;
    while (end < this.#source.length && this.spaceEnd(end) === end) {
      if (this.#source.startsWith('%}', this.dashEnd(end))) break;
      end += 1;
    }
    return end;
  }

  /** @throws SyntaxFault if a character follows that nobody can see */
  spaceEnd(at: number): number {
    // In most places there is no white space, or one blank.
    if (this.#isVisibleAscii(at)) return at;
    if (this.#source.charAt(at) === ' ' && this.#isVisibleAscii(at + 1)) return at + 1;
    const end = this.#end(this.#isInTag ? space : spaceInLine, at);
    const code = this.#source.charCodeAt(end);
    if (code >= firstZeroWidth && zeroWidth.has(code)) throw zeroWidthFault(code, end);
    return end;
  }

  /** The end of a dash directly before a closing delimiter; `at` if there is none. */
  dashEnd(at: number): number {
    const isDash = this.#source.charAt(at) === '-' && /^[%}#]\}/.test(this.#source.slice(at + 1, at + 3));
    return isDash ? at + 1 : at;
  }

  /** Whether a tag of that name begins here. What stands before it need not be valid. */
  isTag(at: number, name: string): boolean {
    if (this.#source.charAt(at) !== '{') return false;
    tagStart.lastIndex = at;
    return tagStart.test(this.#source) && this.#source.startsWith(name, tagStart.lastIndex);
  }

  /** Always true. Called at the beginning of a tag, an output or a comment. */
  enter(kind: 'tag' | 'line'): boolean {
    this.#isInTag = kind === 'tag';
    return true;
  }

  /** Whether a name with lookups begins here, and a filter or the end of the tag follows it. */
  isPlain(at: number): boolean {
    plain.lastIndex = at;
    return plain.test(this.#source);
  }

  /** Whether a name with lookups begins here, and neither arithmetic nor a filter follows it. */
  isPlainOperand(at: number): boolean {
    plainOperand.lastIndex = at;
    return plainOperand.test(this.#source);
  }

  #isVisibleAscii(at: number): boolean {
    if (at >= this.#source.length) return false;
    const code = this.#source.charCodeAt(at);
    return code > 0x20 && code < 0x7f;
  }

  /** Whether an ASCII character or the end of the source is here. */
  #isAscii(at: number): boolean {
    return at >= this.#source.length || this.#source.charCodeAt(at) < 0x80;
  }

  #end(characters: RegExp, from: number): number {
    characters.lastIndex = from;
    characters.test(this.#source);
    return characters.lastIndex;
  }

  /** The text between two offsets, without the white space that a `-` at a neighbouring delimiter removes. */
  textBetween(start: number, end: number): string {
    const text = this.#source.slice(start, end);
    return trimmed(
      text,
      this.#source.charAt(start - 3) === '-' && closesWithDash.test(this.#source.slice(start - 3, start)),
      this.#source.charAt(end + 2) === '-',
    );
  }

  #opens(at: number): boolean {
    const close = closers.get(this.#source.charAt(at + 1));
    if (close === undefined) return false;
    const end = this.#next(close, at + 2);
    if (end < this.#endOfLine(at)) return true;
    // A tag may span lines. An opener that another tag follows is text, as it was on its line.
    return close === '%}' && end < Number.POSITIVE_INFINITY && end < this.#next('{%', at + 2);
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

/** The text without white space at its start, at its end, or at both. */
export function trimmed(text: string, atStart: boolean, atEnd: boolean): string {
  const begun = atStart ? text.replace(spaceAtStart, '') : text;
  if (!atEnd) return begun;
  let end = begun.length;
  while (end > 0 && spaceCharacter.test(begun.charAt(end - 1))) end -= 1;
  return begun.slice(0, end);
}

const closesWithDash = /-[%}#]\}$/;
const spaceAtStart = new RegExp(`^[${spaces}]+`);
const spaceCharacter = new RegExp(`[${spaces}]`);

/** Characters without width: they are no white space, and a name with one would look like another name. */
const zeroWidth: ReadonlySet<number> = new Set([0x200b, 0x200c, 0x200d, 0x2060, 0xfeff]);
const firstZeroWidth = Math.min(...zeroWidth);

function zeroWidthFault(code: number, offset: number): SyntaxFault {
  const name = `U+${code.toString(16).toUpperCase()}`;
  return new SyntaxFault(`unexpected invisible character ${name} (it has no width), expected none`, offset);
}

// All are sticky. All but the last two also match an empty text, so `lastIndex` is always the end of the match.
const space = new RegExp(`[${spaces}]*`, 'y');
const tagStart = new RegExp(`\\{%-?[${spaces}]*`, 'y');
const spaceInLine = new RegExp(`[${spaces.replace(String.raw`\n`, '')}]*`, 'y');
const wordCharacters = /[\w\u00c0-\u024f\u0370-\u167f\u1681-\u1fff\u3040-\ud7ff]*/y;
const plain = /[\w\u00c0-\u024f\u0370-\u167f\u1681-\u1fff\u3040-\ud7ff.]+[ \t\r\f\v]*(?:\||\}\}|%\})/y;
const plainOperand = /[A-Za-z_]\w*(?:\.\w+)*(?:[ \t]*(?:[<>=!,)\]]|%\}|\}\}|-[%}]\})|[ \t]+[A-Za-z_])/y;

const firstLetter = 0x61;
const lastLetter = 0x7a;

/** 1 for each ASCII character that a word can have. */
const isAsciiWord = Uint8Array.from({ length: 0x80 }, (_, code) =>
  /\w/.test(String.fromCharCode(code)) ? 1 : 0,
);
