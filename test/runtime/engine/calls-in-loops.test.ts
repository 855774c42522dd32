import { expect, test } from 'vitest';
import { Engine } from '../../../runtime/engine.ts';

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
    load: (name) => (name === 'part' ? '{{ lasting("part").text }}' : undefined),
    timeZone: 'UTC',
    functions: new Map([
      ['lasting', functionOf('lasting', true)],
      ['other', functionOf('other', false)],
    ]),
  });
  const output = await engine.renderSource(template, 'page', { three: [1, 2, 3], none: [] });
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
