import { checkTextLength, FilterError } from '../values/limits.ts';
import { SafeString } from '../values/safe.ts';
import { toText } from '../values/text.ts';
import {
  type FilterDefinition,
  type QuickPrint,
  quickText,
  textFilter,
  unsafeTextFilter,
  valueFilter,
} from './filter.ts';
import { isAscii, normalized } from './shared/normalize.ts';
import { truncateCharacters, truncateWords } from './shared/truncate.ts';
import { characterCount, characters, integerArgument, isSpace, parseInteger } from './shared/values.ts';
import { wrapText } from './shared/wrap.ts';

/** Filters from text to text. */
export const textFilters: readonly FilterDefinition[] = [
  textFilter('addslashes', [0, 0], (text) => text.replace(/[\\"']/g, '\\$&')),
  textFilter('capfirst', [0, 0], capitalizeFirst),
  textFilter('center', [1, 1], (text, width) => pad('center', text, width)),
  valueFilter('cut', [1, 1], cut),
  textFilter('ljust', [1, 1], (text, width) => pad('ljust', text, width)),
  {
    ...textFilter('lower', [0, 0], (text) => text.toLowerCase()),
    quick: (_args, escaping) => quickText((text) => text.toLowerCase(), escaping),
    quickText: true,
  },
  unsafeTextFilter('make_list', [0, 0], characters),
  textFilter('phone2numeric', [0, 0], phoneToNumeric),
  textFilter('rjust', [1, 1], (text, width) => pad('rjust', text, width)),
  {
    ...textFilter('slugify', [0, 0], slugify),
    // A slug has nothing to escape.
    quick: () => quickText(slugify, false),
    quickText: true,
  },
  textFilter('title', [0, 0], titleCase),
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
    quick: (_args, escaping) => quickText((text) => text.toUpperCase(), escaping),
    quickText: true,
  },
  { ...unsafeTextFilter('wordcount', [0, 0], countWords), returns: 'number' },
  textFilter('wordwrap', [1, 1], wordWrap),
];

function capitalizeFirst(text: string): string {
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

function slugify(text: string): string {
  const lower = text.toLowerCase();
  return plainWords.test(lower) ? lower.replaceAll(' ', '-') : slugifyOther(text);
}

/** Most names and titles: words of ASCII with one space or dash between them. */
const plainWords = /^[a-z0-9]+(?:[ -][a-z0-9]+)*$/;

function slugifyOther(text: string): string {
  const ascii = isAscii(text) ? text : normalized(text, 'NFKD').replace(/[^\0-\x7f]/g, '');
  return ascii
    .toLowerCase()
    .replace(/[^a-z0-9_\s-]/g, '')
    .replace(/[-\s]+/g, '-')
    .replace(/^[-_]+/, '')
    .replace(trailingDashes, '');
}

// Without the lookbehind, the search in a long run of dashes would start again at each of its characters.
const trailingDashes = /(?<![-_])[-_]+$/;

function titleCase(text: string): string {
  return text
    .replace(/\p{Cased}+/gu, capitalizeRun)
    .replace(/[a-z]'[A-Z]/g, (match) => match.toLowerCase())
    .replace(/\p{Nd}[A-Z]/gu, (match) => match.toLowerCase());
}

/** A run of letters, the first in title case. The whole run is lowered at once, for the final sigma. */
function capitalizeRun(run: string): string {
  const [first = ''] = run;
  return titleOf(first) + run.toLowerCase().slice(first.toLowerCase().length);
}

/** Title case of one character, which is `ǆ -> ǅ` for the digraphs and `ß -> Ss` for expanding letters. */
function titleOf(char: string): string {
  const single = titleLetters.get(char.toLowerCase());
  if (single !== undefined) return single;
  return char.toUpperCase().replace(/(?<=\p{Lu}).+$/su, (rest) => rest.toLowerCase());
}

/** All letters of Unicode that have a title case of their own, by their lower case. */
const titleLetters: ReadonlyMap<string, string> = new Map(
  Array.from('ǅǈǋǲᾈᾉᾊᾋᾌᾍᾎᾏᾘᾙᾚᾛᾜᾝᾞᾟᾨᾩᾪᾫᾬᾭᾮᾯᾼῌῼ', (letter) => [letter.toLowerCase(), letter]),
);

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
  return quickText((text) => cutAt(text, Number(count)), escaping);
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
