import { leastOf, plainWords, sentence, times } from '../data.ts';
import { allDialects } from '../dialects.ts';
import { escapeHtml } from '../tools.ts';
import type { Workload } from '../workload.ts';

const context = {
  sections: times(10, (index) => ({
    title: plainWords(index, 3),
    kind: index % 2 === 0 ? 'wide' : 'plain',
    items: times(4, (item) => ({
      title: plainWords(index + item, 2),
      text: sentence(index * 3 + item, 10),
      url: `/go/${index}/${item}`,
    })),
  })),
};

const django = {
  panel: `<section class="panel {{ kind }}"><h2>{{ title }}</h2><div>{{ body|safe }}</div></section>
`,
  card: `<article><header>{{ title }}</header><p>{{ text }}</p><footer><a href="{{ url }}">more</a></footer></article>
`,
  main: '',
};

export const components: Workload<typeof context> = {
  name: 'components',
  about: '10 panels with a slot for 4 cards each, the cards with a slot for their foot',
  context,
  least: leastOf(context),
  sources: allDialects(
    {
      django: {
        main: `{% for section in sections %}<section class="panel {{ section.kind }}"><h2>{{ section.title }}</h2><div>{% for item in section.items %}{{ item.title }}{% endfor %}</div></section>{% endfor %}`,
      },
      javascript: {
        card: `<article><header><%= it.title %></header><p><%= it.text %></p><footer><%~ it.foot %></footer></article>
`,
        panelTop: `<section class="panel <%= it.kind %>"><h2><%= it.title %></h2><div>`,
        main: `<% for (const section of it.sections) { %><%~ include('panelTop', { kind: section.kind, title: section.title }) %><% for (const item of section.items) { %><%~ include('card', { title: item.title, text: item.text, foot: '<a href="' + it.fn.escapeHtml(item.url) + '">more</a>' }) %><% } %></div></section><% } %>`,
      },
      pug: {
        main: `mixin panel(kind, title)
  section.panel(class=kind)
    h2= title
    div
      block
mixin card(title, text)
  article
    header= title
    p= text
    footer
      block
each section in self.sections
  +panel(section.kind, section.title)
    each item in section.items
      +card(item.title, item.text)
        a(href=item.url) more`,
      },
    },
    {
      incipit: {
        panel: `<section class="panel {{ kind }}"><h2>{{ title }}</h2><div>{% slot %}{% endslot %}</div></section>
`,
        card: `<article><header>{{ title }}</header><p>{{ text }}</p><footer>{% slot %}{% endslot %}</footer></article>
`,
        main: `{% for section in sections %}{% component "panel" kind=section.kind title=section.title %}{% for item in section["items"] %}{% component "card" title=item.title text=item.text %}<a href="{{ item.url }}">more</a>{% endcomponent %}{% endfor %}{% endcomponent %}{% endfor %}`,
      },
      nunjucks: {
        parts: `{% macro panel(kind, title) %}<section class="panel {{ kind }}"><h2>{{ title }}</h2><div>{{ caller() }}</div></section>
{% endmacro %}{% macro card(title, text) %}<article><header>{{ title }}</header><p>{{ text }}</p><footer>{{ caller() }}</footer></article>
{% endmacro %}`,
        main: `{% from "parts" import panel, card %}{% for section in sections %}{% call panel(section.kind, section.title) %}{% for item in section["items"] %}{% call card(item.title, item.text) %}<a href="{{ item.url }}">more</a>{% endcall %}{% endfor %}{% endcall %}{% endfor %}`,
      },
      liquidjs: {
        panel: django.panel.replace('body|safe', 'body | raw'),
        card: django.card,
        main: `{% for section in sections %}{% capture body %}{% for item in section.items %}{% render 'card', title: item.title, text: item.text, url: item.url %}{% endfor %}{% endcapture %}{% render 'panel', kind: section.kind, title: section.title, body: body %}{% endfor %}`,
      },
      handlebars: {
        panel: `<section class="panel {{kind}}"><h2>{{title}}</h2><div>{{> @partial-block}}</div></section>
`,
        card: `<article><header>{{title}}</header><p>{{text}}</p><footer>{{> @partial-block}}</footer></article>
`,
        main: `{{#each sections as |section|}}{{#> panel kind=section.kind title=section.title}}{{#each section.items as |item|}}{{#> card title=item.title text=item.text}}<a href="{{item.url}}">more</a>{{/card}}{{/each}}{{/panel}}{{/each}}`,
      },
      edge: {
        panel:
          `<section class="panel {{ kind }}"><h2>{{ title }}</h2><div>{{{ await $slots.main() }}}</div></section>
`.replace('await ', ''),
        card: `<article><header>{{ title }}</header><p>{{ text }}</p><footer>{{{ $slots.main() }}}</footer></article>
`,
        main: `@each(section in sections)~
@component('panel', { kind: section.kind, title: section.title })~
@each(item in section.items)~
@component('card', { title: item.title, text: item.text })~
<a href="{{ item.url }}">more</a>
@end~
@end~
@end~
@end~
`,
      },
    },
  ),
  handWritten({ sections }) {
    let out = '';
    for (const { kind, title, items } of sections) {
      out += `<section class="panel ${escapeHtml(kind)}"><h2>${escapeHtml(title)}</h2><div>`;
      for (const item of items) {
        out += `<article><header>${escapeHtml(item.title)}</header><p>${escapeHtml(item.text)}</p><footer><a href="${escapeHtml(item.url)}">more</a></footer></article>\n`;
      }
      out += '</div></section>\n';
    }
    return out;
  },
};
