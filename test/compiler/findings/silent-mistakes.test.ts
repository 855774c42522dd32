/** Mistakes that a render does not show: what is reported, where, with which suggestion, and what is not. */
import { describe, expect, test } from 'vitest';
import type { ContentLookup } from '../../../compiler/index.ts';
import { Engine, type Finding, findingLevels, type TemplateFunction } from '../../../runtime/engine.ts';
import { templateFunctions } from '../../../runtime/functions/index.ts';
import { systemObjects } from '../../../runtime/page/system-objects.ts';

const nothing: TemplateFunction = { call: () => [] };
const functions = new Map([...templateFunctions, ['item', nothing], ['data', nothing]] as const);

const snippets: Readonly<Record<string, string>> = {
  layout: '<title>{% block title %}{% endblock %}</title>{% block main %}{% endblock %}',
  section: '{% extends "layout" %}{% block main %}<nav>{% block side %}{% endblock %}</nav>{% endblock %}',
  binding:
    '{% set year = 1 %}{% for work in works %}{% with room=1 %}{% block row %}{% endblock %}{% endwith %}{% endfor %}',
  computed: '{% extends page.slug %}',
  broken: '{% if %}',
  card: '<h2>{{ title }}</h2>{% include "part" %}{% slot %}{% endslot %}{% slot footer %}{% endslot %}',
  part: '{{ tone }}{% if slots.aside %}{% slot aside %}{% endslot %}{% endif %}',
  plain: '<hr class="{{ tone }}">',
  open: '{{ title }}{% include slug %}',
  list: '{% for name in slots %}{{ name }}{% endfor %}{% slot a %}{% endslot %}',
  forms: '{% macro field(name, type="text") %}{% endmacro %}{% macro button() %}{% endmacro %}',
  self: '{% include "self" %}',
  ping: '{% include "pong" %}',
  pong: '<p>{% component "ping" / %}',
  loop: '{% extends "pool" %}',
  pool: '{% extends "loop" %}',
  tree: '{% for n in nodes %}{% include "tree" with nodes=n.children %}{% endfor %}',
};

function inspect(source: string, isPage: boolean): readonly Finding[] {
  const engine = new Engine({ load: (name) => snippets[name], functions });
  const world: ContentLookup = {
    hasSnippet: (name) => name in snippets,
    snippetNames: () => Object.keys(snippets),
    system: systemObjects,
    isPage,
  };
  const { mistakes, findings } = engine.inspect(source, isPage ? '/visit' : 'snippet', world);
  expect(mistakes).toEqual([]);
  return findings.filter(({ code }) => code !== 'template.unsafeContext');
}

/** `code line:column reason`, and the suggestion if there is one. */
function shown({ code, error, params }: Finding): string {
  const { suggestion } = params;
  const place = `${error.line}:${error.column}`;
  const text = `${code.replace('template.', '')} ${place} ${error.reason}`;
  expect(text.includes('did you mean')).toBe(suggestion !== undefined && code !== 'template.notCalled');
  return suggestion === undefined ? text : `${text} -> ${suggestion}`;
}

type Cases = readonly (readonly [source: string, ...findings: string[]])[];

