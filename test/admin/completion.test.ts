/** What the code editor offers while a template is typed. */

import { expect, it } from 'vitest';
import { completionAfter } from '../../admin/src/editors/code/completion.ts';
import { snippetNameAt } from '../../admin/src/editors/code/snippet-name.ts';

const facts = {
  snippets: ['card', 'layout/main', 'layout/side'],
  lists: ['objects', 'rooms'],
  variables: {
    page: { title: 'Home', path: '/', parent: null, blocks: [{ id: 1 }] },
    site: { title: 'Museum' },
    today: '2026-01-01',
  },
};

it.each([
  ['{% include "', ['card', 'layout/main', 'layout/side']],
  ['{% include "la', ['layout/main', 'layout/side']],
  ["{%- extends 'main", ['layout/main']],
  ['{% component "card', undefined],
  ['{% for x in data("', ['objects', 'rooms']],
  ['{{ item("ro', ['rooms']],
  ['{{ ', undefined],
  ['{{ p', ['page']],
  ['{{ page.', ['blocks', 'parent', 'path', 'title']],
  ['{{ page.t', ['title', 'parent', 'path']],
  ['{% if site.', ['title']],
  ['{{ page.title.', undefined],
  ['{{ page.blocks.', undefined],
  ['{{ page.title|upp', ['upper']],
  ['{{ "a|upp', undefined],
  ['{% inc', ['include']],
  ['{{ not_', ['not_found']],
  ['{{ "page', undefined],
  ['{{ page.title }} p', undefined],
  ['<p>page.', undefined],
  ['{{ constructor.', undefined],
])('after %s: %j', (before, labels) => {
  expect(completionAfter(before, facts)?.offers.map(({ label }) => label)).toEqual(labels);
});

it('says how much is replaced, and what an example value is', () => {
  expect(completionAfter('{{ page.bl', facts)).toEqual({
    length: 2,
    offers: [{ label: 'blocks', detail: 'list' }],
  });
});

it.each([
  ['{% include "cards/one" %}', 15, 'cards/one'],
  ["{%- extends 'layout' %}", 3, 'layout'],
  ['{% component card title="x" %}', 16, 'card'],
  ['{% import "macros" m %}{% include "b" %}', 36, 'b'],
  ['{% include "a" %} text', 20, undefined],
  ['{% if include %}', 6, undefined],
])('the snippet that a tag names: %s', (line, column, name) => {
  expect(snippetNameAt(line, column)).toBe(name);
});
