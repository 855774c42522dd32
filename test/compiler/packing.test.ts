/** Structures that save memory for each compiled template: positions packed in a text, maps without a table. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { offsetAt, packPositions } from '../../compiler/emit/positions.ts';
import { SmallMap } from '../../compiler/link/small-map.ts';

const number = fc.oneof(fc.nat(100), fc.constantFrom(32_767, 32_768, 65_535, 65_536, 2 ** 30), fc.nat());

test('packed positions give the same offsets as the segments', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(number, number, number)), number, number, (triples, line, column) => {
      const segments = triples.toSorted(([a, b], [c, d]) => a - c || b - d);
      const before = segments.filter(([l, c]) => l < line || (l === line && c <= column));
      expect(offsetAt(packPositions(segments.flat()), line, column)).toBe(before.at(-1)?.[2]);
    }),
  );
});

test('there may be more segments than a call can have arguments', () => {
  const segments = Array.from({ length: 300_000 }, (_, index) => index);
  expect(offsetAt(packPositions(segments), 299_997, 299_998)).toBe(299_999);
});

test('a small map works like a Map', () => {
  const key = fc.constantFrom('', 'a', 'b', 'c');
  const operation = fc.record({ kind: fc.constantFrom('set', 'delete', 'clear'), key, value: fc.nat(9) });
  fc.assert(
    fc.property(fc.array(operation), (operations) => {
      const small = new SmallMap<number>();
      const map = new Map<string, number>();
      for (const { kind, key, value } of operations) {
        for (const either of [small, map]) {
          if (kind === 'set') either.set(key, value);
          else if (kind === 'delete') either.delete(key);
          else either.clear();
        }
        for (const known of ['', 'a', 'b', 'c']) expect(small.get(known)).toBe(map.get(known));
      }
    }),
  );
});
