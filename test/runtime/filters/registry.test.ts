import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FilterError } from '../../../runtime/filters/filter.ts';
import { filters } from '../../../runtime/filters/index.ts';
import { SafeString } from '../../../runtime/values/safe.ts';
import { apply } from './shared.ts';

const djangoFilters =
  `add addslashes capfirst center cut date default default_if_none dictsort dictsortreversed divisibleby escape
  escapejs escapeseq filesizeformat first floatformat force_escape get_digit iriencode join json_script last length
  linebreaks linebreaksbr linenumbers ljust lower make_list phone2numeric pluralize pprint random rjust safe safeseq
  slice slugify stringformat striptags time timesince timeuntil title truncatechars truncatechars_html truncatewords
  truncatewords_html unordered_list upper urlencode urlize urlizetrunc wordcount wordwrap yesno`.split(/\s+/);

const extraFilters = [
  'clean_url',
  'json',
  'split',
  'integer',
  'float',
  'where',
  'sum',
  'markdown',
  'thumbnail',
];

describe('the table of filters', () => {
  test('has the filters of Django and our own, each under its name', () => {
    expect([...filters.keys()].sort()).toEqual([...djangoFilters, ...extraFilters].sort());
    for (const [name, filter] of filters) expect(filter.name).toBe(name);
  });

  test.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])('%s is unknown', (name) => {
    expect(filters.get(name)).toBeUndefined();
  });
});

describe('any filter with any data', () => {
  const scalar = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string().map((text) => new SafeString(text)),
    fc.constantFrom('', null, true, false, '2024-05-01', '<a href="x">b</a> & c', '1e5', '\ud800'),
    fc.double(),
    fc.integer({ min: -50, max: 50 }),
    fc.date(),
  );
  const value = fc.oneof(
    scalar,
    fc.array(fc.oneof(scalar, fc.array(scalar)), { maxLength: 6 }),
    fc.dictionary(fc.string(), scalar, { maxKeys: 4 }),
  );
  const names = [...filters.keys()];

  test('a filter returns a value or throws a FilterError', () => {
    const call = fc.record({
      name: fc.constantFrom(...names),
      value,
      first: value,
      second: value,
      autoescape: fc.boolean(),
    });
    fc.assert(
      fc.property(call, ({ name, value: input, first, second, autoescape }) => {
        const [, most] = filters.get(name)?.args ?? [0, 0];
        try {
          expect(apply(name, input, [first, second].slice(0, most), { autoescape })).not.toBeUndefined();
        } catch (error) {
          expect(error).toBeInstanceOf(FilterError);
        }
      }),
      { numRuns: 5000 },
    );
  });

  test('a filter returns the kind of value that it declares', () => {
    const kinds = {
      safe: (result: unknown) => result instanceof SafeString,
      number: isNumber,
      boolean: isBoolean,
    };
    fc.assert(
      fc.property(fc.constantFrom(...names), value, value, (name, input, argument) => {
        const filter = filters.get(name);
        if (filter?.returns === undefined) return;
        try {
          expect(apply(name, input, [argument].slice(0, filter.args[1]))).toSatisfy(kinds[filter.returns]);
        } catch (error) {
          expect(error).toBeInstanceOf(FilterError);
        }
      }),
      { numRuns: 2000 },
    );
  });

  test('unsafe text never becomes safe markup', () => {
    const makesMarkup = ['safe', 'safeseq', 'json_script', 'markdown'];
    const hostile = fc.string({
      unit: fc.constantFrom('<', '>', '"', "'", '&', 'x', ' ', '\n', 'http://a.b/', '@'),
    });
    const candidates = names.filter((name) => !makesMarkup.includes(name));
    fc.assert(
      fc.property(
        fc.constantFrom(...candidates),
        hostile,
        fc.constantFrom('1', '3', '<', ''),
        (name, text, argument) => {
          const filter = filters.get(name);
          let result: unknown;
          try {
            result = apply(name, text, [argument].slice(0, filter?.args[1]));
          } catch (error) {
            expect(error).toBeInstanceOf(FilterError);
            return;
          }
          if (!(result instanceof SafeString)) return;
          expect(result.value.replace(ourMarkup, '')).not.toMatch(/[<>"']/);
        },
      ),
      { numRuns: 5000 },
    );
  });
});

/** The tags that filters add. */
const ourMarkup = /<\/?(?:p|br|li|ul|a)>|<a href="[^"<>]*"(?: rel="nofollow")?>/g;

function isNumber(result: unknown): boolean {
  return typeof result === 'number';
}

function isBoolean(result: unknown): boolean {
  return typeof result === 'boolean';
}

/** Inputs for which a method that reads characters repeatedly would need minutes. */
const hostileValues = [
  '<script',
  '<',
  '<a "',
  '<a b="',
  '<!--',
  '</',
  '&',
  '&nosuch;',
  'http://a.b/)))((( ',
  'a@b.',
  'a.&x;.;',
  '-_',
  ' ',
  "1A'B",
];

describe('a megabyte of hostile text', () => {
  test.each([
    'striptags',
    'urlize',
    'slugify',
    'title',
    'wordwrap',
    'truncatewords_html',
    'truncatechars_html',
    'escapejs',
  ])('%s ends in time', (name) => {
    for (const unit of hostileValues) {
      const text = unit.repeat(Math.ceil(1_000_000 / unit.length));
      for (const input of [text, `${text}>`]) {
        const args = (filters.get(name)?.args[0] ?? 0) > 0 ? ['1000'] : [];
        expect(typeof outcome(name, input, args)).toBe('string');
      }
    }
  });
});

function outcome(name: string, text: string, args: readonly unknown[]): string {
  try {
    return String(apply(name, text, args));
  } catch (error) {
    if (error instanceof FilterError) return error.message;
    throw error;
  }
}
