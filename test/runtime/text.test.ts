import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FilterError } from '../../runtime/filters/filter.ts';
import { escapeHtml, escape as escapeValue } from '../../runtime/values/escape.ts';
import { SafeString } from '../../runtime/values/safe.ts';
import { toRepr, toText } from '../../runtime/values/text.ts';

describe('text of a value', () => {
  test.each<[unknown, string]>([
    ['a <b>', 'a <b>'],
    [new SafeString('<b>'), '<b>'],
    ['', ''],
    [null, 'None'],
    [undefined, ''],
    [true, 'True'],
    [false, 'False'],
    [0, '0'],
    [-0, '0'],
    [42, '42'],
    [-1.5, '-1.5'],
    [1e21, '1e+21'],
    [0.0001, '0.0001'],
    [0.00001, '1e-05'],
    [1.5e-7, '1.5e-07'],
    [5e-324, '5e-324'],
    [Number.NaN, 'nan'],
    [Infinity, 'inf'],
    [-Infinity, '-inf'],
    [12345678901234567890n, '12345678901234567890'],
    [[], '[]'],
    [[1, 'a', null, [true]], "[1, 'a', None, [True]]"],
    [{}, '{}'],
    [{ a: 1, 'b c': ['x'] }, "{'a': 1, 'b c': ['x']}"],
    [[new SafeString('<b>')], "['<b>']"],
    [new Date('2024-05-01T10:30:00Z'), '2024-05-01 10:30:00+00:00'],
    [new Date('2024-05-01T10:30:00.120Z'), '2024-05-01 10:30:00.120000+00:00'],
    [
      [new Date('2024-05-01T10:30:00Z')],
      '[datetime.datetime(2024, 5, 1, 10, 30, tzinfo=datetime.timezone.utc)]',
    ],
    [new Date(Number.NaN), ''],
    [() => 'called', ''],
    [Symbol('s'), ''],
  ])('%o prints %s', (value, expected) => {
    expect(toText(value)).toBe(expected);
  });

  test.each<[string, string]>([
    ["it's", `"it's"`],
    ['say "x"', `'say "x"'`],
    [`'both"`, `'\\'both"'`],
    ['a\\b\n\r\t', `'a\\\\b\\n\\r\\t'`],
    ['\u0000\u007f\u00a0\u200b', `'\\x00\\x7f\\xa0\\u200b'`],
    ['é漢😀', `'é漢😀'`],
  ])('in a list, the text %j is written as %s', (text, expected) => {
    expect(toRepr(text)).toBe(expected);
  });

  test('data that contains itself or is too deep is printed with dots', () => {
    const list: unknown[] = [1];
    list.push(list, { list });
    expect(toText(list)).toBe("[1, [...], {'list': [...]}]");
    let deep: unknown = 'end';
    for (let level = 0; level < 5000; level += 1) deep = [deep];
    expect(toText(deep)).toBe(`${'['.repeat(100)}[...]${']'.repeat(100)}`);
  });

  test('a small value with too long an output is refused', () => {
    let wide: unknown = ['x'.repeat(1000)];
    for (let level = 0; level < 40; level += 1) wide = [wide, wide];
    expect(() => toText(wide)).toThrow(FilterError);
  });

  test('inherited properties, functions and symbols are not read', () => {
    const value = Object.create({ inherited: 1 });
    value.own = 2;
    value.toString = () => 'called';
    value[Symbol.toPrimitive] = () => 'called';
    expect(toText(value)).toBe("{'own': 2, 'toString': None}");
    expect(toText(Object.assign(Object.create(null), { a: 1 }))).toBe("{'a': 1}");
  });
});

describe('escaping', () => {
  test('the five characters are replaced as in Django', () => {
    expect(escapeHtml(`<a href="x" title='y'>&amp;</a>`)).toBe(
      '&lt;a href=&quot;x&quot; title=&#x27;y&#x27;&gt;&amp;amp;&lt;/a&gt;',
    );
  });

  test('a text without special characters stays the same', () => {
    expect(escapeHtml('')).toBe('');
    expect(escapeHtml('plain é 😀 \u0000 text')).toBe('plain é 😀 \u0000 text');
  });

  test('safe text stays the same, everything else is escaped', () => {
    expect(escapeValue(new SafeString('<b>'))).toBe('<b>');
    expect(escapeValue(['<b>'])).toBe('[&#x27;&lt;b&gt;&#x27;]');
    expect(escapeValue(null)).toBe('None');
    expect(escapeValue(undefined)).toBe('');
  });

  test('escaped text has no markup, and decoding gives the original', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('<', '>', '&', '"', "'", 'a', '&lt;', '😀') }),
        (text) => {
          const escaped = escapeHtml(text);
          expect(escaped).not.toMatch(/[<>"']/);
          expect(decode(escaped)).toBe(text);
        },
      ),
    );
  });
});

function decode(html: string): string {
  return html
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&amp;', '&');
}
