import { leastOf, personName, plainWords, sentence, times } from '../data.ts';
import { allDialects } from '../dialects.ts';
import { escapeHtml, runs, slug } from '../tools.ts';
import type { Workload } from '../workload.ts';

const entries = times(72, (index) => ({
  letter: String.fromCharCode(65 + Math.floor(index / 4)),
  name: index % 6 === 0 ? personName(index / 6) : plainWords(index, 2),
  about: sentence(index, 10),
  seeAlso: index % 5 === 0 ? plainWords(index + 1, 2) : '',
}));

const context = { title: 'Who is who', entries };

/** Languages without `regroup` name the groups in their own way. */
const list = (
  groups: string,
  { key, entries: own, length, slugOf, end }: Record<'key' | 'entries' | 'length' | 'slugOf' | 'end', string>,
) =>
  `<main><h1>{{ title }}</h1><nav>${groups}<a href="#{{ ${key} }}">{{ ${key} }}</a> ${end}</nav>${groups}<section><h2 id="{{ ${key} }}">{{ ${key} }} <small>{{ ${own}${length} }}</small></h2><dl>{% for entry in ${own} %}<dt id="{{ entry.name${slugOf} }}">{{ entry.name }}</dt><dd>{{ entry.about }}{% if entry.seeAlso${length === '.size' ? ' != ""' : ''} %} See <a href="#{{ entry.seeAlso${slugOf} }}">{{ entry.seeAlso }}</a>.{% endif %}</dd>{% endfor %}</dl></section>${end}</main>`;

export const directory: Workload<typeof context> = {
  name: 'directory',
  about: '72 people by letter, with links to the letters, an anchor for each and links between them',
  context,
  least: leastOf(context),
  sources: allDialects(
    {
      django: { main: '' },
      javascript: {
        main: `<% let groups = it.fn.runsBy(it.entries, 'letter'); %><main><h1><%= it.title %></h1><nav><% for (const group of groups) { %><a href="#<%= group.key %>"><%= group.key %></a> <% } %></nav><% for (const group of groups) { %><section><h2 id="<%= group.key %>"><%= group.key %> <small><%= group.list.length %></small></h2><dl><% for (const entry of group.list) { %><dt id="<%= it.fn.slug(entry.name) %>"><%= entry.name %></dt><dd><%= entry.about %><% if (entry.seeAlso) { %> See <a href="#<%= it.fn.slug(entry.seeAlso) %>"><%= entry.seeAlso %></a>.<% } %></dd><% } %></dl></section><% } %></main>`,
      },
      pug: {
        main: `- const groups = self.fn.runsBy(self.entries, 'letter');
main
  h1= self.title
  nav
    each group in groups
      a(href='#' + group.key)= group.key
      |  
  each group in groups
    section
      h2(id=group.key)
        | #{group.key} 
        small= group.list.length
      dl
        each entry in group.list
          dt(id=self.fn.slug(entry.name))= entry.name
          dd
            = entry.about
            if entry.seeAlso
              |  See 
              a(href='#' + self.fn.slug(entry.seeAlso))= entry.seeAlso
              | .`,
      },
    },
    {
      incipit: {
        main: `{% regroup entries by letter as groups %}${list('{% for group in groups %}', {
          key: 'group.grouper',
          entries: 'group.list',
          length: '|length',
          slugOf: '|slugify',
          end: '{% endfor %}',
        })}`,
      },
      nunjucks: {
        main: list('{% for key, list in entries|groupby("letter") %}', {
          key: 'key',
          entries: 'list',
          length: '.length',
          slugOf: '|slugify',
          end: '{% endfor %}',
        }),
      },
      liquidjs: {
        main: `{% assign groups = entries | group_by: "letter" %}${list('{% for group in groups %}', {
          key: 'group.name',
          entries: 'group.items',
          length: '.size',
          slugOf: ' | slugify',
          end: '{% endfor %}',
        })}`,
      },
      handlebars: {
        main: `<main><h1>{{title}}</h1><nav>{{#each (runs entries "letter")}}<a href="#{{key}}">{{key}}</a> {{/each}}</nav>{{#each (runs entries "letter")}}<section><h2 id="{{key}}">{{key}} <small>{{list.length}}</small></h2><dl>{{#each list as |entry|}}<dt id="{{slugify entry.name}}">{{entry.name}}</dt><dd>{{entry.about}}{{#if entry.seeAlso}} See <a href="#{{slugify entry.seeAlso}}">{{entry.seeAlso}}</a>.{{/if}}</dd>{{/each}}</dl></section>{{/each}}</main>`,
      },
    },
  ),
  handWritten({ title, entries: all }) {
    const groups = runs(all, ({ letter }) => letter);
    let out = `<main><h1>${escapeHtml(title)}</h1><nav>`;
    for (const { key } of groups) out += `<a href="#${escapeHtml(key)}">${escapeHtml(key)}</a> `;
    out += '</nav>';
    for (const { key, list: own } of groups) {
      const letter = escapeHtml(key);
      out += `<section><h2 id="${letter}">${letter} <small>${own.length}</small></h2><dl>`;
      for (const { name, about, seeAlso } of own) {
        out += `<dt id="${escapeHtml(slug(name))}">${escapeHtml(name)}</dt><dd>${escapeHtml(about)}`;
        if (seeAlso !== '') out += ` See <a href="#${escapeHtml(slug(seeAlso))}">${escapeHtml(seeAlso)}</a>.`;
        out += '</dd>';
      }
      out += '</dl></section>';
    }
    return `${out}</main>`;
  },
};
