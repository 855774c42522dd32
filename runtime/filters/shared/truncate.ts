import { normalized } from './normalize.ts';
import { characterCount, isSpace, sliceCharacters, splitWords } from './values.ts';

/** Cutting of plain text, shared by the filters for text and for HTML. */

/** The ellipsis after cut characters, and the ellipsis after cut words. */
export const ellipsisText = '…';
export const wordEllipsis = ' …';

/** Adds the ellipsis unless the text already ends with it. */
export function addEllipsis(text: string, ellipsis: string): string {
  return text.endsWith(ellipsis) ? text : text + ellipsis;
}

/** The first `count` words, joined by single spaces, with an ellipsis if there are more. */
export function truncateWords(text: string, count: number): string {
  if (count <= 0) return '';
  const end = endOfWords(text, count);
  if (end > 0) return end === text.length ? text : addEllipsis(text.slice(0, end), wordEllipsis);
  const words = splitWords(text, count + 1);
  if (words.length <= count) return words.join(' ');
  return addEllipsis(words.slice(0, count).join(' '), wordEllipsis);
}

/** Where the first `count` words end, if single spaces are all white space up to the next word; else -1. */
function endOfWords(text: string, count: number): number {
  let words = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code > space && code < firstBeyondAscii) continue;
    if (code !== space) {
      if (isSpace(code)) return -1;
      continue;
    }
    const isBetweenWords = index > 0 && index + 1 < text.length && !isSpace(text.charCodeAt(index + 1));
    if (!isBetweenWords) return -1;
    words += 1;
    if (words === count) return index;
  }
  return text.length;
}

const space = 0x20;
const firstBeyondAscii = 0x80;

/** The text in at most `count` characters, the ellipsis included; combining marks do not count. */
export function truncateCharacters(source: string, count: number): string {
  if (count <= 0) return '';
  if (!mayHaveMarks.test(source))
    return source.length <= count ? source : addEllipsis(source.slice(0, count - 1), ellipsisText);
  const text = normalized(source, 'NFC');
  if (!combiningCandidate.test(text)) {
    if (characterCount(text) <= count) return text;
    return addEllipsis(sliceCharacters(text, 0, count - 1), ellipsisText);
  }
  let seen = 0;
  let end = -1;
  let position = 0;
  for (const char of text) {
    if (!isCombining(char)) {
      seen += 1;
      if (end === -1 && seen > count - 1) end = position;
      if (seen > count) return addEllipsis(text.slice(0, end), ellipsisText);
    }
    position += char.length;
  }
  return text;
}

/** All characters below the first combining mark stand for themselves. */
const mayHaveMarks = /[^\0-\u02ff]/;

const combiningCandidate = /\p{M}/u;

/**
 * Whether the character has a canonical combining class other than 0. JavaScript does not give the class, but
 * normalisation sorts marks by class. U+0345 has the highest class, so every other mark moves before it.
 */
function isCombining(char: string): boolean {
  if (!combiningCandidate.test(char)) return false;
  return char === highestMark || !(highestMark + char).normalize('NFD').startsWith(highestMark);
}

const highestMark = '\u0345';
