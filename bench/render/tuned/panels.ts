import { leastOf, plainWords, sentence, times } from '../data.ts';
import { allDialects } from '../dialects.ts';
import { escapeHtml } from '../tools.ts';
import type { Workload } from '../workload.ts';

const context = {
  panels: times(14, (index) => ({
    id: index % 2 === 0 ? `panel-${index}` : '',
    title: sentence(index, 3),
    tone: index % 3 === 0 ? 'loud' : 'calm',
    text: sentence(index * 3, 14),
    isNew: index % 4 === 1,
    closable: index % 3 !== 1,
    actions: times(index % 3, (action) => ({
      label: plainWords(index + action, 2),
      url: `/do/${index}/${action}`,
    })),
  })),
};

/** The languages without slots include the parts that others use repeatedly. */
const flat = {
  badge: `<span class="badge {{ kind }}">{{ label }}</span>`,
  link: `<a class="action" href="{{ url }}">{{ label }}</a>`,
  main: `{% for panel in panels %}<section class="panel {{ panel.tone }}"{% if panel.id != "" %} id="{{ panel.id }}"{% endif %}><h2>{{ panel.title }}{% if panel.isNew %} {% include "badge" with kind="new" label="New" %}{% endif %}</h2><div><p>{{ panel.text }}</p></div>{% if panel.closable %}<footer>{% for action in panel.actions %}{% include "link" with url=action.url label=action.label %}{% else %}<button>Close</button>{% endfor %}</footer>{% endif %}</section>{% endfor %}`,
};

export const panels: Workload<typeof context> = {
  name: 'panels',
  about: '14 panels as components, with a slot that only some of them show, and components in the slots',
  context,
  least: leastOf(context),
  sources: allDialects(
    {
      django: { main: '' },
      javascript: {
        badge: `<span class="badge <%= it.kind %>"><%= it.label %></span>`,
        link: `<a class="action" href="<%= it.url %>"><%= it.label %></a>`,
        main: `<% for (const panel of it.panels) { %><section class="panel <%= panel.tone %>"<% if (panel.id !== '') { %> id="<%= panel.id %>"<% } %>><h2><%= panel.title %><% if (panel.isNew) { %> <%~ include('badge', { kind: 'new', label: 'New' }) %><% } %></h2><div><p><%= panel.text %></p></div><% if (panel.closable) { %><footer><% for (const action of panel.actions) { %><%~ include('link', { url: action.url, label: action.label }) %><% } %><% if (panel.actions.length === 0) { %><button>Close</button><% } %></footer><% } %></section><% } %>`,
      },
      pug: {
        main: `mixin badge(kind)
  span.badge(class=kind)
    block
mixin link(url)
  a.action(href=url)
    block
mixin panel(tone, id, title, isNew, closable, actions)
  section.panel(class=tone id=id || null)
    h2
      = title
      if isNew
        |  
        +badge('new') New
    div
      block
    if closable
      footer
        each action in actions
          +link(action.url)= action.label
        else
          button Close
each panel in self.panels
  +panel(panel.tone, panel.id, panel.title, panel.isNew, panel.closable, panel.actions)
    p= panel.text`,
      },
    },
    {
      incipit: {
        badge: `<span class="badge {{ kind }}">{% slot %}{% endslot %}</span>`,
        link: `<a class="action" href="{{ url }}">{% slot %}{% endslot %}</a>`,
        panel: `<section class="panel {{ tone }}"{% if id %} id="{{ id }}"{% endif %}>{% if slots.title %}<h2>{% slot title %}{% endslot %}</h2>{% endif %}<div>{% slot %}{% endslot %}</div>{% if closable %}<footer>{% slot actions %}<button>Close</button>{% endslot %}</footer>{% endif %}</section>`,
        main: `{% for panel in panels %}{% component "panel" tone=panel.tone id=panel.id closable=panel.closable %}{% fill title %}{{ panel.title }}{% if panel.isNew %} {% component "badge" kind="new" %}New{% endcomponent %}{% endif %}{% endfill %}<p>{{ panel.text }}</p>{% fill actions %}{% for action in panel.actions %}{% component "link" url=action.url %}{{ action.label }}{% endcomponent %}{% endfor %}{% endfill %}{% endcomponent %}{% endfor %}`,
      },
      nunjucks: {
        parts: `{% macro badge(kind, label) %}<span class="badge {{ kind }}">{{ label }}</span>{% endmacro %}{% macro link(url, label) %}<a class="action" href="{{ url }}">{{ label }}</a>{% endmacro %}`,
        main: `{% from "parts" import badge, link %}${flat.main
          .replace(/\{% include "badge" .*? %\}/, '{{ badge("new", "New") }}')
          .replace(/\{% include "link" .*? %\}/, '{{ link(action.url, action.label) }}')}`,
      },
      liquidjs: {
        badge: flat.badge,
        link: flat.link,
        main: flat.main
          .replace(
            '{% include "badge" with kind="new" label="New" %}',
            "{% render 'badge', kind: 'new', label: 'New' %}",
          )
          .replace(/\{% include "link" .*? %\}/, "{% render 'link', url: action.url, label: action.label %}"),
      },
      handlebars: {
        badge: `<span class="badge {{kind}}">{{label}}</span>`,
        link: `<a class="action" href="{{url}}">{{label}}</a>`,
        main: `{{#each panels as |panel|}}<section class="panel {{panel.tone}}"{{#if panel.id}} id="{{panel.id}}"{{/if}}><h2>{{panel.title}}{{#if panel.isNew}} {{> badge kind="new" label="New"}}{{/if}}</h2><div><p>{{panel.text}}</p></div>{{#if panel.closable}}<footer>{{#each panel.actions as |action|}}{{> link url=action.url label=action.label}}{{else}}<button>Close</button>{{/each}}</footer>{{/if}}</section>{{/each}}`,
      },
    },
  ),
  handWritten({ panels: all }) {
    let out = '';
    for (const { tone, id, title, isNew, text, closable, actions } of all) {
      out += `<section class="panel ${escapeHtml(tone)}"${id === '' ? '' : ` id="${escapeHtml(id)}"`}><h2>${escapeHtml(title)}`;
      if (isNew) out += ` ${badge('new', 'New')}`;
      out += `</h2><div><p>${escapeHtml(text)}</p></div>`;
      if (closable) {
        out += '<footer>';
        for (const { url, label } of actions) out += link(url, label);
        out += `${actions.length === 0 ? '<button>Close</button>' : ''}</footer>`;
      }
      out += '</section>';
    }
    return out;
  },
};

function badge(kind: string, label: string): string {
  return `<span class="badge ${escapeHtml(kind)}">${escapeHtml(label)}</span>`;
}

function link(url: string, label: string): string {
  return `<a class="action" href="${escapeHtml(url)}">${escapeHtml(label)}</a>`;
}
