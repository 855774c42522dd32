/** Quick ways for plain texts must give what the rules give, which stand here in their simplest form. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitLinesWithEnds } from '../../../runtime/filters/shared/lines.ts';
import { quote } from '../../../runtime/filters/shared/quote.ts';
import { toFixedHalfEven } from '../../../runtime/filters/shared/rounding.ts';
import { stripAllTags, stripTags } from '../../../runtime/filters/shared/strip-tags.ts';
import { titleCase, titleOfAny } from '../../../runtime/filters/shared/title.ts';
import { characterCount, isSpace, sliceCharacters } from '../../../runtime/filters/shared/values.ts';
import { wrapText } from '../../../runtime/filters/shared/wrap.ts';
import { apply } from './shared.ts';

const runs = { numRuns: 3_000 };

const textOf = (...units: readonly string[]) => fc.string({ unit: fc.constantFrom(...units), maxLength: 40 });

const markup = textOf(
  ...['<p>', '</p>', '<br/>', '<a href="x">', "<b c='d' e>", '<i a=b>', '<a b="c>d">', '<a b="c"d=\'e\'>'],
  ...['<!-- c -->', '<script>', '</script>', '<STYLE a="b">', '</style>', '<?x?>', '<!x>', '</ x>'],
  ...['&amp;', '&amp', '&#65', '&', '<', '>', '"', "'", '=', 'a', 'é', ' ', '\n', '🎞', '\ud83d'],
);

test('striptags', () => {
  fc.assert(
    fc.property(markup, (html) => {
      expect(stripTags(html)).toBe(stripAllTags(html));
    }),
    runs,
  );
});

test('title', () => {
  const words = textOf(
    ..."abzAZ019''  -_.<\"éÉßÿµªºŉıİžǆǅΣςσЖжъ",
    'ﬁ',
    '\u0301',
    '\u200d',
    '٣',
    '🎞',
    '𐐨',
    '\ud801',
    'ʼ',
    'ա',
    'և',
    '\r\n',
  );
  fc.assert(
    fc.property(words, textOf(..."ab'AB1 -"), (text, ascii) => {
      expect(titleCase(text)).toBe(exactTitle(text));
      expect(titleCase(ascii)).toBe(exactTitle(ascii));
      expect(titleOfAny(ascii)).toBe(exactTitle(ascii));
    }),
    runs,
  );
});

function exactTitle(text: string): string {
  return text
    .replace(/\p{Cased}+/gu, (run) => {
      const [first = ''] = run;
      return exactTitleOf(first) + run.toLowerCase().slice(first.toLowerCase().length);
    })
    .replace(/[a-z]'[A-Z]/g, (match) => match.toLowerCase())
    .replace(/\p{Nd}[A-Z]/gu, (match) => match.toLowerCase());
}

const ownTitles = Array.from('ǅǈǋǲ');

function exactTitleOf(char: string): string {
  const own = ownTitles.find((title) => title.toLowerCase() === char.toLowerCase());
  return own ?? char.toUpperCase().replace(/(?<=\p{Lu}).+$/su, (rest) => rest.toLowerCase());
}

test('urlencode', () => {
  const text = textOf(...'aZ09 _.-~!\'()*&=/%2F"<', 'é', 'ж', '€', '🎞', '\ud83d', '\udf9e', '\0', '\u007f');
  fc.assert(
    fc.property(text, fc.constantFrom('', '/', '!', '/é', '%'), (given, safe) => {
      const expected = Array.from(given.toWellFormed(), (char) =>
        /^[A-Za-z0-9_.~-]$/.test(char) || safe.includes(char) ? char : bytesOf(char),
      );
      expect(quote(given, safe)).toBe(expected.join(''));
    }),
    runs,
  );
});

function bytesOf(char: string): string {
  return Buffer.from(char).toString('hex').toUpperCase().replace(/../g, '%$&');
}

test('linebreaks', () => {
  const text = textOf('a', 'é', '\n', '\n', '\r', '\r\n', '<', '&', '$&', ' ');
  fc.assert(
    fc.property(text, fc.boolean(), (given, autoescape) => {
      const html = autoescape ? String(apply('force_escape', given)) : given;
      const paragraphs = html.replace(/\r\n?/g, '\n').split(/\n{2,}/);
      const expected = paragraphs.map((part) => `<p>${part.split('\n').join('<br>')}</p>`).join('\n\n');
      expect(String(apply('linebreaks', given, [], { autoescape }))).toBe(expected);
    }),
    runs,
  );
});

test('slugify', () => {
  const text = textOf(...'aZ09 -_.<é\u00a0ß', '\t', '\v', 'Å', 'K', 'ﬁ', '½', 'e\u0301', 'ж', '🎞', '\ud83d');
  fc.assert(
    fc.property(text, (given) => {
      const ascii = given
        .normalize('NFKD')
        .replace(/[^\0-\x7f]/g, '')
        .toLowerCase();
      const words = ascii.replace(/[^a-z0-9_\s-]/g, '').replace(/[-\s]+/g, '-');
      expect(apply('slugify', given)).toBe(words.replace(/^[-_]+/, '').replace(/[-_]+$/, ''));
    }),
    runs,
  );
});

test('parts of a text by characters', () => {
  const text = textOf('a', 'é', '\u0301', '🎞', '\ud83d', '\udf9e');
  const position = fc.integer({ min: 0, max: 50 });
  fc.assert(
    fc.property(text, position, position, (given, start, end) => {
      expect(sliceCharacters(given, start, end)).toBe(Array.from(given).slice(start, end).join(''));
    }),
    runs,
  );
});

test('wordwrap', () => {
  const text = textOf(
    ...['a', 'bcd', 'é', '🎞', '\ud83d', ' ', ' ', '  ', '\t', '\n', '\r', '\r\n', '\v', '\f'],
    ...['\u00a0', '\u2003', '\u0085', '\u2028', '\x1c', '\x1f'],
  );
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 20 }), (given, width) => {
      expect(wrapText(given, width)).toBe(exactWrap(given, width));
    }),
    runs,
  );
});

/** As in Python's textwrap: words and the white space between them are put into lines one by one. */
function exactWrap(text: string, width: number): string {
  const lines = linesOf(text).flatMap((line) => {
    const wrapped = wrapLine(tabbed(line), width);
    return wrapped.length === 0 ? [line] : wrapped;
  });
  return [...lines, ...(text.endsWith('\n') ? [''] : [])].join('\n');
}

