import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { writeJson } from '../../../server/http/json/json.ts';
import { isLongAsJson, JsonWriter } from '../../../server/http/json/writer.ts';

function piecesOf(value: unknown): string[] {
  const writer = new JsonWriter(value);
  const pieces: string[] = [];
  for (let piece = writer.next(); piece !== undefined; piece = writer.next()) pieces.push(piece);
  return pieces;
}

/** What JSON can hold, made large at several places. */
const largeValues = fc
  .tuple(fc.jsonValue(), fc.jsonValue(), fc.nat(3000), fc.string({ unit: 'binary', maxLength: 5 }))
  .map(([first, second, count, text]) => ({
    list: Array.from({ length: count }, (_, index) => (index % 7 === 0 ? first : second)),
    [text]: text.repeat(count * 30),
    lists: [
      Array.from({ length: count }, () => first),
      [],
      {},
      second,
      { missing: undefined, [text]: second },
    ],
    names: Object.fromEntries(Array.from({ length: count }, (_, index) => [`${text}${index}`, second])),
  }));

describe('JsonWriter', () => {
  it('writes what JSON.stringify writes', () => {
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), largeValues), (value) => {
        expect(piecesOf(value).join('') === JSON.stringify(value)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it('writes the same as one text, whatever the number of its pieces', async () => {
    for (const names of [1000, 100_000, 250_000]) {
      const value = Object.fromEntries(Array.from({ length: names }, (_, index) => [`name ${index}`, index]));
      expect((await writeJson(value)) === JSON.stringify(value)).toBe(true);
    }
  });

  it('leaves out members without a value, and writes others as null in lists', () => {
    const list = [...Array.from({ length: 2000 }, () => undefined), 'x'.repeat(100_000), undefined];
    expect(piecesOf({ a: undefined, list, b: list }).join('')).toBe(JSON.stringify({ list, b: list }));
  });

  it.each([0, 1, 2, 3])('does not cut characters of two units, %i units before them', (before) => {
    const text = 'x'.repeat(before) + '😀"\n'.repeat(50_000);
    const pieces = piecesOf(text);
    expect(pieces.length).toBeGreaterThan(2);
    expect(pieces.join('')).toBe(JSON.stringify(text));
  });

  it('asks objects that know it how they are written', () => {
    const at = new Date(0);
    const value = Array.from({ length: 3000 }, () => [at]);
    expect(piecesOf(value).join('')).toBe(JSON.stringify(value));
  });

  it('makes pieces of limited length', () => {
    const lengths = piecesOf(Array.from({ length: 200_000 }, (_, n) => ({ n, text: 'text' }))).map(
      ({ length }) => length,
    );
    expect(lengths.length).toBeGreaterThan(50);
    expect(Math.max(...lengths)).toBeLessThan(200_000);
  });

  it('writes lists that are nested deeply', () => {
    const depth = 100_000;
    let value: unknown = 1;
    for (let level = 0; level < depth; level += 1) value = [value];
    expect(piecesOf(value).join('')).toBe(`${'['.repeat(depth)}1${']'.repeat(depth)}`);
  });
});

describe('isLongAsJson', () => {
  it.each([
    ['a number', 1, false],
    ['nothing', undefined, false],
    ['a short text', 'x'.repeat(10_000), false],
    ['a long text', 'x'.repeat(2_000_000), true],
    ['a list of few', Array.from({ length: 1000 }, () => ({ a: 1 })), false],
    ['a list of many', Array.from({ length: 100_000 }, () => 1), true],
    ['many names', Object.fromEntries(Array.from({ length: 50_000 }, (_, n) => [`k${n}`, n])), true],
    ['a long name', { ['x'.repeat(2_000_000)]: 1 }, true],
  ])('%s', (_what, value, isLong) => {
    expect(isLongAsJson(value)).toBe(isLong);
  });
});
