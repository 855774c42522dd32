import { describe, expect, it } from 'vitest';
import type { FieldDefinition } from '../../../runtime/fields/definition.ts';
import { listTargets, replaceTargets } from '../../../runtime/fields/targets.ts';

/** What values lead to, and values that lead elsewhere. */

const field = (type: FieldDefinition['type'], more: Partial<FieldDefinition> = {}): FieldDefinition => ({
  name: 'f',
  label: 'F',
  type,
  required: false,
  options: [],
  collection: null,
  ...more,
});
const group = field('group', {
  fields: [
    field('link', { name: 'to' }),
    field('references', { name: 'all', collection: 3 }),
    field('text', { name: 'page' }),
  ],
});

describe('listTargets', () => {
  it.each<[string, unknown, FieldDefinition, unknown]>([
    ['an image', 5, field('image'), [['file', 5, null, 'f']]],
    ['a reference', 5, field('reference', { collection: 3 }), [['item', 5, 3, 'f']]],
    ['a reference to a collection that is gone', 5, field('reference'), [['item', 5, 0, 'f']]],
    [
      'references',
      [5, 6],
      field('references', { collection: 3 }),
      [
        ['item', 5, 3, 'f'],
        ['item', 6, 3, 'f'],
      ],
    ],
    ['a link to a page', { page: 5 }, field('link'), [['page', 5, null, 'f']]],
    ['a link to an entry', { entry: 5 }, field('link'), [['item', 5, null, 'f']]],
    ['a link to an address', { url: '/5' }, field('link'), []],
    ['a text', '5', field('text'), []],
    ['nothing', null, field('link'), []],
    [
      'a group',
      { to: { file: 5 }, all: [6], page: '7' },
      group,
      [
        ['file', 5, null, 'f.to'],
        ['item', 6, 3, 'f.all'],
      ],
    ],
    ['a list of a group', [{ to: null }, { to: { page: 5 } }], group, [['page', 5, null, 'f.1.to']]],
  ])('%s', (_name, value, of, expected) => {
    const found = listTargets(value, of).map(({ kind, id, collection, path }) => [
      kind,
      id,
      collection,
      path,
    ]);
    expect(found).toEqual(expected);
  });
});

describe('replaceTargets', () => {
  it('gives the same value if nothing changes', () => {
    const value = [{ to: { page: 5, text: 'x' }, all: [6], page: '7' }];
    expect(replaceTargets(value, group, ({ id }) => id)).toBe(value);
  });

  it('puts other IDs in their places, and drops what is gone', () => {
    const value = [{ to: { page: 5, text: 'x' }, all: [6, 7], page: '5' }];
    expect(replaceTargets(value, group, ({ id }) => (id === 6 ? null : id + 10))).toEqual([
      { to: { page: 15, text: 'x' }, all: [17], page: '5' },
    ]);
    expect(replaceTargets(value, group, () => null)).toEqual([{ to: null, all: null, page: '5' }]);
  });
});
