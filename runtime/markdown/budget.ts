/** What one text may make the parser and the renderer do. The parser is linear, so its memory is what to bound. */
import type { Env } from 'markdown-it';
import { FilterError } from '../values/limits.ts';

/** Longest text that is parsed, UTF-16 units. */
const maxLength = 512 * 1024;

/** Longest HTML that is made, UTF-16 units. */
const maxHtmlLength = 8 * 1024 * 1024;

/** Lists, quotes and footnotes within each other. The parser drops text that is nested deeper than it allows. */
export const maxContainers = 40;

/**
 * Elements and pieces of text between them. The parser keeps about 200 bytes for each until the end. Two for each
 * character is more than a text can have, except that rows of a table are filled up to the number of columns.
 */
const maxTokens = 500_000;
const tokensPerCharacter = 2;
const baseTokens = 64 * 1024;

/**
 * Reads of lines. The parser reads a line once for each container that it is in. It also reads to the next empty
 * line to find the end of a quote, even if the quote ends earlier.
 */
const baseReads = 200_000;
const readsPerCharacter = 2;

/** Counts the work for one text. Every method throws a FilterError when its limit is exceeded. */
export class Budget {
  readonly #maxTokens: number;
  readonly #maxReads: number;
  #tokens = 0;
  #reads = 0;
  #containers = 0;
  #htmlLength = 0;

  constructor(text: string) {
    this.#maxTokens = Math.min(maxTokens, baseTokens + tokensPerCharacter * text.length);
    this.#maxReads = baseReads + readsPerCharacter * text.length;
  }

  countRead(): void {
    if (++this.#reads > this.#maxReads)
      throw refusal(
        `has lines that are read more than ${figure(this.#maxReads)} times to find where quotes and lists end ` +
          '(empty lines after them help)',
      );
  }

  countToken(): void {
    if (++this.#tokens > this.#maxTokens)
      throw refusal(
        `consists of more than ${figure(this.#maxTokens)} elements (cells of tables, items of lists, emphasis)`,
      );
  }

  enterContainer(): void {
    if (++this.#containers > maxContainers)
      throw refusal(`nests lists and quotes more than ${figure(maxContainers)} levels deep`);
  }

  leaveContainer(): void {
    this.#containers -= 1;
  }

  /** Charges for HTML that repeats something written only once in the text, before it is made. */
  countHtml(length: number): void {
    this.#htmlLength += length;
    checkHtmlLength(this.#htmlLength);
  }
}

/** The budget that the text is rendered with. */
export function requireBudget(env: Env | undefined): Budget {
  const budget = env?.['budget'];
  if (!(budget instanceof Budget)) throw new TypeError('a text is rendered without a budget');
  return budget;
}

export function checkLength(text: string): void {
  if (text.length > maxLength)
    throw refusal(`has ${figure(text.length)} characters, more than ${figure(maxLength)}`);
}

export function checkHtmlLength(length: number): void {
  if (length > maxHtmlLength) throw refusal(`makes more than ${figure(maxHtmlLength)} characters of HTML`);
}

function refusal(reason: string): FilterError {
  return new FilterError(`the Markdown text ${reason}`);
}

function figure(count: number): string {
  return count.toLocaleString('en');
}
