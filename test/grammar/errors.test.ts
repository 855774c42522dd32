/** Complete error messages for wrong templates (place, found text, expected text), and right templates beside them. */
import { describe, expect, test } from 'vitest';
import { TemplateError } from '../../grammar/errors.ts';
import { parse } from '../../grammar/parse.ts';

/** Sources with the error as `line:column: message`. */
const wrong: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  expressions: [
    ['a\rb\r\nc\n{{ | }}', '4:4: unexpected "|", expected a value'],
    ['{% if\r\n  a\r\n  b\n%}', '3:3: unexpected "b", expected "%}" or an operator'],
    ['{{ a -- }}', '1:9: unexpected "}}", expected a value'],
    ['{{ }}', '1:4: unexpected "}}", expected a value'],
    ['{{ a b }}', '1:6: unexpected "b", expected "}}" or an operator'],
    ['{{ a. }}', '1:6: unexpected " ", expected a name'],
    ['{{ .a }}', '1:4: unexpected ".", expected a value'],
    ['{{ a| }}', '1:7: unexpected "}}", expected a filter name'],
    [
      '{{ a|"x" }}',
      '1:6: the string that begins with " is not closed or not wanted here, expected a filter name',
    ],
    ['{{ a|b: }}', '1:9: unexpected "}}", expected a value'],
    ['{{ a|b:"x }}', '1:8: the string that begins with " is not closed or not wanted here, expected a value'],
    ['{{ "abc }}', '1:4: the string that begins with " is not closed or not wanted here, expected a value'],
    ['{{ a|upper:1:2 }}', '1:13: unexpected ":", expected "}}" or an operator'],
    ['{{ a|upper( }}', '1:13: unexpected "}}", expected ")" or a value'],
    ['{{ (a }}', '1:7: unexpected "}}", expected ")" or an operator'],
    ['{{ a) }}', '1:5: unexpected ")", expected "}}" or an operator'],
    ['{{ [1, 2 }}', '1:10: unexpected "}}", expected ",", "]" or an operator'],
    ['{{ [1,, 2] }}', '1:7: unexpected ",", expected "]" or a value'],
    ['{{ {"a" 1} }}', '1:9: unexpected "1", expected ":" or an operator'],
    ['{{ {a} }}', '1:6: unexpected "}", expected ":" or an operator'],
    ['{{ f(1, }}', '1:9: unexpected "}}", expected a value'],
    ['{{ f(a=1, 2) }}', '1:11: A positional argument cannot follow a named one'],
    ['{{ a[] }}', '1:6: unexpected "]", expected a value'],
    ['{{ a + }}', '1:8: unexpected "}}", expected a value'],
    ['{{ a === b }}', '1:8: unexpected "=", expected a value (did you mean "=="?)'],
    ['{{ a = b }}', '1:6: unexpected "=", expected "}}" or an operator (did you mean "=="?)'],
    ['{{ a and }}', '1:10: unexpected "}}", expected a value'],
    ['{{ not }}', '1:8: unexpected "}}", expected a value'],
    ['{{ and a }}', '1:4: unexpected "and", expected a value'],
    ['{{ a if b }}', '1:11: unexpected "}}", expected "else" or an operator'],
    ['{{ a if b else }}', '1:16: unexpected "}}", expected a value'],
    ['{{ a is not[b] }}', '1:12: unexpected "[", expected nothing more here'],
    ['{{ a is }}', '1:9: unexpected "}}", expected a value'],
    ['{{ a & b }}', '1:6: unexpected "&", expected "}}" or an operator'],
    [
      '{{ a ? b : c }}',
      '1:6: unexpected "?", expected "}}" or an operator (did you mean "a if condition else b"?)',
    ],
    ['{{ a !== b }}', '1:8: unexpected "=", expected a value (did you mean "!="?)'],
    ['{{ a && b }}', '1:6: unexpected "&", expected "}}" or an operator (did you mean "and"?)'],
    ['{% if a||b %}{% endif %}', '1:9: unexpected "|", expected a filter name (did you mean "or"?)'],
    ['{% if !a %}{% endif %}', '1:7: unexpected "!", expected a value (did you mean "not"?)'],
    [
      '{% if not(a) %}{% endif %}',
      '1:10: unexpected "(", expected nothing more here (did you mean "not ("?)',
    ],
    ['{% if a = b %}{% endif %}', '1:9: unexpected "=", expected "%}" or an operator (did you mean "=="?)'],
    ['{% if a eq b %}{% endif %}', '1:9: unexpected "eq", expected "%}" or an operator (did you mean "=="?)'],
    [
      '{% if a AND b %}{% endif %}',
      '1:9: unexpected "AND", expected "%}" or an operator (did you mean "and"?)',
    ],
    ['{% if a <> b %}{% endif %}', '1:10: unexpected ">", expected a value (did you mean "!="?)'],
    ['{{ a ?? b }}', '1:6: unexpected "?", expected "}}" or an operator (did you mean "|default:"?)'],
    ['{{ a->b }}', '1:6: unexpected ">", expected a value (did you mean "."?)'],
    ['{% set a == b %}', '1:11: unexpected "=", expected a value'],
    ['{{ 1a }}', '1:4: unexpected "1a", expected a value'],
    ['{{ 1. }}', '1:6: unexpected " ", expected a name'],
    ['{{ a; b }}', '1:5: unexpected ";", expected "}}" or an operator'],
    ['{{ a, b }}', '1:5: unexpected ",", expected "}}" or an operator'],
    ['{{ $a }}', '1:4: unexpected "$a", expected a value'],
    ['{{ {{ a }} }}', '1:9: unexpected "}}", expected ":" or an operator'],
    ['ünï\n {{ a b }}', '2:7: unexpected "b", expected "}}" or an operator'],
    ['🙂{{ a b }}', '1:8: unexpected "b", expected "}}" or an operator'],
  ],
  'pairs of tags': [
    ['{% if a %}', '1:1: {% if %} is never closed, expected {% elif %}, {% else %} or {% endif %}'],
    [
      'x\n  {% if a %}{% for i in l %}',
      '2:13: {% for %} is never closed, expected {% empty %} or {% endfor %}',
    ],
    [
      '{% if a %}{% endfor %}',
      '1:11: unexpected {% endfor %}: {% if %} of line 1 is still open, expected {% elif %}, {% else %} or {% endif %}',
    ],
    [
      '{% if a %}\n{% for i in l %}\n{% endif %}',
      '3:1: unexpected {% endif %}: {% for %} of line 2 is still open, expected {% empty %} or {% endfor %}',
    ],
    ['{% if a %}{% else %}{% else %}{% endif %}', '1:21: {% else %} after {% else %}, expected {% endif %}'],
    [
      '{% if a %}{% else %}{% elif b %}{% endif %}',
      '1:21: {% elif %} after {% else %}, expected {% endif %}',
    ],
    [
      '{% if a %}{% empty %}{% endif %}',
      '1:11: unexpected {% empty %}: {% if %} of line 1 is still open, expected {% elif %}, {% else %} or {% endif %}',
    ],
    ['{% endif %}', '1:1: {% endif %} closes nothing: no tag is open here'],
    ['{% else %}', '1:1: {% else %} closes nothing: no tag is open here'],
    [
      '{% for i in l %}{% empty %}{% empty %}{% endfor %}',
      '1:28: a second {% empty %} in the same {% for %}, expected {% endfor %}',
    ],
    ['{% block a %}', '1:1: {% block %} is never closed, expected {% endblock %}'],
    [
      '{% block a %}{% endblock b %}',
      '1:14: {% endblock b %} closes another block, expected {% endblock a %}',
    ],
    [
      '{% macro m() %}{% endmacro n %}',
      '1:16: {% endmacro n %} closes another macro, expected {% endmacro m %}',
    ],
    ['{% verbatim %}{{ a }}', '1:1: {% verbatim %} is never closed, expected {% endverbatim %}'],
    ['{% verbatim a %}{% endverbatim %}', '1:1: {% verbatim %} is never closed, expected {% endverbatim %}'],
    ['{% endverbatim %}', '1:1: {% endverbatim %} closes nothing: no tag is open here'],
    ['{% comment %}abc', '1:1: {% comment %} is never closed, expected {% endcomment %}'],
    [
      '{% component "a" %}',
      '1:1: {% component %} is never closed, expected {% fill %} or {% endcomponent %}',
    ],
    [
      '{% component "a" / %}{% endcomponent %}',
      '1:22: {% endcomponent %} closes nothing: no tag is open here',
    ],
    [
      '{% component "a" %}{% fill x %}{% endcomponent %}',
      '1:32: unexpected {% endcomponent %}: {% fill %} of line 1 is still open, expected {% endfill %}',
    ],
    [
      '{% component "a" %}{% fill x %}{% endfill %}{% fill x %}{% endfill %}{% endcomponent %}',
      '1:45: slot "x" is filled twice in the same {% component %}',
    ],
    [
      '{% component "a" %}text{% fill default %}{% endfill %}{% endcomponent %}',
      '1:1: the default slot is filled twice: by {% fill default %} and by other content',
    ],
    ['{% fill x %}{% endfill %}', '1:1: {% fill %} must stand directly inside {% component %}'],
    [
      '{% component "a" %}{% if a %}{% fill x %}{% endfill %}{% endif %}{% endcomponent %}',
      '1:30: {% fill %} must stand directly inside {% component %}',
    ],
    [
      '{% ifchanged %}{% else %}{% else %}{% endifchanged %}',
      '1:26: a second {% else %}, expected {% endifchanged %}',
    ],
    ['{% spaceless %}', '1:1: {% spaceless %} is never closed, expected {% endspaceless %}'],
  ],
  'the inside of tags': [
    ['{% if %}x{% endif %}', '1:7: unexpected "%}", expected a value'],
    ['{% if a b %}x{% endif %}', '1:9: unexpected "b", expected "%}" or an operator'],
    ['{% else x %}', '1:9: unexpected "x", expected "%}"'],
    ['{% for %}{% endfor %}', '1:8: unexpected "%}", expected a name'],
    ['{% for i of l %}{% endfor %}', '1:10: unexpected "of", expected "," or "in"'],
    ['{% for i j in l %}{% endfor %}', '1:10: unexpected "j", expected "," or "in"'],
    ['{% for 1 in l %}{% endfor %}', '1:8: unexpected "1", expected a name'],
    [
      '{% for i in l revers %}{% endfor %}',
      '1:15: unexpected "revers", expected "%}", "reversed" or an operator',
    ],
    ['{% with %}{% endwith %}', '1:9: unexpected "%}", expected a value'],
    ['{% with a %}{% endwith %}', '1:11: unexpected "%}", expected "=", "as" or an operator'],
    ['{% with a=1, b=2 %}{% endwith %}', '1:12: unexpected ",", expected "%}" or an operator'],
    ['{% set a %}', '1:10: unexpected "%}", expected "="'],
    ['{% set a.b = 1 %}', '1:9: unexpected ".", expected "="'],
    ['{% include %}', '1:12: unexpected "%}", expected a value'],
    ['{% include "a" b %}', '1:16: unexpected "b", expected "%}", "only" or "with"'],
    ['{% include "a" with %}', '1:21: unexpected "%}", expected a name'],
    ['{% include "a" only only %}', '1:21: unexpected "only", expected "%}" or "with"'],
    [
      '{% include "a %}',
      '1:12: the string that begins with " is not closed or not wanted here, expected a value',
    ],
    [
      '{% extends "a" "b" %}',
      '1:16: the string that begins with " is not closed or not wanted here, expected "%}"',
    ],
    ['{% block %}{% endblock %}', '1:10: unexpected "%}", expected a block name'],
    ['{% block a b %}{% endblock %}', '1:12: unexpected "b", expected "%}"'],
    ['{% component "a" b %}{% endcomponent %}', '1:20: unexpected "%}", expected "="'],
    ['{% slot 1 %}{% endslot %}', '1:9: unexpected "1", expected "%}" or a slot name'],
    ['{% macro m(a b) %}{% endmacro %}', '1:14: unexpected "b", expected ")", "," or "="'],
    ['{% macro m(a=) %}{% endmacro %}', '1:14: unexpected ")", expected a value'],
    ['{% import "a" %}', '1:15: unexpected "%}", expected a name'],
    ['{% import "a" m n %}', '1:17: unexpected "n", expected "%}", "," or "as"'],
    ['{% autoescape yes %}{% endautoescape %}', '1:15: unexpected "yes", expected "off" or "on"'],
    ['{% cycle a,b %}', '1:11: unexpected ",", expected "%}" or an operator'],
    ['{% cycle "a" "b" as x silently %}', '1:23: unexpected "silently", expected "%}"'],
    ['{% now %}', '1:8: unexpected "%}", expected a value'],
    ['{% filter |upper %}x{% endfilter %}', '1:11: unexpected "|", expected a filter name'],
    ['{% regroup a b as c %}', '1:14: unexpected "b", expected "by" or "|"'],
    ['{% widthratio a b %}', '1:19: unexpected "%}", expected a value'],
    ['{% templatetag foo %}', '1:16: unexpected "foo", expected a name of a piece of template syntax'],
    [
      '{% partialdef a %}{% endpartialdef %}{% partialdef a %}{% endpartialdef %}',
      '1:38: a second {% partialdef a %}: names of partials are unique',
    ],
    [
      '{% partialdef card %}{% endpartialdef %}{% partial crd %}',
      '1:41: no {% partialdef crd %} in this template (did you mean "card"?)',
    ],
    [
      '{% partialdef a %}{% partial a %}{% endpartialdef %}',
      '1:19: {% partial a %} would render itself without end',
    ],
    [
      '{% partialdef a %}{% partial b %}{% endpartialdef %}{% partialdef b %}{% partial a %}{% endpartialdef %}',
      '1:19: {% partial b %} would render itself without end',
    ],
    [
      '{% partialdef a %}{% partialdef b inline %}{% partial a %}{% endpartialdef %}{% endpartialdef %}',
      '1:44: {% partial a %} would render itself without end',
    ],
    ['{% if a %}{% endif a %}', '1:11: {% endif %} takes no name, unlike {% endblock %}'],
  ],
  'tags that do not exist': [
    ['{% %}', '1:4: unexpected "%}", expected the name of a tag'],
    ['{% 1 %}', '1:1: unknown tag "1"'],
    ['{% iff a %}', '1:1: unknown tag "iff" (did you mean "if"?)'],
    ['{% For i in l %}', '1:1: unknown tag "For" (did you mean "for"?)'],
    ['{% fro i in l %}', '1:1: unknown tag "fro" (did you mean "for"?)'],
    ['{% if a %}{% elseif b %}', '1:11: unknown tag "elseif" (did you mean "elif"?)'],
    ['{% if a %}{% else if b %}', '1:19: unexpected "if", expected "%}" (did you mean "elif"?)'],
    ['{% foreach i in l %}', '1:1: unknown tag "foreach" (did you mean "for"?)'],
    ['{% unless a %}', '1:1: unknown tag "unless" (did you mean "if not"?)'],
    ['{% assign a = 1 %}', '1:1: unknown tag "assign" (did you mean "set"?)'],
    ['{% for i in l %}{% end %}', '1:17: unknown tag "end" (did you mean "endfor"?)'],
    ['{% end %}', '1:1: unknown tag "end"'],
    ['{% gadget %}', '1:1: unknown tag "gadget"'],
    ['{% ifequal a b %}', '1:1: unknown tag "ifequal"'],
    ['{% url "x" %}', '1:1: unknown tag "url"'],
    ['{% static "x" %}', '1:1: unknown tag "static"'],
    ['{% trans "x" %}', '1:1: unknown tag "trans"'],
    ['{% endfoo %}', '1:1: {% endfoo %} closes nothing: no tag is open here'],
    ['{% constructor %}', '1:1: unknown tag "constructor"'],
  ],
};

