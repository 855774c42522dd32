import { escapeHtml } from '../tools.ts';
import type { Workload } from '../workload.ts';

const groupCount = 50;
const entryCount = 10;

const context = {
  limit: 60,
  groups: Array.from({ length: groupCount }, (_, group) => ({
    name: `Group ${group}`,
    open: group % 3 !== 0,
    entries: Array.from({ length: entryCount }, (_, entry) => ({
      label: `Entry ${entry}`,
      value: (group * 37 + entry * 17) % 100,
      visible: (group + entry) % 4 !== 0,
    })),
  })),
};

// Without white space between the tags, so that all contestants write the same bytes.
const django =
  '{% for group in groups %}{% if group.open %}<h2>{{ COUNTER }}. {{ group.name }}</h2>' +
  '{% for entry in group.entries %}' +
  '{% if entry.visible and entry.value > limit %}<b>{{ entry.label }}: {{ entry.value }}</b>' +
  '{% ELSE_IF entry.visible %}<i>{{ entry.label }}</i>{% else %}<s>{{ COUNTER }}</s>{% endif %}' +
  '{% endfor %}{% else %}<h2>closed</h2>{% endif %}{% endfor %}';

const dialect = (counter: string, elseIf: string) =>
  django.replaceAll('COUNTER', counter).replaceAll('ELSE_IF', elseIf);

const javascript =
  '<% it.groups.forEach((group, g) => { %><% if (group.open) { %><h2><%= g + 1 %>. <%= group.name %></h2>' +
  '<% group.entries.forEach((entry, e) => { %>' +
  '<% if (entry.visible && entry.value > it.limit) { %><b><%= entry.label %>: <%= entry.value %></b>' +
  '<% } else if (entry.visible) { %><i><%= entry.label %></i><% } else { %><s><%= e + 1 %></s><% } %>' +
  '<% }) %><% } else { %><h2>closed</h2><% } %><% }) %>';

export const logic: Workload<typeof context> = {
  name: 'logic',
  about: `${groupCount} x ${entryCount} nested loops with conditions`,
  context,
  least: { ...context, groups: context.groups.slice(1, 2).map(firstEntry) },
  sources: {
    incipit: { main: dialect('forloop.counter', 'elif') },
    nunjucks: { main: dialect('loop.index', 'elif') },
    liquidjs: { main: dialect('forloop.index', 'elsif') },
    eta: { main: javascript },
    ejs: { main: javascript },
    handlebars: {
      main:
        '{{#each groups}}{{#if open}}<h2>{{next @index}}. {{name}}</h2>{{#each entries}}' +
        '{{#if (and visible (gt value @root.limit))}}<b>{{label}}: {{value}}</b>' +
        '{{else if visible}}<i>{{label}}</i>{{else}}<s>{{next @index}}</s>{{/if}}' +
        '{{/each}}{{else}}<h2>closed</h2>{{/if}}{{/each}}',
    },
    edge: {
      main: `@each((group, g) in groups)~
@if(group.open)~
<h2>{{ g + 1 }}. {{ group.name }}</h2>
@each((entry, e) in group.entries)~
@if(entry.visible && entry.value > limit)~
<b>{{ entry.label }}: {{ entry.value }}</b>
@elseif(entry.visible)~
<i>{{ entry.label }}</i>
@else~
<s>{{ e + 1 }}</s>
@end~
@end~
@else~
<h2>closed</h2>
@end~
@end~
`,
    },
    pug: {
      main: `each group, g in self.groups
  if group.open
    h2 #{g + 1}. #{group.name}
    each entry, e in group.entries
      if entry.visible && entry.value > self.limit
        b #{entry.label}: #{entry.value}
      else if entry.visible
        i= entry.label
      else
        s= e + 1
  else
    h2 closed`,
    },
  },
  handWritten({ groups, limit }) {
    let out = '';
    let groupNumber = 0;
    for (const group of groups) {
      groupNumber += 1;
      if (!group.open) {
        out += '<h2>closed</h2>';
        continue;
      }
      out += `<h2>${groupNumber}. ${escapeHtml(group.name)}</h2>`;
      let number = 0;
      for (const entry of group.entries) {
        number += 1;
        if (entry.visible && entry.value > limit) out += `<b>${escapeHtml(entry.label)}: ${entry.value}</b>`;
        else if (entry.visible) out += `<i>${escapeHtml(entry.label)}</i>`;
        else out += `<s>${number}</s>`;
      }
    }
    return out;
  },
};

function firstEntry(group: (typeof context)['groups'][number]): (typeof context)['groups'][number] {
  return { ...group, entries: group.entries.slice(0, 1) };
}