const inPages: Readonly<Record<string, Cases>> = {
  'unknown variables': [
    [
      '<h1>{{ pgae.title }}</h1>',
      'unknownVariable 1:8 there is no variable "pgae" (did you mean "page"?) -> page',
    ],
    [
      '{{ title }}',
      'unknownVariable 1:4 there is no variable "title" (did you mean "page.title"?) -> page.title',
    ],
    [
      '{% if loop.first %}{% endif %}',
      'unknownVariable 1:7 there is no variable "loop" (did you mean "forloop"?) -> forloop',
    ],
    [
      '{% if page is defined %}{% endif %}',
      'unknownVariable 1:15 there is no variable "defined" (did you mean "not none"?) -> not none',
    ],
    ['{% for n in nav() %}{{ m.title }}{% endfor %}', 'unknownVariable 1:24 there is no variable "m"'],
    [
      '{% for n in nav() %}{% endfor %}{{ n }}',
      'unknownVariable 1:36 "n" is not known here, only inside the tag that binds it',
    ],
    [
      '{% for n in nav() %}{% set last = n %}{% endfor %}{{ last }}',
      'unknownVariable 1:54 "last" is not known here, only inside the tag that binds it',
    ],
    [
      '{% set works = [1] %}{% for w in wroks %}{% endfor %}',
      'unknownVariable 1:34 there is no variable "wroks" (did you mean "works"?) -> works',
    ],
    ['{{ page.title|default:nothing }}', 'unknownVariable 1:23 there is no variable "nothing"'],
    ['{{ forloop.counter }}', 'unknownVariable 1:4 there is no variable "forloop"'],
    [
      '{% set x = 1 %}{% macro m(a, b=c) %}{{ a }}{{ b }}{{ x }}{% endmacro %}',
      'unknownVariable 1:32 there is no variable "c"',
      'unknownVariable 1:54 "x" is not known here, only inside the tag that binds it',
    ],
    [
      '{% extends "layout" %}{% block main %}{{ pgae }}{% endblock %}',
      'unknownVariable 1:42 there is no variable "pgae" (did you mean "page"?) -> page',
    ],
    [
      '{% partialdef p %}{{ n }}{{ m }}{% endpartialdef %}{% with n=1 %}{% partial p %}{% endwith %}{% partial p %}',
      'unknownVariable 1:29 there is no variable "m"',
    ],
    // Right.
    ['{{ page.title }}{{ site }}{{ route }}{{ today }}{{ now }}{{ preview }}'],
    ['{% for a, b in page.items %}{{ a }}{{ b }}{{ forloop.counter }}{% endfor %}'],
    ['{% with a=1 b=page %}{{ a }}{{ b }}{% endwith %}{% now "Y" as year %}{{ year }}'],
    ['{% if page %}{% set a = 1 %}{% endif %}{{ a }}{% firstof page as b %}{{ b }}'],
    ['{% for n in nav() %}{% cycle "a" "b" as c %}{% endfor %}{{ c }}'],
    ['{% regroup nav() by title as groups %}{% for g in groups %}{{ g.grouper }}{% endfor %}'],
    [
      '{% macro m(a) %}{{ a }}{{ page.title }}{% endmacro %}{{ m(1) }}{% import "forms" field as f %}{{ f(1) }}',
    ],
    [
      '{% extends "layout" %}{% set x = 1 %}{% macro m() %}{{ x }}{% endmacro %}{% block main %}{{ x }}{{ m() }}{{ block.super }}{% endblock %}',
    ],
    [
      '{% extends "binding" %}{% block row %}{{ year }}{{ work.title }}{{ room }}{{ forloop.last }}{% endblock %}',
    ],
    ['{% extends "computed" %}{% block row %}{{ anything }}{% endblock %}'],
    [
      '{% component "card" title=page.title %}{% for n in nav() %}{{ n.title }}{% endfor %}{% endcomponent %}',
    ],
  ],
  'functions without a call': [
    ['{% for i in nav %}{% endfor %}', 'notCalled 1:13 "nav" is a function: write nav() -> nav()'],
    ['{{ children|length }}', 'notCalled 1:4 "children" is a function: write children() -> children()'],
    ['{% macro m() %}{% endmacro %}{{ m }}', 'notCalled 1:33 "m" is a function: write m() -> m()'],
    ['{% import "forms" button as b %}{{ b }}', 'notCalled 1:36 "b" is a function: write b() -> b()'],
    ['{% set nav = nav() %}{% for i in nav %}{% endfor %}'],
    ['{% for item in nav() %}{{ item.title }}{% endfor %}'],
  ],
  'unknown fields': [
    ['{{ page.titel }}', 'unknownField 1:9 page has no field "titel" (did you mean "title"?) -> title'],
    ['{{ page["titel"] }}', 'unknownField 1:9 page has no field "titel" (did you mean "title"?) -> title'],
    ['{{ page.parent.name }}', 'unknownField 1:16 page has no field "name" (did you mean "title"?) -> title'],
    ['{{ page.children }}', 'unknownField 1:9 page has no field "children"'],
    ['{{ site.name }}', 'unknownField 1:9 site has no field "name" (did you mean "title"?) -> title'],
    [
      '{{ route.params.q }}',
      'unknownField 1:10 route has no field "params" (did you mean "query"?) -> query',
    ],
    [
      '{% for n in nav() %}{{ forloop.index }}{{ n.description }}{% endfor %}',
      'unknownField 1:32 forloop has no field "index" (did you mean "counter"?) -> counter',
      'unknownField 1:45 an entry of nav() or children() has no field "description"',
    ],
    [
      '{% for n in nav() %}{% for m in n.children %}{{ m.titel }}{{ forloop.parentloop.cuonter }}{% endfor %}{% endfor %}',
      'unknownField 1:51 an entry of nav() or children() has no field "titel" (did you mean "title"?) -> title',
      'unknownField 1:81 forloop has no field "cuonter" (did you mean "counter"?) -> counter',
    ],
    // Right, or not certain.
    ['{{ page.parent.parent.title }}{{ page.meta_title }}{{ route.query.anything }}{{ route.rest.0 }}'],
    [
      '{{ page.translations }}{{ page.assets }}{{ page.sitemap_source }}{{ site.languages }}{{ page.items|length }}',
    ],
    ['{{ today.year }}{{ now.hour }}{{ page.title.length }}'],
    ['{% for page in nav() %}{{ page.active }}{% endfor %}{% with site=page %}{{ site.slug }}{% endwith %}'],
    ['{% for n in nav() %}{{ page.anything }}{% set page = n %}{% endfor %}'],
  ],
  snippets: [
    ['{% include "crad" %}', 'unknownSnippet 1:1 there is no snippet "crad" (did you mean "card"?) -> card'],
    ['{% include crad %}', 'unknownSnippet 1:1 there is no snippet "crad" (did you mean "card"?) -> card'],
    ['{% include plain %}{% set name = "card" %}{% include name %}{% include page.slug %}'],
  ],
  'blocks that no layout has': [
    [
      '{% extends "section" %}{% block mian %}x{% endblock %}',
      'unknownBlock 1:24 no layout has a block "mian", so it never shows (did you mean "main"?) -> main',
    ],
    [
      '{% extends "layout" %}{% if page %}{% block aside %}x{% block inner %}{% endblock %}{% endblock %}{% endif %}',
      'unknownBlock 1:36 no layout has a block "aside", so it never shows',
    ],
    [
      '{% extends "section" %}{% block title %}{% endblock %}{% block main %}{% block own %}{% endblock %}{% endblock %}{% block side %}{% endblock %}',
    ],
    ['{% extends "computed" %}{% block any %}{% endblock %}'],
    ['{% extends "layout" if page.id > 1 else "section" %}{% block any %}{% endblock %}'],
    ['{% block any %}{% endblock %}'],
  ],
  'text outside of blocks': [
    [
      '{% extends "layout" %}\n<p>lost</p>\n{% block main %}{% endblock %}\n{{ page.title }} lost',
      'ignoredText 2:1 this never shows: a template with a layout shows only its blocks',
      'ignoredText 4:1 this never shows: a template with a layout shows only its blocks',
    ],
    [
      '{% extends "layout" %}{% include "plain" %}',
      'ignoredText 1:23 this never shows: a template with a layout shows only its blocks',
    ],
    [
      '{% extends "layout" %}{% if page %}lost{% endif %}',
      'ignoredText 1:36 this never shows: a template with a layout shows only its blocks',
    ],
    [
      '{% extends "layout" %}\n <!-- note --> {# note #}{% load x %}\n{% set a = 1 %}{% import "forms" field %}{% macro m() %}x{% endmacro %}{% if page %} {% set b = 1 %} {% endif %}{% partialdef p inline %}x{% endpartialdef %}',
    ],
  ],
  slots: [
    [
      '{% component "card" title=1 %}{% fill foter %}x{% endfill %}{% endcomponent %}',
      'unknownSlot 1:31 the component "card" has no slot "foter" (did you mean "footer"?) -> footer',
    ],
    [
      '{% component "plain" %}x{% endcomponent %}',
      'unknownSlot 1:1 the component "plain" has no default slot',
    ],
    ['{% if slots.x %}{% endif %}', 'unknownSlot 1:13 this template has no slot "x"'],
    [
      '{% component "card" %}x{% fill footer %}y{% endfill %}{% fill aside %}z{% endfill %}{% endcomponent %}',
    ],
    ['{% component "plain" %} {# nothing #} {% endcomponent %}{% component "plain" / %}'],
    [
      '{% component "open" %}{% fill any %}x{% endfill %}{% endcomponent %}{% component "list" %}{% fill any %}x{% endfill %}{% endcomponent %}',
    ],
    [
      '{% component page.slug %}{% fill any %}x{% endfill %}{% endcomponent %}{% component "broken" %}x{% endcomponent %}',
    ],
  ],
  'parameters of components': [
    [
      '{% component "card" titel="x" / %}',
      'unknownParameter 1:21 the component "card" never reads "titel" (did you mean "title"?) -> title',
    ],
    [
      '{% component "plain" page=1 tone=2 x=3 / %}',
      'unknownParameter 1:22 the component "plain" never reads "page"',
      'unknownParameter 1:36 the component "plain" never reads "x"',
    ],
    [
      '{% component "card" title=1 tone=2 / %}{% component "open" any=1 / %}{% component "broken" x=1 / %}{% include "plain" with any=1 %}',
    ],
  ],
  macros: [
    [
      '{% import "forms" feild %}{{ feild("a") }}',
      'unknownMacro 1:19 "forms" has no macro "feild" (did you mean "field"?) -> field',
    ],
    [
      '{% import "forms" button as b %}{{ b("a") }}',
      'unknownMacro 1:36 too many arguments: the macro "button" takes no arguments',
    ],
    [
      '{% import "forms" field %}{{ field("a", typ="b") }}',
      'unknownMacro 1:41 the macro "field" has no parameter "typ", it takes name, type (did you mean "type"?) -> type',
    ],
    [
      '{% import "forms" field %}{{ field("a", name="b") }}',
      'unknownMacro 1:41 parameter "name" is given twice',
    ],
    [
      '{% import "forms" field, button %}{{ field("a", type="b") }}{{ field() }}{{ button() }}{% import page.slug any %}{{ any(1, 2) }}',
    ],
    ['{% macro field() %}{% endmacro %}{% import "forms" field %}{{ field() }}'],
  ],
  circles: [
    ['{% include "self" %}', 'circle 1:1 this never ends: /visit > self > self'],
    [
      '{% with a=1 %}{% component "ping" / %}{% endwith %}',
      'circle 1:15 this never ends: /visit > ping > pong > ping',
    ],
    ['{% extends "loop" %}', 'circle 1:1 this never ends: /visit > loop > pool > loop'],
    ['{% if page %}{% include "self" %}{% endif %}{% for n in nav() %}{% include "self" %}{% endfor %}'],
    [
      '{% macro m() %}{% include "self" %}{% endmacro %}{% component "card" title=1 %}{% include "self" %}{% endcomponent %}',
    ],
    ['{% include "tree" with nodes=nav() %}{% include "plain" %}{% include "plain" %}'],
  ],
  'delimiters that are not closed': [
    [
      '<p>{{ page.title }</p>\n{{ page.title\n}}',
      'unclosed 1:4 "{{ page.title }</p>" is not closed with "}}" on its line, so it shows as text',
      'unclosed 2:1 "{{ page.title" is not closed with "}}" on its line, so it shows as text',
    ],
    [
      '{# {{ a #}{% verbatim %}{{ b\n{% c{% endverbatim %}{% templatetag openvariable %} {{ d',
      'unclosed 2:53 "{{ d" is not closed with "}}" on its line, so it shows as text',
    ],
    ['{% comment %}{{ a\n{% endcomment %}{% verbatim x %}{% endverbatim %}{{ b\n{% endverbatim x %}'],
    ['a { b } {c} } }} %} {'],
  ],
};

