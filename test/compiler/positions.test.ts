/** An error during rendering names the place of the mistake in the template. */
import { describe, expect, test } from 'vitest';
import { Engine, TemplateError, type TemplateFunction } from '../../runtime/engine.ts';

interface Case {
  readonly source: string;
  readonly templates?: Readonly<Record<string, string>>;
  /** `template:line:column: reason`. */
  readonly message: string;
}

const zero = 'division by zero';

const cases: Readonly<Record<string, Case>> = {
  'an operator in an output': { source: 'a\n  b {{ 1 / n }}', message: `page:2:8: ${zero}` },
  'the right one of two on a line': { source: '{{ 1 / 1 }}{{ 1 / n }}', message: `page:1:15: ${zero}` },
  'the right operator of several': { source: '{{ 1 + 2 * (3 - 1 / n) }}', message: `page:1:17: ${zero}` },
  'an operator far into a long line': {
    source: `${'x'.repeat(100_000)}{{ a }}{{ '${'y'.repeat(50_000)}' ~ 1 / 1 }}{{ 1 / n }}`,
    message: `page:1:150027: ${zero}`,
  },
  'an operator after many lines': {
    source: `${'x\n'.repeat(40_000)}{{ a }}\n{{ 1 / n }}`,
    message: `page:40002:4: ${zero}`,
  },
  'a filter in a chain': {
    source: '{{ "a"|upper\n|lower }}\n{{ "a"|upper|ljust:w }}',
    message: 'page:3:14: the text would have 99999999 characters, more than 8388608',
  },
  'a filter in an argument': {
    source: '{{ x|default:"a"|default("b"|ljust:w) }}',
    message: 'page:1:30: the text would have 99999999 characters, more than 8388608',
  },
  'a filter block': {
    source: 'x\n {% filter upper|ljust:w %}y{% endfilter %}',
    message: 'page:2:18: the text would have 99999999 characters, more than 8388608',
  },
  'a test of if': { source: '{% if a %}{% elif 1 / n %}{% endif %}', message: `page:1:19: ${zero}` },
  'the list of a for': {
    source: '{% for a in b %}{% endfor %}\n{% for i in n %}{% endfor %}',
    message: 'page:2:13: cannot loop over a number, expected a list, a map or a text',
  },
  'an entry of a for': {
    source: '\n{% for a, b in rows %}{% endfor %}',
    message: 'page:2:1: each entry must have 2 values to unpack, this one has 1',
  },
  'the body of a for': {
    source: '{% for i in rows %}\n{{ 1 / n }}{% endfor %}',
    message: `page:2:4: ${zero}`,
  },
  'a value of with': { source: '{% with a=1 b=1/n %}{% endwith %}', message: `page:1:15: ${zero}` },
  'a value of set': { source: '{% set a = 1 / n %}', message: `page:1:12: ${zero}` },
  'a value of an include': {
    source: '{% include "p" with a=1 b=1/n %}',
    templates: { p: '{{ a }}{{ b }}' },
    message: `page:1:27: ${zero}`,
  },
  'an included template': {
    source: '\n\n{% include "p" %}',
    templates: { p: 'x\ny {{ 1 / n }}' },
    message: `p:2:6: ${zero}`,
  },
  'a template included by an included template': {
    source: '{% include "p" %}',
    templates: { p: '{% include "q" %}', q: '\n {{ 1 / n }}' },
    message: `q:2:5: ${zero}`,
  },
  'a template included by a computed name': {
    source: '{% include ["p"] %}',
    templates: { p: '{{ 1 / n }}' },
    message: `p:1:4: ${zero}`,
  },
  'an unknown snippet': {
    source: 'a\n b{% include "nowhere" %}',
    message: 'page:2:3: there is no snippet "nowhere"',
  },
  'an unknown snippet in an included template': {
    source: '{% include "p" %}',
    templates: { p: '\n{% include x|default:"nowhere" %}' },
    message: 'p:2:1: there is no snippet "nowhere"',
  },
  'a block of the page, output by the layout': {
    source: '{% extends "base" %}\n{% block b %}\n  {{ 1 / n }}{% endblock %}',
    templates: { base: '<b>{% block b %}{% endblock %}</b>' },
    message: `page:3:6: ${zero}`,
  },
  'a block of the layout, output by block.super': {
    source: '{% extends "base" %}{% block b %}{{ block.super }}{% endblock %}',
    templates: { base: '<b>\n{% block b %}{{ 1 / n }}{% endblock %}</b>' },
    message: `base:2:17: ${zero}`,
  },
  'the layout itself': {
    source: '{% extends "base" %}',
    templates: { base: 'x{{ 1 / n }}' },
    message: `base:1:5: ${zero}`,
  },
  'block.super without a block above': {
    source: '{% block b %}x {{ block.super }}{% endblock %}',
    message: 'page:1:19: {{ block.super }} in a block that no layout above defines',
  },
  'the body of a component': {
    source: '{% component "c" / %}',
    templates: { c: '{{ 1 / n }}' },
    message: `c:1:4: ${zero}`,
  },
  'a fill of the page, output by the component': {
    source: '{% component "c" %}\n {% fill f %}{{ 1 / n }}{% endfill %}{% endcomponent %}',
    templates: { c: '<i>{% slot f %}{% endslot %}</i>' },
    message: `page:2:17: ${zero}`,
  },
  'the fallback of a slot': {
    source: '{% component "c" / %}',
    templates: { c: '{% slot f %}\n{{ 1 / n }}{% endslot %}' },
    message: `c:2:4: ${zero}`,
  },
  'a macro, where it is defined': {
    source: '{% macro m() %}{{ 1 / n }}{% endmacro %}\n{{ m() }}',
    message: `page:1:19: ${zero}`,
  },
  'a macro of another template': {
    source: '{% import "lib" m %}{{ m() }}',
    templates: { lib: '\n{% macro m() %}{{ 1 / n }}{% endmacro %}' },
    message: `lib:2:19: ${zero}`,
  },
  'the default of a macro parameter': {
    source: '{% macro m(a, b=1/n) %}{{ b }}{% endmacro %}{{ m(1) }}',
    message: `page:1:17: ${zero}`,
  },
  'an argument of a call': { source: '{{ say(1, 1 / n) }}', message: `page:1:11: ${zero}` },
  'a function that fails': { source: '{{ "a" }}{{ fail() }}', message: 'page:1:13: the function failed' },
  'a value of cycle': {
    source: '{% cycle "a" 1 %}{% cycle n|ljust:w 1 %}',
    message: 'page:1:29: the text would have 99999999 characters, more than 8388608',
  },
  'lines after carriage returns': { source: 'a\r\nb\r\n{{ 1 / n }}', message: `page:3:4: ${zero}` },
  'a line with characters beyond the basic plane': { source: '🙂 {{ 1 / n }}', message: `page:1:7: ${zero}` },
  'inside autoescape, spaceless and with': {
    source:
      '{% autoescape off %}{% spaceless %}{% with a=1 %}\n{{ 1 / n }}{% endwith %}{% endspaceless %}{% endautoescape %}',
    message: `page:2:4: ${zero}`,
  },
};

