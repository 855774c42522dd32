import { leastOf, moment, personName, plainWords, sentence, times } from '../data.ts';
import { allDialects } from '../dialects.ts';
import { escapeHtml, longDate, plural, words } from '../tools.ts';
import type { Workload } from '../workload.ts';

const context = {
  title: 'Notes',
  page: 2,
  pages: [1, 2, 3, 4, 5],
  posts: times(12, (index) => ({
    title: index % 3 === 0 ? sentence(index, 6) : plainWords(index, 6),
    url: `/notes/${index}`,
    date: moment(index),
    author: personName(index),
    body: sentence(index, 70),
    comments: index % 4,
    tags: times(index % 4, (tag) => plainWords(index + tag, 1)),
  })),
};

export const blog: Workload<typeof context> = {
  name: 'blog',
  about: 'blog index: 12 posts with dates, excerpts, tags, and pages',
  context,
  least: leastOf(context),
  sources: allDialects({
    django: {
      main: `<main><h1>{{ title }}</h1>{% for post in posts %}<article><h2><a href="{{ post.url }}">{{ post.title }}</a></h2><p><time>{{ post.date|date:"j F Y" }}</time> by {{ post.author }}, {{ post.comments }} comment{{ post.comments|pluralize }}</p><p>{{ post.body|truncatewords:30 }}</p>{% if post.tags %}<ul>{% for tag in post.tags %}<li><a href="/tags/{{ tag|urlencode }}">{{ tag }}</a></li>{% endfor %}</ul>{% endif %}</article>
{% endfor %}<nav>{% if page > 1 %}<a rel="prev" href="?page={{ page - 1 }}">newer</a>{% endif %}{% for number in pages %}{% if number == page %}<b>{{ number }}</b>{% else %}<a href="?page={{ number }}">{{ number }}</a>{% endif %}{% endfor %}</nav></main>`,
    },
    javascript: {
      main: `<main><h1><%= it.title %></h1><% for (const post of it.posts) { %><article><h2><a href="<%= post.url %>"><%= post.title %></a></h2><p><time><%= it.fn.longDate(post.date) %></time> by <%= post.author %>, <%= post.comments %> comment<%= it.fn.plural(post.comments) %></p><p><%= it.fn.words(post.body, 30) %></p><% if (post.tags.length > 0) { %><ul><% for (const tag of post.tags) { %><li><a href="/tags/<%= it.fn.query(tag) %>"><%= tag %></a></li><% } %></ul><% } %></article>
<% } %><nav><% if (it.page > 1) { %><a rel="prev" href="?page=<%= it.page - 1 %>">newer</a><% } %><% for (const number of it.pages) { %><% if (number === it.page) { %><b><%= number %></b><% } else { %><a href="?page=<%= number %>"><%= number %></a><% } %><% } %></nav></main>`,
    },
    pug: {
      main: `main
  h1= self.title
  each post in self.posts
    article
      h2
        a(href=post.url)= post.title
      p
        time= self.fn.longDate(post.date)
        |  by #{post.author}, #{post.comments} comment#{self.fn.plural(post.comments)}
      p= self.fn.words(post.body, 30)
      if post.tags.length > 0
        ul
          each tag in post.tags
            li
              a(href='/tags/' + self.fn.query(tag))= tag
  nav
    if self.page > 1
      a(rel="prev" href='?page=' + (self.page - 1)) newer
    each number in self.pages
      if number === self.page
        b= number
      else
        a(href='?page=' + number)= number`,
    },
  }),
  handWritten({ title, page, pages, posts }) {
    let out = `<main><h1>${escapeHtml(title)}</h1>`;
    for (const { url, title: heading, date, author, comments, body, tags } of posts) {
      out += `<article><h2><a href="${escapeHtml(url)}">${escapeHtml(heading)}</a></h2><p><time>${longDate(date)}</time> by ${escapeHtml(author)}, ${comments} comment${plural(comments)}</p><p>${escapeHtml(words(body, 30))}</p>`;
      if (tags.length > 0) {
        out += '<ul>';
        for (const tag of tags)
          out += `<li><a href="/tags/${encodeURIComponent(tag)}">${escapeHtml(tag)}</a></li>`;
        out += '</ul>';
      }
      out += '</article>\n';
    }
    out += '<nav>';
    if (page > 1) out += `<a rel="prev" href="?page=${page - 1}">newer</a>`;
    for (const number of pages)
      out += number === page ? `<b>${number}</b>` : `<a href="?page=${number}">${number}</a>`;
    return `${out}</nav></main>`;
  },
};
