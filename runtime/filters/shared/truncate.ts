import { normalized } from './normalize.ts';
import { characterCount, sliceCharacters, splitWords } from './values.ts';

/** Cutting of plain text, shared by the filters for text and for HTML. */

/** What stands for the missing rest after characters and after words. */
export const ELLIPSIS = '…';
export const WORD_ELLIPSIS = ' …';

/** The text with the mark for the missing rest, unless it ends with it already. */
export function addEllipsis(text: string, ellipsis: string): string {
  return text.endsWith(ellipsis) ? text : text + ellipsis;
}

/** The first `count` words, joined by single spaces, with a mark if there are more. */
export function truncateWords(text: string, count: number): string {
  if (count <= 0) return '';
  const words = splitWords(text, count + 1);
  if (words.length <= count) return words.join(' ');
  return addEllipsis(words.slice(0, count).join(' '), WORD_ELLIPSIS);
}

/** The text in at most `count` characters, the mark included; combining marks do not count. */
export function truncateCharacters(source: string, count: number): string {
  if (count <= 0) return '';
  const text = normalized(source, 'NFC');
  if (!COMBINING_CANDIDATE.test(text)) {
    if (characterCount(text) <= count) return text;
    return addEllipsis(sliceCharacters(text, 0, count - 1), ELLIPSIS);
  }
  let seen = 0;
  let end = -1;
  let position = 0;
  for (const char of text) {
    if (!isCombining(char)) {
      seen += 1;
      if (end === -1 && seen > count - 1) end = position;
      if (seen > count) return addEllipsis(text.slice(0, end), ELLIPSIS);
    }
    position += char.length;
  }
  return text;
}

const COMBINING_CANDIDATE = /\p{M}/u;

/**
 * Whether the character has a canonical combining class other than 0. JavaScript does not tell the class, but
 * normalisation puts marks in order of it: U+0345 has the highest there is, so every other mark moves before it.
 */
function isCombining(char: string): boolean {
  if (!COMBINING_CANDIDATE.test(char)) return false;
  return char === HIGHEST_MARK || !(HIGHEST_MARK + char).normalize('NFD').startsWith(HIGHEST_MARK);
}

const HIGHEST_MARK = '\u0345';
