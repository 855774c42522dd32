/** What the code editor changes in a text: indents, and the new name of a snippet. */
import { expect, it } from 'vitest';
import { formatted } from '../../admin/src/editors/code/format.ts';
import { renamedInSchema, renamedInText, renamedInTree } from '../../admin/src/screens/code/renamed.ts';

const untidy = `{% extends "layout" %}
{% block content %}
<ul>
{% for entry in nav() %}
<li>
<a href="{{ entry.url }}">{{ entry.title }}</a>
{% if entry.current %}
<b>here</b>
      {% else %}
there   
{% endif %}
</li>
{% endfor %}
</ul>
<pre>
 as
   it is
</pre>
{% component "card" /%}
<p>after</p>
{% endblock %}`;

const tidy = `{% extends "layout" %}
{% block content %}
  <ul>
    {% for entry in nav() %}
      <li>
        <a href="{{ entry.url }}">{{ entry.title }}</a>
        {% if entry.current %}
          <b>here</b>
        {% else %}
          there
        {% endif %}
      </li>
    {% endfor %}
  </ul>
  <pre>
 as
   it is
</pre>
  {% component "card" /%}
  <p>after</p>
{% endblock %}`;

it('indents by tags of HTML and of templates, and leaves alone what is shown as it stands', () => {
  expect(formatted(untidy, 'html')).toBe(tidy);
});

it.each([
  ['html', tidy],
  ['css', '.a {\n  color: red;\n}\n'],
  ['js', 'function a() {\n  return `x\n y`;\n}\n'],
] as const)('changes nothing the second time: %s', (language, text) => {
  expect(formatted(text, language)).toBe(text);
});

it('indents CSS and scripts', () => {
  expect(formatted('@media print {\n.a {\ncolor: red;\n}\n}', 'css')).toBe(
    '@media print {\n  .a {\n    color: red;\n  }\n}',
  );
  expect(formatted('if (a) {\nb(`x\n   y`);\n}', 'js')).toBe('if (a) {\n  b(`x\n   y`);\n}');
});

it.each([
  ['{% include "card" with kind="card" %}', '', '{% include "tile" with kind="card" %}', 1],
  ["{%- extends 'card' -%}", '', "{%- extends 'tile' -%}", 1],
  ['{% component card title="x" / %}', '', '{% component "tile" title="x" / %}', 1],
  ['{% include "card#row" %}{% import "card" a %}', '', '{% include "tile#row" %}{% import "tile" a %}', 2],
  ['{% include "./card" %}', 'parts', '{% include "./card" %}', 0],
  ['{% include "cards" %} card', '', '{% include "cards" %} card', 0],
])('renames a snippet in %s', (text, folder, value, count) => {
  expect(renamedInText(text, 'card', 'tile', folder)).toEqual({ value, count });
});

it('renames a snippet that is named relative to a folder', () => {
  const { value } = renamedInText('{% include "../card" %}', 'a/card', 'b/tile', 'a/parts');
  expect(value).toBe('{% include "b/tile" %}');
});

it('renames a block type at every depth, and leaves references to global blocks alone', () => {
  const card = { id: 'b', type: 'card', params: { text: 'card' } };
  const tree = [{ id: 'a', type: 'columns', params: {}, slots: { left: [card, { id: 'c', global: 1 }] } }];
  expect(renamedInTree(tree, 'card', 'tile')).toEqual({
    count: 1,
    value: [
      {
        id: 'a',
        type: 'columns',
        params: {},
        slots: {
          left: [
            { ...card, type: 'tile' },
            { id: 'c', global: 1 },
          ],
        },
      },
    ],
  });
});

it('renames a block type in the slots that take it', () => {
  const schema = {
    label: 'List',
    slots: [{ name: 'default', max: 2, allow: ['tile', 'card'] }, { name: 'foot' }],
  };
  expect(renamedInSchema(schema, 'card', 'cards/large')).toEqual({
    count: 1,
    value: {
      label: 'List',
      slots: [{ name: 'default', max: 2, allow: ['tile', 'cards/large'] }, { name: 'foot' }],
    },
  });
  expect(renamedInSchema(null, 'card', 'tile')).toEqual({ count: 0, value: null });
});
