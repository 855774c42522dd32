/** The regions of a page: which there are, in which order, and what is wrong with them. */
import { describe, expect, test } from 'vitest';
import type { ContentLookup } from '../../compiler/index.ts';
import { Engine } from '../../runtime/engine.ts';

const snippets: Readonly<Record<string, string>> = {
  layout:
    '{% region top %}T{% endregion %}{% block main %}{% region inside %}{% endregion %}{% endblock %}{% region end %}{% endregion %}',
  section:
    '{% extends "layout" %}{% block main %}{% region section %}{% endregion %}{{ block.super }}{% endblock %}',
  looped: '{% for x in page.assets %}{% block row %}{% endblock %}{% endfor %}',
  note: '<p>{% region note type="text" %}Note{% endregion %}</p>',
  outer: '{% include "note" %}',
  card: '<b>{% slot %}{% endslot %}</b>{% region words %}{% endregion %}',
  badge: '<i>{% region badge %}{% endregion %}</i>',
  twice: '{% region a %}{% endregion %}{% region a %}{% endregion %}',
  self: '{% region a %}{% endregion %}{% if page.title %}{% include "self" %}{% endif %}',
  plain: '<hr>',
};

function inspect(source: string, world: Partial<ContentLookup> = { isPage: true }) {
  const engine = new Engine({ load: (name) => snippets[name] });
  const { mistakes, findings, description } = engine.inspect(source, '/visit', {
    hasSnippet: (name) => name in snippets,
    ...world,
  });
  expect(mistakes).toEqual([]);
  const ofRegions = findings.filter(({ code }) => code.startsWith('template.region'));
  return { findings: ofRegions, regions: description?.regions ?? [] };
}

const names = (source: string) =>
  inspect(source).regions.map(
    ({ name, snippet, isReplaced }) => `${snippet ?? ''}:${name}${isReplaced ? '?' : ''}`,
  );
const problems = (source: string, world?: Partial<ContentLookup>) =>
  inspect(source, world).findings.map(
    ({ code, error, params }) => `${code.replace('template.region', '')} ${error.column} ${params['name']}`,
  );

describe('a region', () => {
  test('has a name, and the rest has defaults', () => {
    expect(inspect('{% region intro %}Hello{% endregion %}').regions).toEqual([
      {
        name: 'intro',
        label: 'intro',
        type: 'html',
        help: '',
        richtext: [],
        default: 'Hello',
        snippet: undefined,
        offset: 0,
        isReplaced: false,
      },
    ]);
  });

  test('has the keys of its tag', () => {
    const tag = '{% region intro label="The intro" type="markdown" help="Short." richtext="bold  link" %}';
    expect(inspect(`${tag}{{ page.title }}{% endregion intro %}`).regions).toMatchObject([
      { label: 'The intro', type: 'markdown', help: 'Short.', richtext: ['bold', 'link'], default: null },
    ]);
  });

  test.each([
    ['{% region 1a %}{% endregion %}'],
    ['{% region "a" %}{% endregion %}'],
    ['{% region block %}{% endregion %}'],
    ['{% region slots %}{% endregion %}'],
    ['{% region a-b %}{% endregion %}'],
    ['{% region a type="number" %}{% endregion %}'],
    ['{% region a type=text %}{% endregion %}'],
    ['{% region a type="te"~"xt" %}{% endregion %}'],
    ['{% region a label=5 %}{% endregion %}'],
    ['{% region a title="x" %}{% endregion %}'],
    ['{% region a label="x" label="y" %}{% endregion %}'],
    ['{% region a richtext="bald" %}{% endregion %}'],
    ['{% region a type="text" richtext="bold" %}{% endregion %}'],
  ])('is invalid: %s', (source) => {
    const { findings, regions } = inspect(source);
    expect(findings.map(({ code }) => code)).toEqual(['template.regionInvalid']);
    expect(regions).toEqual([]);
  });

  test('may hold others, in order', () => {
    expect(
      names('{% region a %}{% region b %}{% endregion %}{% endregion %}{% region c %}{% endregion %}'),
    ).toEqual([':a', ':b', ':c']);
  });
});

