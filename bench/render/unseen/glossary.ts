import { leastOf, plainWords, sentence, times } from '../data.ts';
import { allDialects } from '../dialects.ts';
import { escapeHtml, runs, slug } from '../tools.ts';
import type { Workload } from '../workload.ts';

const context = {
  terms: times(78, (index) => ({
    letter: String.fromCharCode(65 + Math.floor(index / 3)),
    name: plainWords(index, 2),
    text: index % 2 === 0 ? sentence(index, 12) : plainWords(index, 14),
    links: times(index % 3, (link) => plainWords(index + link, 1)),
  })),
};

const entry = `<dt id="{{ term.name|slugify }}">{{ term.name }}</dt><dd>{{ term.text }}{% if term.links|length > 0 %}<small>{% for link in term.links %}<a href="#{{ link }}">{{ link }}</a>{% if not forloop.last %}; {% endif %}{% endfor %}</small>{% endif %}</dd>
`;

export const glossary: Workload<typeof context> = {
  name: 'glossary',
  about: '78 terms in groups by letter, with links',
  context,
  least: leastOf(context),
  sources: allDialects(
    {
      django: {
        main: `{% for group in groups %}<h2>{{ group.key }}</h2><dl>{% for term in group.list %}${entry}{% endfor %}</dl>{% endfor %}`,
      },
      javascript: {
        main: `<% for (const group of it.fn.runs(it.terms, (term) => term.letter)) { %><h2><%= group.key %></h2><dl><% for (const term of group.list) { %><dt id="<%= it.fn.slug(term.name) %>"><%= term.name %></dt><dd><%= term.text %><% if (term.links.length > 0) { %><small><% for (let i = 0; i < term.links.length; i++) { const link = term.links[i]; %><a href="#<%= link %>"><%= link %></a><%= i === term.links.length - 1 ? '' : '; ' %><% } %></small><% } %></dd>
<% } %></dl><% } %>`,
      },
      pug: {
        main: `each group in self.fn.runs(self.terms, (term) => term.letter)
  h2= group.key
  dl
    each term in group.list
      dt(id=self.fn.slug(term.name))= term.name
      dd
        = term.text
        if term.links.length > 0
          small
            each link, i in term.links
              a(href='#' + link)= link
              = i === term.links.length - 1 ? '' : '; '`,
      },
    },
    {
      incipit: {
        main: `{% regroup terms by letter as groups %}{% for group in groups %}<h2>{{ group.grouper }}</h2><dl>{% for term in group.list %}${entry}{% endfor %}</dl>{% endfor %}`,
      },
      nunjucks: {
        main: `{% for letter, list in terms|groupby("letter") %}<h2>{{ letter }}</h2><dl>{% for term in list %}${entry.replace('forloop.last', 'loop.last')}{% endfor %}</dl>{% endfor %}`,
      },
      liquidjs: {
        main: `{% assign groups = terms | group_by: "letter" %}{% for group in groups %}<h2>{{ group.name }}</h2><dl>{% for term in group.items %}${entry.replace('|slugify', ' | slugify').replace('|length', '.size').replace('{% if not forloop.last %}', '{% if forloop.last == false %}')}{% endfor %}</dl>{% endfor %}`,
      },
      handlebars: {
        main: `{{#each (runs terms "letter") as |group|}}<h2>{{group.key}}</h2><dl>{{#each group.list as |term|}}<dt id="{{slugify term.name}}">{{term.name}}</dt><dd>{{term.text}}{{#if term.links.length}}<small>{{#each term.links as |link|}}<a href="#{{link}}">{{link}}</a>{{#unless @last}}; {{/unless}}{{/each}}</small>{{/if}}</dd>
{{/each}}</dl>{{/each}}`,
      },
    },
  ),
  handWritten({ terms }) {
    let out = '';
    for (const { key, list } of runs(terms, (term) => term.letter)) {
      out += `<h2>${escapeHtml(key)}</h2><dl>`;
      for (const { name, text, links } of list) {
        out += `<dt id="${escapeHtml(slug(name))}">${escapeHtml(name)}</dt><dd>${escapeHtml(text)}`;
        if (links.length > 0) {
          out += '<small>';
          for (let index = 0; index < links.length; index += 1) {
            const link = escapeHtml(links[index] ?? '');
            out += `<a href="#${link}">${link}</a>${index === links.length - 1 ? '' : '; '}`;
          }
          out += '</small>';
        }
        out += '</dd>\n';
      }
      out += '</dl>';
    }
    return out;
  },
};
