// biome-ignore-all lint/suspicious/noTemplateCurlyInString: texts like placeholders are attacks.
/** Random templates: valid ones of nested pieces, and ones that are broken at a random place. */
import fc from 'fast-check';

/** The same templates in every run; `SEED=n` in the environment draws others. */
fc.configureGlobal({ seed: Number(process.env['SEED'] ?? 1) });

const name = fc.constantFrom(
  'a',
  'b',
  'item',
  'forloop',
  'slots',
  'größe',
  '__proto__',
  'constructor',
  'o',
  'r',
  'if2',
);

const text = fc.oneof(
  fc.constantFrom(
    '',
    'x',
    '<b>',
    '\n',
    '`${a}`',
    '\u2028',
    '");//',
    '\\',
    '*/',
    '\u0001',
    '{ ',
    '}}',
    '%}',
    '#}',
  ),
  fc.string({ unit: 'binary', maxLength: 8 }).map((value) => value.replaceAll('{', '')),
);

/** A string literal on one line. */
const quoted = fc
  .oneof(
    fc.constantFrom('a', 'it', '`${x}`', '\u2028', '*/', '");//', '}}', '%}'),
    fc.string({ maxLength: 6 }),
  )
  .map((value) => `"${value.replaceAll('\\', '').replaceAll('"', '\\"').replaceAll('\n', '')}"`);

const { expression } = fc.letrec<{ expression: string }>((tie) => {
  const inner = tie('expression');
  const binary = fc.constantFrom(
    '+',
    '-',
    '*',
    '%',
    '~',
    '==',
    '!=',
    '<',
    '>=',
    'in',
    'not in',
    'is',
    'is not',
    'and',
    'or',
  );
  return {
    expression: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.oneof(
        name,
        quoted,
        fc.integer({ min: -5, max: 99 }).map(String),
        fc.constantFrom('1.5', 'true', 'none', '[]', '{}'),
      ),
      fc.tuple(inner, binary, inner).map(([left, operator, right]) => `(${left} ${operator} ${right})`),
      fc
        .tuple(inner, inner, inner)
        .map(([then, test, otherwise]) => `(${then} if ${test} else ${otherwise})`),
      fc.tuple(name, name).map(([object, key]) => `${object}.${key}`),
      fc.tuple(name, inner).map(([object, index]) => `${object}[${index}]`),
      fc.tuple(inner, inner).map(([first, second]) => `[${first}, ${second}]`),
      fc.tuple(quoted, inner).map(([key, value]) => `{${key}: ${value}}`),
      inner.map((operand) => `(not ${operand})`),
      fc
        .tuple(
          inner,
          fc.constantFrom('upper', 'length', 'safe', 'escape', 'first', 'join:", "', 'default("d")'),
        )
        .map(([input, filter]) => `(${input})|${filter}`),
    ),
  };
});

/** Stands for a number that makes a block name unique; it is replaced when the pieces are joined. */
const unique = '\u0000';