const inSnippets: Cases = [
  ['{{ pgae.title }}', 'unknownVariable 1:4 there is no variable "pgae" (did you mean "page"?) -> page'],
  ['{{ page.titel }}', 'unknownField 1:9 page has no field "titel" (did you mean "title"?) -> title'],
  [
    '{% for n in children() %}{{ n.body }}{% endfor %}',
    'unknownField 1:31 an entry of nav() or children() has no field "body"',
  ],
  [
    '{% slot footer %}{% endslot %}{% if slots.foter %}{% endif %}',
    'unknownSlot 1:43 this template has no slot "foter" (did you mean "footer"?) -> footer',
  ],
  [
    '{% include "snippet" %}',
    'unknownSnippet 1:1 there is no snippet "snippet"',
    'circle 1:1 this never ends: snippet > snippet',
  ],
  // A template that includes the snippet may give it all of these.
  ['{{ title }}{{ pages }}{% for i in nav %}{{ i.x }}{% endfor %}{{ forloop.counter }}{% include name %}'],
  [
    '{{ page.children }}{{ page.name }}{{ page.image }}{{ site.colour }}{{ slots.any }}{% include "part" %}{{ block.id }}',
  ],
  ['{% slot a %}{% endslot %}{% if slots.aside %}{% include "part" %}{% endif %}'],
];

