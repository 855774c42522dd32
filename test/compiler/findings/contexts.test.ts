/** Places where escaping a value for HTML is not enough, such as addresses and scripts, and places where it is. */
import { describe, expect, test } from 'vitest';
import { Engine, type TemplateFunction } from '../../../runtime/engine.ts';

const nothing: TemplateFunction = { call: () => [] };
const functions = new Map(
  ['data', 'item', 'nav', 'children', 'file', 'image', 'asset_url', 'workflow'].map((name) => [
    name,
    nothing,
  ]),
);

const layouts: Readonly<Record<string, string>> = {
  layout:
    '<body class="{% block class %}{% endblock %}"><a href="{% block link %}{% endblock %}">' +
    '<script>{% block script %}{% endblock %}</script>{% block main %}{% endblock %}',
  inner: '{% extends "layout" %}{% block script %}let a; {% block more %}{% endblock %}{% endblock %}',
  data: 'let v = "{{ v }}";{% include "more" with w=page.id %}',
  more: 'w = {{ w }}; {% include "data" %}',
  address: '{{ u }}',
  attributes: ' class="{{ c }}" {% if a %}hidden{% endif %}',
  opens: 'class="x"><script>',
  circle: '{% extends "circle" %}',
  broken: '<script>{% block main %}{% if %}',
};

/** Findings that these templates also have, because they include each other, or have text outside of blocks. */
const others: ReadonlySet<string> = new Set(['template.circle', 'template.ignoredText']);

/** The reported places, as `line:column place name`. */
function placesIn(source: string): string[] {
  const engine = new Engine({ load: (name) => layouts[name], functions });
  return engine
    .inspect(source, 'page', { hasSnippet: () => true })
    .findings.filter(({ code }) => !others.has(code))
    .map(({ code, error, params }) => {
      expect(code).toBe('template.unsafeContext');
      return `${error.line}:${error.column} ${params['place']} ${params['name']}`;
    });
}

