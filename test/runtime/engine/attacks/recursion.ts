/** Attacks with templates that call themselves. */
import type { Attacks } from './attack.ts';

/** The reason at the tag that begins a circle. */
const circle = (chain: string) =>
  `this leads to itself again and again: ${chain} (more than 50 levels of include, component and macro)`;

export const recursionAttacks: Attacks = {
  'a snippet that includes itself': {
    template: '{% include "a" %}',
    templates: { a: '{% include "a" %}' },
    outcome: `error: a:1:1: ${circle('a > a')}`,
  },
  'two snippets that include each other': {
    template: '{% include "a" %}',
    templates: { a: '{% include "b" %}', b: '{% include "a" %}' },
    outcome: `error: a:1:1: ${circle('a > b > a')}`,
  },
  'a snippet that includes itself by a computed name': {
    template: '{% include "a" %}',
    templates: { a: '{% include ["a"] %}' },
    outcome: `error: a:1:1: ${circle('a > a')}`,
  },
  'a component in itself': {
    template: '{% component "a" / %}',
    templates: { a: '{% component "a" / %}' },
    outcome: `error: a:1:1: ${circle('a > a')}`,
  },
  'a component in its own slot': {
    template: '{% component "a" %}x{% endcomponent %}',
    templates: { a: '{% component "a" %}{% slot %}{% endslot %}{% endcomponent %}' },
    outcome: `error: a:1:1: ${circle('a > a')}`,
  },
  'slots in slots of the same component end': {
    template:
      '{% component "a" %}{% component "a" %}{% component "a" %}x{% endcomponent %}{% endcomponent %}{% endcomponent %}',
    templates: { a: '<{% slot %}{% endslot %}>' },
    outcome: '<<<x>>>',
  },
  'a snippet that includes itself inside a block': {
    template: '{% include "a" %}',
    templates: { a: '{% block x %}{% include "a" %}{% endblock %}' },
    outcome: `error: a:1:14: ${circle('a > a')}`,
  },
  'a layout that extends itself': {
    template: '{% extends "a" %}',
    templates: { a: '{% extends "a" %}' },
    outcome: 'error: a:1:1: a layout cannot extend itself: page > a > a',
  },
  'layouts that extend each other': {
    template: '{% extends "a" %}',
    templates: { a: '{% extends "b" %}', b: '{% extends "a" %}' },
    outcome: 'error: b:1:1: a layout cannot extend itself: page > a > b > a',
  },
  'a layout that includes what extends it': {
    template: '{% extends "a" %}',
    templates: { a: '{% block x %}{% endblock %}{% include "b" %}', b: '{% extends "a" %}' },
    outcome: `error: a:1:28: ${circle('a > b > a')}`,
  },
  'a macro that calls itself': {
    template: '{% macro m(n) %}{{ m(n + 1) }}{% endmacro %}{{ m(0) }}',
    outcome: `error: page:1:20: ${circle('page > page')}`,
  },
  'macros that call each other': {
    template: '{% macro a() %}{{ b() }}{% endmacro %}{% macro b() %}{{ a() }}{% endmacro %}{{ a() }}',
    outcome: `error: page:1:57: ${circle('page > page')}`,
  },
  'a macro that calls itself in the default of its parameter': {
    template: '{% macro m(x=m()) %}{{ x }}{% endmacro %}{{ m() }}',
    outcome: `error: page:1:14: ${circle('page > page')}`,
  },
  'macros of two snippets that import each other': {
    template: '{% import "a" m %}{{ m() }}',
    templates: {
      a: '{% import "b" n %}{% macro m() %}{{ n() }}{% endmacro %}',
      b: '{% import "a" m %}{% macro n() %}{{ m() }}{% endmacro %}',
    },
    outcome: `error: a:1:37: ${circle('a > b > a')}`,
  },
};
