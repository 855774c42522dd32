/** Which known name is suggested for an unknown one: only a near one, or one of the same meaning. */
import { describe, expect, test } from 'vitest';
import { foreignTags } from '../../grammar/foreign.ts';
import { knownTags } from '../../grammar/items.ts';
import { nearest } from '../../grammar/suggest.ts';

const names = ['page', 'site', 'route', 'today', 'meta_title', 'x', 'description'];

describe('the suggestion for', () => {
  test.each([
    // One slip: swapped, missing, added, other letter, other case.
    ['pgae', 'page'],
    ['pag', 'page'],
    ['pages', 'page'],
    ['paga', 'page'],
    ['Page', 'page'],
    ['SITE', 'site'],
    // Longer words may have more.
    ['metaTitel', 'meta_title'],
    ['discribtion', 'description'],
    // Not near.
    ['pots', undefined],
    ['pgea', undefined],
    ['titles', undefined],
    ['y', undefined],
    ['', undefined],
    ['descr', undefined],
    ['p'.repeat(41), undefined],
  ])('%s is %s', (word, suggestion) => {
    expect(nearest(word, names)).toBe(suggestion);
  });

  test('several near names is the nearest, and the first of equally near ones', () => {
    expect(nearest('titel', ['titles', 'title', 'titler'])).toBe('title');
    expect(nearest('carb', ['card', 'cart'])).toBe('card');
  });

  test('a foreign word is its meaning, before any near name', () => {
    expect(nearest('Elseif', ['else'], foreignTags)).toBe('elif');
  });

  test('a name among very many is found only among the first, so that it costs little', () => {
    const many = Array.from({ length: 6_000 }, (_, index) => `snippet-${'x'.repeat(20)}${index}`);
    expect(nearest('crad', [...many, 'card'])).toBeUndefined();
    expect(nearest('crad', ['card', ...many])).toBe('card');
  });
});

test('the meaning of every foreign tag is a tag, and no foreign tag is one', () => {
  for (const [word, meaning] of foreignTags) {
    expect(knownTags).toContain(meaning.split(' ')[0]);
    expect(knownTags).not.toContain(word);
  }
});
