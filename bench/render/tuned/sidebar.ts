import { leastOf, plainWords, sentence, times } from '../data.ts';
import { allDialects } from '../dialects.ts';
import { escapeHtml } from '../tools.ts';
import type { Workload } from '../workload.ts';

interface Entry {
  readonly title: string;
  readonly url: string;
  readonly current: boolean;
  readonly children: readonly Entry[];
}

function entry(index: number, depth: number): Entry {
  return {
    title: index % 7 === 0 ? sentence(index, 3) : plainWords(index, 2),
    url: `/docs/${plainWords(index, 1)}-${index}`,
    current: index % 17 === 5,
    children: depth === 0 ? [] : times(3 + (index % 3), (child) => entry(index * 3 + child, depth - 1)),
  };
}

const context = { name: 'Docs — v2', entries: times(6, (index) => entry(index + 1, 2)) };

export const sidebar: Workload<typeof context> = {
  name: 'sidebar',
  about: 'documentation sidebar of three levels as a recursive include',
  context,
  least: leastOf(context),
  sources: allDialects(
    {
      django: {
        entry: `<li{% if entry.current %} class="current"{% endif %}><a href="{{ entry.url }}">{{ entry.title }}</a>{% if entry.children %}<ul>{% for child in entry.children %}{% include "entry" with entry=child %}{% endfor %}</ul>{% endif %}</li>`,
        main: `<aside><h2>{{ name }}</h2><ul>{% for child in entries %}{% include "entry" with entry=child %}{% endfor %}</ul></aside>`,
      },
      javascript: {
        entry: `<li<%~ it.entry.current ? ' class="current"' : '' %>><a href="<%= it.entry.url %>"><%= it.entry.title %></a><% if (it.entry.children.length > 0) { %><ul><% for (const child of it.entry.children) { %><%~ include('entry', { entry: child }) %><% } %></ul><% } %></li>`,
        main: `<aside><h2><%= it.name %></h2><ul><% for (const child of it.entries) { %><%~ include('entry', { entry: child }) %><% } %></ul></aside>`,
      },
      pug: {
        main: `mixin entry(e)
  li(class=e.current ? 'current' : null)
    a(href=e.url)= e.title
    if e.children.length > 0
      ul
        each child in e.children
          +entry(child)
aside
  h2= self.name
  ul
    each child in self.entries
      +entry(child)`,
      },
    },
    {
      nunjucks: {
        entry: `{% macro show(entry) %}<li{% if entry.current %} class="current"{% endif %}><a href="{{ entry.url }}">{{ entry.title }}</a>{% if entry.children.length > 0 %}<ul>{% for child in entry.children %}{{ show(child) }}{% endfor %}</ul>{% endif %}</li>{% endmacro %}`,
        main: `{% from "entry" import show %}<aside><h2>{{ name }}</h2><ul>{% for child in entries %}{{ show(child) }}{% endfor %}</ul></aside>`,
      },
      liquidjs: {
        entry: `<li{% if entry.current %} class="current"{% endif %}><a href="{{ entry.url }}">{{ entry.title }}</a>{% if entry.children.size > 0 %}<ul>{% for child in entry.children %}{% render 'entry', entry: child %}{% endfor %}</ul>{% endif %}</li>`,
        main: `<aside><h2>{{ name }}</h2><ul>{% for child in entries %}{% render 'entry', entry: child %}{% endfor %}</ul></aside>`,
      },
    },
  ),
  handWritten: ({ name, entries }) =>
    `<aside><h2>${escapeHtml(name)}</h2><ul>${entries.map(shown).join('')}</ul></aside>`,
};

function shown({ title, url, current, children }: Entry): string {
  let out = `<li${current ? ' class="current"' : ''}><a href="${escapeHtml(url)}">${escapeHtml(title)}</a>`;
  if (children.length > 0) {
    out += '<ul>';
    for (const child of children) out += shown(child);
    out += '</ul>';
  }
  return `${out}</li>`;
}
