import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Mark } from '../../../../runtime/marks/mark.ts';
import { MarkTexts } from '../../../../runtime/marks/mark-text.ts';
import { finishMarks } from '../../../../runtime/page/blocks/finish-marks.ts';
import { findLandmarks, hasHtmlElement } from '../../../../runtime/page/scan.ts';

const pieces =
  '< > / ! - -- = " \' <!-- --> <p> </p> <p a=" <svg> </svg> <script> </script> html> meta> title> <html> <meta> <h tml> <ti tle> <textarea> a é'.split(
    ' ',
  );

/** Pieces of markup with marks anywhere between them. */
const outputs = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...pieces, ' ') },
    fc
      .constantFrom('comment' as const, 'value' as const, 'attribute' as const, 'image' as const)
      .map((kind) => ({ kind })),
  ),
  { maxLength: 12 },
);

it('a body that is told to be plain has no tag of a document or its head, wherever marks stand', () => {
  fc.assert(
    fc.property(outputs, (output) => {
      const marks: Mark[] = [];
      const texts = new MarkTexts();
      const parts = output.map((part) => {
        if (typeof part === 'string') return part;
        const { kind } = part;
        const html = kind === 'comment' ? '<!--ic-slot:x-->' : 'data-ic-field="x"';
        const family = kind === 'value' || kind === 'image' ? 'field' : 'structure';
        return texts.of(family, marks.push(new Mark(kind, html, kind === 'value' ? 'a' : '')) - 1);
      });
      const { html, isPlain } = finishMarks(parts.join(''), marks, texts);
      expect(html).not.toMatch(/[\x80-\x9f]/);
      if (!isPlain) return;
      expect(hasHtmlElement(html)).toBe(false);
      expect(findLandmarks(html).tags.size).toBe(0);
    }),
    { numRuns: 3000 },
  );
});

it('most bodies are told to be plain', () => {
  const texts = new MarkTexts();
  const mark = new Mark('value', 'data-ic-field="x"', 'a & b');
  const { html, isPlain } = finishMarks(`<P>\n${texts.of('field', 0)}a &amp; b</p >`, [mark], texts);
  expect(html).toBe('<P data-ic-field="x">\na &amp; b</p >');
  expect(isPlain).toBe(true);
});

it.each([
  ['<', 'title>'],
  ['<script></scr', 'ipt><meta>'],
  ['<!-- --', '><meta>'],
  ['<m', 'eta>'],
  ['<p', '><link>'],
])('a mark that parts %s%s hides no tag', (before, after) => {
  const texts = new MarkTexts();
  const mark = new Mark('image', 'data-ic-field="x"');
  expect(finishMarks(before + texts.of('field', 0) + after, [mark], texts)).toEqual({
    html: before + after,
    isPlain: false,
  });
});
