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
  valueFilter('yesno', [0, 1], yesNo),
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
function yesNo(value: unknown, env: FilterEnv, words?: unknown): unknown {
  const bits = (words === undefined || words === null ? filterWords(env.lang).yesno : toText(words)).split(
    ',',
  );
  const [yes, no, third] = bits;
  if (yes === undefined || no === undefined) return value;
  const maybe = bits.length === 3 && third !== undefined ? third : no;
  if (value === null) return maybe;
  return isTruthy(value) ? yes : no;
}
