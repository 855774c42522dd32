import { describe, expect, test } from 'vitest';
import { SafeString } from '../../../runtime/values/safe.ts';
import { apply, safe } from './shared.ts';

describe('text filters', () => {
  test.each<[filter: string, value: unknown, args: unknown[], expected: unknown]>([
    ['addslashes', `a\\b "c" 'd'`, [], `a\\\\b \\"c\\" \\'d\\'`],
    ['capfirst', 'éa Ab', [], 'Éa Ab'],
    ['capfirst', 'ǆ', [], 'Ǆ'],
    ['capfirst', 'ßa', [], 'SSa'],
    ['capfirst', '', [], ''],
    ['center', 'ab', [5], '  ab '],
    ['center', 'a', [4], ' a  '],
    ['center', '😀', ['3'], ' 😀 '],
    ['cut', 'a-b-c', ['-'], 'abc'],
    ['ljust', 'ab', [4], 'ab  '],
    ['rjust', 'ab', ['4'], '  ab'],
    ['rjust', 'abcdef', [3], 'abcdef'],
    ['lower', 'ÀB ΟΔΟΣ', [], 'àb οδος'],
    ['upper', 'straße é', [], 'STRASSE É'],
    ['upper', null, [], 'NONE'],
    ['make_list', 'a😀', [], ['a', '😀']],
    ['make_list', 1234, [], ['1', '2', '3', '4']],
    ['phone2numeric', '0800-COLLECT', [], '0800-2655328'],
    [
      'slugify',
      ' Jack & Jill like numbers 1,2,3 and 4 and silly characters ?%.$!/',
      [],
      'jack-jill-like-numbers-123-and-4-and-silly-characters',
    ],
    ['slugify', 'Übergröße_-_', [], 'ubergroe'],
    ['slugify', '--a--b__', [], 'a-b'],
    ['title', "joe's CRAB shack", [], "Joe's Crab Shack"],
    ['title', '555 WEST 53rd STREET', [], '555 West 53rd Street'],
    ['title', 'ßtraße ΑΣ', [], 'Sstraße Ας'],
    ['title', 'ǆ ᾳδω', [], 'ǅ ᾼδω'],
    ['truncatechars', 'abcdef', [4], 'abc…'],
    ['truncatechars', 'abcdef', [6], 'abcdef'],
    ['truncatechars', '😀😀😀😀', [3], '😀😀…'],
    ['truncatechars', 'abcdef', [1], '…'],
    ['truncatechars', 'abcdef', [0], ''],
    ['truncatechars', 'abcdef', ['x'], 'abcdef'],
    ['truncatechars', 'x\u0338y\u0338z\u0338w', [3], 'x\u0338y\u0338…'],
    ['truncatewords', ' one  two\nthree ', [2], 'one two …'],
    ['truncatewords', ' one  two\nthree ', [3], 'one two three'],
    ['truncatewords', 'one two', [-1], ''],
    ['wordcount', ' a  b\u00a0c\n', [], 3],
    ['wordwrap', 'a long line', [6], 'a long\nline'],
    ['wordwrap', 'unbreakable word', [3], 'unbreakable\nword'],
    ['wordwrap', 'a\tb', [20], 'a       b'],
    ['wordwrap', '😀😀😀 a 😀\tb', [5], '😀😀😀 a\n😀 b'],
    ['wordwrap', '😀\tb', [9], '😀       b'],
  ])('%s of %j with %j', (filter, value, args, expected) => {
    expect(apply(filter, value, args)).toEqual(expected);
  });

  test.each(['addslashes', 'capfirst', 'lower', 'slugify', 'title', 'phone2numeric'])(
    '%s keeps safe text safe',
    (filter) => {
      expect(apply(filter, safe('<b>'))).toBeInstanceOf(SafeString);
      expect(typeof apply(filter, '<b>')).toBe('string');
    },
  );

  test('upper and cut of semicolons may break entities, so their results are not safe', () => {
    expect(apply('upper', safe('&amp;'))).toBe('&AMP;');
    expect(apply('cut', safe('&amp;'), [';'])).toBe('&amp');
    expect(apply('cut', safe('a&amp;'), ['a'])).toEqual(safe('&mp;'));
  });

  test.each<[filter: string, args: unknown[], message: RegExp]>([
    ['ljust', ['999999999'], /999999999 characters/],
    ['rjust', [999999999], /999999999 characters/],
    ['center', [1e12], /1000000000000 characters/],
    ['ljust', ['wide'], /ljust needs a whole number, not "wide"/],
    ['wordwrap', [0], /width above 0/],
    ['wordwrap', ['x'], /wordwrap needs a whole number/],
  ])('%s with %j is refused', (filter, args, message) => {
    expect(() => apply(filter, 'a', args)).toThrow(message);
  });

  test('a text of more than a million characters is refused as a list', () => {
    expect(() => apply('make_list', 'a'.repeat(1_000_001))).toThrow(/1000001 entries/);
  });
});
