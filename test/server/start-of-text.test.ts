import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatValue } from '../../server/features/workflows/message/placeholders.ts';
import { startOfText } from '../../server/features/workflows/message/start-of-text.ts';

it('is how the text of a value begins', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.nat(200), (value, length) => {
      expect(startOfText(value, length)).toBe(formatValue(value).slice(0, length));
    }),
  );
});

it('leaves out what JSON has no form for', () => {
  expect(startOfText({ a: undefined, b: [undefined, null] }, 100)).toBe('{"b":[null,null]}');
});

it('reads no more of a long value than it needs', () => {
  const list = Array.from({ length: 1000 }, () => 'x'.repeat(1000));
  Object.defineProperty(list, 500, {
    get() {
      throw new Error('read');
    },
  });
  expect(startOfText({ list }, 5000)).toHaveLength(5000);
});