describe.each(Object.entries(inPages))('in a page: %s', (_, cases) => {
  test.each(cases)('%j', (source, ...findings) => {
    expect(inspect(source, true).map(shown)).toEqual(findings);
  });
});

describe('in a snippet', () => {
  test.each(inSnippets)('%j', (source, ...findings) => {
    expect(inspect(source, false).map(shown)).toEqual(findings);
  });
});

test('a finding has its name, and the suggestion if one is near', () => {
  const params = inspect('{{ pgae }}{{ x }}{{ site.lnag }}{% for i in nav %}{% endfor %}', true).map(
    (finding) => finding.params,
  );
  expect(params).toEqual([
    { name: 'pgae', suggestion: 'page' },
    { name: 'x' },
    { name: 'lnag', object: 'site', suggestion: 'lang' },
    { name: 'nav', suggestion: 'nav()' },
  ]);
});

test('only the first hundred are reported, and very many take little time', () => {
  const pieces = [
    '{{ pgae }}',
    '{{ page.titel }}',
    '{% include "crad" %}',
    '{{ x\n',
    '{% component "card" x=1 / %}',
  ];
  for (const piece of pieces) expect(inspect(piece.repeat(4_000), true)).toHaveLength(100);
});

test('deeply nested scopes are searched in proportion to their number', () => {
  const depth = 300;
  const source = `${'{% with a=1 %}{{ a }}{{ b }}'.repeat(depth)}${'{% endwith %}'.repeat(depth)}`;
  expect(inspect(source, true)).toHaveLength(100);
});

test('every finding that always fails has the level error', async () => {
  const failing: Readonly<Record<string, string>> = {
    'template.unknownSnippet': '{% include "crad" %}',
    'template.unknownMacro': '{% import "forms" feild %}{{ feild() }}',
    'template.circle': '{% include "self" %}',
  };
  const engine = new Engine({ load: (name) => snippets[name], functions });
  for (const [code, level] of Object.entries(findingLevels)) {
    // Regions render: their findings are about what editors can fill.
    if (code === 'template.syntax' || code.startsWith('template.region')) continue;
    expect(level).toBe(code in failing ? 'error' : 'warning');
  }
  for (const [code, source] of Object.entries(failing)) {
    expect(inspect(source, true).map((finding) => finding.code)).toEqual([code]);
    expect(() => engine.renderSource(source, '/visit', {})).toThrow();
  }
});
