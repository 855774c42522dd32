/** Properties of the parser for every text. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Node, Span } from '../../grammar/ast.ts';
import { TemplateError } from '../../grammar/errors.ts';
import { parse as parseGrammar } from '../../grammar/generated/parser.js';
import { knownTags } from '../../grammar/items.ts';
import { parse } from '../../grammar/parse.ts';
import { Scanner } from '../../grammar/scanner.ts';
import { anyText, brokenTemplate, plainOutput, tokenSoup, validTemplate } from './arbitrary.ts';

const runs = { numRuns: 2_000 };

describe('any text is a template or a template error', () => {
  const kinds = { 'any text': anyText, 'tokens in any order': tokenSoup, 'broken templates': brokenTemplate };

  test.each(Object.entries(kinds))('%s', (_, kind) => {
    fc.assert(
      fc.property(kind, (source) => {
        const error = errorOf(source);
        if (error !== undefined) expect(isInside(error, source)).toBe(true);
      }),
      runs,
    );
  });
});

test('templates made of valid pieces are valid', () => {
  fc.assert(
    fc.property(validTemplate, (source) => {
      expect(errorOf(source)).toBeUndefined();
    }),
    runs,
  );
});

test('parsing the same text twice gives the same tree', () => {
  fc.assert(
    fc.property(validTemplate, (source) => {
      expect(parse(source, 'a').body).toEqual(parse(source, 'a').body);
    }),
    { numRuns: 200 },
  );
});

describe('the fast paths of the grammar give the same items', () => {
  const kinds = {
    'plain outputs': plainOutput,
    'valid templates': validTemplate,
    'broken templates': brokenTemplate,
  };

  test.each(Object.entries(kinds))('%s', (_, kind) => {
    fc.assert(
      fc.property(kind, (source) => {
        expect(itemsOf(source, true)).toEqual(itemsOf(source, false));
      }),
      runs,
    );
  });

  test('only names with lookups and filters use the fast path', () => {
    const isPlain = (source: string) => new Scanner(source).isPlain(0);
    for (const source of ['a }}', 'a.b.0|upper}}', 'größe \t|cut:"x" %}']) expect(isPlain(source)).toBe(true);
    for (const source of ['a + b }}', 'f(a) }}', 'a[0] }}', '"a" }}']) expect(isPlain(source)).toBe(false);
  });
});

test('nodes begin in document order, inside their parents and inside the text', () => {
  fc.assert(
    fc.property(validTemplate, (source) => {
      expect(isOrdered(parse(source, 'page').body, { start: 0, end: source.length })).toBe(true);
    }),
    runs,
  );
});

test('a text without tags is one node', () => {
  fc.assert(
    fc.property(
      anyText.filter((source) => source !== '' && !/\{[{%#]/.test(source)),
      (source) => {
        expect(parse(source, 'page').body).toEqual([
          { type: 'Text', value: source, start: 0, end: source.length },
        ]);
      },
    ),
    runs,
  );
});

describe('a hostile line of hundreds of thousands of characters takes linear time', () => {
  const many = 200_000;
  const lines: Readonly<Record<string, string>> = {
    'opened outputs': '{{'.repeat(many),
    'opened tags': '{%'.repeat(many),
    'opened comments': '{#'.repeat(many),
    'opened comments and one end': `${'{#'.repeat(many)}#}`,
    'opened outputs and one end': `${'{{ '.repeat(many)}}}`,
    braces: '{'.repeat(many),
    'lines of opened outputs': '{{\n'.repeat(many),
    quotes: `{{ ${'"'.repeat(many)} }}`,
    'opened strings': '{{ "'.repeat(many),
    'backslashes in a string': `{{ "${'\\'.repeat(many)}" }}`,
    'a long name': `{{ ${'a'.repeat(many)} + 1 }}`,
    'a long path': `{{ ${'a.'.repeat(many)}b + 1 }}`,
    'names in a list': `{{ [${'a, '.repeat(many / 4)}a] }}`,
    'filters one after the other': `{{ a${'|b:c'.repeat(many / 4)} + 1 }}`,
    'names with blanks between them': `{% firstof ${'a    '.repeat(many / 4)} %}`,
    blanks: `{{ a${' '.repeat(many)}b }}`,
    'blanks before a closer': `{% for a in b${' '.repeat(many)}%}{% endfor %}`,
    arguments: `{{ f(${'a=1,'.repeat(many / 4)}a=1) }}`,
    'opened arguments': `{{ ${'f(a='.repeat(500)} }}`,
    'opened conditions': `{{ ${'(1 if '.repeat(500)} }}`,
    'opened maps': `{{ ${'{1:'.repeat(500)} }}`,
    'a bare name': `{% include ${'a/'.repeat(many)} %}`,
    'a tag name': `{% ${'i'.repeat(many)}f %}`,
    'verbatims that never end': '{% verbatim %}'.repeat(many / 4),
    'ends of another verbatim': `{% verbatim %}${'{% endverbatim x %}'.repeat(many / 4)}`,
    'comments that never end': '{% comment %}'.repeat(many / 4),
  };

  // A parser of quadratic time would need minutes for these, and the test would time out.
  test.each(Object.entries(lines))('%s', (_, source) => {
    const error = errorOf(source);
    if (error !== undefined) expect(isInside(error, source)).toBe(true);
  });
});

/** The items that the grammar returns, undefined for a wrong text. */
function itemsOf(source: string, quick: boolean): unknown {
  const scanner = new Scanner(source);
  try {
    const options = { scanner, knownTags, name: 'input', quick, peg$silentFails: 1 } as const;
    return parseGrammar(source, { startRule: 'Template', ...options });
  } catch {
    return undefined;
  }
}

function errorOf(source: string): TemplateError | undefined {
  try {
    parse(source, 'page');
    return undefined;
  } catch (error) {
    if (error instanceof TemplateError) return error;
    throw error;
  }
}

/** Whether an error points at a place in the text or at its end. */
function isInside({ line, column }: TemplateError, source: string): boolean {
  const text = source.split('\n')[line - 1];
  return text !== undefined && column >= 1 && column <= text.length + 1;
}

function isOrdered(nodes: readonly Node[], within: Span): boolean {
  let at = within.start;
  for (const node of nodes) {
    if (node.start < at || node.end < node.start || node.end > within.end) return false;
    if ('body' in node && !isOrdered(node.body, { start: node.start, end: within.end })) return false;
    at = node.end;
  }
  return true;
}
