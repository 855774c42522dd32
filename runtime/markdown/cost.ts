/**
 * Estimates in one pass over the lines what a Markdown text costs the parser (micromark with GFM), and refuses
 * a text whose cost is out of proportion to its length.
 *
 * What makes the parser slow, each found by measuring:
 * - Every list item, quote and underlined heading copies what was read of the text before (`rebuilds`).
 * - Every row of a table is filled up to the number of columns (`cells`).
 * - Every delimiter and closing bracket walks back through its paragraph (`pairs`).
 * - `<`, backticks and `](` without an end read their paragraph to its end (`scans`).
 * - Every reference repeats the address and title of its definition (`repeats`).
 */
import { FilterError } from '../values/limits.ts';
import { BlockReader } from './blocks.ts';
import { ParagraphCounter } from './paragraph.ts';

/** Longest text that is parsed, in characters. */
const maxLength = 512 * 1024;

/** Levels of lists and quotes within each other. */
const maxContainers = 40;

/** Work that every text may take, microseconds. */
const baseBudgetUs = 250_000;

/** A text longer than this many characters may take more work. */
const baseLength = 32 * 1024;

/** Work for each character above `baseLength`, microseconds. Articles with large tables take half of it. */
const budgetPerCharacterUs = 10;

/** What is counted: microseconds for each, and its name in the error. Measured with `npm run bench -- markdown`. */
const parts = {
  characters: { us: 2, name: 'characters' },
  lines: { us: 40, name: 'lines' },
  markers: { us: 40, name: 'markers of lists and quotes' },
  specials: { us: 8, name: 'characters with a meaning in Markdown' },
  notes: { us: 60, name: 'footnotes' },
  columns: { us: 25, name: 'table cells' },
  cells: { us: 2, name: 'table cells, the missing cells of short rows included' },
  rebuilds: { us: 0.08, name: 'lines before list items, quotes and underlined headings' },
  pairs: { us: 0.05, name: 'pairs of *, _, ~ or brackets with other marks of their paragraph' },
  scans: { us: 0.02, name: 'characters of paragraphs after <, `, ]( or in web addresses' },
  repeats: { us: 0.08, name: 'characters of link definitions that references repeat' },
} as const;

type Part = keyof typeof parts;
export type Counts = Record<Part, number>;

/** @returns the estimated work in microseconds. @throws FilterError if it is too much */
export function checkMarkdownCost(text: string): number {
  if (text.length > maxLength)
    throw refusal(`has ${figure(text.length)} characters, more than ${figure(maxLength)}`);
  const counts = countsOf(text);
  const budgetUs = baseBudgetUs + budgetPerCharacterUs * Math.max(0, text.length - baseLength);
  let workUs = 0;
  let largest: Part = 'characters';
  for (const part of partNames) {
    workUs += counts[part] * parts[part].us;
    if (counts[part] * parts[part].us > counts[largest] * parts[largest].us) largest = part;
  }
  if (workUs <= budgetUs) return workUs;
  const { us, name } = parts[largest];
  throw refusal(
    `needs ${figure(Math.ceil((100 * workUs) / budgetUs))} % of the work that is allowed, ` +
      `most of it for ${figure(counts[largest])} ${name} (limit ${figure(budgetUs / us)})`,
  );
}

function countsOf(text: string): Counts {
  const counter = new CostCounter();
  let start = 0;
  while (start <= text.length) {
    const end = lineEnd(text, start);
    counter.line(text.slice(start, end));
    start = end + 1;
  }
  return counter.finish();
}

/** Lines end at a line feed or a carriage return. Both together make an empty line here, which is no harm. */
function lineEnd(text: string, start: number): number {
  lineBreak.lastIndex = start;
  return lineBreak.exec(text)?.index ?? text.length;
}

const lineBreak = /[\r\n]/g;
const containerHead = /^(?:[ \t]*(?:[-+*>]|\d{1,9}[.)]|\[\^[^\]]+\]:))+/;
const underline = /^[ \t]*(?:=+|-+)[ \t]*$/;
const delimiterRow = /^[-:| \t]*-[-:| \t]*$/;

class CostCounter {
  readonly #counts: Counts = { ...noCounts };
  readonly #blocks = new BlockReader();
  readonly #paragraph = new ParagraphCounter();
  #columns = 0;

  line(line: string): void {
    const counts = this.#counts;
    counts.lines += 1;
    counts.characters += line.length;
    const kind = this.#blocks.kindOf(line);
    if (kind === 'empty') this.#columns = 0;
    if (kind !== 'continues') this.#paragraph.end(counts);
    if (kind === 'code' || kind === 'empty') return;
    this.#containers(line);
    this.#table(line);
    this.#paragraph.add(line);
    if (kind === 'alone') this.#paragraph.end(counts);
  }

  finish(): Counts {
    this.#paragraph.end(this.#counts);
    this.#counts.repeats = this.#paragraph.repeats;
    return this.#counts;
  }

  #containers(line: string): void {
    const head = containerHead.exec(line)?.[0] ?? '';
    const markers = head.match(/[-+*>]|\d+[.)]|\[\^/g)?.length ?? 0;
    if (markers > 0) {
      const indent = /^[ \t]*/.exec(line)?.[0].replaceAll('\t', '    ').length ?? 0;
      const depth = Math.max(markers, Math.floor(indent / 2));
      if (depth > maxContainers)
        throw refusal(`has ${figure(depth)} levels of lists and quotes, more than ${maxContainers}`);
    }
    this.#counts.markers += markers;
    if (markers > 0 || underline.test(line))
      this.#counts.rebuilds += this.#counts.lines + this.#counts.markers;
  }

  #table(line: string): void {
    const pipes = line.split('|').length;
    if (pipes > 1) this.#counts.columns += pipes;
    this.#counts.cells += this.#columns;
    const content = line.replace(containerHead, (head) => (/[>+*\d]/.test(head) ? '' : head));
    if (delimiterRow.test(content)) this.#columns = Math.max(this.#columns, pipes);
  }
}

// Object.keys gives plain strings, although all keys of this object are known.
const partNames = Object.keys(parts) as Part[];

const noCounts: Counts = {
  characters: 0,
  lines: 0,
  markers: 0,
  specials: 0,
  notes: 0,
  columns: 0,
  cells: 0,
  rebuilds: 0,
  pairs: 0,
  scans: 0,
  repeats: 0,
};

function refusal(reason: string): FilterError {
  return new FilterError(`the Markdown text ${reason}`);
}

function figure(count: number): string {
  return Math.floor(count).toLocaleString('en');
}