const { body } = fc.letrec<{ body: string; piece: string }>((tie) => {
  const inner = tie('body');
  const piece = fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    text,
    expression.map((value) => `{{ ${value} }}`),
    fc.tuple(name, expression).map(([target, value]) => `{% set ${target} = ${value} %}`),
    fc
      .tuple(expression, inner, expression, inner, inner)
      .map(
        ([test, a, other, b, c]) => `{% if ${test} %}${a}{% elif ${other} %}${b}{% else %}${c}{% endif %}`,
      ),
    fc
      .tuple(name, expression, inner, inner)
      .map(([target, list, a, b]) => `{% for ${target} in ${list} %}${a}{% empty %}${b}{% endfor %}`),
    fc
      .tuple(name, expression, inner)
      .map(([target, value, a]) => `{% with ${target}=${value} %}${a}{% endwith %}`),
    inner.map((a) => `{% block b${unique} %}${a}{% endblock %}`),
    fc
      .tuple(fc.constantFrom('part', 'layout', 'missing', '["part"]'), name, expression)
      .map(([template, target, value]) => `{% include ${template} with ${target}=${value} %}`),
    fc
      .tuple(inner, inner)
      .map(([a, b]) => `{% component card v=1 %}${a}{% fill side %}${b}{% endfill %}{% endcomponent %}`),
    inner.map((a) => `{% slot side %}${a}{% endslot %}`),
    fc
      .tuple(fc.boolean(), inner)
      .map(([on, a]) => `{% autoescape ${on ? 'on' : 'off'} %}${a}{% endautoescape %}`),
    inner.map((a) => `{% filter upper %}${a}{% endfilter %}`),
    inner.map((a) => `{% spaceless %}${a}{% endspaceless %}`),
    inner.map((a) => `{% macro m${unique}(v, w="d") %}${a}{% endmacro %}`),
    inner.map((a) => `{% ifchanged %}${a}{% endifchanged %}`),
    fc
      .tuple(expression, expression)
      .map(([a, b]) => `{% firstof (${a}) (${b}) as f %}{% cycle (${a}) (${b}) as c %}`),
    fc.constantFrom(
      '{# note #}',
      '{% comment %}{{ {% endcomment %}',
      '{% verbatim %}{{ a }}{% endverbatim %}',
      '{% now "Y" %}',
    ),
  );
  return {
    piece,
    body: fc.array(tie('piece'), { maxLength: 3, depthIdentifier: 'body' }).map((pieces) => pieces.join('')),
  };
});

/** A valid template. It may use the templates `part`, `layout` and `card`. */
export const validTemplate = fc.tuple(fc.boolean(), body).map(([extending, source]) => {
  let count = 0;
  const numbered = source.replaceAll(unique, () => String(count++));
  return extending ? `{% extends "layout" %}${numbered}` : numbered;
});

/** Outputs of names with lookups and filters, the most frequent form; some have another form or are wrong. */
export const plainOutput = fc
  .array(
    fc.oneof(
      name,
      fc.constantFrom(
        '.',
        '|',
        ':',
        ' ',
        '\t',
        '1',
        '1.5',
        '0',
        '-1',
        '"s"',
        "'}}'",
        'true',
        'not',
        'is',
        '(',
        '[',
      ),
    ),
    { maxLength: 8 },
  )
  .map((tokens) => `{{ a${tokens.join('')} }}{% if a${tokens.join('')}%}{% endif %}`);

/** A valid template with one part removed, doubled or replaced. */
export const brokenTemplate = fc
  .tuple(
    validTemplate,
    fc.nat(),
    fc.nat({ max: 12 }),
    fc.constantFrom(
      '',
      '{{',
      '}}',
      '{%',
      '%}',
      '{#',
      '"',
      "'",
      '|',
      '(',
      ')',
      '[',
      '\n',
      ' ',
      'if',
      'endif',
      '{% else %}',
      '\ud800',
      '\u0000',
    ),
  )
  .map(([source, place, length, put]) => {
    const at = source.length === 0 ? 0 : place % source.length;
    return source.slice(0, at) + put + source.slice(at + length);
  });

const token = fc.constantFrom(
  '{{',
  '}}',
  '{%',
  '%}',
  '{#',
  '#}',
  ' ',
  '\n',
  '"',
  "'",
  '|',
  ':',
  '.',
  ',',
  '(',
  ')',
  '[',
  ']',
  '{',
  '}',
  '=',
  '==',
  '-',
  '~',
  'if',
  'else',
  'endif',
  'for',
  'in',
  'endfor',
  'with',
  'as',
  'endwith',
  'block',
  'endblock',
  'include',
  'component',
  'fill',
  'endcomponent',
  'macro',
  'endmacro',
  'verbatim',
  'endverbatim',
  'comment',
  'endcomment',
  'cycle',
  'set',
  'not',
  'and',
  'is',
  'a',
  'b.c',
  '1',
  '1.5',
  'upper',
  '\\',
  '\ud800',
  '\u0000',
);

/** Tokens of the language in any order. */
export const tokenSoup = fc.array(token, { maxLength: 40 }).map((tokens) => tokens.join(''));

/** Any text at all. */
export const anyText = fc.string({ unit: 'binary', maxLength: 60 });
