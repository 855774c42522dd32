// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what looks like a placeholder is an attack.
/** Random templates: changed pieces of real templates, filters and tags with unexpected arguments. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { filters } from '../../runtime/filters/index.ts';
import { anyText, brokenTemplate, tokenSoup, validTemplate } from '../../test/grammar/arbitrary.ts';
import { tagForms } from './tag-forms.ts';

const demo = join(import.meta.dirname, '..', '..', 'server', 'features', 'demo', 'content');

/** Real snippets by name, so that includes in real templates find them. */
export const demoSnippets: ReadonlyMap<string, string> = new Map(
  templatesBelow(join(demo, 'snippets')).map(({ path, source }) => [path.replace(/\.html$/, ''), source]),
);

const demoSources = [
  ...demoSnippets.values(),
  ...templatesBelow(join(demo, 'pages')).map(({ source }) => source),
];

/** Each real template, split into tags, outputs, comments and the text between them. */
const demoPieces = demoSources
  .map((source) => source.split(/(\{%.*?%\}|\{\{.*?\}\}|\{#.*?#\})/s).filter((piece) => piece !== ''))
  .filter((pieces) => pieces.length > 0);

const names = [
  'a',
  'b',
  'item',
  'l',
  'm',
  'page',
  'site',
  'deep',
  'circle',
  'forloop',
  'block',
  'slots',
  'this',
  'state',
  'r',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'größe',
  'missing',
];

const name = fc.constantFrom(...names);

const hostileText = fc.oneof(
  fc.constantFrom(
    '',
    '%',
    '{{ a }}',
    '{% if %}',
    '`${process.exit(1)}`',
    '*/ throw 1 /*',
    '");process.exit(1);//',
    '</script><script>',
    '\u2028\u2029',
    '\u0000\u0008\u001b',
    '\ud800',
    '\u202e',
    '👩‍👩‍👧‍👦',
    'İıßſﬀ',
    '1e999',
    '9'.repeat(400),
    ' '.repeat(300),
    'a'.repeat(3000),
    '(a+)+$',
    '<'.repeat(500),
    '&'.repeat(500),
    'Y-m-d H:i:s \\Y e T U u z',
    '2024-02-30',
    'javascript:alert(1)',
  ),
  fc.string({ unit: 'binary', maxLength: 12 }),
);

/** A literal of the template language that holds the text, as far as literals can. */
const quoted = hostileText.map(
  (value) => `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', ' ')}"`,
);

const value = fc.oneof(
  name,
  quoted,
  fc.constantFrom(
    '0',
    '-1',
    '-0',
    '1e9',
    '1e308',
    '-1e308',
    '9007199254740993',
    '0.1',
    'none',
    'true',
    '[]',
    '{}',
    '[[]]',
    '{"__proto__": 1}',
    '[1, "x", none]',
    'f(a)',
    'data("news")',
    'later(a)',
    'm.items',
    'a.b.c.d',
    'l[0]',
    'l[-1]',
    'm["__proto__"]',
    'a["constructor"]["constructor"]',
    'b[l]',
    '_("x")',
  ),
  fc.integer().map(String),
  fc.double().map((number) => (Number.isFinite(number) ? String(number) : '1e400')),
);

/** A filter, mostly with as many arguments as it takes; sometimes with any number, or an unknown filter. */
const filterCall = fc
  .tuple(
    fc.oneof(
      {
        weight: 30,
        arbitrary: fc.constantFrom(...[...filters].map(([filter, { args }]) => [filter, ...args] as const)),
      },
      { weight: 1, arbitrary: fc.constantFrom(...filters.keys()).map((filter) => [filter, 0, 3] as const) },
      { weight: 1, arbitrary: name.map((filter) => [filter, 0, 3] as const) },
    ),
    fc.nat(),
    fc.boolean(),
    fc.array(value, { minLength: 3, maxLength: 3 }),
  )
  .map(([[filter, least, most], pick, colon, values]) => {
    const args = values.slice(0, least + (pick % (Math.min(most, values.length) - least + 1)));
    if (args.length === 0) return filter;
    return colon && args.length === 1 ? `${filter}:${args[0]}` : `${filter}(${args.join(', ')})`;
  });

const operator = fc.constantFrom(
  '+',
  '-',
  '*',
  '/',
  '//',
  '%',
  '**',
  '~',
  '==',
  '!=',
  '<',
  '>=',
  'in',
  'not in',
  'is',
  'and',
  'or',
);

const operand = fc
  .tuple(value, fc.array(filterCall, { maxLength: 4 }))
  .map(([start, calls]) => [start, ...calls].join('|'));

const expression = fc.oneof(
  { weight: 4, arbitrary: operand },
  fc.tuple(operand, operator, operand).map(([left, sign, right]) => `${left} ${sign} ${right}`),
  fc.tuple(operand, operand, operand).map(([yes, test, no]) => `${yes} if ${test} else ${no}`),
  fc.tuple(operand, operator, operand).map(([left, sign, right]) => `not (${left} ${sign} ${right})`),
);

const { body: tags } = fc.letrec<{ body: string; tag: string; piece: string }>((tie) => ({
  piece: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    expression.map((shown) => `{{ ${shown} }}`),
    hostileText,
    tie('tag'),
  ),
  tag: fc
    .tuple(
      fc.constantFrom(...tagForms),
      fc.array(expression, { minLength: 3, maxLength: 3 }),
      fc.array(name, { minLength: 2, maxLength: 2 }),
      tie('body'),
    )
    .map(([[open, end], shown, words, inner]) => {
      const rest = [...shown];
      const left = [...words];
      const opening = open
        .replace(/(?<= |=)\.(?= |$|\))/g, () => rest.shift() ?? '1')
        .replace(/(?<= |\(|^)-(?= |$|=|\(|,|\))/g, () => left.shift() ?? 'z');
      return end === undefined ? `{% ${opening} %}` : `{% ${opening} %}${inner}{% ${end} %}`;
    }),
  body: fc.array(tie('piece'), { maxLength: 4, depthIdentifier: 'body' }).map((pieces) => pieces.join('')),
}));

type Mutation = readonly [kind: number, place: number, put: string];

const mutation: fc.Arbitrary<Mutation> = fc.tuple(
  fc.nat({ max: 5 }),
  fc.nat(),
  fc.oneof(
    hostileText,
    expression.map((shown) => `{{ ${shown} }}`),
    filterCall.map((call) => `|${call}`),
    tags,
  ),
);

/** A part of a real template with some mutations. */
const mutatedDemo = fc
  .tuple(
    fc.constantFrom(...demoPieces),
    fc.nat(),
    fc.integer({ min: 1, max: 40 }),
    fc.array(mutation, { maxLength: 5 }),
  )
  .map(([pieces, start, length, mutations]) => {
    const first = start % pieces.length;
    let stretch = pieces.slice(first, first + length);
    for (const change of mutations) stretch = mutated(stretch, change);
    return stretch.join('');
  });

/** A template of any of these sorts. */
export const template = fc.oneof(
  { weight: 3, arbitrary: tags },
  { weight: 3, arbitrary: mutatedDemo },
  { weight: 2, arbitrary: expression.map((shown) => `{{ ${shown} }}`) },
  { weight: 1, arbitrary: validTemplate },
  { weight: 1, arbitrary: brokenTemplate },
  { weight: 1, arbitrary: tokenSoup },
  { weight: 1, arbitrary: anyText },
);

/** Removes, doubles or cuts a piece, rotates the pieces, or inserts `put` before a piece or into it. */
function mutated(pieces: readonly string[], [kind, place, put]: Mutation): string[] {
  const at = pieces.length === 0 ? 0 : place % pieces.length;
  const piece = pieces[at] ?? '';
  const cut = piece.length === 0 ? 0 : place % piece.length;
  switch (kind) {
    case 0:
      return pieces.toSpliced(at, 1);
    case 1:
      return pieces.toSpliced(at, 0, piece);
    case 2:
      return [...pieces.slice(at), ...pieces.slice(0, at)];
    case 3:
      return pieces.toSpliced(at, 1, piece.slice(0, cut));
    case 4:
      return pieces.toSpliced(at, 0, put);
    default:
      return pieces.toSpliced(at, 1, piece.slice(0, cut) + put + piece.slice(cut));
  }
}

function templatesBelow(folder: string): { path: string; source: string }[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => statSync(join(folder, path)).isFile())
    .sort()
    .map((path) => ({ path, source: readFileSync(join(folder, path), 'utf8') }));
}
