import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Engine } from '../../../runtime/engine.ts';

const templates = new Map([
  ['part', '{{ lasting("part").text }}'],
  ['turns', '{% cycle "x" "y" as key silent %}{% cycle "v" "w" as k silent %}'],
  ['plain', '-'],
  ['box', '{% slot %}{% endslot %}'],
  ['turning box', '{% include "turns" %}{% slot %}{% endslot %}'],
]);

const variables = {
  three: [1, 2, 3],
  pairs: [
    [1, 2],
    [3, 4],
  ],
  none: [],
  key: 'k',
  k: 'K',
  j: 'J',
  page: { id: 7, keys: ['k'], part: 'part' },
};

/** Renders a template that can call `lasting` and `other`, and tells how often each was called. */
async function rendered(template: string, isAsync = false) {
  const calls = { lasting: 0, other: 0 };
  const functionOf = (name: 'lasting' | 'other', lasting: boolean) => ({
    lasting,
    async: isAsync,
    call: (_host: unknown, args: readonly unknown[]) => {
      calls[name] += 1;
      const value = { text: `${args.map(String).join('+')};`, list: [1, 2] };
      return isAsync ? Promise.resolve(value) : value;
    },
  });
  const engine = new Engine({
    load: (name) => templates.get(name),
    timeZone: 'UTC',
    functions: new Map([
      ['lasting', functionOf('lasting', true)],
      ['other', functionOf('other', false)],
    ]),
  });
  const output = await engine.renderSource(template, 'page', variables);
  return { output, ...calls };
}

test.each([
  ['in a loop', '{% for i in three %}{{ lasting("a", 1).text }}{% endfor %}', 'a+1;a+1;a+1;', 1],
  ['with named arguments', '{% for i in three %}{{ lasting("a", n=2).text }}{% endfor %}', 'a;a;a;', 1],
  [
    'two calls',
    '{% for i in three %}{{ lasting(1).text }}{{ lasting(2).text }}{% endfor %}',
    '1;2;1;2;1;2;',
    2,
  ],
  [
    'as the list of a loop inside',
    '{% for i in three %}{% for x in lasting("a").list %}{{ x }}{{ lasting("b").text }}{% endfor %}{% endfor %}',
    '1b;2b;1b;2b;1b;2b;',
    2,
  ],
  [
    'in a branch not taken',
    '{% for i in three %}{% if none %}{{ lasting(1).text }}{% endif %}{% endfor %}',
    '',
    0,
  ],
  ['in a loop without rounds', '{% for i in none %}{{ lasting(1).text }}{% empty %}e{% endfor %}', 'e', 0],
  ['with an argument that changes', '{% for i in three %}{{ lasting(i).text }}{% endfor %}', '1;2;3;', 3],
  [
    'with variables from outside of the loop',
    '{% with a="w" %}{% set b = "s" %}{% for i in three %}{{ lasting(a, b, n=key).text }}{% endfor %}{% endwith %}',
    'w+s;w+s;w+s;',
    1,
  ],
  [
    'with fields and entries',
    '{% for i in three %}{{ lasting(page.id, page["keys"][0]).text }}{% endfor %}',
    '7+k;7+k;7+k;',
    1,
  ],
  [
    'with the result of such a call',
    '{% for i in three %}{{ lasting(lasting("a").text).text }}{% endfor %}',
    'a;;a;;a;;',
    2,
  ],
  [
    'written several times',
    '{% for i in three %}{% if lasting("a").text %}{{ lasting("a").text }}{% endif %}{% endfor %}',
    'a;a;a;',
    1,
  ],
  [
    'with the variable of the outer loop',
    '{% for i in three %}{% for j in three %}{{ lasting(i).text }}{% endfor %}{% endfor %}',
    '1;1;1;2;2;2;3;3;3;',
    3,
  ],
  [
    'with a variable that the loop sets',
    '{% set a = 0 %}{% for i in three %}{{ lasting(a).text }}{% set a = i %}{% endfor %}',
    '0;1;2;',
    3,
  ],
  [
    'with a variable that hides one from outside',
    '{% for i in three %}{{ lasting(key).text }}{% with key=i %}{{ lasting(key).text }}{% endwith %}{% endfor %}',
    'k;1;k;2;k;3;',
    6,
  ],
  [
    'with the position in the loop',
    '{% for i in three %}{{ lasting(forloop.counter).text }}{% endfor %}',
    '1;2;3;',
    3,
  ],
  [
    'with a cycle',
    '{% for i in three %}{% cycle "x" "y" as key silent %}{{ lasting(key).text }}{% endfor %}',
    'x;y;x;',
    3,
  ],
  [
    'with a cycle in an included template',
    '{% for i in three %}{{ lasting(key).text }}{% include "turns" %}{% endfor %}',
    'k;x;x;',
    3,
  ],
  [
    'with a cycle below a component',
    '{% for i in three %}{{ lasting(key).text }}{% component "turning box" %}{% endcomponent %}{% endfor %}',
    'k;x;x;',
    3,
  ],
  [
    'beside a template without cycles',
    '{% for i in three %}{{ lasting(key).text }}{% include "plain" %}{% endfor %}',
    'k;-k;-k;-',
    1,
  ],
  [
    'beside a template that the data names',
    '{% for i in three %}{{ lasting(key).text }}{% include page.none|default:"plain" %}{% endfor %}',
    'k;-k;-k;-',
    3,
  ],
  [
    'in the content of a component',
    '{% for i in three %}{% component "box" %}{{ lasting(key).text }}{% endcomponent %}{% endfor %}',
    'k;k;k;',
    1,
  ],
  [
    'beside a block',
    '{% for i in three %}{{ lasting(key).text }}{% block b %}{% endblock %}{% endfor %}',
    'k;k;k;',
    3,
  ],
  ['in an included template', '{% for i in three %}{% include "part" %}{% endfor %}', 'part;part;part;', 3],
  [
    'in a macro',
    '{% macro m() %}{{ lasting(1).text }}{% endmacro %}{% for i in three %}{{ m() }}{% endfor %}',
    '1;1;1;',
    3,
  ],
  [
    'in a block',
    '{% for i in three %}{% block b %}{{ lasting(1).text }}{% endblock %}{% endfor %}',
    '1;1;1;',
    3,
  ],
])('a value that lasts is asked for once: %s', async (_name, template, output, calls) => {
  expect(await rendered(template)).toEqual({ output, lasting: calls, other: 0 });
  expect(await rendered(template, true)).toEqual({ output, lasting: calls, other: 0 });
});

