/** Attacks that could use up memory or time while a template is compiled. */
import type { Attacks } from './attack.ts';

const tooLargeTags =
  'the template is too large: with its partials wherever they are rendered, its tags would have more than 1 MB';

export const compilingAttacks: Attacks = {
  'partials that render each other twice, at forty levels': {
    template: `{% partialdef p0 %}x{% endpartialdef %}${repeat(
      40,
      (index) =>
        `{% partialdef p${index + 1} %}{% partial p${index} %}{% partial p${index} %}{% endpartialdef %}`,
    )}{% partial p40 %}`,
    outcome: `error: page:1:997: ${tooLargeTags}`,
  },
  'a large partial at many places': {
    template: `{% partialdef p %}${'{{ x }}'.repeat(20_000)}{% endpartialdef %}${'{% partial p %}'.repeat(20_000)}`,
    outcome: `error: page:1:140098: ${tooLargeTags}`,
  },
  'a partial of much text at many places': {
    template: `{% partialdef p %}${'x'.repeat(1_000_000)}{% endpartialdef %}${'{% partial p %}'.repeat(50)}`,
    outcome:
      'error: page:1:1000518: the template is too large: with its partials wherever they are rendered, it would have more than 32 MB',
  },
  'tags of more than a megabyte': {
    template: '{{ x }}'.repeat(150_000),
    outcome: `error: page:1:1048573: ${tooLargeTags}`,
  },
  'a megabyte of text is not too large': {
    template: `${'x'.repeat(1_000_000)}{{ n }}`,
    context: { n: 1 },
    outcome: `${'x'.repeat(1_000_000)}1`,
  },
  'very many other templates': {
    template: `${repeat(20_000, (index) => `{% include "s${index % 4_000}" %}`)}end`,
    templates: Object.fromEntries(Array.from({ length: 4_000 }, (_, index) => [`s${index}`, ''])),
    outcome: 'end',
  },
  'a very long name': {
    template: `{% include "${'x'.repeat(500_000)}" %}`,
    outcome: `error: page:1:1: there is no snippet "${'x'.repeat(979)}...`,
  },
  'more templates than one render may link': {
    template: repeat(6_000, (index) => `{% include "s${index}" %}`),
    templates: Object.fromEntries(Array.from({ length: 6_000 }, (_, index) => [`s${index}`, ''])),
    outcome: 'error: page:1:103891: more than 5,000 templates, or sets of variables they are included with',
  },
  'very many missing templates': {
    template: repeat(20_000, (index) => `{% include "s${index}" %}`),
    outcome: 'error: page:1:1: there is no snippet "s0"',
  },
  'very many blocks': {
    template: `${repeat(20_000, (index) => `{% block b${index} %}{% endblock %}`)}end`,
    outcome: 'end',
  },
  'very many macros imported': {
    template: `{% import "part" ${Array.from({ length: 20_000 }, (_, index) => `m${index}`).join(', ')} %}{{ m19999() }}`,
    templates: { part: repeat(20_000, (index) => `{% macro m${index}() %}${index}{% endmacro %}`) },
    outcome: '19999',
  },
  'macros of very many parameters': {
    template: `{% macro m(${Array.from({ length: 30_000 }, (_, index) => `p${index}`).join(', ')}) %}{% endmacro %}${'{{ m() }}'.repeat(30_000)}`,
    outcome: 'error: page:1:1: a macro takes at most 255 parameters',
  },
  'very many variables seen by very many includes': {
    template: `${repeat(20_000, (index) => `{% set a${index} = 1 %}`)}${'{% include "part" %}'.repeat(20_000)}`,
    templates: { part: '' },
    outcome: 'error: page:1:388991: the includes of this template see more than 100,000 variables in all',
  },
  'very many variables around very many scopes': {
    template: `${repeat(10_000, (index) => `{% set a${index} = 1 %}`)}${'{% for i in "a" %}{% endfor %}'.repeat(10_000)}{{ a9999 }}`,
    outcome: '1',
  },
  'a long cycle that goes on at many places': {
    template: `{% cycle ${'1 '.repeat(50_000)}as c %}${'{% cycle c %}'.repeat(50_000)}`,
    outcome: 'error: page:1:100134: the template becomes more than 32 MB of code',
  },
  'layouts that add more and more places to the blocks of each other': {
    template: '{% extends "l20" %}',
    templates: {
      l0: '{% block a %}{% endblock %}{% block b %}{% endblock %}',
      ...Object.fromEntries(
        Array.from({ length: 20 }, (_, index) => [
          `l${index + 1}`,
          `{% extends "l${index}" %}{% block a %}{{ block.super }}{% with n${index}=1 %}{% block b %}x{% endblock %}{% endwith %}{% endblock %}`,
        ]),
      ),
    },
    outcome: 'error: page:1:1: its layouts place the blocks of each other in too many ways',
  },
  'more variables below an include than the compiler distinguishes': {
    template: '{% set a7 = "seen" %}{% include "part" %}',
    templates: { part: repeat(2_000, (index) => `{{ a${index} }}`) },
    outcome: 'seen',
  },
  'snippets that include each other in a circle of thousands': {
    template: '{% set a7 = "seen" %}{% include "s0" %}',
    templates: Object.fromEntries(
      Array.from({ length: 3_000 }, (_, index) => [
        `s${index}`,
        `{{ a${index} }}{% if a${index} == "never" %}{% include "s${(index + 1) % 3_000}" %}{% include "s${(index * 7) % 3_000}" %}{% endif %}{% if ${index} < 7 %}{% include "s${index + 1}" %}{% endif %}`,
      ]),
    ),
    outcome: 'seen',
  },
};

function repeat(count: number, make: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => make(index)).join('');
}