/** Right sources that look wrong or are similar to wrong ones. */
const right: Readonly<Record<string, readonly string[]>> = {
  'delimiters that are not closed on their line': [
    '{{ a\nb }}',
    '{% if a\n{{ b }}',
    '{# a\n#}',
    '{{ a }',
    '{ { a } }',
    '{% if a %}{{ b {% endif %}',
    '{{ a }}}',
    '{{ a %}',
  ],
  'tags over several lines': [
    '{% if a\n%}x{% endif %}',
    '{%\r\nif a\r\n%}x{%\nendif\n%}',
    '{% if a %}{% if b\n%}{% endif %}{% endif %}',
  ],
  'dashes at delimiters': [
    '{{- a -}}',
    '{%- if a -%}{%- endif -%}',
    '{#- a -#}',
    '{{ -a -}}',
    '{% block a-b-%}{% endblock a-b -%}',
  ],
  'delimiters inside strings': ['{{ "}}" }}', '{{ "%}" }}', '{% if a == "%}" %}{% endif %}', "{{ '{{' }}"],
  'anything in comments and verbatim': [
    '{# {% if %} {{ #}',
    '{% comment %}{% if %}{{ a b }}{% endif %}{% endcomment %}',
    '{% comment "a note" %}{% endcomment %}',
    '{% verbatim %}{{ a b }}{% nonsense %}{% endverbatim %}',
    '{% verbatim x %}{% endverbatim %}{% endverbatim x %}',
  ],
  'words of the language as names': [
    '{{ iffy }}{{ notes }}{{ inner }}{{ island }}{{ android }}{{ order }}{{ trueish }}{{ nonesuch }}',
    '{{ a.if }}{{ a.not }}{{ a.in }}{{ a.and.or }}{{ a.true }}',
    '{% for for in in2 %}{{ for }}{% endfor %}',
    '{% with with=1 as=2 %}{{ with }}{{ as }}{% endwith %}',
    '{% firstof as %}',
  ],
  'white space at every allowed place': [
    '{{a}}{{  a  }}{{ a|upper | lower }}{{ f( 1 , b = 2 ) }}{{ [ 1 , 2 , ] }}{{ { "a" : 1 , } }}',
    '{%if a%}{%else%}{%endif%}{%   for   a ,b   in   l   %}{%endfor%}',
    '{% set a=1 %}{% set a = 1 %}',
    '\ufeff{{ a }}\r\n\t{{ b }}',
  ],
  'expressions of all forms': [
    '{{ a.b.0["c"][d](e)|f:g|h(i, j) }}',
    '{{ -1 }}{{ - a }}{{ +a }}{{ 1.5e-3 }}{{ 1.2.3 }}',
    '{{ a if b else c if d else e }}',
    '{{ not a in b }}{{ a not in b }}{{ a is not b }}',
    '{{ a ~ b + c * d % e / f - g }}',
    '{{ "a\\"b" }}{{ \'a\\\'b\' }}{{ "" }}',
  ],
  'names of templates of all forms': [
    '{% include "a" %}{% include a %}{% include a.b %}{% include a/b-c.html with d=1 only %}',
    '{% include "a" ~ b %}{% include a|lower %}{% include a.b[0] %}{% include ["a", b] %}',
    '{% component a/b c=1 / %}{% component "a" with b=1 %}{% endcomponent %}',
    '{% extends "a" if b else "c" %}',
    '{% import a/b m, n as o %}',
  ],
};

describe.each(Object.entries(wrong))('wrong: %s', (_, cases) => {
  for (const [source, message] of cases) {
    test(title(source), () => expect(errorOf(source)).toBe(`page:${message}`));
  }
});

describe.each(Object.entries(right))('right: %s', (_, sources) => {
  for (const source of sources) test(title(source), () => expect(errorOf(source)).toBe('no error'));
});

test('an error has template, line, column and reason as fields', () => {
  const error = thrownBy('a\n {% nonsense %}');
  expect(error).toMatchObject({ template: 'page', line: 2, column: 2, reason: 'unknown tag "nonsense"' });
});

test('the first of several mistakes is reported', () => {
  expect(errorOf('{{ a b }}{% nonsense %}')).toBe('page:1:6: unexpected "b", expected "}}" or an operator');
});

function errorOf(source: string): string {
  return thrownBy(source)?.message ?? 'no error';
}

function thrownBy(source: string): TemplateError | undefined {
  try {
    parse(source, 'page');
    return undefined;
  } catch (error) {
    if (error instanceof TemplateError) return error;
    throw error;
  }
}

function title(source: string): string {
  return source.replaceAll('\n', '⏎');
}