describe('regions of a page', () => {
  test.each<[string, string, ...string[]]>([
    ['its layout', '{% extends "layout" %}', 'layout:top', 'layout:inside', 'layout:end'],
    [
      'a block that it replaces',
      '{% extends "layout" %}{% block main %}{% region mine %}{% endregion %}{% endblock %}',
      'layout:top',
      ':mine',
      'layout:inside?',
      'layout:end',
    ],
    [
      'a block that it completes',
      '{% extends "section" %}{% block main %}{{ block.super }}{% region mine %}{% endregion %}{% endblock %}',
      'layout:top',
      'section:section',
      'layout:inside',
      ':mine',
      'layout:end',
    ],
    [
      'a block without a place',
      '{% extends "layout" %}{% block other %}{% region lost %}{% endregion %}{% endblock %}',
      'layout:top',
      'layout:inside',
      'layout:end',
      ':lost?',
    ],
    [
      'a computed layout',
      '{% extends page.slug %}{% block a %}{% region x %}{% endregion %}{% block b %}{% region y %}{% endregion %}{% endblock %}{% endblock %}',
      ':x',
      ':y',
    ],
    ['an include', '{% include "outer" %}', 'note:note'],
    ['a bare word', '{% include outer %}', 'note:note'],
    ['a circle', '{% include "self" %}', 'self:a'],
    ['no computed include', '{% include page.slug %}'],
  ])('of %s', (_name, source, ...expected) => {
    expect(names(source)).toEqual(expected);
  });

  test('of a name in a block and the one that it replaces are no second region', () => {
    const block = (inside: string) =>
      `{% extends "layout" %}{% block main %}{% region inside label="Mine" %}{% endregion %}${inside}{% endblock %}`;
    expect(problems(block(''))).toEqual([]);
    expect(inspect(block('')).regions.find(({ name }) => name === 'inside')?.label).toBe('Mine');
    expect(problems(block('{{ block.super }}'))).toEqual(['Taken 1 inside']);
  });
});

describe('findings', () => {
  test.each<[string, ...string[]]>([
    ['{% region a %}{% endregion %}{% region a %}{% endregion %}', 'Taken 30 a'],
    [
      '{% if x %}{% region a %}{% endregion %}{% else %}{% region a %}{% endregion %}{% endif %}',
      'Taken 50 a',
    ],
    ['{% region note %}{% endregion %}{% include "outer" %}', 'Taken 33 note'],
    ['{% include "note" %}{% include "note" %}', 'Taken 21 note'],
    ['{% include "twice" %}'],
    [
      '{% for i in x %}{% region a %}{% endregion %}{% empty %}{% region b %}{% endregion %}{% endfor %}',
      'Repeated 17 a',
    ],
    ['{% for i in x %}{% include "note" %}{% endfor %}', 'Repeated 17 note'],
    ['{% extends "looped" %}{% block row %}{% region a %}{% endregion %}{% endblock %}', 'Repeated 38 a'],
    ['{% include "note" if x else "plain" %}', 'Repeated 1 note'],
    ['{% include page.slug|default:"badge" %}', 'Repeated 1 badge'],
    ['{% include page.slug %}'],
    ['{% macro m() %}{% region a %}{% endregion %}{% endmacro %}', 'Invalid 16 a'],
    ['{% macro m() %}{% include "note" %}{% endmacro %}', 'Invalid 16 note'],
    ['{% component "badge" / %}', 'Invalid 1 badge'],
    ['{% component "plain" %}{% region a %}{% endregion %}{% endcomponent %}', 'Invalid 24 a'],
    [
      '{% component "plain" %}{% fill x %}{% include "note" %}{% endfill %}{% endcomponent %}',
      'Invalid 36 note',
    ],
    [
      '{% partialdef p %}{% region a %}{% endregion %}{% endpartialdef %}{% partial p %}{% partial p %}',
      'Taken 19 a',
    ],
  ])('%s', (source, ...expected) => {
    expect(problems(source)).toEqual(expected);
  });

  test('a snippet with slots is a component, and a block type has parameters', () => {
    expect(problems(snippets['card'] ?? '', { isPage: false })).toEqual(['Invalid 31 words']);
    expect(problems(snippets['note'] ?? '', { isPage: false })).toEqual([]);
    expect(problems(snippets['note'] ?? '', { isPage: false, isBlockType: true })).toEqual([
      'Invalid 4 note',
    ]);
  });

  test('all of them are errors', () => {
    const { findings } = inspect('{% region a %}{% endregion %}{% region a %}{% endregion %}');
    expect(findings[0]?.error.reason).toBe('a second region "a": names of regions are unique in a page');
  });

  test('many blocks that show what they replace twice end', () => {
    const many: Record<string, string> = { l0: '{% block b %}{% region a %}{% endregion %}{% endblock %}' };
    for (let level = 1; level <= 40; level += 1)
      many[`l${level}`] =
        `{% extends "l${level - 1}" %}{% block b %}{{ block.super }}{{ block.super }}{% endblock %}`;
    const engine = new Engine({ load: (name) => many[name] });
    const { description } = engine.inspect('{% extends "l40" %}', '/visit');
    expect(description?.regions.map(({ name }) => name)).toEqual(['a']);
  });

  test('the value of an address may be a script unless the region is a link', () => {
    const engine = new Engine({ load: () => undefined });
    const unsafe = (source: string) =>
      engine.inspect(source, '/visit').findings.map(({ code, params }) => `${code} ${params['place']}`);
    expect(unsafe('<a href="{% region a type="text" %}/x{% endregion %}">')).toEqual([
      'template.unsafeContext address',
    ]);
    expect(unsafe('<a href="{% region a type="link" %}/x{% endregion %}">')).toEqual([]);
    expect(unsafe('<p title="{% region a type="text" %}x{% endregion %}">')).toEqual([]);
    expect(unsafe('<script>{% region a type="text" %}x{% endregion %}</script>')).toEqual([
      'template.unsafeContext script',
    ]);
  });
});
