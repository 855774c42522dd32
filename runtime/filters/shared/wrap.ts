import { checkTextLength } from '../../values/limits.ts';
import { splitLines } from './lines.ts';
import { characterCount, isPlain, isSpace } from './values.ts';

/**
 * The text in lines of at most `width` characters. A longer word keeps a line of its own. White space at new
 * breaks is removed. Line breaks of the text, and lines of nothing but white space, stay.
 */
export function wrapText(text: string, width: number): string {
  const lines: string[] = [];
  for (const line of splitLines(text)) {
    const before = lines.length;
    wrapLine(expandTabs(line), width, lines);
    if (lines.length === before) lines.push(line);
  }
  if (text.endsWith('\n')) lines.push('');
  return lines.join('\n');
}

/**
 * Appends the lines that a line becomes; none if it is blank. Chunks are words, and the white space between them.
 */
function wrapLine(line: string, width: number, lines: string[]): void {
  const { length } = line;
  const count = isPlain(line) ? unitCount : partCount;
  let next = 0;
  let isFirst = true;
  while (next < length) {
    if (!isFirst) next = afterBlank(line, next);
    const start = next;
    let last = next;
    for (let left = width; next < length; ) {
      const end = endOfChunk(line, next);
      left -= count(line, next, end);
      // A chunk that is longer than a line has a line of its own.
      if (left < 0 && next > start) break;
      last = next;
      next = end;
      if (left < 0) break;
    }
    const end = isBlank(line, last, next) ? last : next;
    if (end > start) {
      lines.push(line.slice(start, end));
      isFirst = false;
    }
  }
}

function unitCount(_line: string, start: number, end: number): number {
  return end - start;
}

function partCount(line: string, start: number, end: number): number {
  return characterCount(line.slice(start, end));
}

/** Where the chunk ends that begins at a position. */
function endOfChunk(line: string, start: number): number {
  const isWhite = isGap(line.charCodeAt(start));
  let end = start + 1;
  while (end < line.length && isGap(line.charCodeAt(end)) === isWhite) end += 1;
  return end;
}

/** Whether words are parted at the UTF-16 unit. No-break spaces part none. */
function isGap(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d);
}

function afterBlank(line: string, start: number): number {
  const end = endOfChunk(line, start);
  return isBlank(line, start, end) ? end : start;
}

function isBlank(line: string, start: number, end: number): boolean {
  for (let index = start; index < end; index += 1) {
    if (!isSpace(line.charCodeAt(index))) return false;
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
