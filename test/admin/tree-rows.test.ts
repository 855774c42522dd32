import { expect, it } from 'vitest';
import {
  findNearest,
  findNextPlace,
  findParentIndex,
  type TreeRow,
  withoutLifted,
} from '../../admin/src/kit/tree/rows.ts';

/** a > (b > c, d), e > f */
const rows = [row('a', 1), row('b', 2), row('c', 3), row('d', 2), row('e', 1), row('f', 2)];

function row(key: string, level: number): TreeRow {
  return { key, level, position: 1, setSize: 1, hasChildren: false, isOpen: false };
}

const places = [
  { gap: 1, level: 1 },
  { gap: 3, level: 1 },
  { gap: 3, level: 2 },
  { gap: 3, level: 4 },
  { gap: 4, level: 2 },
];

it('a lifted row goes with all rows below it', () => {
  const left = (...lifted: string[]) =>
    withoutLifted(rows, lifted)
      .map(({ key }) => key)
      .join('');
  expect(left('b')).toBe('adef');
  expect(left('a')).toBe('ef');
  expect(left('c', 'e')).toBe('abd');
  expect(left('b', 'c', 'd')).toBe('aef');
  expect(left()).toBe('abcdef');
});

it('the parent of a row is the nearest one above of a smaller level', () => {
  expect(rows.map((_row, index) => findParentIndex(rows, index))).toEqual([-1, 0, 1, 0, -1, 4]);
});

it.each([
  [2.9, 3, { gap: 3, level: 2 }],
  [3.4, 9, { gap: 3, level: 4 }],
  [2, 1, { gap: 1, level: 1 }],
  [99, 1, { gap: 4, level: 2 }],
])('the place nearest to row %d and level %d is in the nearest gap', (gap, level, expected) => {
  expect(findNearest(places, gap, level)).toEqual(expected);
});

it('arrows go to the next gap with places, and through the levels of a gap', () => {
  const from = { gap: 3, level: 2 };
  const next = (key: string, place = from) => findNextPlace(places, place, key);
  expect(next('ArrowUp')).toEqual({ gap: 1, level: 1 });
  expect(next('ArrowDown')).toEqual({ gap: 4, level: 2 });
  expect(next('ArrowRight')).toEqual({ gap: 3, level: 4 });
  expect(next('ArrowLeft')).toEqual({ gap: 3, level: 1 });
  expect(next('ArrowUp', { gap: 1, level: 1 })).toEqual({ gap: 1, level: 1 });
  expect(next('x')).toBeUndefined();
});
