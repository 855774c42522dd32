/** Names of other systems lead to names that exist here. */
import { expect, test } from 'vitest';
import { foreignFilters, foreignFunctions } from '../../compiler/foreign.ts';
import { filters } from '../../runtime/filters/index.ts';
import { templateFunctions } from '../../runtime/functions/index.ts';

test('the meaning of every foreign filter is a filter, and no foreign filter is one', () => {
  for (const [word, meaning] of foreignFilters) {
    expect(filters.has(meaning), meaning).toBe(true);
    expect(filters.has(word), word).toBe(false);
  }
});

test('no foreign function is a function', () => {
  for (const word of foreignFunctions.keys()) expect(templateFunctions.has(word), word).toBe(false);
});
