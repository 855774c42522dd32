import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergeValue } from '../../../server/features/change-sets/merge/merge.ts';

const block = (id: string, text: string, slots?: object) => ({
  ...{ id, type: 't', params: { text, other: 1 } },
  ...(slots === undefined ? {} : { slots }),
});
const merge = (base: unknown, mine: unknown, live: unknown) => mergeValue({ base, mine, live });

describe('a merge', () => {
  it.each<[string, unknown, unknown, unknown, unknown, boolean]>([
    ['a number', 1, 2, 1, 2, false],
    ['a number that was changed live', 1, 1, 3, 3, false],
    ['a number of both sides', 1, 2, 3, 2, true],
    ['an object as a whole', { a: 1, b: 1 }, { a: 2, b: 1 }, { a: 1, b: 2 }, { a: 2, b: 1 }, true],
    ['lines', 'a\nb\nc', 'A\nb\nc', 'a\nb\nC', 'A\nb\nC', false],
    ['the same line', 'a\nb\nc', 'a\nB\nc', 'a\nX\nc', 'a\nB\nc', true],
    ['IDs that were added', [1, 2], [1, 2, 3], [4, 1, 2], [4, 1, 2, 3], false],
    ['IDs that were taken out', [1, 2, 3], [1, 3], [1, 2], [1], false],
    ['an order', [1, 2, 3], [3, 2, 1], [1, 2, 3, 4], [3, 4, 2, 1], false],
    ['two orders', [1, 2, 3], [3, 2, 1], [2, 1, 3], [3, 2, 1], true],
    ['nothing', null, null, null, null, false],
  ])('of %s', (_name, base, mine, live, value, conflict) => {
    expect(merge(base, mine, live)).toEqual({ value, conflict });
  });

  it('of block trees goes by block, then by value, also in slots', () => {
    const base = [block('a', '1', { main: [block('b', '2')] })];
    const mine = [block('a', 'mine', { main: [block('b', '2'), block('c', '3')] })];
    const live = [
      { ...block('a', '1', { main: [block('b', 'live')] }), params: { text: '1', other: 2 } },
      block('d', '4'),
    ];
    const merged = {
      ...block('a', 'mine', { main: [block('b', 'live'), block('c', '3')] }),
      params: { text: 'mine', other: 2 },
    };
    expect(merge(base, mine, live)).toEqual({ value: [merged, block('d', '4')], conflict: false });
  });

  it('of a block that one side has deleted and the other changed is a conflict', () => {
    const [base, changed] = [[block('a', '1')], [block('a', '2')]];
    expect(merge(base, [], changed).conflict).toBe(true);
    expect(merge(base, changed, []).conflict).toBe(true);
    expect(merge(base, [], base)).toEqual({ value: [], conflict: false });
  });

  it('of a block that both sides have moved to different places is a conflict', () => {
    const holder = (id: string, inside: object[]) =>
      block(id, id, inside.length > 0 ? { main: inside } : undefined);
    const moved = block('x', 'x');
    const base = [holder('a', [moved]), holder('b', []), holder('c', [])];
    const mine = [holder('a', []), holder('b', [moved]), holder('c', [])];
    const live = [holder('a', []), holder('b', []), holder('c', [moved])];
    expect(merge(base, mine, live).conflict).toBe(true);
  });
});

const lists = fc.uniqueArray(fc.integer({ min: 1, max: 6 }), { maxLength: 6 });
const texts = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 4 }).map((lines) => lines.join('\n'));
const trees = fc
  .uniqueArray(fc.record({ id: fc.constantFrom('a', 'b', 'c'), text: fc.constantFrom('1', '2') }), {
    selector: ({ id }) => id,
    maxLength: 3,
  })
  .map((entries) => entries.map(({ id, text }) => block(id, text)));

describe.each([
  ['lists of IDs', lists],
  ['texts', texts],
  ['trees', trees],
])('merging %s', (_name, values: fc.Arbitrary<unknown>) => {
  it('keeps what only one side has changed', () => {
    fc.assert(
      fc.property(values, values, (base, changed) => {
        expect(merge(base, changed, base)).toEqual({ value: changed, conflict: false });
        expect(merge(base, base, changed)).toEqual({ value: changed, conflict: false });
        expect(merge(base, changed, changed)).toEqual({ value: changed, conflict: false });
      }),
    );
  });

  it('has a conflict from both sides or from none', () => {
    fc.assert(
      fc.property(values, values, values, (base, mine, live) => {
        expect(merge(base, mine, live).conflict).toBe(merge(base, live, mine).conflict);
      }),
    );
  });
});
