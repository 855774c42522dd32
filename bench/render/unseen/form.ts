import { leastOf, plainWords, sentence, times } from '../data.ts';
import { allDialects } from '../dialects.ts';
import { escapeHtml } from '../tools.ts';
import type { Workload } from '../workload.ts';

const context = {
  action: '/account/save?step=1&next=2',
  fields: times(24, (index) => ({
    label: index % 6 === 0 ? sentence(index, 2) : plainWords(index, 2),
    name: `field_${index}`,
    type: ['text', 'email', 'select', 'checkbox'][index % 4] ?? 'text',
    value: index % 3 === 0 ? sentence(index + 2, 3) : '',
    required: index % 2 === 0,
    error: index % 7 === 3 ? 'This field is "required"' : '',
    options: index % 4 === 2 ? times(6, (option) => ({ id: option, name: plainWords(option, 1) })) : [],
  })),
};

type Field = (typeof context)['fields'][number];

const django = `<div class="field{% if field.error %} has-error{% endif %}"><label for="{{ field.name }}">{{ field.label }}{% if field.required %}<abbr>*</abbr>{% endif %}</label>{% if field.type == "select" %}<select id="{{ field.name }}" name="{{ field.name }}">{% for option in field.options %}<option value="{{ option.id }}">{{ option.name }}</option>{% endfor %}</select>{% else %}<input type="{{ field.type }}" id="{{ field.name }}" name="{{ field.name }}" value="{{ field.value }}"/>{% endif %}{% if field.error %}<p>{{ field.error }}</p>{% endif %}</div>
`;

const main = `<form method="post" action="{{ action }}">{% for field in fields %}{% include "field" with field=field %}{% endfor %}<button>Save</button></form>`;

export const form: Workload<typeof context> = {
  name: 'form',
  about: 'form of 24 fields made by a macro',
  context,
  least: leastOf(context),
  sources: allDialects(
    {
      django: { field: django, main },
      javascript: {
        field: `<div class="field<%= it.field.error ? ' has-error' : '' %>"><label for="<%= it.field.name %>"><%= it.field.label %><% if (it.field.required) { %><abbr>*</abbr><% } %></label><% if (it.field.type === 'select') { %><select id="<%= it.field.name %>" name="<%= it.field.name %>"><% for (const option of it.field.options) { %><option value="<%= option.id %>"><%= option.name %></option><% } %></select><% } else { %><input type="<%= it.field.type %>" id="<%= it.field.name %>" name="<%= it.field.name %>" value="<%= it.field.value %>"/><% } %><% if (it.field.error) { %><p><%= it.field.error %></p><% } %></div>
`,
        main: `<form method="post" action="<%= it.action %>"><% for (const field of it.fields) { %><%~ include('field', { field: field }) %><% } %><button>Save</button></form>`,
      },
      pug: {
        main: `mixin field(f)
  div.field(class=f.error ? 'has-error' : null)
    label(for=f.name)
      = f.label
      if f.required
        abbr *
    if f.type === 'select'
      select(id=f.name name=f.name)
        each option in f.options
          option(value=option.id)= option.name
    else
      input(type=f.type id=f.name name=f.name value=f.value)
    if f.error
      p= f.error
form(method="post" action=self.action)
  each f in self.fields
    +field(f)
  button Save`,
      },
    },
    {
      incipit: {
        fields: `{% macro show(field) %}${django}{% endmacro %}`,
        main: `{% import "fields" show %}${main.replace('{% include "field" with field=field %}', '{{ show(field) }}')}`,
      },
      nunjucks: {
        fields: `{% macro show(field) %}${django}{% endmacro %}`,
        main: `{% from "fields" import show %}${main.replace('{% include "field" with field=field %}', '{{ show(field) }}')}`,
      },
      liquidjs: {
        field: django.replaceAll('{% if field.error %}', '{% if field.error != "" %}'),
        main: main.replace('{% include "field" with field=field %}', "{% render 'field', field: field %}"),
      },
    },
  ),
  handWritten({ action, fields }) {
    let out = `<form method="post" action="${escapeHtml(action)}">`;
    for (const field of fields) out += fieldOf(field);
    return `${out}<button>Save</button></form>`;
  },
};

function fieldOf({ label, name, type, value, required, error, options }: Field): string {
  const id = escapeHtml(name);
  let out = `<div class="field${error === '' ? '' : ' has-error'}"><label for="${id}">${escapeHtml(label)}${required ? '<abbr>*</abbr>' : ''}</label>`;
  if (type === 'select') {
    out += `<select id="${id}" name="${id}">`;
    for (const option of options) out += `<option value="${option.id}">${escapeHtml(option.name)}</option>`;
    out += '</select>';
  } else {
    out += `<input type="${escapeHtml(type)}" id="${id}" name="${id}" value="${escapeHtml(value)}"/>`;
  }
  if (error !== '') out += `<p>${escapeHtml(error)}</p>`;
  return `${out}</div>\n`;
}
