import { checkTextLength, maxDepth } from '../../values/limits.ts';
import { SafeString } from '../../values/safe.ts';
import { sortedKeys, stringRepr, toRepr, toSortedRepr } from '../../values/text.ts';
import { splitLinesWithEnds } from './lines.ts';
import { characterCount, isMap } from './values.ts';

const lineWidth = 80;

/**
 * The value in the layout of Python's `pprint`: on one line if it fits in 80 characters, else one entry per
 * line. Keys of maps are sorted, long texts are split. Throws a FilterError if more than 8 MB are needed.
 */
export function pformat(value: unknown): string {
  return new Layout().value(value, 0, 0);
}

class Layout {
  /** Characters written so far, including lines that did not fit. Their limit bounds the time. */
  #work = 0;
  readonly #open: object[] = [];

  /** `indent` columns stand before the value, `allowance` characters follow it on its last line. */
  value(value: unknown, indent: number, allowance: number): string {
    if (typeof value === 'string') return this.#text(value, indent, allowance);
    if (value instanceof SafeString) return this.#text(value.value, indent, allowance);
    const isList = Array.isArray(value);
    if (!isList && !isMap(value)) return toRepr(value);
    if (this.#open.includes(value) || this.#open.length >= maxDepth) return isList ? '[...]' : '{...}';
    const line = toSortedRepr(value);
    this.#work += line.length;
    checkTextLength(this.#work);
    if (fits(line, lineWidth - indent - allowance)) return line;
    this.#open.push(value);
    const lines = isList ? this.#list(value, indent, allowance) : this.#map(value, indent, allowance);
    this.#open.pop();
    return lines;
  }

  #list(list: readonly unknown[], indent: number, allowance: number): string {
    const entries = list.map((item, index) =>
      this.value(item, indent + 1, allowanceOf(index, list.length, allowance)),
    );
    return `[${entries.join(separator(indent))}]`;
  }

  #map(map: Readonly<Record<string, unknown>>, indent: number, allowance: number): string {
    const keys = sortedKeys(map);
    const entries = keys.map((key, index) => {
      const label = `${toRepr(key)}: `;
      const column = indent + 1 + characterCount(label);
      return label + this.value(map[key], column, allowanceOf(index, keys.length, allowance));
    });
    return `{${entries.join(separator(indent))}}`;
  }

  /** A text that does not fit is split into pieces, one per line. At the top level brackets surround them. */
  #text(text: string, indent: number, allowance: number): string {
    const whole = stringRepr(text);
    if (fits(whole, lineWidth - indent - allowance)) return whole;
    const outer = this.#open.length === 0 ? 1 : 0;
    const pieces = textPieces(text, lineWidth - indent - outer, allowance + outer);
    if (pieces.length === 1) return whole;
    const lines = pieces.join(`\n${' '.repeat(indent + outer)}`);
    this.#work += lines.length;
    checkTextLength(this.#work);
    return outer === 1 ? `(${lines})` : lines;
  }
}

/**
 * A comma follows each entry except the last. The closing bracket and the outer allowance follow the last.
 */
function allowanceOf(index: number, count: number, allowance: number): number {
  return index === count - 1 ? allowance + 1 : 1;
}

function separator(indent: number): string {
  return `,\n${' '.repeat(indent + 1)}`;
}

/** The lines of a text, each as a Python string. A line that is too long is split between words. */
function textPieces(text: string, width: number, allowance: number): string[] {
  const pieces: string[] = [];
  const lines = splitLinesWithEnds(text);
  for (const [index, line] of lines.entries()) {
    const after = index === lines.length - 1 ? allowance : 0;
    const written = stringRepr(line);
    if (fits(written, width - after)) pieces.push(written);
    else for (const part of wordPieces(line, width, after)) pieces.push(stringRepr(part));
  }
  return pieces;
}

function wordPieces(line: string, width: number, allowance: number): string[] {
  const words = line.match(/\S+\s*|\s+/g) ?? [];
  const parts: string[] = [];
  let current = '';
  for (const [index, word] of words.entries()) {
    const room = index === words.length - 1 ? width - allowance : width;
    if (fits(stringRepr(current + word), room)) current += word;
    else {
      if (current !== '') parts.push(current);
      current = word;
    }
  }
  if (current !== '') parts.push(current);
  return parts;
}

function fits(text: string, width: number): boolean {
  return text.length <= width || characterCount(text) <= width;
}
