import { expect, it } from 'vitest';
import { listFieldNames, textOfCell } from '../../admin/src/screens/sources/list-columns.ts';

it('the columns of a list are the fields of all entries, in the order in which they appear', () => {
  expect(listFieldNames([{ a: 1, b: 2 }, { b: 3, c: 4 }, 5])).toEqual(['a', 'b', 'c', '']);
  expect(listFieldNames([])).toEqual([]);
});

it('a cell has the text of its value, and nothing where an entry lacks the field', () => {
  const row = { a: 0, b: null, c: { d: [1] } };
  expect(['a', 'b', 'c', 'toString', ''].map((column) => textOfCell(row, column))).toEqual([
    '0',
    '',
    '{"d":[1]}',
    '',
    '',
  ]);
  expect([textOfCell('x', ''), textOfCell('x', 'length'), textOfCell(['y'], '')]).toEqual(['x', '', '["y"]']);
});
