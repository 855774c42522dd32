import { leastOf, plainWords, sentence, times } from '../data.ts';
import { allDialects } from '../dialects.ts';
import { escapeHtml, money } from '../tools.ts';
import type { Workload } from '../workload.ts';

const context = {
  number: 'R-2026-0117',
  customer: 'Zoë Müller & Co',
  discount: 5,
  rate: 0.19,
  subtotal: 2431.83,
  lines: times(40, (index) => ({
    name: index % 5 === 0 ? sentence(index, 4) : plainWords(index, 3),
    quantity: 1 + (index % 4),
    price: 3.49 + index * 1.13,
    reduced: index % 6 === 0,
  })),
};

const rows = (loop: string, end: string) =>
  `<h1>{{ number }}: {{ customer }}</h1><table>${loop}<tr><td>{{ COUNTER }}</td><td>{{ line.name }}</td><td>{{ line.quantity }}</td><td>{{ PRICE }}</td><td>{{ SUM }}</td><td>{% if line.reduced %}*{% endif %}</td></tr>
${end}<tr><td>{{ SUBTOTAL }}</td><td>{{ TAX }}</td><td>{{ TOTAL }}</td></tr></table>`;

function dialect(parts: Readonly<Record<string, string>>): string {
  const source = rows('{% for line in lines %}', '{% endfor %}');
  return Object.entries(parts).reduce(
    (made, [name, code]) => made.replace(`{{ ${name} }}`, `{{ ${code} }}`),
    source,
  );
}

export const receipt: Workload<typeof context> = {
  name: 'receipt',
  about: 'receipt of 40 lines with arithmetic and rounding',
  context,
  least: leastOf(context),
  sources: allDialects(
    {
      django: { main: '' },
      javascript: {
        main: `<h1><%= it.number %>: <%= it.customer %></h1><table><% for (let i = 0; i < it.lines.length; i++) { const line = it.lines[i]; %><tr><td><%= i + 1 %></td><td><%= line.name %></td><td><%= line.quantity %></td><td><%= it.fn.money(line.price) %></td><td><%= it.fn.money(line.quantity * line.price) %></td><td><%= line.reduced ? '*' : '' %></td></tr>
<% } %><tr><td><%= it.fn.money(it.subtotal - it.discount) %></td><td><%= it.fn.money((it.subtotal - it.discount) * it.rate) %></td><td><%= it.fn.money((it.subtotal - it.discount) * (1 + it.rate)) %></td></tr></table>`,
      },
      pug: {
        main: `h1 #{self.number}: #{self.customer}
table
  each line, i in self.lines
    tr
      td= i + 1
      td= line.name
      td= line.quantity
      td= self.fn.money(line.price)
      td= self.fn.money(line.quantity * line.price)
      td= line.reduced ? '*' : ''
  tr
    td= self.fn.money(self.subtotal - self.discount)
    td= self.fn.money((self.subtotal - self.discount) * self.rate)
    td= self.fn.money((self.subtotal - self.discount) * (1 + self.rate))`,
      },
    },
    {
      incipit: {
        main: dialect({
          COUNTER: 'forloop.counter',
          PRICE: 'line.price|floatformat:2',
          SUM: '(line.quantity * line.price)|floatformat:2',
          SUBTOTAL: '(subtotal - discount)|floatformat:2',
          TAX: '((subtotal - discount) * rate)|floatformat:2',
          TOTAL: '((subtotal - discount) * (1 + rate))|floatformat:2',
        }),
      },
      nunjucks: {
        main: dialect({
          COUNTER: 'loop.index',
          PRICE: 'line.price|floatformat(2)',
          SUM: '(line.quantity * line.price)|floatformat(2)',
          SUBTOTAL: '(subtotal - discount)|floatformat(2)',
          TAX: '((subtotal - discount) * rate)|floatformat(2)',
          TOTAL: '((subtotal - discount) * (1 + rate))|floatformat(2)',
        }),
      },
      liquidjs: {
        main: dialect({
          COUNTER: 'forloop.index',
          PRICE: 'line.price | floatformat: 2',
          SUM: 'line.quantity | times: line.price | floatformat: 2',
          SUBTOTAL: 'subtotal | minus: discount | floatformat: 2',
          TAX: 'subtotal | minus: discount | times: rate | floatformat: 2',
          TOTAL: 'rate | plus: 1 | times: net | floatformat: 2',
        }).replace('<h1>', '{% assign net = subtotal | minus: discount %}<h1>'),
      },
      handlebars: {
        main: `<h1>{{number}}: {{customer}}</h1><table>{{#each lines as |line|}}<tr><td>{{next @index}}</td><td>{{line.name}}</td><td>{{line.quantity}}</td><td>{{floatformat line.price 2}}</td><td>{{floatformat (times line.quantity line.price) 2}}</td><td>{{#if line.reduced}}*{{/if}}</td></tr>
{{/each}}<tr><td>{{floatformat (minus subtotal discount) 2}}</td><td>{{floatformat (times (minus subtotal discount) rate) 2}}</td><td>{{floatformat (times (minus subtotal discount) (plus 1 rate)) 2}}</td></tr></table>`,
      },
    },
  ),
  handWritten({ number, customer, discount, rate, subtotal, lines }) {
    let out = `<h1>${escapeHtml(number)}: ${escapeHtml(customer)}</h1><table>`;
    let position = 0;
    for (const { name, quantity, price, reduced } of lines) {
      position += 1;
      out += `<tr><td>${position}</td><td>${escapeHtml(name)}</td><td>${quantity}</td><td>${money(price)}</td><td>${money(quantity * price)}</td><td>${reduced ? '*' : ''}</td></tr>\n`;
    }
    const net = subtotal - discount;
    return `${out}<tr><td>${money(net)}</td><td>${money(net * rate)}</td><td>${money(net * (1 + rate))}</td></tr></table>`;
  },
};
