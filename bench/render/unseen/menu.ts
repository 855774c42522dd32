import { leastOf, plainWords, sentence, times } from '../data.ts';
import { allDialects } from '../dialects.ts';
import { escapeHtml } from '../tools.ts';
import type { Workload } from '../workload.ts';

const link = (index: number) => ({
  title: index % 9 === 0 ? sentence(index, 2) : plainWords(index, 2),
  url: `/${plainWords(index, 1)}/${index}`,
  active: index % 13 === 4,
});

const context = {
  site: 'Musée & Café',
  trail: times(4, link),
  columns: times(6, (column) => ({
    ...link(column),
    groups: times(3, (group) => ({
      title: plainWords(column + group, 1),
      links: times(5, (entry) => link(column * 15 + group * 5 + entry)),
    })),
  })),
};

type Link = ReturnType<typeof link>;

export const menu: Workload<typeof context> = {
  name: 'menu',
  about: 'menu of 6 columns and 90 links, each link an include, with a trail',
  context,
  least: leastOf(context),
  sources: allDialects({
    django: {
      link: `<a href="{{ link.url }}"{% if link.active %} aria-current="page"{% endif %}>{{ link.title }}</a>`,
      main: `<header><h1>{{ site }}</h1><ol>{% for step in trail %}<li>{% include "link" with link=step %}</li>{% endfor %}</ol><nav>{% for column in columns %}<div>{% include "link" with link=column %}{% for group in column.groups %}<h5>{{ group.title }}</h5><ul>{% for entry in group.links %}<li>{% include "link" with link=entry %}</li>{% endfor %}</ul>{% endfor %}</div>{% endfor %}</nav></header>`,
    },
    javascript: {
      link: `<a href="<%= it.link.url %>"<%~ it.link.active ? ' aria-current="page"' : '' %>><%= it.link.title %></a>`,
      main: `<header><h1><%= it.site %></h1><ol><% for (const step of it.trail) { %><li><%~ include('link', { link: step }) %></li><% } %></ol><nav><% for (const column of it.columns) { %><div><%~ include('link', { link: column }) %><% for (const group of column.groups) { %><h5><%= group.title %></h5><ul><% for (const entry of group.links) { %><li><%~ include('link', { link: entry }) %></li><% } %></ul><% } %></div><% } %></nav></header>`,
    },
    pug: {
      main: `mixin link(l)
  a(href=l.url aria-current=l.active ? 'page' : null)= l.title
header
  h1= self.site
  ol
    each step in self.trail
      li
        +link(step)
  nav
    each column in self.columns
      div
        +link(column)
        each group in column.groups
          h5= group.title
          ul
            each entry in group.links
              li
                +link(entry)`,
    },
  }),
  handWritten({ site, trail, columns }) {
    let out = `<header><h1>${escapeHtml(site)}</h1><ol>`;
    for (const step of trail) out += `<li>${anchor(step)}</li>`;
    out += '</ol><nav>';
    for (const column of columns) {
      out += `<div>${anchor(column)}`;
      for (const group of column.groups) {
        out += `<h5>${escapeHtml(group.title)}</h5><ul>`;
        for (const entry of group.links) out += `<li>${anchor(entry)}</li>`;
        out += '</ul>';
      }
      out += '</div>';
    }
    return `${out}</nav></header>`;
  },
};

const anchor = ({ url, title, active }: Link) =>
  `<a href="${escapeHtml(url)}"${active ? ' aria-current="page"' : ''}>${escapeHtml(title)}</a>`;
