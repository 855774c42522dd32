import { leastOf, moment, plainWords, sentence, times } from '../data.ts';
import { allDialects } from '../dialects.ts';
import { day, query as encoded, escapeHtml, plural, shorten } from '../tools.ts';
import type { Workload } from '../workload.ts';

const context = {
  query: 'café & "light"',
  total: 231,
  page: 3,
  pages: [1, 2, 3, 4, 5, 6, 7, 8],
  results: times(20, (index) => ({
    title: plainWords(index, 5),
    url: `https://example.org/${index}/${plainWords(index, 1)}`,
    kind: ['page', 'file', 'event'][index % 3] ?? '',
    date: moment(index),
    excerpt: index % 2 === 0 ? sentence(index, 30) : plainWords(index, 36),
    hits: 1 + (index % 4),
  })),
};

export const search: Workload<typeof context> = {
  name: 'search',
  about: '20 search results with excerpts, dates, hits and pages',
  context,
  least: leastOf(context),
  sources: allDialects({
    django: {
      main: `<h1>{{ total }} result{{ total|pluralize }} for {{ query }}</h1><ol>{% for result in results %}<li class="{{ result.kind }}"><h3><a href="{{ result.url }}">{{ result.title }}</a></h3><cite>{{ result.url|truncatechars:30 }}</cite><time>{{ result.date|date:"Y-m-d" }}</time><p>{{ result.excerpt|truncatechars:120 }}</p><small>{{ result.hits }} hit{{ result.hits|pluralize }}</small></li>
{% endfor %}</ol><nav>{% for number in pages %}{% if number == page %}<b>{{ number }}</b>{% else %}<a href="?q={{ query|urlencode }}&amp;page={{ number }}">{{ number }}</a>{% endif %}{% endfor %}</nav>`,
    },
    javascript: {
      main: `<h1><%= it.total %> result<%= it.fn.plural(it.total) %> for <%= it.query %></h1><ol><% for (const result of it.results) { %><li class="<%= result.kind %>"><h3><a href="<%= result.url %>"><%= result.title %></a></h3><cite><%= it.fn.shorten(result.url, 30) %></cite><time><%= it.fn.day(result.date) %></time><p><%= it.fn.shorten(result.excerpt, 120) %></p><small><%= result.hits %> hit<%= it.fn.plural(result.hits) %></small></li>
<% } %></ol><nav><% for (const number of it.pages) { %><% if (number === it.page) { %><b><%= number %></b><% } else { %><a href="?q=<%= it.fn.query(it.query) %>&amp;page=<%= number %>"><%= number %></a><% } %><% } %></nav>`,
    },
    pug: {
      main: `h1 #{self.total} result#{self.fn.plural(self.total)} for #{self.query}
ol
  each result in self.results
    li(class=result.kind)
      h3
        a(href=result.url)= result.title
      cite= self.fn.shorten(result.url, 30)
      time= self.fn.day(result.date)
      p= self.fn.shorten(result.excerpt, 120)
      small #{result.hits} hit#{self.fn.plural(result.hits)}
nav
  each number in self.pages
    if number === self.page
      b= number
    else
      a(href='?q=' + self.fn.query(self.query) + '&page=' + number)= number`,
    },
  }),
  handWritten({ query, total, page, pages, results }) {
    let out = `<h1>${total} result${plural(total)} for ${escapeHtml(query)}</h1><ol>`;
    for (const { kind, url, title, date, excerpt, hits } of results) {
      out += `<li class="${escapeHtml(kind)}"><h3><a href="${escapeHtml(url)}">${escapeHtml(title)}</a></h3><cite>${escapeHtml(shorten(url, 30))}</cite><time>${day(date)}</time><p>${escapeHtml(shorten(excerpt, 120))}</p><small>${hits} hit${plural(hits)}</small></li>\n`;
    }
    out += '</ol><nav>';
    for (const number of pages) {
      out +=
        number === page
          ? `<b>${number}</b>`
          : `<a href="?q=${escapeHtml(encoded(query))}&amp;page=${number}">${number}</a>`;
    }
    return `${out}</nav>`;
  },
};
