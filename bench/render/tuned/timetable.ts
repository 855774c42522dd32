import { leastOf, moment, plainWords, sentence, times } from '../data.ts';
import { allDialects } from '../dialects.ts';
import { clock, day, escapeHtml } from '../tools.ts';
import type { Workload } from '../workload.ts';

const context = {
  talks: times(48, (index) => ({
    start: moment(Math.floor(index / 6)),
    room: ['Große Halle', 'Room 1', 'Room 2'][index % 3] ?? '',
    title: index % 4 === 0 ? sentence(index, 6) : plainWords(index, 5),
    minutes: 15 + (index % 3) * 15,
  })),
};

const row = (cycle: string, header: string) =>
  `${header}<tr class="${cycle}"><td>{{ START }}</td><td>{{ talk.room }}</td><td>{{ talk.title }}</td><td>{{ talk.minutes }} min</td></tr>
`;

export const timetable: Workload<typeof context> = {
  name: 'timetable',
  about: '48 talks in rows of two colours, with a heading for each new day',
  context,
  least: leastOf(context),
  sources: allDialects(
    {
      django: { main: '' },
      javascript: {
        main: `<% let seen = ''; %><table><% for (let i = 0; i < it.talks.length; i++) { const talk = it.talks[i]; %><% if (it.fn.day(talk.start) !== seen) { %><tr><th colspan="4"><%= it.fn.day(talk.start) %></th></tr><% } %><% seen = it.fn.day(talk.start); %><tr class="<%= i % 2 === 0 ? 'odd' : 'even' %>"><td><%= it.fn.clock(talk.start) %></td><td><%= talk.room %></td><td><%= talk.title %></td><td><%= talk.minutes %> min</td></tr>
<% } %></table>`,
      },
      pug: {
        main: `- let seen = '';
table
  each talk, i in self.talks
    - const day = self.fn.day(talk.start);
    if day !== seen
      tr
        th(colspan="4")= day
    - seen = day;
    tr(class=i % 2 === 0 ? 'odd' : 'even')
      td= self.fn.clock(talk.start)
      td= talk.room
      td= talk.title
      td #{talk.minutes} min`,
      },
    },
    {
      incipit: {
        main: `<table>{% for talk in talks %}${row(
          '{% cycle "odd" "even" %}',
          '{% ifchanged talk.start|date:"Y-m-d" %}<tr><th colspan="4">{{ talk.start|date:"Y-m-d" }}</th></tr>{% endifchanged %}',
        ).replace('START', 'talk.start|date:"H:i"')}{% endfor %}</table>`,
      },
      nunjucks: {
        main: `<table>{% set state = cycler("") %}{% for talk in talks %}${row(
          '{{ "odd" if loop.index0 % 2 == 0 else "even" }}',
          '{% set day = talk.start|date("Y-m-d") %}{% if day != state.current %}<tr><th colspan="4">{{ day }}</th></tr>{% endif %}{% if state.set(day) %}{% endif %}',
        ).replace('START', 'talk.start|date("H:i")')}{% endfor %}</table>`.replace(
          'cycler("")',
          'remembered()',
        ),
      },
      liquidjs: {
        main: `<table>{% assign seen = "" %}{% for talk in talks %}${row(
          '{% cycle "odd", "even" %}',
          '{% assign day = talk.start | date: "Y-m-d" %}{% if day != seen %}<tr><th colspan="4">{{ day }}</th></tr>{% endif %}{% assign seen = day %}',
        ).replace('START', 'talk.start | date: "H:i"')}{% endfor %}</table>`,
      },
      handlebars: {
        main: `<table>{{#each talks as |talk|}}{{#changed @root talk.start}}<tr><th colspan="4">{{date talk.start "Y-m-d"}}</th></tr>{{/changed}}<tr class="{{#if (even @index)}}odd{{else}}even{{/if}}"><td>{{date talk.start "H:i"}}</td><td>{{talk.room}}</td><td>{{talk.title}}</td><td>{{talk.minutes}} min</td></tr>
{{/each}}</table>`,
      },
    },
  ),
  handWritten({ talks }) {
    let out = '<table>';
    let seen = '';
    let odd = false;
    for (const { start, room, title, minutes } of talks) {
      const date = day(start);
      if (date !== seen) out += `<tr><th colspan="4">${date}</th></tr>`;
      seen = date;
      odd = !odd;
      out += `<tr class="${odd ? 'odd' : 'even'}"><td>${clock(start)}</td><td>${escapeHtml(room)}</td><td>${escapeHtml(title)}</td><td>${minutes} min</td></tr>\n`;
    }
    return `${out}</table>`;
  },
};
