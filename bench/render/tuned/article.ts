import { leastOf, moment, personName, plainWords, sentence, times } from '../data.ts';
import { allDialects } from '../dialects.ts';
import { breaks, escapeHtml, longDate } from '../tools.ts';
import type { Workload } from '../workload.ts';

const context = {
  title: sentence(3, 7),
  author: personName(2),
  date: moment(9),
  sections: times(8, (index) => ({
    heading: plainWords(index, 4),
    // As most long texts: few characters are special, and some texts have no letter beyond ASCII.
    paragraphs: times(4, (part) =>
      part % 2 === 0 ? plainWords(index + part, 90) : `${plainWords(index, 60)} — ${sentence(part, 30)}`,
    ),
    note: `${plainWords(index, 12)}\n${sentence(index, 12)}`,
  })),
};

export const article: Workload<typeof context> = {
  name: 'article',
  about: 'long article: 32 paragraphs and notes with line breaks',
  context,
  least: leastOf(context),
  sources: allDialects({
    django: {
      main: `<article><h1>{{ title }}</h1><p>{{ author }}, {{ date|date:"j F Y" }}</p>{% for section in sections %}<h2>{{ section.heading }}</h2>{% for paragraph in section.paragraphs %}<p>{{ paragraph }}</p>{% endfor %}<aside>{{ section.note|linebreaksbr }}</aside>{% endfor %}</article>`,
    },
    javascript: {
      main: `<article><h1><%= it.title %></h1><p><%= it.author %>, <%= it.fn.longDate(it.date) %></p><% for (const section of it.sections) { %><h2><%= section.heading %></h2><% for (const paragraph of section.paragraphs) { %><p><%= paragraph %></p><% } %><aside><%~ it.fn.breaks(section.note) %></aside><% } %></article>`,
    },
    pug: {
      main: `article
  h1= self.title
  p #{self.author}, #{self.fn.longDate(self.date)}
  each section in self.sections
    h2= section.heading
    each paragraph in section.paragraphs
      p= paragraph
    aside!= self.fn.breaks(section.note)`,
    },
  }),
  handWritten({ title, author, date, sections }) {
    let out = `<article><h1>${escapeHtml(title)}</h1><p>${escapeHtml(author)}, ${longDate(date)}</p>`;
    for (const { heading, paragraphs, note } of sections) {
      out += `<h2>${escapeHtml(heading)}</h2>`;
      for (const paragraph of paragraphs) out += `<p>${escapeHtml(paragraph)}</p>`;
      out += `<aside>${breaks(note)}</aside>`;
    }
    return `${out}</article>`;
  },
};
