import { escapeHtml, escape as escapeValue } from '../values/escape.ts';
import { toText } from '../values/text.ts';
import {
  choosingFilter,
  type FilterDefinition,
  type FilterEnv,
  type QuickPrint,
  valueFilter,
} from './filter.ts';
import { isTruthy } from './shared/values.ts';
import { filterWords } from './shared/words.ts';

/** Filters that choose between values. */
export const logicFilters: readonly FilterDefinition[] = [
  {
    ...choosingFilter('default', (value, fallback) => (isTruthy(value) ? value : fallback)),
    quick: ([fallback], escaping) => quickDefault(fallback, escaping),
  },
  choosingFilter('default_if_none', (value, fallback) => (value === null ? fallback : value)),
  {
    ...valueFilter('yesno', [0, 1], yesNo),
    quick: ([words], escaping) => quickYesNo(words, escaping),
    quickText: true,
  },
];

function quickDefault(fallback: unknown, escaping: boolean): QuickPrint {
  const otherwise = escaping ? escapeValue(fallback) : toText(fallback);
  return (value) => {
    if (value === '' || value === null) return otherwise;
    if (typeof value !== 'string') return undefined;
    return escaping ? escapeHtml(value) : value;
  };
}

/** `yesno:"yes,no,maybe"`. Without a third word none counts as false; with one word the value is returned. */
function yesNo(value: unknown, env: FilterEnv, given?: unknown): unknown {
  const words = answersOf(
    given === undefined || given === null ? filterWords(env.lang).yesno : toText(given),
  );
  if (words === undefined) return value;
  if (value === null) return words.maybe;
  return isTruthy(value) ? words.yes : words.no;
}

interface Answers {
  readonly yes: string;
  readonly no: string;
  readonly maybe: string;
}

function answersOf(text: string): Answers | undefined {
  const words = text.split(',');
  const [yes, no, third] = words;
  if (yes === undefined || no === undefined) return undefined;
  return { yes, no, maybe: words.length === 3 && third !== undefined ? third : no };
}

/** For given words; those of the language are looked up each time. */
function quickYesNo(given: unknown, escaping: boolean): QuickPrint | undefined {
  if (given === undefined || given === null) return undefined;
  const words = answersOf(toText(given));
  if (words === undefined) return undefined;
  const { yes, no, maybe } = escaping ? escapedAnswers(words) : words;
  return (value) => {
    if (typeof value === 'boolean') return value ? yes : no;
    if (value === null) return maybe;
    // Whether a map has entries may cost a look at all of them.
    if (typeof value === 'object') return undefined;
    return isTruthy(value) ? yes : no;
  };
}

function escapedAnswers({ yes, no, maybe }: Answers): Answers {
  return { yes: escapeHtml(yes), no: escapeHtml(no), maybe: escapeHtml(maybe) };
}
