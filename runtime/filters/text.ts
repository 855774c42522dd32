import { checkTextLength, FilterError } from '../values/limits.ts';
import { SafeString } from '../values/safe.ts';
import { toText } from '../values/text.ts';
import {
  type FilterDefinition,
  printFast,
  type QuickPrint,
  textFilter,
  unsafeTextFilter,
  valueFilter,
} from './filter.ts';
import { slugify } from './shared/slugify.ts';
import { titleCase } from './shared/title.ts';
import { truncateCharacters, truncateWords } from './shared/truncate.ts';
import { characterCount, characters, integerArgument, isSpace, parseInteger } from './shared/values.ts';
import { wrapText } from './shared/wrap.ts';

/** Filters from text to text. */
export const textFilters: readonly FilterDefinition[] = [
  textFilter('addslashes', [0, 0], (text) => text.replace(/[\\"']/g, '\\$&')),
  changingFilter('capfirst', capitalizeFirst),
  textFilter('center', [1, 1], (text, width) => pad('center', text, width)),
  valueFilter('cut', [1, 1], cut),
  textFilter('ljust', [1, 1], (text, width) => pad('ljust', text, width)),
  changingFilter('lower', (text) => text.toLowerCase()),
  unsafeTextFilter('make_list', [0, 0], characters),
  textFilter('phone2numeric', [0, 0], phoneToNumeric),
  textFilter('rjust', [1, 1], (text, width) => pad('rjust', text, width)),
  {
    ...textFilter('slugify', [0, 0], slugify),
    // A slug has nothing to escape.
    quick: () => printFast(slugify, false),
    quickText: true,
  },
  changingFilter('title', titleCase),
  {
    ...textFilter('truncatechars', [1, 1], (text, count) => truncate(text, count, truncateCharacters)),
    quick: ([count], escaping) => quickTruncate(count, escaping, truncateCharacters),
    quickText: true,
  },
  {
    ...textFilter('truncatewords', [1, 1], (text, count) => truncate(text, count, truncateWords)),
    quick: ([count], escaping) => quickTruncate(count, escaping, truncateWords),
    quickText: true,
  },
  {
    ...unsafeTextFilter('upper', [0, 0], (text) => text.toUpperCase()),
    quick: (_args, escaping) => printFast((text) => text.toUpperCase(), escaping),
    quickText: true,
  },
  { ...unsafeTextFilter('wordcount', [0, 0], countWords), returns: 'number' },
  {
    ...textFilter('wordwrap', [1, 1], wordWrap),
    quick: ([width], escaping) => quickWrap(width, escaping),
    quickText: true,
  },
];

function changingFilter(name: string, change: (text: string) => string): FilterDefinition {
  return {
    ...textFilter(name, [0, 0], change),
    quick: (_args, escaping) => printFast(change, escaping),
    quickText: true,
  };
}

function capitalizeFirst(text: string): string {
  const code = text.charCodeAt(0);
  if (code >= 0x61 && code <= 0x7a) return text.charAt(0).toUpperCase() + text.slice(1);
  if (code < 0x80) return text;
  const [first = ''] = text;
  return first.toUpperCase() + text.slice(first.length);
}

/** Removes every occurrence of the argument. A safe text stays safe, except for `;`, which ends entities. */
function cut(value: unknown, _env: unknown, argument: unknown): unknown {
  const removed = toText(argument);
  const text = toText(value).replaceAll(removed, '');
  return value instanceof SafeString && removed !== ';' ? new SafeString(text) : text;
}

function pad(filter: string, text: string, widthArgument: unknown): string {
  const width = integerArgument(filter, widthArgument);
  checkTextLength(width);
  const missing = width - characterCount(text);
  if (missing <= 0) return text;
  if (filter === 'ljust') return text + ' '.repeat(missing);
  if (filter === 'rjust') return ' '.repeat(missing) + text;
  // Python puts the odd space to the left only if the width is odd.
  const left = Math.floor(missing / 2) + (missing & width & 1);
  return ' '.repeat(left) + text + ' '.repeat(missing - left);
}

const phoneKeys = '22233344455566677778889999';

function phoneToNumeric(text: string): string {
  return text.toLowerCase().replace(/[a-z]/g, (letter) => phoneKeys.charAt(letter.charCodeAt(0) - 97));
}

/** Cuts the text if the argument is a number, else returns it unchanged, as Django does. */
function truncate(
  text: string,
  countArgument: unknown,
  cutAt: (text: string, count: number) => string,
): string {
  const count = parseInteger(countArgument);
  return count === undefined ? text : cutAt(text, Number(count));
}

function quickTruncate(
  countArgument: unknown,
  escaping: boolean,
  cutAt: (text: string, count: number) => string,
): QuickPrint | undefined {
  const count = parseInteger(countArgument);
  if (count === undefined || count > maxQuickCount) return undefined;
  return printFast((text) => cutAt(text, Number(count)), escaping);
}

/** Most characters or words to which a quick printer cuts. */
const maxQuickCount = 500n;

function countWords(text: string): number {
  let words = 0;
  let inWord = false;
  for (let index = 0; index < text.length; index += 1) {
    const space = isSpace(text.charCodeAt(index));
    if (!space && !inWord) words += 1;
    inWord = !space;
  }
  return words;
}

function wordWrap(text: string, widthArgument: unknown): string {
  const width = integerArgument('wordwrap', widthArgument);
  if (width <= 0) throw new FilterError(`wordwrap needs a width above 0, not ${width}`);
  return wrapText(text, width);
}

function quickWrap(widthArgument: unknown, escaping: boolean): QuickPrint | undefined {
  const width = Number(parseInteger(widthArgument) ?? 0n);
  return width > 0 ? printFast((text) => wrapText(text, width), escaping) : undefined;
}
