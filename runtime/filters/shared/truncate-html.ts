import { escapeHtml } from '../../values/escape.ts';
import { decodeEntities } from './entities.ts';
import { htmlTokens } from './html-tokens.ts';
import { normalized } from './normalize.ts';
import { addEllipsis, ellipsisText, wordEllipsis } from './truncate.ts';
import { characterCount, isSpace, sliceCharacters } from './values.ts';

/** The HTML cut after `count` characters of text, the ellipsis included; open elements are closed. */
export function truncateHtmlCharacters(source: string, count: number): string {
  if (count <= 0) return '';
  const html = normalized(source, 'NFC');
  let processed = 0;
  return truncateHtml(html, count - 1, ellipsisText, (text, remaining, outputLength) => {
    const size = characterCount(text);
    processed += size;
    // Text that ends the source exactly at the cut needs no ellipsis.
    const ends = processed === count && outputLength + text.length === html.length;
    return { size, text: sliceCharacters(text, 0, remaining), ends };
  });
}

/** The HTML cut after `count` words of text; open elements are closed. */
export function truncateHtmlWords(source: string, count: number): string {
  if (count <= 0) return '';
  return truncateHtml(source, count, wordEllipsis, (text, remaining) => {
    const words = splitInnerSpace(text);
    return { size: words.length, text: words.slice(0, remaining).join(' '), ends: false };
  });
}

/** Measures a piece of text: its size, the part that fits, and whether the whole piece ends the output. */
type Measure = (
  text: string,
  remaining: number,
  outputLength: number,
) => { size: number; text: string; ends: boolean };

function truncateHtml(source: string, room: number, ellipsis: string, measure: Measure): string {
  const open: string[] = [];
  let output = '';
  let remaining = room;
  for (const token of htmlTokens(source)) {
    if (token.type === 'start') {
      output += token.raw;
      if (voidElements.has(token.name)) continue;
      if (token.selfClosing) output += `</${token.name}>`;
      else open.push(token.name);
    } else if (token.type === 'end') {
      if (voidElements.has(token.name)) continue;
      output += `</${token.name}>`;
      if (open.at(-1) === token.name) open.pop();
    } else {
      const decoded = decodeEntities(token.text);
      const piece = measure(decoded, remaining, output.length);
      // A decoded character reference must not become markup.
      if (piece.ends && decoded === token.text) return output + decoded + closeTags(open);
      const text = escapeHtml(piece.text);
      if (piece.size > remaining) return output + addEllipsis(text, ellipsis) + closeTags(open);
      remaining -= piece.size;
      output += text;
    }
  }
  return output;
}

function closeTags(open: readonly string[]): string {
  return open
    .toReversed()
    .map((name) => `</${name}>`)
    .join('');
}

const voidElements: ReadonlySet<string> = new Set([
  'area',
  'base',
  'br',
  'col',
  'embed',
  'frame',
  'hr',
  'img',
  'input',
  'link',
  'meta',
  'param',
  'source',
  'spacer',
  'track',
  'wbr',
]);

/** Splits at white space between words. White space at both ends stays with the first and the last word. */
function splitInnerSpace(text: string): string[] {
  let end = text.length;
  while (end > 0 && isSpace(text.charCodeAt(end - 1))) end -= 1;
  let index = 0;
  while (index < end && isSpace(text.charCodeAt(index))) index += 1;
  const words: string[] = [];
  let start = 0;
  for (; index < end; index += 1) {
    if (!isSpace(text.charCodeAt(index))) continue;
    words.push(text.slice(start, index));
    while (isSpace(text.charCodeAt(index + 1))) index += 1;
    start = index + 1;
  }
  words.push(text.slice(start));
  return words;
}
