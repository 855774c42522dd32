import { leastOf, personName, plainWords, sentence, times } from '../data.ts';
import { allDialects } from '../dialects.ts';
import { escapeHtml } from '../tools.ts';
import type { Workload } from '../workload.ts';

/** The page of profiles that several template engines have in their own benchmarks. */
const context = {
  friends: times(40, (index) => ({
    index,
    active: index % 2 === 0,
    balance: `$${1000 + index * 37}.${10 + index}`,
    picture: `https://example.org/p/${index}?s=32&d=1`,
    age: 20 + (index % 40),
    eyes: ['brown', 'blue', 'green'][index % 3] ?? '',
    name: personName(index),
    company: plainWords(index, 1),
    email: `person${index}@example.org`,
    phone: `+1 (800) 555-${1000 + index}`,
    address: `${index} ${plainWords(index, 2)}, ${10000 + index}`,
    about: sentence(index, 20),
    tags: times(5, (tag) => plainWords(index + tag, 1)),
    friends: times(3, (friend) => ({ id: friend, name: personName(index + friend) })),
  })),
};

export const friends: Workload<typeof context> = {
  name: 'friends',
  about: '40 profiles of many fields, with tags and friends',
  context,
  least: leastOf(context),
  sources: allDialects({
    django: {
      main: `<div class="friends">{% for f in friends %}<div class="{% if f.active %}active{% else %}idle{% endif %}" id="f{{ f.index }}"><img src="{{ f.picture }}"/><h4>{{ f.name }}</h4><dl><dt>Balance</dt><dd>{{ f.balance }}</dd><dt>Age</dt><dd>{{ f.age }}</dd><dt>Eyes</dt><dd>{{ f.eyes }}</dd><dt>Company</dt><dd>{{ f.company }}</dd><dt>Email</dt><dd><a href="mailto:{{ f.email }}">{{ f.email }}</a></dd><dt>Phone</dt><dd>{{ f.phone }}</dd><dt>Address</dt><dd>{{ f.address }}</dd></dl><p>{{ f.about }}</p><ul>{% for tag in f.tags %}<li>{{ tag }}</li>{% endfor %}</ul><ul>{% for friend in f.friends %}<li id="p{{ friend.id }}">{{ friend.name }}</li>{% endfor %}</ul></div>
{% endfor %}</div>`,
    },
    javascript: {
      main: `<div class="friends"><% for (const f of it.friends) { %><div class="<%= f.active ? 'active' : 'idle' %>" id="f<%= f.index %>"><img src="<%= f.picture %>"/><h4><%= f.name %></h4><dl><dt>Balance</dt><dd><%= f.balance %></dd><dt>Age</dt><dd><%= f.age %></dd><dt>Eyes</dt><dd><%= f.eyes %></dd><dt>Company</dt><dd><%= f.company %></dd><dt>Email</dt><dd><a href="mailto:<%= f.email %>"><%= f.email %></a></dd><dt>Phone</dt><dd><%= f.phone %></dd><dt>Address</dt><dd><%= f.address %></dd></dl><p><%= f.about %></p><ul><% for (const tag of f.tags) { %><li><%= tag %></li><% } %></ul><ul><% for (const friend of f.friends) { %><li id="p<%= friend.id %>"><%= friend.name %></li><% } %></ul></div>
<% } %></div>`,
    },
    pug: {
      main: `.friends
  each f in self.friends
    div(class=f.active ? 'active' : 'idle' id='f' + f.index)
      img(src=f.picture)
      h4= f.name
      dl
        dt Balance
        dd= f.balance
        dt Age
        dd= f.age
        dt Eyes
        dd= f.eyes
        dt Company
        dd= f.company
        dt Email
        dd
          a(href='mailto:' + f.email)= f.email
        dt Phone
        dd= f.phone
        dt Address
        dd= f.address
      p= f.about
      ul
        each tag in f.tags
          li= tag
      ul
        each friend in f.friends
          li(id='p' + friend.id)= friend.name`,
    },
  }),
  handWritten({ friends: list }) {
    let out = '<div class="friends">';
    for (const f of list) {
      const email = escapeHtml(f.email);
      out += `<div class="${f.active ? 'active' : 'idle'}" id="f${f.index}"><img src="${escapeHtml(f.picture)}"/><h4>${escapeHtml(f.name)}</h4><dl><dt>Balance</dt><dd>${escapeHtml(f.balance)}</dd><dt>Age</dt><dd>${f.age}</dd><dt>Eyes</dt><dd>${escapeHtml(f.eyes)}</dd><dt>Company</dt><dd>${escapeHtml(f.company)}</dd><dt>Email</dt><dd><a href="mailto:${email}">${email}</a></dd><dt>Phone</dt><dd>${escapeHtml(f.phone)}</dd><dt>Address</dt><dd>${escapeHtml(f.address)}</dd></dl><p>${escapeHtml(f.about)}</p><ul>`;
      for (const tag of f.tags) out += `<li>${escapeHtml(tag)}</li>`;
      out += '</ul><ul>';
      for (const friend of f.friends) out += `<li id="p${friend.id}">${escapeHtml(friend.name)}</li>`;
      out += '</ul></div>\n';
    }
    return `${out}</div>`;
  },
};
