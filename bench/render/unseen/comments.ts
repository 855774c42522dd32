import { leastOf, moment, personName, plainWords, sentence, times } from '../data.ts';
import { allDialects } from '../dialects.ts';
import { breaks, clock, escapeHtml, longDate, plural } from '../tools.ts';
import type { Workload } from '../workload.ts';

interface Comment {
  readonly author: string;
  readonly date: Date;
  readonly text: string;
  readonly votes: number;
  readonly replies: readonly Comment[];
}

function comment(index: number, depth: number): Comment {
  return {
    author: personName(index),
    date: moment(index),
    text: index % 3 === 0 ? `${sentence(index, 14)}\n${sentence(index + 1, 9)}` : plainWords(index, 16),
    votes: index % 5,
    replies: depth === 0 ? [] : times(index % 3, (reply) => comment(index * 2 + reply + 1, depth - 1)),
  };
}

const context = { title: plainWords(4, 5), comments: times(14, (index) => comment(index, 3)) };

const one = `<li><b>{{ comment.author }}</b><time>{{ comment.date|date:"j F Y" }}, {{ comment.date|date:"H:i" }}</time><p>{{ comment.text|linebreaksbr }}</p><i>{{ comment.votes }} vote{{ comment.votes|pluralize }}</i>{% if comment.replies %}<ul>{% for reply in comment.replies %}{% include "comment" with comment=reply %}{% endfor %}</ul>{% endif %}</li>
`;

export const comments: Workload<typeof context> = {
  name: 'comments',
  about: 'comment thread as a recursive include, with dates and line breaks',
  context,
  least: leastOf(context),
  sources: allDialects(
    {
      django: {
        comment: one,
        main: `<h2>{{ title }}</h2><ul>{% for reply in comments %}{% include "comment" with comment=reply %}{% endfor %}</ul>`,
      },
      javascript: {
        comment: `<li><b><%= it.comment.author %></b><time><%= it.fn.longDate(it.comment.date) %>, <%= it.fn.clock(it.comment.date) %></time><p><%~ it.fn.breaks(it.comment.text) %></p><i><%= it.comment.votes %> vote<%= it.fn.plural(it.comment.votes) %></i><% if (it.comment.replies.length > 0) { %><ul><% for (const reply of it.comment.replies) { %><%~ include('comment', { comment: reply, fn: it.fn }) %><% } %></ul><% } %></li>
`,
        main: `<h2><%= it.title %></h2><ul><% for (const reply of it.comments) { %><%~ include('comment', { comment: reply, fn: it.fn }) %><% } %></ul>`,
      },
      pug: {
        main: `mixin comment(c)
  li
    b= c.author
    time #{self.fn.longDate(c.date)}, #{self.fn.clock(c.date)}
    p!= self.fn.breaks(c.text)
    i #{c.votes} vote#{self.fn.plural(c.votes)}
    if c.replies.length > 0
      ul
        each reply in c.replies
          +comment(reply)
h2= self.title
ul
  each reply in self.comments
    +comment(reply)`,
      },
    },
    {
      liquidjs: {
        comment: `<li><b>{{ comment.author }}</b><time>{{ comment.date | date: "j F Y" }}, {{ comment.date | date: "H:i" }}</time><p>{{ comment.text | linebreaksbr | raw }}</p><i>{{ comment.votes }} vote{{ comment.votes | pluralize }}</i>{% if comment.replies.size > 0 %}<ul>{% for reply in comment.replies %}{% render 'comment', comment: reply %}{% endfor %}</ul>{% endif %}</li>
`,
        main: `<h2>{{ title }}</h2><ul>{% for reply in comments %}{% render 'comment', comment: reply %}{% endfor %}</ul>`,
      },
      nunjucks: {
        comment: `{% macro show(comment) %}<li><b>{{ comment.author }}</b><time>{{ comment.date|date("j F Y") }}, {{ comment.date|date("H:i") }}</time><p>{{ comment.text|linebreaksbr }}</p><i>{{ comment.votes }} vote{{ comment.votes|pluralize }}</i>{% if comment.replies.length > 0 %}<ul>{% for reply in comment.replies %}{{ show(reply) }}{% endfor %}</ul>{% endif %}</li>
{% endmacro %}`,
        main: `{% from "comment" import show %}<h2>{{ title }}</h2><ul>{% for reply in comments %}{{ show(reply) }}{% endfor %}</ul>`,
      },
    },
  ),
  handWritten: ({ title, comments: list }) =>
    `<h2>${escapeHtml(title)}</h2><ul>${list.map(shown).join('')}</ul>`,
};

function shown({ author, date, text, votes, replies }: Comment): string {
  let out = `<li><b>${escapeHtml(author)}</b><time>${longDate(date)}, ${clock(date)}</time><p>${breaks(text)}</p><i>${votes} vote${plural(votes)}</i>`;
  if (replies.length > 0) {
    out += '<ul>';
    for (const reply of replies) out += shown(reply);
    out += '</ul>';
  }
  return `${out}</li>\n`;
}