const functions = new Map<string, TemplateFunction>([
  ['say', { call: (_host, [value]) => value }],
  [
    'fail',
    {
      call: () => {
        throw new Error('the function failed');
      },
    },
  ],
]);
const later: TemplateFunction = { async: true, call: async (_host, [value]) => value };

const context = { n: 0, w: 99_999_999, rows: [1], a: false };

describe.each(Object.entries(cases))('%s', (_, { source, templates = {}, message }) => {
  const load = (name: string) => templates[name];

  test('in functions', () => {
    const engine = new Engine({ load, functions });
    expect(() => engine.renderSource(source, 'page', context)).toThrow(expectedError(message));
  });

  test('in asynchronous functions', async () => {
    const engine = new Engine({ load, functions: new Map([...functions, ['later', later]]) });
    const render = async () => engine.renderSource(`${source}{{ later("") }}`, 'page', context);
    await expect(render()).rejects.toThrow(expectedError(message));
  });
});

test('an error names the templates that called the failing one, innermost first', () => {
  const templates = new Map([
    ['base', '<b>\n{% block x %}{% endblock %}</b>'],
    ['part', 'a {% include "inner" %}'],
    ['inner', '{{ 1 / n }}'],
  ]);
  const engine = new Engine({ load: (name) => templates.get(name) });
  const source = '{% extends "base" %}{% block x %}{% include ["part"] %}{% endblock %}';
  expect(() => engine.renderSource(source, 'page', context)).toThrow(
    'inner:1:4: division by zero (included from part:1:3, page:1:34, base:2:1, page:1:1)',
  );
});

test('a circle is an error at the tag that begins it, with the templates that led there', () => {
  const templates = new Map([
    ['base', '<b>{% block x %}{% endblock %}</b>'],
    ['a', '\n{% if true %}{% include "b" %}{% endif %}'],
    ['b', '{% component "a" / %}'],
  ]);
  const engine = new Engine({ load: (name) => templates.get(name) });
  const source = '{% extends "base" %}{% block x %}{% include "a" %}{% endblock %}';
  expect(() => engine.renderSource(source, 'page', context)).toThrow(
    'a:2:14: this leads to itself again and again: a > b > a (more than 50 levels of include, component and macro) (included from page:1:34, base:1:4, page:1:1)',
  );
});

