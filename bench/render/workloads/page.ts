import { escapeHtml } from '../../../runtime/escape.ts';
import type { Sources, Workload } from '../workload.ts';

const section = (title: string, active: boolean, pages: readonly string[]) => ({
  title,
  url: `/${title.toLowerCase()}`,
  active,
  pages: pages.map((page) => ({ title: page, url: `/${title.toLowerCase()}/${page.toLowerCase()}` })),
});

const context = {
  title: 'Lamps & lenses',
  site: 'Museum of <Light>',
  lead: 'From the first oil lamp to the laser: "what we saw by".',
  body: '<p>Open daily from ten to six. <em>Free on Sundays.</em></p>',
  sections: [
    section('Exhibitions', true, ['Fire', 'Gas', 'Current', 'Laser']),
    section('Visit', false, ['Hours', 'Prices', 'Cafe']),
    section('Collection', false, ['Lamps', 'Lenses', 'Prints', 'Archive']),
    section('About', false, []),
  ],
  cards: Array.from({ length: 24 }, (_, index) => ({
    title: `Object no. ${index} & its "story"`,
    url: `/collection/object-${index}`,
    maker: index % 5 === 0 ? '' : `Workshop ${index % 7}`,
    tags: ['glass', 'brass', `year-${1800 + index}`],
    isNew: index % 6 === 0,
  })),
};

type Context = typeof context;

const django: Sources = {
  layout: `<!doctype html>
<html lang="en"><head><title>{% block title %}{{ site }}{% endblock %}</title></head>
<body><header><h1>{{ site|upper }}</h1>{% include "navigation" %}</header>
<main>{% block main %}{% endblock %}</main>
<footer>{% for section in sections %}<a href="{{ section.url }}">{{ section.title }}</a> {% endfor %}</footer></body></html>`,
  navigation: `<nav><ul>
{% for section in sections %}<li{% if section.active %} class="active"{% endif %}><a href="{{ section.url }}">{{ section.title }}</a>
{% if section.pages|length > 0 %}<ul>{% for page in section.pages %}<li><a href="{{ page.url }}">{{ page.title }}</a></li>{% endfor %}</ul>{% endif %}</li>
{% endfor %}</ul></nav>`,
  card: `<article><h3><a href="{{ card.url }}">{{ card.title }}</a>{% if card.isNew %} <mark>new</mark>{% endif %}</h3>
<p>{{ card.maker|default:"unknown maker" }}</p><p>{{ card.tags|join:", " }}</p></article>`,
  main: `{% extends "layout" %}
{% block title %}{{ title }} - {{ site }}{% endblock %}
{% block main %}<h2>{{ title }}</h2><p>{{ lead }}</p>{{ body|safe }}
<section>{% for card in cards %}{% include "card" %}{% endfor %}</section>{% endblock %}`,
};

const nunjucks: Sources = {
  ...django,
  main: django.main,
  card: (django['card'] ?? '')
    .replace('default:"unknown maker"', 'default("unknown maker", true)')
    .replace('join:", "', 'join(", ")'),
};

const liquid: Sources = {
  layout: (django['layout'] ?? '')
    .replace('|upper', ' | upcase')
    .replace('{% include "navigation" %}', "{% render 'navigation', sections: sections %}"),
  navigation: (django['navigation'] ?? '').replace('section.pages|length', 'section.pages.size'),
  card: (django['card'] ?? '').replace('default:"', 'default: "').replace('join:"', 'join: "'),
  main: `{% layout 'layout' %}
{% block title %}{{ title }} - {{ site }}{% endblock %}
{% block main %}<h2>{{ title }}</h2><p>{{ lead }}</p>{{ body | raw }}
<section>{% for card in cards %}{% render 'card', card: card %}{% endfor %}</section>{% endblock %}`,
};

