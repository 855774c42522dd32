import { leastOf, moment, personName, plainWords, sentence, times } from '../data.ts';
import { allDialects } from '../dialects.ts';
import { clock, day, escapeHtml } from '../tools.ts';
import type { Workload } from '../workload.ts';

const context = {
  title: 'Notes from the museum',
  url: 'https://example.org',
  updated: moment(40),
  entries: times(30, (index) => ({
    title: sentence(index, 6),
    path: `/notes/${index}`,
    updated: moment(index),
    author: personName(index),
    summary: `<p>${sentence(index + 3, 30)}</p><p>${plainWords(index, 12)}</p>`,
    categories: times(1 + (index % 3), (tag) => plainWords(index * 2 + tag, 1)),
  })),
};

export const feed: Workload<typeof context> = {
  name: 'feed',
  about: 'Atom feed of 30 entries with escaped HTML and dates',
  context,
  least: leastOf(context),
  sources: allDialects({
    django: {
      main: `<feed><title>{{ title }}</title><link href="{{ url }}/"/><updated>{{ updated|date:"Y-m-d" }}T{{ updated|date:"H:i" }}:00Z</updated>
{% for entry in entries %}<entry><title>{{ entry.title }}</title><id>{{ url }}{{ entry.path }}</id><link href="{{ url }}{{ entry.path }}"/><updated>{{ entry.updated|date:"Y-m-d" }}T{{ entry.updated|date:"H:i" }}:00Z</updated><author><name>{{ entry.author }}</name></author>{% for category in entry.categories %}<category term="{{ category }}"/>{% endfor %}<content type="html">{{ entry.summary }}</content></entry>
{% endfor %}</feed>`,
    },
    javascript: {
      main: `<feed><title><%= it.title %></title><link href="<%= it.url %>/"/><updated><%= it.fn.day(it.updated) %>T<%= it.fn.clock(it.updated) %>:00Z</updated>
<% for (const entry of it.entries) { %><entry><title><%= entry.title %></title><id><%= it.url %><%= entry.path %></id><link href="<%= it.url %><%= entry.path %>"/><updated><%= it.fn.day(entry.updated) %>T<%= it.fn.clock(entry.updated) %>:00Z</updated><author><name><%= entry.author %></name></author><% for (const category of entry.categories) { %><category term="<%= category %>"/><% } %><content type="html"><%= entry.summary %></content></entry>
<% } %></feed>`,
    },
    pug: {
      main: `- const fn = self.fn
feed
  title= self.title
  link(href=self.url + '/')/
  updated #{fn.day(self.updated)}T#{fn.clock(self.updated)}:00Z
  each entry in self.entries
    entry
      title= entry.title
      id #{self.url}#{entry.path}
      link(href=self.url + entry.path)/
      updated #{fn.day(entry.updated)}T#{fn.clock(entry.updated)}:00Z
      author
        name= entry.author
      each category in entry.categories
        category(term=category)/
      content(type="html")= entry.summary`,
    },
  }),
  handWritten({ title, url, updated, entries }) {
    const base = escapeHtml(url);
    let out = `<feed><title>${escapeHtml(title)}</title><link href="${base}/"/><updated>${day(updated)}T${clock(updated)}:00Z</updated>\n`;
    for (const entry of entries) {
      const path = base + escapeHtml(entry.path);
      out += `<entry><title>${escapeHtml(entry.title)}</title><id>${path}</id><link href="${path}"/><updated>${day(entry.updated)}T${clock(entry.updated)}:00Z</updated><author><name>${escapeHtml(entry.author)}</name></author>`;
      for (const category of entry.categories) out += `<category term="${escapeHtml(category)}"/>`;
      out += `<content type="html">${escapeHtml(entry.summary)}</content></entry>\n`;
    }
    return `${out}</feed>`;
  },
};
