import { expect, it } from 'vitest';
import { type Entry, rank, serverQuery } from '../../admin/src/app/palette/rank.ts';
import { createSlug } from '../../admin/src/kit/form/slug.ts';

function page(title: string, detail: string): Entry {
  return { id: title, kind: 'page', title, detail, target: detail };
}

const entries: readonly Entry[] = [
  { id: 'c', kind: 'command', title: 'Publish', detail: '', target: 'publish' },
  page('Imprint', '/imprint'),
  page('Visit', '/visit'),
  page('Your visit', '/plan'),
  page('Prices', '/visit/prices'),
  page('Revisited', '/journal/revisited'),
];

function found(query: string): string[] {
  return rank(entries, query).map(({ title }) => title);
}

it('whole names come first, then beginnings of names, of words, and the rest', () => {
  expect(found('visit')).toEqual(['Visit', 'Your visit', 'Prices', 'Revisited']);
});

it('every word must match', () => {
  expect(found('visit pri')).toEqual(['Prices']);
  expect(found('visit xyz')).toEqual([]);
});

it('letters in order match too, last', () => {
  expect(found('prcs')).toEqual(['Prices']);
});

it('other words for a section find it, and no guess stands beside it', () => {
  const section: Entry = { ...page('Security', 'CSP, HSTS, headers'), kind: 'section' };
  const guesses = Array.from({ length: 30 }, (_, n) => page(`Access pens ${n}`, '/a'));
  expect(rank([section, ...guesses], 'csp').map(({ title }) => title)).toEqual(['Security']);
  expect(rank(guesses, 'csp')).toEqual([]);
});

it('a first character narrows the search', () => {
  expect(found('>')).toEqual(['Publish']);
  expect(found('/visit')).toEqual(['Visit', 'Prices']);
  expect(found('/pub')).toEqual([]);
});

it('at most 50 are found', () => {
  const many = Array.from({ length: 10_000 }, (_, n) => page(`Page ${n}`, `/page-${n}`));
  expect(rank(many, 'page')).toHaveLength(50);
});

it.each([
  ['Über uns & Öffnung', 'ueber-uns-oeffnung'],
  ['  Café Crème!  ', 'cafe-creme'],
  ['Straße 1.2', 'strasse-1.2'],
  ['日本', ''],
])('the slug of %s is %s', (title, slug) => {
  expect(createSlug(title)).toBe(slug);
});

it.each([
  ['tide', 'tide'],
  ['@ti', 'ti'],
  ['t', ''],
  ['@t', ''],
  ['>tide', ''],
  ['/tide', ''],
  ['#tide', ''],
])('for "%s" the server is asked for "%s"', (query, asked) => {
  expect(serverQuery(query)).toBe(asked);
});
