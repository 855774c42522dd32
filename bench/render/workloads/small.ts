import { escapeHtml } from '../../../runtime/escape.ts';
import type { Workload } from '../workload.ts';

const context = { user: { name: 'Ada <Lovelace>', member: true }, count: 3, place: '' };

const django =
  '<p>Hello {{ user.name }}, you have {{ count }} messages.{% if user.member %} Thank you!{% endif %}</p>';

export const small: Workload<typeof context> = {
  name: 'small',
  about: 'three values and a condition',
  context,
  least: context,
  sources: {
    incipit: { main: django },
    nunjucks: { main: django },
    liquidjs: { main: django },
    eta: {
      main: '<p>Hello <%= it.user.name %>, you have <%= it.count %> messages.<% if (it.user.member) { %> Thank you!<% } %></p>',
    },
    handlebars: {
      main: '<p>Hello {{user.name}}, you have {{count}} messages.{{#if user.member}} Thank you!{{/if}}</p>',
    },
  },
  handWritten: ({ user, count }) =>
    `<p>Hello ${escapeHtml(user.name)}, you have ${count} messages.${user.member ? ' Thank you!' : ''}</p>`,
};
