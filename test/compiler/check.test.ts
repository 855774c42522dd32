/** Static findings: `inspect` reports every mistake of a template before it is rendered. */
import { describe, expect, test } from 'vitest';
import { Engine, type TemplateFunction } from '../../runtime/engine.ts';

const functions = new Map<string, TemplateFunction>([
  ['children', { call: () => [] }],
  ['nav', { call: () => [] }],
]);
const engine = new Engine({ load: () => undefined, functions });

/** A source with all its findings. */
const cases: readonly (readonly [string, readonly string[]])[] = [
  ['{{ a|uper }}', ['1:6: unknown filter "uper" (did you mean "upper"?)']],
  ['{{ a|dateformat:"Y" }}', ['1:6: unknown filter "dateformat" (did you mean "date"?)']],
  ['{{ a|truncate:9 }}', ['1:6: unknown filter "truncate" (did you mean "truncatechars"?)']],
  ['{{ menu() }}', ['1:4: unknown function "menu" (did you mean "nav"?)']],
  ['{{ entries() }}', ['1:4: unknown function "entries"']],
  [
    '{{ a.items() }}',
    [
      '1:4: only macros and template functions can be called, by their plain name, "items" is read without parentheses',
    ],
  ],
  ['{{ a|qqqqqqq }}', ['1:6: unknown filter "qqqqqqq"']],
  ['{{ a|upper:1 }}', ['1:6: filter "upper" takes no arguments, not 1']],
  ['{{ a|cut }}', ['1:6: filter "cut" takes 1 argument, not 0']],
  ['{{ a|date(1, 2, 3) }}', ['1:6: filter "date" takes 0 to 1 argument, not 3']],
  ['{{ a|markdown:"raw" }}', ['1:15: filter "markdown" takes "safe" as argument, not "raw"']],
  ['{% filter markdown:1 %}{% endfilter %}', ['1:20: filter "markdown" takes "safe" as argument, not 1']],
  ['{{ a|markdown:"safe" }}{{ a|markdown:b }}{{ a|markdown }}', []],
  ['{{ navi() }}', ['1:4: unknown function "navi" (did you mean "nav"?)']],
  ['{{ zzzzzz() }}', ['1:4: unknown function "zzzzzz"']],
  ['{{ a.b() }}', ['1:4: only macros and template functions can be called, by their plain name']],
  ['{% macro m() %}{% endmacro %}{{ m() }}{{ mm() }}', ['1:42: unknown function "mm" (did you mean "m"?)']],
  ['{% import "x" one as two %}{{ two() }}{{ one() }}', ['1:42: unknown function "one"']],
  ['{{ a }}{% extends "b" %}', ['1:8: {% extends %} must be the first tag of the template']],
  ['{% if a %}{% extends "b" %}{% endif %}', ['1:11: {% extends %} cannot stand inside another tag']],
  ['{% extends "a" %}{% extends "b" %}', ['1:18: a second {% extends %}: a template has one layout']],
  [
    '{% block a %}{% endblock %}\n{% block a %}{% endblock %}',
    ['2:1: a second {% block a %}: names of blocks are unique'],
  ],
  [
    '{% macro a() %}{% endmacro %}{% macro a() %}{% endmacro %}',
    ['1:30: a second {% macro a %}: names of macros are unique'],
  ],
  ['{% cycle x %}', ['1:1: no {% cycle ... as x %} in this template']],
  [
    '{% cycle 1 2 as row %}{% cycle roww %}',
    ['1:23: no {% cycle ... as roww %} in this template (did you mean "row"?)'],
  ],
  [
    '{% filter upper|safe %}{% endfilter %}',
    ['1:17: {% filter safe %} is not allowed, use {% autoescape %}'],
  ],
  [
    '{{ a|x1 }}\n{% if b|x2 %}{% with c=d|x3 %}{% for e in f|x4 %}{% endfor %}{% endwith %}{% endif %}',
    [
      '1:6: unknown filter "x1"',
      '2:9: unknown filter "x2"',
      '2:26: unknown filter "x3"',
      '2:45: unknown filter "x4"',
    ],
  ],
  ['{{ a b }}', ['1:6: unexpected "b", expected "}}" or an operator']],
  ['text{% set a = 1 %}{% import "x" m %}{% extends "b" %}', []],
  ['{{ children(1, true)|length }}{{ nav() }}', []],
  ['{% cycle a b as x %}{% cycle x %}', []],
  ['{% include "nowhere" %}', []],
];

describe('templates with very many mistakes', () => {
  test('only the first hundred are reported', () => {
    const { mistakes } = engine.inspect('{{ a|uper }}\n'.repeat(50_000), 'page');
    expect(mistakes).toHaveLength(100);
    expect(mistakes[99]?.message).toBe('page:100:6: unknown filter "uper" (did you mean "upper"?)');
  });

  test.each([
    ['sums', `{{ 1${'+1'.repeat(20_000)} }}`],
    ['tags', `${'{% if 1 %}'.repeat(5_000)}${'{% endif %}'.repeat(5_000)}`],
    ['filters', `{{ x${'|upper'.repeat(20_000)} }}`],
  ])('nesting that is too deep is a finding: %s', (_, source) => {
    const { mistakes, findings, description } = engine.inspect(source, 'page');
    expect(mistakes.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^page:1:1: the template is nested too deeply/),
    ]);
    expect([findings, description]).toEqual([[], undefined]);
  });
});

describe('findings', () => {
  for (const [source, findings] of cases) {
    test(source, () => {
      expect(engine.inspect(source, 'page').mistakes.map(({ message }) => message)).toEqual(
        findings.map((finding) => `page:${finding}`),
      );
    });
  }
});

test('rendering a template with findings fails with the first one', () => {
  expect(() => engine.renderSource('{{ a|x1 }}{{ a|x2 }}', 'page', {})).toThrow(
    /^page:1:6: unknown filter "x1"$/,
  );
});
