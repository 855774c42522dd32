import { leastOf, plainWords, sentence, times } from '../data.ts';
import { allDialects } from '../dialects.ts';
import { escapeHtml, money } from '../tools.ts';
import type { Workload } from '../workload.ts';

const context = {
  products: times(40, (index) => ({
    name: index % 4 === 0 ? sentence(index, 4) : plainWords(index, 3),
    url: `/shop/item-${index}`,
    image: `/media/${index}.webp`,
    price: 9.99 + index * 3.17,
    oldPrice: index % 3 === 0 ? 12.5 + index * 4 : 0,
    stock: (index * 7) % 11,
    tags: times(index % 4, (tag) => plainWords(index + tag, 1)),
  })),
};

export const products: Workload<typeof context> = {
  name: 'products',
  about: 'product grid: 40 cards with prices, stock and tags',
  context,
  least: leastOf(context),
  sources: allDialects({
    django: {
      main: `<div class="grid">{% for p in products %}<article class="card{% if p.stock == 0 %} sold-out{% endif %}"><a href="{{ p.url }}"><img src="{{ p.image }}" alt="{{ p.name }}"/></a><h3>{{ p.name }}</h3><p class="price">{% if p.oldPrice > p.price %}<s>{{ p.oldPrice|floatformat:2 }} €</s>{% endif %}<b>{{ p.price|floatformat:2 }} €</b></p>
{% if p.stock > 0 and p.stock < 5 %}<em>only {{ p.stock }} left</em>{% endif %}<ul>{% for tag in p.tags %}<li>{{ tag }}</li>{% endfor %}</ul></article>
{% empty %}<p>No products</p>{% endfor %}</div>`,
    },
    javascript: {
      main: `<div class="grid"><% for (const p of it.products) { %><article class="card<%= p.stock === 0 ? ' sold-out' : '' %>"><a href="<%= p.url %>"><img src="<%= p.image %>" alt="<%= p.name %>"/></a><h3><%= p.name %></h3><p class="price"><% if (p.oldPrice > p.price) { %><s><%= it.fn.money(p.oldPrice) %> €</s><% } %><b><%= it.fn.money(p.price) %> €</b></p>
<% if (p.stock > 0 && p.stock < 5) { %><em>only <%= p.stock %> left</em><% } %><ul><% for (const tag of p.tags) { %><li><%= tag %></li><% } %></ul></article>
<% } %><% if (it.products.length === 0) { %><p>No products</p><% } %></div>`,
    },
    pug: {
      main: `.grid
  each p in self.products
    article.card(class=p.stock === 0 ? 'sold-out' : null)
      a(href=p.url)
        img(src=p.image alt=p.name)
      h3= p.name
      p.price
        if p.oldPrice > p.price
          s #{self.fn.money(p.oldPrice)} €
        b #{self.fn.money(p.price)} €
      if p.stock > 0 && p.stock < 5
        em only #{p.stock} left
      ul
        each tag in p.tags
          li= tag
  else
    p No products`,
    },
  }),
  handWritten({ products: list }) {
    let out = '<div class="grid">';
    for (const { name, url, image, price, oldPrice, stock, tags } of list) {
      const title = escapeHtml(name);
      out += `<article class="card${stock === 0 ? ' sold-out' : ''}"><a href="${escapeHtml(url)}"><img src="${escapeHtml(image)}" alt="${title}"/></a><h3>${title}</h3><p class="price">`;
      if (oldPrice > price) out += `<s>${money(oldPrice)} €</s>`;
      out += `<b>${money(price)} €</b></p>\n`;
      if (stock > 0 && stock < 5) out += `<em>only ${stock} left</em>`;
      out += '<ul>';
      for (const tag of tags) out += `<li>${escapeHtml(tag)}</li>`;
      out += '</ul></article>\n';
    }
    if (list.length === 0) out += '<p>No products</p>';
    return `${out}</div>`;
  },
};