test('other functions are called in every round', async () => {
  const template = '{% for i in three %}{{ other("a").text }}{% endfor %}';
  expect(await rendered(template)).toEqual({ output: 'a;a;a;', lasting: 0, other: 3 });
});

test('an error of a call that is made once names the first place that made it', async () => {
  const engine = new Engine({
    load: () => undefined,
    timeZone: 'UTC',
    functions: new Map([
      [
        'lasting',
        {
          lasting: true,
          call() {
            throw new Error('nothing there');
          },
        },
      ],
    ]),
  });
  const template =
    '{% for i in three %}\n{% if i > 1 %}a {{ lasting(key) }}{% endif %}{{ lasting(key) }}{% endfor %}';
  const render = async () => engine.renderSource(template, 'page', { three: [1, 2], key: 'k' });
  await expect(render()).rejects.toMatchObject({ line: 2, column: 49 });
});

// ----------------------------------------------------------------------------------------- random templates

const argument = fc.constantFrom(
  'k',
  'i',
  'j',
  'page.id',
  'page["keys"][0]',
  'forloop.counter',
  'lasting(k)',
  '"x"',
);

const tag = fc.constantFrom(
  '{% set k = i %}',
  '{% set j = forloop.counter0 %}',
  '{% cycle "p" "q" as k silent %}',
  '{% cycle "r" "s" "t" as j %}',
  '{% firstof i "none" as k %}',
  '{% include "turns" %}',
  '{% include "turns" with k=i %}',
  '{% include "turns" only %}',
  '{% include page.part %}',
  '{% component "turning box" k=i %}{% cycle 1 2 as k %}{% endcomponent %}',
  '{% component "turning box" / %}',
  '{{ m(k) }}',
);

const { body } = fc.letrec<{ body: string; node: string }>((tie) => ({
  body: fc.array(tie('node'), { minLength: 1, maxLength: 4 }).map((nodes) => nodes.join('')),
  node: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    argument.map((value) => `{{ lasting(${value}) }};`),
    tag,
    fc.tuple(fc.constantFrom('i', 'j', 'k', 'i, j'), tie('body')).map(([names, inner]) => {
      return `{% for ${names} in ${names.includes(',') ? 'pairs' : 'three'} %}${inner}{% endfor %}`;
    }),
    fc.tuple(argument, tie('body')).map(([value, inner]) => `{% with k=${value} %}${inner}{% endwith %}`),
    tie('body').map((inner) => `{% if i != 2 %}${inner}{% endif %}`),
    tie('body').map((inner) => `{% component "box" %}${inner}{% endcomponent %}`),
    tie('body').map((inner) => `{% ifchanged %}${inner}{% endifchanged %}`),
  ),
}));

test('calls that are made once give what calls in every round give', () => {
  const page = fc.tuple(body, fc.option(body, { nil: undefined })).map(([outside, inside]) => {
    const macro = '{% macro m(k) %}{{ lasting(k) }}{% include "turns" %}{{ lasting(j) }}{% endmacro %}';
    const block = inside === undefined ? '' : `{% block b %}${inside}{% endblock %}`;
    return `${macro}{% for i in three %}${outside}${block}{% endfor %}{{ k }}{{ j }}`;
  });
  const outcomeOf = (source: string, lasting: boolean) => {
    const functions = new Map([
      ['lasting', { lasting, call: (_host: unknown, [value]: readonly unknown[]) => `<${String(value)}>` }],
    ]);
    const engine = new Engine({ load: (name) => templates.get(name), timeZone: 'UTC', functions });
    try {
      return engine.renderSource(source, 'page', variables);
    } catch (error) {
      return String(error);
    }
  };
  fc.assert(
    fc.property(page, (source) => {
      expect(outcomeOf(source, true)).toBe(outcomeOf(source, false));
    }),
    { numRuns: 50 },
  );
});
