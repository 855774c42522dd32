/** Which fields of a form are shown, and which stand together. */
import { expect, test } from 'vitest';
import type { ShowCondition } from '../../admin/src/api/generated/schema.ts';
import { isFieldShown, toFieldSections } from '../../admin/src/editors/fields/shown-fields.ts';

test.each<[op: ShowCondition['op'], wanted: unknown, value: unknown, isShown: boolean]>([
  ['eq', 'a', 'a', true],
  ['eq', 'a', 'b', false],
  ['eq', 'a', ['b', 'a'], true],
  ['eq', true, true, true],
  ['eq', false, null, true],
  ['ne', 'a', 'b', true],
  ['ne', 'a', 'a', false],
  ['in', ['a', 'b'], 'b', true],
  ['in', ['a', 'b'], null, false],
  ['set', undefined, 'a', true],
  ['set', undefined, [], false],
  ['set', undefined, false, false],
  ['set', undefined, 0, true],
])('%s %j of %j', (op, value, stored, isShown) => {
  expect(isFieldShown({ show_if: { field: 'kind', op, value } }, () => stored)).toBe(isShown);
});

test('a field without a condition is shown', () => {
  expect(isFieldShown({}, () => null)).toBe(true);
});

test('fields of one group stand together where the first of them is', () => {
  const fields = [{ name: 'a' }, { name: 'b', group: 'SEO' }, { name: 'c' }, { name: 'd', group: 'SEO' }];
  const sections = toFieldSections(fields).map(({ name, fields: own }) => [
    name,
    own.map((field) => field.name),
  ]);
  expect(sections).toEqual([
    ['', ['a']],
    ['SEO', ['b', 'd']],
    ['', ['c']],
  ]);
});
