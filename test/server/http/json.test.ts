import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../server/base/errors.ts';
import { parseInSlices, parseJson } from '../../../server/http/json/json.ts';
import { findJsonFault } from '../../../server/http/json/reader.ts';

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

describe('parseInSlices', () => {
  /** The value, or code and parameters of the error. */
  const outcome = async (parse: () => unknown): Promise<unknown> => {
    try {
      return { value: await parse() };
    } catch (error) {
      return error instanceof ApiError ? error.toBody() : error;
    }
  };
  const expectSame = async (input: Uint8Array): Promise<void> => {
    expect(await outcome(() => parseInSlices(input))).toEqual(await outcome(() => parseJson(input)));
  };

  it('has the result of parseJson for any JSON', () =>
    fc.assert(fc.asyncProperty(fc.json(), (text) => expectSame(bytes(text)))));

  it('has the errors of parseJson for JSON with something replaced', () => {
    const damage = fc.constantFrom(
      '',
      '"',
      '\\',
      '\\u',
      '{',
      ']',
      ',',
      ':',
      '\0',
      '-',
      '1e',
      '12345678901234567',
    );
    const damaged = fc.tuple(fc.json(), fc.nat(), damage).map(([text, at, by]) => {
      const place = at % (text.length + 1);
      return text.slice(0, place) + by + text.slice(place + 1);
    });
    return fc.assert(
      fc.asyncProperty(damaged, (text) => expectSame(bytes(text))),
      { numRuns: 1000 },
    );
  });

  it('has the position of a wrong byte, also where two pieces meet', async () => {
    for (const offset of [-3, -2, -1, 0, 1, 2, 3]) {
      for (const wrong of [
        [0xff],
        [0xc3],
        [0xe2, 0x82],
        [0xf0, 0x9f, 0x98],
        [0x80, 0x80, 0x80, 0x80, 0x80],
      ]) {
        const input = bytes(`"${'x'.repeat(2 ** 18 + 100)}"`);
        input.set(wrong, 2 ** 18 + offset);
        await expectSame(input);
      }
    }
  });

  const megabytes = 8 * 2 ** 20;
  const members = (count: number, name: string) =>
    Array.from({ length: count }, (_, index) => `"${name}${index}":1`).join();

  it.each([
    [
      'long numbers',
      `[${'12345678901234567890123456789012345678901234567890,'.repeat(90_000)}1]`,
      'common.invalid',
    ],
    ['too many numbers', `[${'1,'.repeat(megabytes / 2)}1]`, 'common.invalidJson'],
    ['a number of 12 million digits', `[${'1'.repeat(12_000_000)}]`, 'common.invalidJson'],
    ['a fraction of 12 million digits', `[0.${'1'.repeat(12_000_000)}]`, 'common.invalidJson'],
    ['one member twice', `{${members(40_000, 'k')},"k0":1}`, 'common.invalidJson'],
    ['too many members of one object', `{${members(50_001, 'k')}}`, 'common.invalidJson'],
    ['an escape at the end', `"${'x'.repeat(megabytes)}\\x"`, 'common.invalidJson'],
    ['half a surrogate pair at the end', `"${'x'.repeat(megabytes)}\\ud800"`, 'common.invalid'],
    ['escapes', `"${'\\ud83d\\ude00'.repeat(megabytes / 12)}`, 'common.invalidJson'],
    ['white space', ' '.repeat(megabytes), 'common.invalidJson'],
  ])('refuses %s', async (_name, text, code) => {
    expect(await outcome(() => parseInSlices(bytes(text)))).toMatchObject({ code });
  });

  it('refuses a wrong byte at the end of 8 MB', async () => {
    const input = Buffer.alloc(megabytes, '"x"');
    input[megabytes - 1] = 0xff;
    const params = { position: megabytes - 1, reason: 'not UTF-8' };
    expect(await outcome(() => parseInSlices(input))).toMatchObject({ code: 'common.invalidJson', params });
  });

  it('reads large values', async () => {
    const value = {
      text: 'ä😀"'.repeat(10 ** 6),
      many: Array.from({ length: 20_000 }, (_, index) => ({ index })),
    };
    expect(await parseInSlices(bytes(JSON.stringify(value)))).toEqual(value);
  });

  it('lets others run meanwhile', async () => {
    let turns = 0;
    let isRunning = true;
    const count = async () => {
      for (; isRunning; turns++) await nextTurn();
    };
    const counting = count();
    await parseInSlices(bytes(`[${'"x",'.repeat(90_000)}1]`));
    isRunning = false;
    await counting;
    expect(turns).toBeGreaterThan(3);
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
