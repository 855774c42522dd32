import type { Sources, Workload } from '../workload.ts';

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

const ejs: Sources = {
  layout: (eta['layout'] ?? '')
    .replaceAll('<%~', '<%-')
    .replace("include('@navigation', {", 'it.render.navigation({'),
  navigation: eta['navigation'] ?? '',
  card: eta['card'] ?? '',
  content: `<h2><%= it.title %></h2><p><%= it.lead %></p><%- it.body %>
<section><% for (const card of it.cards) { %><%- it.render.card({ card }) %><% } %></section>`,
  main: `<%- it.render.layout({
  heading: it.title + ' - ' + it.site, site: it.site, sections: it.sections, render: it.render, body: it.render.content(it),
}) %>`,
};

// Tags of edge.js stand on lines of their own. A card is a component, because edge.js compiles an include in
// a loop anew each time.
const edge: Sources = {
  layout: `<!doctype html>
<html lang="en"><head><title>{{ heading }}</title></head>
<body><header><h1>{{ site.toUpperCase() }}</h1>
@include('navigation')
</header>
<main>{{{ $slots.main() }}}</main>
<footer>
@each(section in sections)~
<a href="{{ section.url }}">{{ section.title }}</a> 
@end~
</footer></body></html>`,
  navigation: `<nav><ul>
@each(section in sections)~
<li{{{ section.active ? ' class="active"' : '' }}}><a href="{{ section.url }}">{{ section.title }}</a>
@if(section.pages.length > 0)~
<ul>
@each(page in section.pages)~
<li><a href="{{ page.url }}">{{ page.title }}</a></li>
@end~
</ul>
@end~
</li>
@end~
</ul></nav>`,
  card: `<article><h3><a href="{{ card.url }}">{{ card.title }}</a>{{{ card.isNew ? ' <mark>new</mark>' : '' }}}</h3>
<p>{{ card.maker || 'unknown maker' }}</p><p>{{ card.tags.join(', ') }}</p></article>`,
  main: `@component('layout', { heading: title + ' - ' + site, site, sections })
<h2>{{ title }}</h2><p>{{ lead }}</p>{{{ body }}}
<section>
@each(card in cards)~
@!component('card', { card })~
@end~
</section>
@end`,
};

const pug: Sources = {
  layout: `doctype html
html(lang='en')
  head
    title
      block title
  body
    header
      h1= self.site.toUpperCase()
      include navigation
    main
      block main
    footer
      each section in self.sections
        a(href=section.url)= section.title
        = ' '`,
  navigation: `nav
  ul
    each section in self.sections
      li(class=section.active ? 'active' : false)
        a(href=section.url)= section.title
        if section.pages.length > 0
          ul
            each page in section.pages
              li
                a(href=page.url)= page.title`,
  card: `article
  h3
    a(href=card.url)= card.title
    if card.isNew
      |  
      mark new
  p= card.maker || 'unknown maker'
  p= card.tags.join(', ')`,
  main: `extends layout
block title
  = self.title + ' - ' + self.site
block main
  h2= self.title
  p= self.lead
  != self.body
  section
    each card in self.cards
      include card`,
};

/** The page in each language. */
export const pageSources: Workload['sources'] = {
  incipit: django,
  nunjucks,
  liquidjs: liquid,
  eta,
  ejs,
  handlebars,
  edge,
  pug,
};
