import { leastOf, personName, plainWords, sentence, times } from '../data.ts';
import { allDialects } from '../dialects.ts';
import { escapeHtml, json } from '../tools.ts';
import type { Workload } from '../workload.ts';

const context = {
  title: sentence(2, 5),
  things: times(12, (index) => ({
    '@type': 'Product',
    name: index % 3 === 0 ? sentence(index, 5) : plainWords(index, 4),
    description: sentence(index + 1, 25),
    sku: `A-${1000 + index}`,
    brand: { '@type': 'Brand', name: personName(index) },
    offers: { '@type': 'Offer', price: 10.5 + index, priceCurrency: 'EUR', available: index % 2 === 0 },
    ratings: times(3, (rating) => ({ value: 1 + ((index + rating) % 5), by: personName(rating) })),
  })),
};

export const jsonLd: Workload<typeof context> = {
  name: 'json-ld',
  about: 'head of a page with 12 products as JSON-LD',
  context,
  least: leastOf(context),
  sources: allDialects({
    django: {
      main: `<head><title>{{ title }}</title>{% for thing in things %}<script type="application/ld+json">{{ thing|json|safe }}</script>{% endfor %}</head>`,
    },
    javascript: {
      main: `<head><title><%= it.title %></title><% for (const thing of it.things) { %><script type="application/ld+json"><%~ it.fn.json(thing) %></script><% } %></head>`,
    },
    pug: {
      main: `head
  title= self.title
  each thing in self.things
    script(type="application/ld+json")!= self.fn.json(thing)`,
    },
  }),
  handWritten({ title, things }) {
    let out = `<head><title>${escapeHtml(title)}</title>`;
    for (const thing of things) out += `<script type="application/ld+json">${json(thing)}</script>`;
    return `${out}</head>`;
  },
};
