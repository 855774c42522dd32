import { leastOf, plainWords, sentence, times } from '../data.ts';
import { allDialects } from '../dialects.ts';
import { escapeHtml } from '../tools.ts';
import type { Workload } from '../workload.ts';

const context = {
  boxes: times(16, (index) => ({
    title: sentence(index, 4),
    tone: index % 3 === 0 ? 'warm' : 'cool',
    text: sentence(index * 5, 12),
    hasNote: index % 4 === 0,
    note: sentence(index, 5),
    buttons: times(2 + (index % 2), (button) => ({
      label: plainWords(index + button, 2),
      url: `/to/${index}/${button}`,
    })),
  })),
};

/** The languages without slots include the parts before and behind the content. */
const flat = {
  button: `<a class="button" href="{{ url }}"><span>{{ label }}</span></a>`,
  main: `{% for box in boxes %}<div class="box {{ box.tone }}"><header><b>{{ box.title }}</b></header><p>{{ box.text }}</p>{% for button in box.buttons %}{% include "button" with url=button.url label=button.label %}{% endfor %}{% if box.hasNote %}<footer><i>{{ box.note }}</i></footer>{% else %}<footer>end</footer>{% endif %}</div>{% endfor %}`,
};

export const boxes: Workload<typeof context> = {
  name: 'boxes',
  about:
    '16 boxes as components with three slots, one of them with a fallback, and buttons as components in them',
  context,
  least: leastOf(context),
  sources: allDialects(
    {
      django: flat,
      javascript: {
        button: `<a class="button" href="<%= it.url %>"><span><%= it.label %></span></a>`,
        main: `<% for (const box of it.boxes) { %><div class="box <%= box.tone %>"><header><b><%= box.title %></b></header><p><%= box.text %></p><% for (const button of box.buttons) { %><%~ include('button', { url: button.url, label: button.label }) %><% } %><% if (box.hasNote) { %><footer><i><%= box.note %></i></footer><% } else { %><footer>end</footer><% } %></div><% } %>`,
      },
      pug: {
        main: `mixin button(url, label)
  a.button(href=url)
    span= label
mixin box(tone, title, hasNote, note)
  div.box(class=tone)
    header
      b= title
    block
    footer
      if hasNote
        i= note
      else
        | end
each box in self.boxes
  +box(box.tone, box.title, box.hasNote, box.note)
    p= box.text
    each button in box.buttons
      +button(button.url, button.label)`,
      },
    },
    {
      incipit: {
        button: `<a class="button" href="{{ url }}"><span>{% slot %}{% endslot %}</span></a>`,
        box: `<div class="box {{ tone }}"><header>{% slot head %}{% endslot %}</header>{% slot %}{% endslot %}<footer>{% slot foot %}end{% endslot %}</footer></div>`,
        main: `{% for box in boxes %}{% component "box" tone=box.tone %}{% fill head %}<b>{{ box.title }}</b>{% endfill %}<p>{{ box.text }}</p>{% for button in box.buttons %}{% component "button" url=button.url %}{{ button.label }}{% endcomponent %}{% endfor %}{% fill foot %}{% if box.hasNote %}<i>{{ box.note }}</i>{% endif %}{% endfill %}{% endcomponent %}{% endfor %}`,
      },
    },
  ),
  handWritten: ({ boxes: all }) => {
    let out = '';
    for (const { tone, title, text, buttons, hasNote, note } of all) {
      out += `<div class="box ${escapeHtml(tone)}"><header><b>${escapeHtml(title)}</b></header><p>${escapeHtml(text)}</p>`;
      for (const { url, label } of buttons) {
        out += `<a class="button" href="${escapeHtml(url)}"><span>${escapeHtml(label)}</span></a>`;
      }
      out += `<footer>${hasNote ? `<i>${escapeHtml(note)}</i>` : 'end'}</footer></div>`;
    }
    return out;
  },
};
