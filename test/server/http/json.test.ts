import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJson } from '../../../server/http/json.ts';
import { findJsonFault } from '../../../server/http/json-fault.ts';

const bytes = (text: string) => Buffer.from(text);
const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

describe('parseJson', () => {
  it('reads what JSON.stringify writes', () => {
    const storable = fc.jsonValue({ noUnicodeString: false }).filter((value) => {
      const text = JSON.stringify(value);
      return !text.includes('\\u') && !/\de|\d{300}/i.test(text);
    });
    fc.assert(
      fc.property(storable, (value) => {
        const text = JSON.stringify(value);
        expect(parseJson(bytes(text))).toEqual(JSON.parse(text));
      }),
    );
  });

  it('throws only ApiErrors, for any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (input) => {
        try {
          parseJson(input);
        } catch (error) {
          expect(error).toMatchObject({ name: 'ApiError', status: 400 });
        }
      }),
    );
  });

  it.each([
    ['escapes that are texts', '{"a":"\\u00e4\\ud83d\\ude00"}', { a: 'ä😀' }],
    ['numbers with exponents', '[1e3,-0,1E-400]', [1000, -0, 0]],
    [
      '100 levels',
      `${'['.repeat(100)}${']'.repeat(100)}`,
      JSON.parse(`${'['.repeat(100)}${']'.repeat(100)}`),
    ],
  ])('accepts %s', (_name, text, value) => {
    expect(parseJson(bytes(text))).toEqual(value);
  });

  it('refuses 101 levels at the last bracket', () => {
    expect(() => parseJson(bytes('['.repeat(101)))).toThrow(
      expect.objectContaining({ params: { position: 100, reason: 'nested deeper than 100 levels' } }),
    );
  });
});

describe('findJsonFault', () => {
  it('finds the first character that no JSON text with the same beginning has', () => {
    // A character that no JSON text contains, inserted anywhere into a valid text, is a fault at that place.
    const cut = fc.jsonValue().chain((value) => {
      const text = JSON.stringify([value]);
      return fc.tuple(fc.constant(text), fc.integer({ min: 0, max: text.length }));
    });
    fc.assert(
      fc.property(cut, ([text, at]) => {
        const broken = `${text.slice(0, at)}\u0001${text.slice(at)}`;
        expect(isJson(broken)).toBe(false);
        expect(findJsonFault(broken).position).toBeGreaterThanOrEqual(Math.max(0, at - 6));
        expect(findJsonFault(broken).position).toBeLessThanOrEqual(at);
      }),
    );
  });
});
