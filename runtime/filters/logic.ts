import { choosingFilter, type Filter, type FilterEnv, valueFilter } from '../filter.ts';
import { toText } from '../text.ts';
import { filterWords } from './shared/language.ts';
import { isTruthy } from './shared/values.ts';

/** Filters that choose between values. */
export const logicFilters: readonly Filter[] = [
  choosingFilter('default', (value, fallback) => (isTruthy(value) ? value : fallback)),
  choosingFilter('default_if_none', (value, fallback) => (value === null ? fallback : value)),
  valueFilter('yesno', [0, 1], yesNo),
];

/** `yesno:"yes,no,maybe"`; without a third word none counts as false, with one word the value stays. */
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
