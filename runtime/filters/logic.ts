import { toText } from '../values/text.ts';
import { choosingFilter, type FilterDefinition, type FilterEnv, valueFilter } from './filter.ts';
import { isTruthy } from './shared/values.ts';
import { filterWords } from './shared/words.ts';

/** Filters that choose between values. */
export const logicFilters: readonly FilterDefinition[] = [
  choosingFilter('default', (value, fallback) => (isTruthy(value) ? value : fallback)),
  choosingFilter('default_if_none', (value, fallback) => (value === null ? fallback : value)),
  valueFilter('yesno', [0, 1], yesNo),
];

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
