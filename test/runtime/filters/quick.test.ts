/** Quick ways must print what the exact ways print. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { filters } from '../../../runtime/filters/index.ts';
import { toJson } from '../../../runtime/filters/shared/json.ts';
import { normalized } from '../../../runtime/filters/shared/normalize.ts';
import { escapeHtml, escape as escapeValue } from '../../../runtime/values/escape.ts';
import { SafeString } from '../../../runtime/values/safe.ts';
import { toText } from '../../../runtime/values/text.ts';

const quickFilters = [...filters.values()].filter(({ quick }) => quick !== undefined);

const env = (lang: string, autoescape: boolean) => ({
  autoescape,
  lang,
  timeZone: 'Europe/Berlin',
  now: () => new Date(0),
});

const letters = fc.string({
  unit: fc.constantFrom(
    'a',
    'B',
    ' ',
    '-',
    '<',
    '&',
    "'",
    '\n',
    '\r',
    'é',
    'ß',
    'e\u0301',
    '\u00a0',
    '👍',
    'Σ',
    '\ud83d',
    '>',
    ';',
    '!',
    'A',
    '1',
    '\t',
    '.',
  ),
  maxLength: 60,
});
const number = fc.oneof(
  fc.integer({ min: -2000, max: 2000 }),
  fc.double(),
  // Decimal fractions near and at ties.
  fc
    .tuple(fc.integer({ min: -99_999_999, max: 99_999_999 }), fc.integer({ min: 0, max: 7 }))
    .map(([digits, places]) => Number(`${digits}e-${places}`)),
  fc.constantFrom(2.675, 1.005, 0.5, 1.5, -0.5, -0.004, -0, 1e21, 123456789.125, 0.045, 1_767_225_600),
);
/** Texts that are numbers, nearly so, or have many digits. */
const numeral = fc.oneof(
  number.map(String),
  fc
    .tuple(fc.integer(), fc.constantFrom('', '.', '.5', '.25', '.0', '.995', '.0000005', 'e3', ' '))
    .map(([whole, rest]) => `${whole}${rest}`),
);
const value = fc.oneof(
  letters,
  numeral,
  fc.maxSafeInteger(),
  number,
  fc.boolean(),
  fc.constant(null),
  fc.constant(''),
  fc.date({ noInvalidDate: false }),
  letters.map((text) => new SafeString(text)),
  fc.array(fc.oneof(letters, number), { maxLength: 4 }),
);
const argument = fc.oneof(
  fc.integer({ min: -8, max: 12 }),
  fc
    .constantFrom(
      '2',
      '-2',
      ':8',
      '2:5',
      '-3:',
      ':-2',
      '::2',
      '::-1',
      '7:2',
      ':0',
      'a,b',
      '<a>,b&,c',
      '%!',
      '/!é',
      '2g',
      '-1g',
      '0g',
      '.2f',
      '05d',
      '-8.1f kg',
      '+d%%',
      's',
      '.3s',
      '#x',
      '10r',
      'e',
      '.4g',
      'c',
      '%',
      '200d',
      '0u',
      ', ',
      '<',
      '',
      'y,ies',
      'a,b,c',
      '/',
      'Y-m-d',
      'j F Y',
      "D 'H:i' u e",
    )
    .map((text) => new SafeString(text)),
);

describe('what a filter prints quickly', () => {
  test.each(quickFilters.map((filter) => [filter.name, filter] as const))('%s', (_name, filter) => {
    let compared = 0;
    fc.assert(
      fc.property(
        value,
        fc.array(argument, { minLength: filter.args[0], maxLength: filter.args[1] }),
        fc.constantFrom('en', 'de', 'fr'),
        fc.boolean(),
        (input, args, lang, escaping) => {
          const given = env(lang, escaping);
          const quick = filter.quick?.(args, escaping)?.(input, given);
          if (quick === undefined) return;
          compared += 1;
          const exact = filter.apply(input, given, ...args);
          expect(quick).toBe(escaping ? escapeValue(exact) : toText(exact));
          if (filter.quickText) expect(typeof exact).toBe('string');
        },
      ),
      { numRuns: 2_000 },
    );
    expect(compared).toBeGreaterThan(20);
  });
});

test('escaping a short or long text gives what replacing gives', () => {
  const names: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#x27;',
  };
  const text = fc.string({
    unit: fc.constantFrom('a', 'b', 'é', 'ж', ...Object.keys(names)),
    maxLength: 200,
  });
  fc.assert(
    fc.property(text, (given) => {
      expect(escapeHtml(given)).toBe(given.replace(/[&<>"']/g, (char) => names[char] ?? char));
    }),
  );
});

test('plain data as JSON is what the exact writer makes of it', () => {
  const style = { comma: ',', colon: ':', ascii: false };
  fc.assert(
    fc.property(fc.jsonValue(), letters, (data, text) => {
      // A date leaves the way for plain data.
      const date = new Date(0);
      const exact = toJson([date, data, `${text}\u2028<`], style);
      const plain = toJson([0, data, `${text}\u2028<`], style);
      expect(plain.slice(2)).toBe(exact.slice('"1970-01-01T00:00:00Z"'.length + 1));
    }),
  );
});

test('a text that normalisation may skip stays as it is', () => {
  fc.assert(
    fc.property(letters, fc.constantFrom('NFC', 'NFKD'), (text, form) => {
      expect(normalized(text, form)).toBe(text.normalize(form));
    }),
  );
});
