import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findTags } from '../../server/base/text.ts';
import { svgSize } from '../../server/features/media/svg.ts';

/** Texts from uploads and bundles that the main thread searches: the time grows with their length, not faster. */

describe('tags in a text', () => {
  const bothKinds = /\{\{[\s\S]*?\}\}|\{%[\s\S]*?%\}/g;

  it('are those that the pattern of both kinds finds', () => {
    const text = fc.string({ unit: fc.constantFrom('{', '}', '%', 'a', '\n'), maxLength: 40 });
    fc.assert(
      fc.property(text, (source) => {
        const expected = [...source.matchAll(bothKinds)].map(({ index, 0: found }) => ({
          index,
          text: found,
        }));
        expect([...findTags(source, ['{{', '{%'])]).toEqual(expected);
      }),
      { numRuns: 2000 },
    );
  });

  it.each(['{{', '{%', '{{%', '{% {{ '])('may begin very often without an end: %s', (start) => {
    expect([...findTags(start.repeat(2 ** 21), ['{{', '{%'])]).toEqual([]);
  });
});

it('the size of a picture is not looked for in each of very many beginnings', () => {
  const head = Buffer.from('<svg '.repeat(2 ** 20));
  expect(svgSize('image/svg+xml', head)).toEqual({ width: null, height: null });
  const picture = Buffer.from(`<svg width="4" height="5px">${'<svg '.repeat(2 ** 20)}`);
  expect(svgSize('image/svg+xml', picture)).toEqual({ width: 4, height: 5 });
});