test('templates that nest too deeply without a circle are named in order', () => {
  const templates = new Map(
    Array.from({ length: 60 }, (_, index) => [`t${index}`, `{% include "t${index + 1}" %}`]),
  );
  const engine = new Engine({ load: (name) => templates.get(name) });
  expect(() => engine.renderSource('{% include "t0" %}', 'page', context)).toThrow(
    /^t49:1:1: more than 50 levels of include, component and macro: page > t0 > t1 > t2 > t3 > t4 > \.\.\.$/,
  );
});

test('an error in a block of a page names the layouts, also if another page has the same text', () => {
  const layout = '{% block x %}{% endblock %}';
  const engine = new Engine({ load: (name) => (name === 'base' ? layout : undefined) });
  const source = '{% extends "base" %}{% block x %}{{ 1 / n }}{% endblock %}';
  for (const page of ['/a', '/b']) {
    expect(() => engine.renderSource(source, page, context)).toThrow(
      `${page}:1:37: division by zero (included from base:1:1, ${page}:1:1)`,
    );
  }
});

test('an error has its cause', () => {
  const engine = new Engine({ load: () => undefined, functions });
  expect(() => engine.renderSource('{{ fail() }}', 'page', {})).toThrow(
    expect.objectContaining({ cause: expect.objectContaining({ message: 'the function failed' }) }),
  );
});

test('two pages with the same text have errors with their own names', () => {
  const engine = new Engine({ load: () => undefined });
  for (const source of ['{{ 1 / n }}', '{% nonsense %}', '{{ a|nonsense }}']) {
    for (const page of ['/a', '/b']) {
      expect(() => engine.renderSource(source, page, { n: 0 })).toThrow(
        expect.objectContaining({ template: page, line: 1 }),
      );
    }
  }
});

function expectedError(message: string): object {
  const [, template, line, column, reason] = /^(\w+):(\d+):(\d+): (.*)$/.exec(message) ?? [];
  const place = { template, line: Number(line), column: Number(column) };
  return expect.objectContaining({ name: TemplateError.name, reason, ...place });
}

describe('an operation on a missing value names the variable', () => {
  test.each([
    ['{% if page.works|sum:"price" %}{% endif %}', '1:18: page.works is empty: sum needs a list'],
    ['{% for i in page.works|where("a", 1) %}{% endfor %}', '1:24: page.works is empty: where needs a list'],
    ['{{ "a"|center:page.size }}', '1:8: page.size is empty: center needs a whole number'],
    ['{{ page.price|divisibleby:3 }}', '1:15: page.price is empty: divisibleby needs a whole number'],
    [
      '{{ page["price"]|upper|divisibleby:3 }}',
      '1:24: page["price"]|upper is empty: divisibleby needs a whole number',
    ],
    [
      '{{ "/a.jpg"|thumbnail:size }}',
      '1:13: size is empty: thumbnail needs a size such as "320x200" with sides up to 2560, not ""',
    ],
    ['x\n{% include page["part"] %}', '2:1: page["part"] is empty: the name of a snippet is missing'],
    ['{% component page["part"] a=1 / %}', '1:1: page["part"] is empty: the name of a snippet is missing'],
    ['{% extends page["layout"] %}', '1:1: page["layout"] is empty: the name of a snippet is missing'],
    [
      '{% widthratio 1 2 width %}',
      '1:1: width is empty: the last argument of {% widthratio %} must be a number',
    ],
    ['{% cache seconds a %}{% endcache %}', '1:1: seconds is empty: {% cache %} needs a number of seconds'],
    [
      '{% partialdef p inline %}{{ "a"|ljust:w }}{% endpartialdef %}',
      '1:33: w is empty: ljust needs a whole number',
    ],
    [
      '{% macro m(w) %}{{ "a"|ljust:w }}{% endmacro %}{{ m() }}',
      '1:24: w is empty: ljust needs a whole number',
    ],
    // A value that is wrong, or that is no variable, is not called empty.
    ['{{ "a"|center:n }}', '1:8: center needs a whole number, not "x"'],
    ['{{ "a"|center:"" }}', '1:8: center needs a whole number, not ""'],
    ['{% include n|add:"" %}', '1:1: there is no snippet "x"'],
  ])('%j', (source, message) => {
    const engine = new Engine({ load: () => undefined });
    expect(() => engine.renderSource(source, '/a', { page: {}, n: 'x' })).toThrow(
      expect.objectContaining({ message: `/a:${message}` }),
    );
  });
});
