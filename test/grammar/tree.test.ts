/** The trees of small templates, without spans, which properties.test.ts tests. */
import { describe, expect, test } from 'vitest';
import { parse, parseExpression } from '../../grammar/parse.ts';

/** An expression in the short form of the tables below: operators as lists, names as texts. */
const expressions: readonly (readonly [string, unknown])[] = [
  ['a', 'a'],
  ['"x"', { literal: 'x' }],
  ['1 + 2 * 3', ['+', 1, ['*', 2, 3]]],
  ['1 - 2 - 3', ['-', ['-', 1, 2], 3]],
  ['(1 - 2) * 3', ['*', ['-', 1, 2], 3]],
  ['-1', -1],
  ['- a + b', ['+', ['-', 'a'], 'b']],
  ['a ~ b + c', ['~', 'a', ['+', 'b', 'c']]],
  ['a == b ~ c', ['==', 'a', ['~', 'b', 'c']]],
  ['not a == b', ['not', ['==', 'a', 'b']]],
  ['not a in b', ['not', ['in', 'a', 'b']]],
  ['a not in b', ['not in', 'a', 'b']],
  ['a is not b', ['is not', 'a', 'b']],
  ['a or b and not c', ['or', 'a', ['and', 'b', ['not', 'c']]]],
  ['a if b else c if d else e', ['if', 'b', 'a', ['if', 'd', 'c', 'e']]],
  ['a.b.0["c"][d]', ['[]', ['[]', ['.', ['.', 'a', 'b'], '0'], { literal: 'c' }], 'd']],
  ['1.2.3', ['.', ['.', '1', '2'], '3']],
  ['a|f:b|g', ['|g', ['|f', 'a', 'b']]],
  ['a|f(b, c)', ['|f', 'a', 'b', 'c']],
  ['a + b|f', ['+', 'a', ['|f', 'b']]],
  ['a.b(c, d=e)', ['()', ['.', 'a', 'b'], 'c', { d: 'e' }]],
  ['[a, [1]]', { list: ['a', { list: [1] }] }],
  [
    '{"a": b, c: 1}',
    {
      map: [
        [{ literal: 'a' }, 'b'],
        ['c', 1],
      ],
    },
  ],
  ['true', true],
  ['None', null],
];

describe('expressions', () => {
  test.each(expressions)('%s', (source, tree) => {
    expect(shapeOf(parseExpression(source))).toEqual(tree);
  });
});

describe('templates', () => {
  test('comments and load leave no node, and the texts around them are joined', () => {
    expect(bodyOf('a{# x #}b{% load y %}c{% comment %}{% if %}{% endcomment %}d')).toEqual([
      { type: 'Text', value: 'abcd' },
    ]);
  });

  test('verbatim becomes text', () => {
    expect(bodyOf('{% verbatim %}{{ a }}{% endverbatim %}')).toEqual([{ type: 'Text', value: '{{ a }}' }]);
  });

  test('a for without empty has none', () => {
    expect(bodyOf('{% for a, b in c reversed %}x{% endfor %}')).toMatchObject([
      { type: 'For', targets: ['a', 'b'], reversed: true, body: [{ type: 'Text', value: 'x' }] },
    ]);
    expect(bodyOf('{% for a in c %}{% endfor %}')[0]).not.toHaveProperty('empty');
  });

  test('the default slot of a component has everything outside fills', () => {
    expect(bodyOf('{% component "c" %}a{% fill x %}b{% endfill %}c{% endcomponent %}')).toMatchObject([
      {
        type: 'Component',
        template: { kind: 'literal', name: 'c' },
        fills: [
          { name: 'x', body: [{ value: 'b' }] },
          { name: 'default', body: [{ value: 'a' }, { value: 'c' }] },
        ],
      },
    ]);
  });

  test('a bare word may be a variable only if it is a valid name', () => {
    const [variable, word] = bodyOf('{% include a.b %}{% include a-b %}');
    expect(variable).toMatchObject({
      template: { kind: 'word', name: 'a.b', lookup: { type: 'Member', key: 'b' } },
    });
    expect(word).toMatchObject({ template: { kind: 'word', name: 'a-b' } });
    expect(word).not.toHaveProperty('template.lookup');
  });

  test('names relative to the folder of the template are completed', () => {
    const [here, above] = parse('{% include "./p" %}{% include "../q" %}', 'a/b/c').body;
    expect(here).toMatchObject({ template: { name: 'a/b/p' } });
    expect(above).toMatchObject({ template: { name: 'a/q' } });
  });
});

function bodyOf(source: string): readonly object[] {
  return parse(source, 'page').body.map(({ start: _start, end: _end, ...node }) => node);
}

type Expression = ReturnType<typeof parseExpression>;

function shapeOf(expression: Expression): unknown {
  switch (expression.type) {
    case 'Literal':
      return typeof expression.value === 'string' ? { literal: expression.value } : expression.value;
    case 'Name':
      return expression.name;
    case 'List':
      return { list: expression.items.map(shapeOf) };
    case 'Map':
      return { map: expression.entries.map(({ key, value }) => [shapeOf(key), shapeOf(value)]) };
    case 'Member':
      return ['.', shapeOf(expression.object), expression.key];
    case 'Index':
      return ['[]', shapeOf(expression.object), shapeOf(expression.index)];
    case 'Call':
      return [
        '()',
        shapeOf(expression.callee),
        ...expression.args.map(shapeOf),
        ...expression.named.map(({ name, value }) => ({ [name]: shapeOf(value) })),
      ];
    case 'Filter':
      return [`|${expression.name}`, shapeOf(expression.input), ...expression.args.map(shapeOf)];
    case 'Unary':
      return [expression.operator, shapeOf(expression.operand)];
    case 'Binary':
    case 'Logical':
      return [expression.operator, shapeOf(expression.left), shapeOf(expression.right)];
    case 'Conditional':
      return ['if', shapeOf(expression.test), shapeOf(expression.then), shapeOf(expression.otherwise)];
    case 'Captured':
      return 'captured';
  }
}