describe('a value is reported', () => {
  test.each([
    // In scripts.
    ['<script>v = "{{ s }}"</script>', ['1:17 script script']],
    ['<script>\n  if (a < b) f({{ s }})\n</script>{{ s }}', ['2:19 script script']],
    ['<SCRIPT type="module" async>{{ s }}</SCRIPT>', ['1:32 script script']],
    ['<script type="application/ld+json">{{ s|json }}</script>', ['1:39 script script']],
    ['<script>"</div>" + {{ s }}</script >{{ s }}', ['1:23 script script']],
    ['<script{% if a %} defer{% endif %}>{{ s }}</script>', ['1:39 script script']],
    ['<script>{% for s in list %}{{ s }}{% endfor %}</script>', ['1:31 script script']],
    ['<script>{% firstof s "x" %}{% cycle s "x" %}</script>', ['1:20 script script', '1:37 script script']],
    ['<button onclick="go(\'{{ s }}\')">', ['1:25 handler onclick']],
    ['<button ONCLICK="{{ s }}">', ['1:21 handler onclick']],
    ['<a href=" javascript:go({{ s }})">', ['1:28 handler href']],
    // As HTML inside a value.
    ['<iframe srcdoc="<p>{{ s }}">', ['1:23 document srcdoc']],
    ['<iframe srcdoc="{{ s|force_escape }}">', ['1:20 document srcdoc']],
    // As addresses.
    ['<a href="{{ u }}">', ['1:13 address href']],
    ["<a class=x href = ' {{ u }}'>", ['1:24 address href']],
    ['<a href="java{{ u }}">', ['1:17 address href']],
    ['<a href="{{ a.link }}">', ['1:13 address href']],
    [
      '<form action="{{ u }}"><button formaction="{{ u }}">',
      ['1:18 address action', '1:47 address formaction'],
    ],
    ['<iframe src="{{ u }}"></iframe><object data="{{ u }}">', ['1:17 address src', '1:49 address data']],
    ['<a href="{{ route.query.next }}">', ['1:13 address href']],
    ['<a href="{{ route.query.url }}">', ['1:13 address href']],
    ['<a href="{{ route.query.path }}">', ['1:13 address href']],
    ['<a href="{{ route.slug }}">', ['1:13 address href']],
    ['<a href="{{ item("links", "id", 1).url }}">', ['1:13 address href']],
    ['{% for l in data("links") %}<a href="{{ l.url }}">{% endfor %}', ['1:41 address href']],
    ['{% for l in data("links")|slice:":3" %}<a href="{{ l.url }}">{% endfor %}', ['1:52 address href']],
    ['<a href="{{ u|default:"/" }}">', ['1:13 address href']],
    ['<a href="{{ u if u else "/" }}">', ['1:13 address href']],
    ['<a href="{{ u ~ "/x" }}">', ['1:13 address href']],
    ['<a href="{% if b %}/x/{% endif %}{{ u }}">', ['1:37 address href']],
    ['{% set u = page.url %}{% if b %}{% set u = x %}{% endif %}<a href="{{ u }}">', ['1:71 address href']],
    ['{% for page in list %}<a href="{{ page.link }}">{% endfor %}', ['1:35 address href']],
    ['<script src="{{ u }}"></script>', ['1:17 scriptAddress src']],
    ['<script src="{{ u|clean_url }}"></script>', ['1:17 scriptAddress src']],
    ['<script src="https://{{ h }}/x.js"></script>', ['1:25 scriptAddress src']],
    // Without quotes, and in place of attributes.
    ['<p {{ a }}>', ['1:7 tag p']],
    ['<p class="x"{{ a }}>', ['1:16 tag p']],
    ['<p data-{{ a }}="x">', ['1:12 tag p']],
    ['<h{{ level }}>x</h{{ level }}>', ['1:6 tag h']],
    ['<{{ tag }}>', ['1:5 tag ']],
    ['<p class={{ a }}>', ['1:13 unquoted class']],
    ['<p class=x{{ a }}>', ['1:14 unquoted class']],
    ['<a href={{ u }}>', ['1:12 unquoted href']],
    ['<p {% if x %}class="a"{% endif %} {{ a }}>', ['1:38 tag p']],
    ['{% macro m(a) %}<p {{ a }}>{% endmacro %}', ['1:23 tag p']],
    ['{% component "c" %}<p {{ a }}>{% endcomponent %}', ['1:26 tag p']],
    ['{% partialdef p inline %}<p {{ a }}>{% endpartialdef %}{% partial p %}', ['1:32 tag p']],
    // In a snippet that is included at such a place.
    ['<script>{% include "data" %}</script>', ['1:9 script script']],
    ['<a href="{% include "address" %}">', ['1:10 address href']],
    ['<p {% include "opens" %}{{ s }}</script>', ['1:28 script script']],
    // In a block that the layout outputs at such a place.
    ['{% extends "layout" %}{% block script %}{{ s }}{% endblock %}', ['1:44 script script']],
    ['{% extends "inner" %}{% block script %}{{ s }}{% endblock %}', ['1:43 script script']],
    ['{% extends "inner" %}{% block more %}{{ s }}{% endblock %}', ['1:41 script script']],
    ['{% extends "layout" %}{% block link %}{{ u }}{% endblock %}', ['1:42 address href']],
  ])('%j', (source, expected) => {
    expect(placesIn(source)).toEqual(expected);
  });
});

