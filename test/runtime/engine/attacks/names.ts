/** Attacks with names that could reach a prototype, a method or the program. */
import type { Attacks } from './attack.ts';

class Account {
  readonly title = 'own';
  method(): string {
    return 'method';
  }
}

const onlyCalls = 'only macros and template functions can be called, by their plain name';
const values = {
  text: 'text',
  list: [1, 2],
  map: { k: 'v' },
  number: 5,
  date: new Date(0),
  key: '__proto__',
  account: new Account(),
};

export const nameAttacks: Attacks = {
  'the constructor of a text cannot be called': {
    template: '{{ "".constructor.constructor("return process")() }}',
    outcome: `error: page:1:4: ${onlyCalls}`,
  },
  'constructors of all kinds of values are missing': {
    template:
      '{{ text.constructor }}{{ list.constructor.constructor }}{{ map.constructor }}{{ number.constructor }}' +
      '{{ date.constructor }}{{ account.constructor }}{{ true.constructor }}{{ none.constructor }}',
    context: values,
    outcome: '',
  },
  '__proto__ is missing in every way of writing it': {
    template:
      '{{ map.__proto__ }}{{ list.__proto__.length }}{{ text.__proto__ }}{{ account.__proto__ }}{{ map["__proto__"] }}{{ map[key] }}' +
      '{{ map.__defineGetter__ }}{{ map["__lookupGetter__"] }}',
    context: values,
    outcome: '',
  },
  'names of the object prototype are no variables': {
    template:
      '{{ __proto__ }}{{ constructor }}{{ toString }}{{ hasOwnProperty }}{{ prototype }}{{ valueOf }}{{ isPrototypeOf }}',
    outcome: '',
  },
  'names of the program are no variables': {
    template:
      '{{ process }}{{ globalThis }}{{ require }}{{ global }}{{ this }}{{ module }}{{ arguments }}{{ eval }}{{ Function }}{{ undefined }}{{ console }}',
    outcome: '',
  },
  'names of generated code are no variables': {
    template:
      '{{ r }}{{ c }}{{ B }}{{ L }}{{ o }}{{ t }}{{ rt }}{{ self }}{{ cells }}{{ filters }}{{ functions }}{{ escape }}{{ body }}{{ SafeString }}',
    outcome: '',
  },
  'methods and lengths are missing': {
    template:
      '{{ text.toString }}{{ list.map }}{{ text.replace }}{{ list.length }}{{ text.length }}{{ number.toFixed }}{{ list.push }}{{ date.getTime }}{{ account.toString }}',
    context: values,
    outcome: '',
  },
  'own properties of other objects are data, their methods are not': {
    template: '{{ account.title }}{{ account.method }}',
    context: values,
    outcome: 'own',
  },
  'methods cannot be called': {
    template: '{{ list.push(1) }}',
    context: values,
    outcome: `error: page:1:4: ${onlyCalls}`,
  },
  'methods cannot be called through an index': {
    template: '{{ list["push"](1) }}',
    context: values,
    outcome: `error: page:1:4: ${onlyCalls}`,
  },
  'methods of literals cannot be called': {
    template: 'a{{ "a".repeat(1000000000) }}',
    outcome: `error: page:1:5: ${onlyCalls}`,
  },
  'a result of a call cannot be called': {
    template: '{% macro m() %}{% endmacro %}{{ m()() }}',
    outcome: `error: page:1:33: ${onlyCalls}`,
  },
  'a variable cannot be called': {
    template: '{{ text() }}',
    context: values,
    outcome: 'error: page:1:4: unknown function "text"',
  },
  'there is no attr filter': {
    template: '{{ page|attr:"constructor" }}',
    outcome: 'error: page:1:9: unknown filter "attr"',
  },
  'a filter called constructor is unknown': {
    template: '{{ text|constructor }}',
    outcome: 'error: page:1:9: unknown filter "constructor"',
  },
  'a filter called __proto__ is unknown': {
    template: '{{ text|__proto__ }}',
    outcome: 'error: page:1:9: unknown filter "__proto__"',
  },
  'a filter block called toString is unknown': {
    template: '{% filter toString %}x{% endfilter %}',
    outcome: 'error: page:1:11: unknown filter "toString"',
  },
  'a function called toString is unknown': {
    template: '{{ toString() }}',
    outcome: 'error: page:1:4: unknown function "toString"',
  },
  'a tag called toString is unknown': {
    template: '{% toString %}',
    outcome: 'error: page:1:1: unknown tag "toString"',
  },
  'a tag called __proto__ is unknown': {
    template: '{% __proto__ %}',
    outcome: 'error: page:1:1: unknown tag "__proto__"',
  },
  'a snippet called __proto__ is unknown': {
    template: '{% include "__proto__" %}',
    outcome: 'error: page:1:1: there is no snippet "__proto__"',
  },
  'a snippet called constructor is unknown': {
    template: '{% include constructor %}',
    outcome: 'error: page:1:1: there is no snippet "constructor"',
  },
  'a layout called toString is unknown': {
    template: '{% extends "toString" %}',
    outcome: 'error: page:1:1: there is no snippet "toString"',
  },
  'a component called hasOwnProperty is unknown': {
    template: '{% component hasOwnProperty / %}',
    outcome: 'error: page:1:1: there is no snippet "hasOwnProperty"',
  },
  'blocks may have such names': {
    template: '{% block hasOwnProperty %}a{% endblock %}{% block __proto__ %}b{% endblock %}',
    outcome: 'ab',
  },
  'blocks of such names can be overridden': {
    template: '{% extends "base" %}{% block __proto__ %}page{% endblock %}',
    templates: { base: '{% block constructor %}c{% endblock %}{% block __proto__ %}p{% endblock %}' },
    outcome: 'cpage',
  },
  'macros and parameters may have such names': {
    template:
      '{% macro constructor(__proto__, toString="t") %}[{{ __proto__ }}{{ toString }}]{% endmacro %}' +
      '{% macro __proto__() %}p{% endmacro %}{{ constructor(1) }}{{ constructor(toString=2, __proto__=3) }}{{ __proto__() }}',
    outcome: '[1t][32]p',
  },
  'slots may have such names': {
    template:
      '{% component "box" %}{% fill __proto__ %}A{% endfill %}{% fill constructor %}B{% endfill %}{% endcomponent %}',
    templates: {
      box: '{% slot __proto__ %}none{% endslot %}{% slot constructor %}none{% endslot %}{% slot toString %}none{% endslot %}{{ slots.toString }}',
    },
    outcome: 'ABnoneFalse',
  },
  'slots without content inherit nothing': {
    template: '{% component "box" / %}',
    templates: { box: '{{ slots.__proto__ }}{{ slots.constructor }}{{ slots.fill }}{{ slots.content }}' },
    outcome: 'FalseFalseFalseFalse',
  },
  'the object of slots prints nothing': {
    template: '{% component "box" %}x{% endcomponent %}',
    templates: {
      box: '{% with s=slots %}{{ s.fill }}{{ s.content }}{{ s.constructor }}{% for x in s %}{{ x }}{% endfor %}{% endwith %}',
    },
    outcome: '',
  },
  'keys of maps with such names are data': {
    template:
      '{{ {"__proto__": {"x": 1}}.x }}{{ {"__proto__": 5}["__proto__"] }}{{ {"constructor": 2}.constructor }}{{ {"a": 1}.toString }}',
    outcome: '52',
  },
  'set and with bind such names as data': {
    template:
      '{% set __proto__ = map %}{{ k }}{{ __proto__.k }}{% with constructor=1 %}{{ constructor }}{% endwith %}{{ constructor }}',
    context: values,
    outcome: 'v1',
  },
  'include passes such names as data': {
    template: '{% include "part" with __proto__=map %}',
    templates: { part: '[{{ k }}{{ __proto__.k }}]' },
    context: values,
    outcome: '[v]',
  },
  'an include with such a name changes no prototype': {
    template:
      '{% include ["part"] with __proto__=map toString=1 only %}{% include ["part"] with __proto__=map toString=2 %}',
    templates: { part: '[{{ k }}{{ toString }}]' },
    context: values,
    outcome: '[1][2]',
  },
  'a context with own properties of such names has data': {
    template: '{{ constructor }}{{ toString }}{{ hasOwnProperty.valueOf }}',
    context: { constructor: 'c', toString: 't', hasOwnProperty: { valueOf: 'v' } },
    outcome: 'ctv',
  },
  'arguments of functions may have such names': {
    template: '{{ echo(__proto__=map, constructor=1).named.k }}{{ echo(__proto__=map).named.__proto__.k }}',
    context: values,
    outcome: 'v',
  },
  'loops bind such names as data': {
    template:
      '{% for __proto__ in list %}{{ __proto__ }}{% endfor %}{% for constructor, toString in map.items %}{{ constructor }}{{ toString }}{% endfor %}',
    context: values,
    outcome: '12kv',
  },
  'cycles bind such names as data': {
    template: '{% cycle "a" "b" as __proto__ %}{{ __proto__ }}{% cycle __proto__ %}',
    outcome: 'aab',
  },
  'forloop has its own fields only': {
    template:
      '{% for i in list %}{{ forloop.__proto__ }}{{ forloop.constructor }}{% with f=forloop %}{{ f.constructor }}{{ f.__proto__ }}{{ f.toString }}{% endwith %}{% endfor %}',
    context: values,
    outcome: '',
  },
  'sorting, grouping and choosing by such fields finds nothing': {
    template:
      '{{ rows|dictsort:"__proto__"|length }}{{ rows|where:"__proto__,x"|length }}{{ rows|where:"constructor,x"|length }}' +
      '{% regroup rows by __proto__ as groups %}{% for group in groups %}[{{ group.grouper }}]{% endfor %}',
    context: { rows: [{ a: 1 }, { a: 2 }] },
    outcome: '000[None]',
  },
};
