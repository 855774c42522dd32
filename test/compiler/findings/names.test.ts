import { describe, expect, test } from 'vitest';
import { type ContentLookup, Engine, type TemplateFunction } from '../../../runtime/engine.ts';

const nothing: TemplateFunction = { call: () => [] };
const functions = new Map([
  ['data', nothing],
  ['item', nothing],
  ['asset_url', nothing],
]);

const world: ContentLookup = {
  hasSnippet: (name) => name === 'card',
  hasAsset: (id) => id === 1,
  fieldsOf: (slug) => {
    if (slug === 'news') return new Set(['title', 'topic']);
    return slug === 'rates' ? 'any' : undefined;
  },
};

function findingsOf(source: string, known: ContentLookup = world): string[] {
  const engine = new Engine({ load: () => undefined, functions });
  return engine
    .inspect(source, 'page', known)
    .findings.map(({ code, error, params }) => `${code} ${error.message} ${JSON.stringify(params)}`);
}

describe('findings about names in a template', () => {
  test.each([
    ['{% include "card" %}{% component "card" / %}{% extends "card" %}', []],
    ['{% include name %}{% include "a" ~ name %}', []],
    [
      'a\n {% include "crad" %}',
      ['template.unknownSnippet page:2:2: there is no snippet "crad" {"name":"crad"}'],
    ],
    [
      '{% import "forms" field %}{% include partials/head %}',
      [
        'template.unknownSnippet page:1:1: there is no snippet "forms" {"name":"forms"}',
        'template.unknownSnippet page:1:27: there is no snippet "partials/head" {"name":"partials/head"}',
      ],
    ],
    ['{{ asset_url(1) }}{{ asset_url(id) }}', []],
    ['{{ asset_url(2) }}', ['template.unknownAsset page:1:14: there is no asset 2 {"id":2}']],
    ['{# {% include "nowhere" %} #}{% verbatim %}{% include "nowhere" %}{% endverbatim %}', []],
  ])('%j', (source, expected) => {
    expect(findingsOf(source)).toEqual(expected);
  });
});

describe('templates with very many unknown names', () => {
  test.each([
    ['snippets', '{% include "crad" %}\n', 'there is no snippet "crad"'],
    ['assets', '{{ asset_url(2) }}\n', 'there is no asset 2'],
    ['collections', '{% set a = item("nws", "slug", 1) %}\n', 'there is no collection "nws"'],
    ['fields', '{% set a = item("news", "slug", 1) %}{{ a.b }}\n', '"news" has no field "slug"'],
  ])('only the first hundred findings are reported: %s', (_, source, reason) => {
    const findings = findingsOf(source.repeat(20_000));
    expect(findings).toHaveLength(100);
    expect(findings[0]).toContain(reason);
  });

  test('names of very many entries are distinguished', () => {
    const entries = Array.from({ length: 20_000 }, (_, index) => `{% set a${index} = item("news") %}`);
    expect(findingsOf(`${entries.join('')}{{ a19999.title }}{{ a0.tilte }}`)).toEqual([
      expect.stringContaining('"news" has no field "tilte"'),
    ]);
  });
});

describe('findings about collections', () => {
  const unknownField = (place: string, field: string, suggestion?: string) => {
    const hint = suggestion === undefined ? '' : ` (did you mean "${suggestion}"?)`;
    const params = JSON.stringify({ collection: 'news', field, name: field, suggestion });
    return `template.unknownField page:${place}: "news" has no field "${field}"${hint} ${params}`;
  };

  test.each([
    [
      '{% for p in data("news", "topic", x, _limit=3, title__icontains="a") %}{{ p.title }}{{ p._url }}{% endfor %}',
      [],
    ],
    ['{% for p in data(name) %}{{ p.anything }}{% endfor %}{{ item(name, "x", 1).y }}', []],
    ['{% for r in data("rates", "q", 1) %}{{ r.anything }}{% endfor %}', []],
    [
      '{{ data("newz") }}',
      ['template.unknownCollection page:1:9: there is no collection "newz" {"collection":"newz"}'],
    ],
    ['{{ data("news", "tpic", 1) }}', [unknownField('1:17', 'tpic', 'topic')]],
    ['{{ data("news", lead=1) }}', [unknownField('1:17', 'lead')]],
    ['{% for p in data("news") %}{{ p.titel }}{% endfor %}', [unknownField('1:33', 'titel', 'title')]],
    [
      '{% set p = item("news", "title", x) %}{% if p %}{{ p.body }}{% endif %}',
      [unknownField('1:54', 'body')],
    ],
    [
      '{% with p=item("news", "title", x) %}{{ p.body }}{% endwith %}{{ p.body }}',
      [unknownField('1:43', 'body')],
    ],
    ['{% set p = item("news", "title", x) %}{% set p = other %}{{ p.body }}', []],
    ['{% for p in data("news") %}{% for p in other %}{{ p.body }}{% endfor %}{% endfor %}', []],
    ['{{ item("news", "title", route.slug).body }}', [unknownField('1:38', 'body')]],
    ['{% for p in data("news") %}{% macro m(p) %}{{ p.body }}{% endmacro %}{% endfor %}', []],
  ])('%j', (source, expected) => {
    expect(findingsOf(source)).toEqual(expected);
  });

  test('are left out when the collections are not known', () => {
    expect(findingsOf('{{ data("newz").x }}', { hasSnippet: () => true })).toEqual([]);
  });
});

describe('the description of a template, made without rendering it', () => {
  const templates: Readonly<Record<string, string>> = {
    area: '{% blocks page.blocks %}',
    layout: '{% block main %}{% include "area" %}{% endblock %}',
    plain: '{% block main %}{% endblock %}',
    broken: '{% if %}',
  };
  const engine = new Engine({ load: (name) => templates[name], functions });
  const rendersBlocks = (source: string) => engine.inspect(source, 'page').description?.rendersBlocks;

  test.each([
    ['{% blocks page.blocks %}', true],
    ['{% include "area" %}', true],
    ['{% component "area" / %}', true],
    ['{% extends "layout" %}', true],
    ['{% extends "layout" %}{% block main %}overridden{% endblock %}', true],
    ['{% extends "plain" %}', false],
    ['{% blocks entry.blocks %}', false],
    ['{# {% blocks page.blocks %} #}', false],
    ['{% comment %}{% blocks page.blocks %}{% endcomment %}', false],
    ['{% verbatim %}{% blocks page.blocks %}{% endverbatim %}', false],
    ['{% include name %}', false],
    ['{% include "nowhere" %}{% include "broken" %}', false],
    ['{% if %}', undefined],
  ])('%j outputs the block tree of the page: %j', (source, expected) => {
    expect(rendersBlocks(source)).toBe(expected);
  });

  test('has the collections that are looked up by the rest of the path', () => {
    const { description } = engine.inspect(
      '{{ item("news", "slug", route.slug) }}{{ item("news", "id", 3) }}',
      'page',
    );
    expect(description?.facts.collections.map(({ slug, routeField }) => [slug, routeField])).toEqual([
      ['news', 'slug'],
      ['news', null],
    ]);
  });
});