/** The other splitting function has the same line breaks, and finds them by itself. */
function linesOf(text: string): readonly string[] {
  return splitLinesWithEnds(text).map((line) => line.replace(lineEnd, ''));
}

const lineEnd = new RegExp(`(?:\r\n|[\n-\r${String.fromCharCode(0x1c)}-\u001e\u0085\u2028\u2029])$`);

function tabbed(line: string): string {
  let out = '';
  let column = 0;
  for (const char of line) {
    const added = char === '\t' ? ' '.repeat(8 - (column % 8)) : char;
    out += added;
    column += characterCount(added);
  }
  return out;
}

function wrapLine(line: string, width: number): readonly string[] {
  const chunks = line.split(/([\t\n\v\f\r ]+)/).filter((chunk) => chunk !== '');
  const isBlank = (chunk = '') => Array.from(chunk).every((char) => isSpace(char.charCodeAt(0)));
  const lines: string[] = [];
  while (chunks.length > 0) {
    if (lines.length > 0 && isBlank(chunks[0])) chunks.shift();
    const own: string[] = [];
    while (chunks[0] !== undefined && characterCount(own.join('') + chunks[0]) <= width)
      own.push(...chunks.splice(0, 1));
    if (own.length === 0) own.push(...chunks.splice(0, 1));
    if (own.length > 0 && isBlank(own.at(-1))) own.pop();
    if (own.length > 0) lines.push(own.join(''));
  }
  return lines;
}

test('numbers with digits after the point, rounded half to even', () => {
  const magnitude = fc.oneof(
    fc.double({ min: 0, max: 1e20, noNaN: true }),
    fc.tuple(fc.nat(), fc.nat(7)).map(([digits, places]) => digits / 10 ** places),
    fc.tuple(fc.nat(4_000_000), fc.nat(12)).map(([digits, halves]) => digits / 2 ** halves),
  );
  fc.assert(
    fc.property(magnitude, fc.nat(8), (given, places) => {
      expect(toFixedHalfEven(given, places)).toBe(exactFixed(given, places));
    }),
    runs,
  );
});

/** A double below 1e20 has no more than 75 zeros after an exact half. */
function exactFixed(magnitude: number, places: number): string {
  const exact = magnitude.toFixed(places + 75);
  const isTie = /[02468][.]?50{74}$/.test(exact.slice(-77));
  return isTie ? exact.slice(0, -75).replace(/\.$/, '') : magnitude.toFixed(places);
}
