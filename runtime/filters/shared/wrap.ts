import { checkTextLength } from '../../values/limits.ts';
import { splitLines } from './lines.ts';
import { characterCount, isSpace } from './values.ts';

/**
 * The text in lines of at most `width` characters. A longer word keeps a line of its own. White space at new
 * breaks is removed. Line breaks of the text, and lines of nothing but white space, stay.
 */
export function wrapText(text: string, width: number): string {
  const lines: string[] = [];
  for (const line of splitLines(text)) {
    const wrapped = wrapLine(expandTabs(line), width);
    if (wrapped.length === 0) lines.push(line);
    else for (const part of wrapped) lines.push(part);
  }
  if (text.endsWith('\n')) lines.push('');
  return lines.join('\n');
}

function wrapLine(line: string, width: number): string[] {
  const chunks = chunksOf(line);
  const lines: string[] = [];
  let next = 0;
  while (next < chunks.length) {
    if (lines.length > 0 && isBlank(chunks[next])) next += 1;
    const start = next;
    let length = 0;
    for (;;) {
      const chunk = chunks[next];
      if (chunk === undefined) break;
      const size = characterCount(chunk);
      if (length + size > width) break;
      length += size;
      next += 1;
    }
    if (next === start && next < chunks.length) next += 1;
    const end = next > start && isBlank(chunks[next - 1]) ? next - 1 : next;
    if (end > start) lines.push(chunks.slice(start, end).join(''));
  }
  return lines;
}

/** Words and the white space between them, in turn. */
function chunksOf(line: string): string[] {
  return line.split(/([\t\n\v\f\r ]+)/).filter((chunk) => chunk !== '');
}

function isBlank(chunk: string | undefined): boolean {
  if (chunk === undefined) return false;
  for (let index = 0; index < chunk.length; index += 1) {
    if (!isSpace(chunk.charCodeAt(index))) return false;
  }
  return true;
}

const tabWidth = 8;

function expandTabs(line: string): string {
  if (!line.includes('\t')) return line;
  const [first = '', ...rest] = line.split('\t');
  let out = first;
  // Each part begins at a tab stop, so only the length of the part before a tab decides the width of the tab.
  let column = characterCount(first);
  for (const part of rest) {
    out += ' '.repeat(tabWidth - (column % tabWidth)) + part;
    column = characterCount(part);
    checkTextLength(out.length);
  }
  return out;
}
