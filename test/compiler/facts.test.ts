/** The facts that the compiler knows of a template from its own text. */
import { describe, expect, test } from 'vitest';
import { analyse } from '../../compiler/analyse.ts';
import type { Facts } from '../../compiler/facts.ts';
import { parse } from '../../grammar/parse.ts';

type Cases = readonly (readonly [source: string, expected: unknown])[];

const free: Cases = [
  ['{{ a }}{{ b.c }}{{ d[e] }}{{ a }}', ['a', 'b', 'd', 'e']],
  ['{{ "x" }}{{ 1 }}{{ none }}', []],
  ['{{ f(x, y=z)|default:w }}', ['w', 'x', 'z']],
  ['{% for a in l %}{{ a }}{{ forloop.counter }}{% empty %}{{ a }}{% endfor %}', ['a', 'l']],
  ['{% for a in a %}{% endfor %}', ['a']],
  ['{% with a=b b=a %}{{ a }}{{ b }}{% endwith %}', ['a', 'b']],
  ['{% with a=1 %}{{ a }}{% endwith %}{{ a }}', ['a']],
  // Before a name is set it has its outer value, so the outer value is read too.
  ['{% set a = 1 %}{{ a }}', ['a']],
  ['{{ a }}{% set a = 1 %}', ['a']],
  ['{% if x %}{% set a = 1 %}{% endif %}{{ a }}', ['a', 'x']],
  ['{% for i in l %}{% set a = i %}{% endfor %}{{ a }}', ['a', 'l']],
  ['{% with a=1 %}{% set a = 2 %}{% endwith %}', ['a']],
  ['{% macro m(a, b=c) %}{{ a }}{{ d }}{% endmacro %}{{ m(e) }}', ['e']],
  ['{% block b %}{{ a }}{% set c = 1 %}{{ c }}{% endblock %}{{ c }}', ['a', 'c']],
  ['{% include a.b with c=d %}', ['a', 'd']],
  ['{% component "x" p=q %}{{ r }}{% fill s %}{{ t }}{% endfill %}{% endcomponent %}', ['q', 'r', 't']],
  ['{% slot a %}{{ b }}{% endslot %}', ['b', 'slots']],
  [
    '{% firstof a b as c %}{{ c }}{% cycle d e as f %}{{ f }}{% now g as h %}{{ h }}',
    ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'],
  ],
  ['{% regroup a by b.c as d %}{{ d }}', ['a', 'd']],
  ['{% verbatim %}{{ a }}{% endverbatim %}{# {{ b }} #}{% comment %}{{ c }}{% endcomment %}', []],
];

const functions: Cases = [
  ['{{ f(g(1)) }}{% if h() %}{% endif %}{% for x in i() %}{{ f(2) }}{% endfor %}', ['f', 'g', 'h', 'i']],
  ['{% verbatim %}{{ f() }}{% endverbatim %}{% comment %}{{ f() }}{% endcomment %}', []],
  ['{% macro m() %}{{ f() }}{% endmacro %}', ['f']],
];

const blocks: Cases = [
  [
    '{% block a %}{% block b %}{% endblock %}{% endblock %}{% if x %}{% block c %}{% endblock %}{% endif %}',
    ['a', 'b', 'c'],
  ],
  ['{% comment %}{% block a %}{% endblock %}{% endcomment %}', []],
];

const macros: Cases = [
  [
    '{% macro a(x, y="z") %}{% endmacro %}{% if q %}{% macro b() %}{% endmacro %}{% endif %}',
    [
      { name: 'a', params: [{ name: 'x' }, { name: 'y' }] },
      { name: 'b', params: [] },
    ],
  ],
];

const tables: readonly (readonly [keyof Facts, string, Cases])[] = [
  ['free', 'names that are read and not bound', free],
  ['functions', 'functions that are called', functions],
  ['blocks', 'blocks', blocks],
  ['macros', 'macros with their parameters', macros],
];

describe.each(tables)('%s: %s', (fact, _, cases) => {
  for (const [source, expected] of cases) {
    test(source, () => expect(factsOf(source)[fact]).toEqual(expected));
  }
});

describe('dependencies', () => {
  test('are all names of other templates, in document order', () => {
    expect(
      factsOf(
        '{% extends "a" %}{% import "b" m %}{% block x %}{% include "c" %}{% component "d" / %}{% endblock %}',
      ).dependencies.map(({ kind, name }) => [kind, name]),
    ).toEqual([
      ['extends', 'a'],
      ['import', 'b'],
      ['include', 'c'],
      ['component', 'd'],
    ]);
  });

  test('have a name unless it is computed; only a bare name without a slash may be a variable', () => {
    expect(
      factsOf('{% include x|lower %}{% include a %}{% include a/b %}{% include "q" %}').dependencies.map(
        ({ name, word }) => [name, word],
      ),
    ).toEqual([
      [null, false],
      ['a', true],
      ['a/b', false],
      ['q', false],
    ]);
  });

  test('list the names that are bound at their place', () => {
    expect(
      factsOf('{% for i in l %}{% with w=1 %}{% include "p" with g=2 %}{% endwith %}{% endfor %}')
        .dependencies,
    ).toEqual([
      {
        kind: 'include',
        name: 'p',
        word: false,
        offset: 30,
        binds: ['g', 'i', 'w'],
        seesCaller: true,
        always: false,
      },
    ]);
  });

  test('do not see the caller in components and with include only', () => {
    expect(
      factsOf('{% include "a" %}{% include "b" only %}{% component "c" / %}').dependencies.map(
        ({ seesCaller }) => seesCaller,
      ),
    ).toEqual([true, false, false]);
  });
});

function factsOf(source: string): Facts {
  return analyse(parse(source, 'page'));
}