describe('a value is not reported', () => {
  test.each([
    // In text and quotes.
    ['<p title="{{ a }}" style=\'{{ a }}\' data-x="{{ a|json }}">{{ a }}</p>'],
    ['<title>{{ a }}</title><textarea>{{ a }}</textarea><style>{{ a }}</style><!-- <p {{ a }}> -->{{ a }}'],
    ['<!doctype {{ a }}><?x {{ a }}?>a < {{ b }} <3 {{ c }} </ {{ d }}'],
    ['<p class="{% if a %}x{% else %}y{% endif %} {{ a }}">'],
    ['<p {% if a %}class="{{ a }}"{% else %}id="{{ a }}"{% endif %}>{{ a }}'],
    ['<script type="text/template"><p>{{ a }}</p></script>'],
    ['<scripted>{{ a }}</scripted><p on="{{ a }}">'],
    ['<script></script><script src="/x.js"/></script>{{ a }}'],
    ['<a title="{{ a }}" href="#">{{ a }}</a><img src="{{ u }}"><link href="{{ u }}"><p href="{{ u }}">'],
    // Addresses with a fixed beginning, and values that are known to be addresses.
    [
      '<a href="/x/{{ u }}"><a href="#{{ u }}"><a href="?{{ u }}"><a href="mailto:{{ u }}"><a href="page-{{ u }}">',
    ],
    [
      '<a href="{{ page.url }}"><a href="{{ page.parent.path }}"><a href="{{ site.url }}/x"><a href="{{ route.path }}">',
    ],
    ['<a href="{{ asset_url(1) }}"><a href="{{ file(1).url }}"><a href="{{ image(id).url }}">'],
    ['<a href="{{ children().0.url }}"><a href="{{ nav()[0].url }}">'],
    [
      '{% for p in nav() %}<a href="{{ p.url }}">{% for c in p.children %}<a href="{{ c.path }}">{% endfor %}{% endfor %}',
    ],
    ['{% for e in data("news") %}<a href="{{ e._url }}"><a href="{{ e.image.url }}">{% endfor %}'],
    [
      '{% with u=page.url %}<a href="{{ u }}?x={{ x }}">{% endwith %}{% set v = page.url %}<a href="{{ v }}">',
    ],
    [
      '<a href="{{ entry.url }}"><a href="{{ u|clean_url }}"><a href="{{ u|urlencode }}"><a href="{{ u|slugify }}">',
    ],
    [
      '<a href="{{ page.url|default:"/" }}"><a href="{{ page.url if a else "/" }}"><a href="{{ "/x/" ~ u }}">',
    ],
    ['<a href="{{ "/x/"|add:u }}"><a href="{{ page.url ~ u }}"><a href="{% querystring a=u %}">'],
    [
      '{% for u in ["/a", "/b"] %}<a href="{{ u }}">{% endfor %}{% set m = [{"u": "/a"}] %}<a href="{{ m[0].u }}">',
    ],
    [
      '<script src="/x/{{ v }}.js"></script><script src="{{ asset_url(1) }}"></script><script src="//a.example/{{ v }}"></script>',
    ],
    ['<script src="app{{ v }}.js"></script>'],
    // Values that are safe at the place, some of them by a filter.
    [
      '<script>v = "{{ s|escapejs }}"; w = {{ s|json|safe }}; n = {{ s|length }}</script>{{ s|json_script:"x" }}',
    ],
    ['<button onclick="go(\'{{ s|escapejs }}\', {{ s|json }})">'],
    ['<iframe srcdoc="{{ s|force_escape|force_escape }}">'],
    ['<p {{ a|safe }}><p class={{ a|slugify }}><h{{ level|integer }}><option {{ a|yesno:"selected," }}>'],
    [
      '<option {{ "selected" if a else "" }}><option {{ "selected" }}><p data-n={{ a|length }} id=x{{ page.id }}>',
    ],
    ['{% for a in list %}<p id=n{{ forloop.counter }} {% cycle "a" "b" %}>{% endfor %}'],
    ['<script>n = {{ forloop.counter }}; m = {{ forloop.parentloop.last }}</script>'],
    ['{% autoescape off %}<script>{{ s }}</script><a href="{{ u }}">{% endautoescape %}'],
    ['{% macro m(a) %}x{% endmacro %}<p {{ m(1) }}>{% import "forms" attributes %}<p {{ attributes(2) }}>'],
    ['{% include "data" %}'],
    ['<a href="{% include "address" with u=page.url %}"><p{% include "attributes" %}>{{ a }}'],
    ['<script>{% include "nowhere" %}{% include name ~ "x" %}</script>'],
    // Where the place is not certain.
    ['<p {% if a %}class="x{% else %}id=\'{% endif %}{{ a }}>{{ a }}'],
    [
      '{% extends "layout" %}<script>{% block class %}{{ a }}{% endblock %}{% block main %}{{ a }}{% endblock %}',
    ],
    ['{% extends "circle" %}{% block main %}{{ a }}{% endblock %}'],
    ['{% extends "broken" %}{% block main %}{{ a }}{% endblock %}'],
    ['{% extends "nowhere" %}{% block main %}{{ a }}{% endblock %}'],
  ])('%j', (source) => {
    expect(placesIn(source)).toEqual([]);
  });
});

test('the message suggests what to write instead', () => {
  const engine = new Engine({ load: () => undefined, functions });
  const messages = engine
    .inspect('<a href="{{ u }}">\n<p {{ a }}>', '/about')
    .findings.map(({ error }) => error.message);
  expect(messages).toEqual([
    '/about:1:13: "href" begins with a value that may be a javascript: address: write {{ value|clean_url }}, or text before it such as "/"',
    '/about:2:7: a value as a part of the tag <p> may be any attribute: write the attribute as text and the value in quotes',
  ]);
});

test('the message names the snippet with the value', () => {
  const engine = new Engine({ load: (name) => layouts[name], functions });
  const [finding] = engine.inspect('<a href="{% include "address" %}">', '/about').findings;
  expect(finding?.error.message).toMatch(
    /^\/about:1:10: in the snippet "address", as it is included here: "href" begins with a value/,
  );
});

test('only the first 100 findings are reported', () => {
  expect(placesIn('<p {{ a }}>\n'.repeat(200)).at(-1)).toBe('100:7 tag p');
});
