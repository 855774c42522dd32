import { leastOf, moment, plainWords, sentence, times } from '../data.ts';
import { allDialects } from '../dialects.ts';
import { clock, escapeHtml } from '../tools.ts';
import type { Workload } from '../workload.ts';

const context = {
  month: 'März 2026',
  selected: 17,
  names: ['Mo', 'Di', 'Mi', 'Do', 'Fr', 'Sa', 'So'],
  weeks: times(6, (week) => ({
    number: 9 + week,
    days: times(7, (weekday) => ({
      number: week * 7 + weekday + 1,
      outside: week === 5 && weekday > 2,
      events: times((week + weekday) % 3, (event) => ({
        title: event === 0 ? plainWords(week + weekday, 2) : sentence(week * 7 + weekday, 3),
        start: moment(week * 7 + weekday),
        cancelled: (week + event) % 4 === 3,
      })),
    })),
  })),
};

export const calendar: Workload<typeof context> = {
  name: 'calendar',
  about: 'month of 6 weeks with events and times',
  context,
  least: leastOf(context),
  sources: allDialects({
    django: {
      main: `<table><caption>{{ month }}</caption><tr><th></th>{% for name in names %}<th>{{ name }}</th>{% endfor %}</tr>{% for week in weeks %}<tr><th>{{ week.number }}</th>{% for day in week.days %}{% if day.outside %}<td class="outside"></td>{% else %}<td class="{% if day.number == selected %}selected{% else %}day{% endif %}"><b>{{ day.number }}</b>{% for event in day.events %}<p>{% if event.cancelled %}<s>{{ event.title }}</s>{% else %}<time>{{ event.start|date:"H:i" }}</time>{{ event.title }}{% endif %}</p>{% endfor %}</td>{% endif %}{% endfor %}</tr>
{% endfor %}</table>`,
    },
    javascript: {
      main: `<table><caption><%= it.month %></caption><tr><th></th><% for (const name of it.names) { %><th><%= name %></th><% } %></tr><% for (const week of it.weeks) { %><tr><th><%= week.number %></th><% for (const day of week.days) { %><% if (day.outside) { %><td class="outside"></td><% } else { %><td class="<%= day.number === it.selected ? 'selected' : 'day' %>"><b><%= day.number %></b><% for (const event of day.events) { %><p><% if (event.cancelled) { %><s><%= event.title %></s><% } else { %><time><%= it.fn.clock(event.start) %></time><%= event.title %><% } %></p><% } %></td><% } %><% } %></tr>
<% } %></table>`,
    },
    pug: {
      main: `table
  caption= self.month
  tr
    th
    each name in self.names
      th= name
  each week in self.weeks
    tr
      th= week.number
      each day in week.days
        if day.outside
          td.outside
        else
          td(class=day.number === self.selected ? 'selected' : 'day')
            b= day.number
            each event in day.events
              p
                if event.cancelled
                  s= event.title
                else
                  time= self.fn.clock(event.start)
                  = event.title`,
    },
  }),
  handWritten({ month, selected, names, weeks }) {
    let out = `<table><caption>${escapeHtml(month)}</caption><tr><th></th>`;
    for (const name of names) out += `<th>${escapeHtml(name)}</th>`;
    out += '</tr>';
    for (const week of weeks) {
      out += `<tr><th>${week.number}</th>`;
      for (const day of week.days) {
        if (day.outside) {
          out += '<td class="outside"></td>';
          continue;
        }
        out += `<td class="${day.number === selected ? 'selected' : 'day'}"><b>${day.number}</b>`;
        for (const { title, start, cancelled } of day.events) {
          out += cancelled
            ? `<p><s>${escapeHtml(title)}</s></p>`
            : `<p><time>${clock(start)}</time>${escapeHtml(title)}</p>`;
        }
        out += '</td>';
      }
      out += '</tr>\n';
    }
    return `${out}</table>`;
  },
};