const eta: Sources = {
  layout: `<!doctype html>
<html lang="en"><head><title><%= it.heading %></title></head>
<body><header><h1><%= it.site.toUpperCase() %></h1><%~ include('@navigation', { sections: it.sections }) %></header>
<main><%~ it.body %></main>
<footer><% for (const section of it.sections) { %><a href="<%= section.url %>"><%= section.title %></a> <% } %></footer></body></html>`,
  navigation: `<nav><ul>
<% for (const section of it.sections) { %><li<% if (section.active) { %> class="active"<% } %>><a href="<%= section.url %>"><%= section.title %></a>
<% if (section.pages.length > 0) { %><ul><% for (const page of section.pages) { %><li><a href="<%= page.url %>"><%= page.title %></a></li><% } %></ul><% } %></li>
<% } %></ul></nav>`,
  card: `<article><h3><a href="<%= it.card.url %>"><%= it.card.title %></a><% if (it.card.isNew) { %> <mark>new</mark><% } %></h3>
<p><%= it.card.maker || 'unknown maker' %></p><p><%= it.card.tags.join(', ') %></p></article>`,
  main: `<% layout('@layout', { heading: it.title + ' - ' + it.site, site: it.site, sections: it.sections }) %>
<h2><%= it.title %></h2><p><%= it.lead %></p><%~ it.body %>
<section><% for (const card of it.cards) { %><%~ include('@card', { card }) %><% } %></section>`,
};

const handlebars: Sources = {
  layout: `<!doctype html>
<html lang="en"><head><title>{{> heading}}</title></head>
<body><header><h1>{{upper site}}</h1>{{> navigation}}</header>
<main>{{> content}}</main>
<footer>{{#each sections}}<a href="{{url}}">{{title}}</a> {{/each}}</footer></body></html>`,
  navigation: `<nav><ul>
{{#each sections}}<li{{#if active}} class="active"{{/if}}><a href="{{url}}">{{title}}</a>
{{#if pages.length}}<ul>{{#each pages}}<li><a href="{{url}}">{{title}}</a></li>{{/each}}</ul>{{/if}}</li>
{{/each}}</ul></nav>`,
  card: `<article><h3><a href="{{url}}">{{title}}</a>{{#if isNew}} <mark>new</mark>{{/if}}</h3>
<p>{{or maker "unknown maker"}}</p><p>{{join tags ", "}}</p></article>`,
  main: `{{#> layout}}{{#*inline "heading"}}{{title}} - {{site}}{{/inline}}
{{#*inline "content"}}<h2>{{title}}</h2><p>{{lead}}</p>{{{body}}}
<section>{{#each cards}}{{> card}}{{/each}}</section>{{/inline}}{{/layout}}`,
};

export const page: Workload<Context> = {
  name: 'page',
  about: 'layout, includes, navigation, 24 cards, filters',
  context,
  least: { ...context, sections: context.sections.slice(0, 1), cards: context.cards.slice(0, 1) },
  sources: { incipit: django, nunjucks, liquidjs: liquid, eta, handlebars },
  handWritten: (data) =>
    `<!doctype html>
<html lang="en"><head><title>${escapeHtml(data.title)} - ${escapeHtml(data.site)}</title></head>
<body><header><h1>${escapeHtml(data.site.toUpperCase())}</h1>${navigation(data.sections)}</header>
<main><h2>${escapeHtml(data.title)}</h2><p>${escapeHtml(data.lead)}</p>${data.body}
<section>${cards(data.cards)}</section></main>
<footer>${footer(data.sections)}</footer></body></html>`,
};

function navigation(sections: Context['sections']): string {
  let out = '<nav><ul>\n';
  for (const { title, url, active, pages } of sections) {
    out += `<li${active ? ' class="active"' : ''}><a href="${escapeHtml(url)}">${escapeHtml(title)}</a>\n`;
    if (pages.length > 0) {
      out += '<ul>';
      for (const sub of pages)
        out += `<li><a href="${escapeHtml(sub.url)}">${escapeHtml(sub.title)}</a></li>`;
      out += '</ul>';
    }
    out += '</li>\n';
  }
  return `${out}</ul></nav>`;
}

function cards(list: Context['cards']): string {
  let out = '';
  for (const { url, title, isNew, maker, tags } of list) {
    out += `<article><h3><a href="${escapeHtml(url)}">${escapeHtml(title)}</a>${isNew ? ' <mark>new</mark>' : ''}</h3>
<p>${escapeHtml(maker === '' ? 'unknown maker' : maker)}</p><p>${escapeHtml(tags.join(', '))}</p></article>`;
  }
  return out;
}

function footer(sections: Context['sections']): string {
  let out = '';
  for (const { url, title } of sections) out += `<a href="${escapeHtml(url)}">${escapeHtml(title)}</a> `;
  return out;
}
