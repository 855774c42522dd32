import { escapeHtml } from '../tools.ts';
import type { Workload } from '../workload.ts';

const context = { user: { name: 'Ada <Lovelace>', member: true }, count: 3, place: '' };

const django =
  '<p>Hello {{ user.name }}, you have {{ count }} messages.{% if user.member %} Thank you!{% endif %}</p>';

const javascript =
  '<p>Hello <%= it.user.name %>, you have <%= it.count %> messages.<% if (it.user.member) { %> Thank you!<% } %></p>';

export const small: Workload<typeof context> = {
  name: 'small',
  about: 'three values and a condition',
  context,
  least: context,
  sources: {
    incipit: { main: django },
    nunjucks: { main: django },
    liquidjs: { main: django },
    eta: { main: javascript },
    ejs: { main: javascript },
    handlebars: {
      main: '<p>Hello {{user.name}}, you have {{count}} messages.{{#if user.member}} Thank you!{{/if}}</p>',
    },
    // Tags of edge.js stand on lines of their own.
    edge: {
      main: "<p>Hello {{ user.name }}, you have {{ count }} messages.{{{ user.member ? ' Thank you!' : '' }}}</p>",
    },
    pug: {
      main: "p Hello #{self.user.name}, you have #{self.count} messages.!{self.user.member ? ' Thank you!' : ''}",
    },
  },
  handWritten: ({ user, count }) =>
    `<p>Hello ${escapeHtml(user.name)}, you have ${count} messages.${user.member ? ' Thank you!' : ''}</p>`,
};
