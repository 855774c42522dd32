/** The address of a table says which rows it shows. */
import { expect, test } from 'vitest';
import {
  parseRowsQuery,
  type RowsQuery,
  toExtdbQuery,
  writeRowsQuery,
} from '../../admin/src/screens/databases/rows-query.ts';

const query: RowsQuery = {
  rules: [
    { col: 'price, net', op: 'gte', val: '1 & 2' },
    { col: 'title', op: 'is_null' },
  ],
  match: 'or',
  sort: '-id',
  view: 'v1',
  page: 3,
  row: 0,
};

test('a query comes back from its address', () => {
  expect(parseRowsQuery(writeRowsQuery(query))).toEqual(query);
  expect(writeRowsQuery(parseRowsQuery(''))).toBe('');
});

test.each(['rules=[', 'rules={}', 'rules=[1,["a"],["a","is"],[1,"eq"]]', 'page=-1&match=xor', 'page=x'])(
  'what is no query is left out: %s',
  (search) => {
    expect(parseRowsQuery(search)).toMatchObject({ rules: [], match: 'and', page: 1 });
  },
);

test('the server is asked in its own words', () => {
  expect(toExtdbQuery(query)).toEqual({
    rules: query.rules,
    match: 'or',
    sort: [{ col: 'id', desc: true }],
    view: 'v1',
    page: 3,
  });
  expect(toExtdbQuery(parseRowsQuery(''))).toEqual({ rules: [], match: 'and', page: 1 });
});
