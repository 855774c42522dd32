import { escapeHtml } from '../tools.ts';
import type { Workload } from '../workload.ts';
import { pageSources } from './page-sources.ts';

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

export const page: Workload<Context> = {
  name: 'page',
  about: 'layout, includes, navigation, 24 cards, filters',
  context,
  least: { ...context, sections: context.sections.slice(0, 1), cards: context.cards.slice(0, 1) },
  sources: pageSources,
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
