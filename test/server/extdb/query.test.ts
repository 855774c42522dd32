import { expect, it } from 'vitest';
import { parseList } from '../../../server/features/extdb/query.ts';

const nested = (depth: number): object =>
  depth === 0 ? { col: 'a', op: 'eq', val: 1 } : { and: [nested(depth - 1), nested(0)] };
const many = (count: number) => Array.from({ length: count }, () => ({ col: 'a', op: 'eq', val: 1 }));

it.each([
  [{ limit: 0 }, 'limit'],
  [{ limit: 1001 }, 'limit'],
  [{ limit: 'ten' }, 'limit'],
  [{ limit: 2.5 }, 'limit'],
  [{ page: 0 }, 'page'],
  [{ page: '-1' }, 'page'],
  [{ all: 'maybe' }, 'all'],
  [{ output: 'xml' }, 'output'],
  [{ output: 'groups' }, 'group'],
  [{ match: 'xor' }, 'match'],
  [{ rules: 'a' }, 'rules'],
  [{ rules: ['a'] }, 'rules.0'],
  [{ rules: [{ col: 'a', op: 'is', val: 1 }] }, 'rules.0.op'],
  [{ rules: [{ col: 'a', op: 'constructor', val: 1 }] }, 'rules.0.op'],
  [{ rules: [{ col: 1, op: 'eq', val: 1 }] }, 'rules.0.col'],
  [{ rules: [{ col: 'a', op: 'eq', val: { b: 1 } }] }, 'rules.0.val'],
  [{ rules: [{ col: 'a', op: 'in', val: [null] }] }, 'rules.0.val'],
  [{ rules: many(501) }, 'rules'],
  [{ where: '{' }, 'where'],
  [{ where: '[]' }, 'where'],
  [{ where: 5 }, 'where'],
  [{ where: { or: [] } }, 'where.or'],
  [{ where: { and: {} } }, 'where.and'],
  [{ where: { and: [], or: [{ col: 'a', op: 'is_null' }] } }, 'where'],
  [{ where: { and: [{ col: 'a', op: 'gt', val: null }] } }, 'where.and.0.val'],
  [{ where: { not: [] } }, 'where.col'],
  [{ where: nested(11) }, /^where\./],
  [{ where: { or: many(501) } }, 'where'],
  [{ sort: 'a' }, 'sort'],
  [{ sort: ['a'] }, 'sort.0'],
  [{ sort: [{ col: 'a', desc: 'no' }] }, 'sort.0.desc'],
  [{ summary: [{ col: 'a', fn: 'MEDIAN' }] }, 'summary.0.fn'],
  [{ fields: 5 }, 'fields'],
  [{ fields: [{}] }, 'fields'],
  [{ view: {} }, 'view'],
])('%j is refused', (args, field) => {
  const params = { field: typeof field === 'string' ? field : expect.stringMatching(field) };
  expect(() => parseList(args)).toThrow(
    expect.objectContaining({ code: 'common.invalid', params: expect.objectContaining(params) }),
  );
});

it('what is left out has a default', () => {
  expect(
    parseList({ limit: '', page: null, sort: [{ col: '' }], fields: ' , ', view: '', output: '' }),
  ).toEqual({
    output: 'records',
    all: false,
    query: {
      where: undefined,
      sort: [],
      group: [],
      summary: [],
      view: undefined,
      limit: 100,
      offset: 0,
      fields: undefined,
      wantsRecords: true,
      wantsTotal: false,
    },
  });
  expect(parseList({ where: nested(9), view: 7 }).query.view).toBe('7');
});
