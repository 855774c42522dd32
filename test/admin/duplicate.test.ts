/** Copies of pages, entries and others: what they take from the original, their names, and the operations. */
import i18next from 'i18next';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Collection, CollectionField } from '../../admin/src/api/generated/schema.ts';
import {
  copiedFields,
  copyEntry,
  copyNamed,
  copyPage,
  listNameFields,
  planPages,
} from '../../admin/src/content/duplicate/copied.ts';
import { findFreeName, formatCopyTitle } from '../../admin/src/content/duplicate/names.ts';
import { PageCreate } from '../../server/features/pages/model.ts';

beforeAll(() =>
  i18next.init({
    lng: 'en',
    resources: { en: { translation: { duplicate: { copyOf: '{{name}} (copy)' } } } },
    interpolation: { escapeValue: false },
  }),
);

describe('names', () => {
  test.each([
    ['boat', ['boat'], 'boat-2'],
    ['boat', ['boat', 'boat-2', 'boat-4'], 'boat-3'],
    ['boat-2', ['boat', 'boat-2'], 'boat-3'],
    ['route-66', ['route-66'], 'route-66-2'],
    ['news-2025', ['news', 'news-2025'], 'news-2025-2'],
    ['blocks/text', ['blocks/text'], 'blocks/text-2'],
  ])('%s beside %j becomes %s', (name, taken, free) => {
    expect(findFreeName(name, new Set(taken))).toBe(free);
  });

  test('a copy of a copy says so once', () => {
    expect(formatCopyTitle('Boat & "Bay"')).toBe('Boat & "Bay" (copy)');
    expect(formatCopyTitle('Boat (copy)')).toBe('Boat (copy)');
  });
});

describe('pages', () => {
  /** home > (a > (a1 > a11, a2), a-2, b) */
  const tree = [
    page(1, null, ''),
    page(2, 1, 'a'),
    page(3, 1, 'a-2'),
    page(4, 1, 'b'),
    page(5, 2, 'a1'),
    page(6, 2, 'a2'),
    page(7, 5, 'a11'),
  ];

  function page(id: number, parent_id: number | null, slug: string) {
    return { id, parent_id, slug };
  }

  test('one goes behind its original, with a free slug', () => {
    expect(planPages(tree, new Set([2]), false)).toEqual([
      { id: 2, parent: 1, place: { slug: 'a-3', index: 1 } },
    ]);
  });

  test('with subpages keep order and slugs below, parents before children', () => {
    expect(planPages(tree, new Set([2]), true)).toEqual([
      { id: 2, parent: 1, place: { slug: 'a-3', index: 1 } },
      { id: 5, parent: '@page-2' },
      { id: 7, parent: '@page-5' },
      { id: 6, parent: '@page-2' },
    ]);
  });

  test('several beside each other get places and slugs of their own', () => {
    const places = planPages(tree, new Set([2, 3, 4]), false).map(({ id, place }) => [id, place]);
    expect(places).toEqual([
      [2, { slug: 'a-3', index: 1 }],
      [3, { slug: 'a-4', index: 3 }],
      [4, { slug: 'b-2', index: 5 }],
    ]);
  });

  test('chosen ones inside of others are copied once if subpages are', () => {
    const chosen = new Set([2, 7]);
    expect(planPages(tree, chosen, true).filter(({ place }) => place !== undefined)).toHaveLength(1);
    expect(planPages(tree, chosen, false).map(({ id }) => id)).toEqual([2, 7]);
  });

  test('home pages are not copied', () => {
    expect(planPages(tree, new Set([1]), true)).toEqual([]);
  });

  test('are created as drafts and moved behind the original; what is empty is left out', () => {
    const original = {
      ...{ id: 2, root_id: 1, path: '/a', title: 'A', slug: 'a', published: true, lang: '', noindex: true },
      ...{ html: '<p>{{ page.title }}</p>', head: '', blocks: [], regions: { lead: 'Hello' }, domains: 'x' },
      assets: [{ asset_id: 3, inherit: true, name: 'site.css', kind: 'css' }],
    };
    const plan = { id: 2, parent: 1, place: { slug: 'a-2', index: 1 } };
    expect(copyPage(plan, original, [])).toEqual([
      {
        ...{ op: 'create', kind: 'page', ref: 'page-2', published: false },
        data: {
          ...{ parent_id: 1, title: 'A (copy)', slug: 'a-2', noindex: true, html: '<p>{{ page.title }}</p>' },
          ...{ regions: { lead: 'Hello' }, assets: [{ asset_id: 3, inherit: true }] },
        },
      },
      { op: 'move', kind: 'page', id: '@page-2', data: { parent_id: 1, index: 1 } },
    ]);
  });

  test('of a layout name it; what is below keeps its title', () => {
    const html = '{% extends "layout/page" %}\n';
    const layouts = [{ id: 9, name: 'layout/page' }];
    const [create, ...others] = copyPage(
      { id: 5, parent: '@page-2' },
      { title: 'A1', slug: 'a1', html },
      layouts,
    );
    expect(create?.data).toEqual({ parent_id: '@page-2', title: 'A1', slug: 'a1', layout_id: 9 });
    expect(others).toEqual([]);
    const [own] = copyPage({ id: 5, parent: 1 }, { title: 'A1', slug: 'a1', html: `${html}<p>` }, layouts);
    expect(own?.data).toMatchObject({ html: `${html}<p>` });
  });

  test('every other field is what only a home page has, or says where a page stands', () => {
    const copied: readonly string[] = copiedFields.page;
    const others = Object.keys(PageCreate.properties).filter((name) => !copied.includes(name));
    expect(others.toSorted()).toEqual(
      [
        ...['parent_id', 'layout_id', 'published'],
        ...['domains', 'default_site', 'notfound_page_id', 'favicon_file_id', 'robots_txt', 'zone'],
      ].toSorted(),
    );
  });
});

test('a snippet has a free name, other labels, and is not the layout of new pages', () => {
  const snippet = {
    ...{ id: 1, name: 'layout/page', description: '', folder: '', content: '<main>', updated_at: 1 },
    assets: [{ asset_id: 3, name: 'site.css', kind: 'css' }],
    schema: { block: true, label: 'Text', params: [] },
    page_layout: { label: 'Page', description: '', default: true },
  };
  expect(copyNamed('snippet', snippet, new Set(['layout/page']))).toEqual({
    ...{ op: 'create', kind: 'snippet' },
    data: {
      ...{ name: 'layout/page-2', content: '<main>', assets: [{ asset_id: 3 }] },
      schema: { block: true, label: 'Text (copy)', params: [] },
      page_layout: { label: 'Page (copy)', description: '', default: false },
    },
  });
});

test('a global block has another name', () => {
  const global = { id: 1, name: 'Hours', description: 'Daily', folder: '', blocks: [{ id: 'x', type: 't' }] };
  expect(copyNamed('global_block', global, new Set())).toEqual({
    ...{ op: 'create', kind: 'global_block' },
    data: { name: 'Hours (copy)', description: 'Daily', blocks: [{ id: 'x', type: 't' }] },
  });
});

describe('entries', () => {
  const field = (name: string, type: CollectionField['type'], rest: Partial<CollectionField> = {}) => ({
    ...{ name, label: name, type, required: false, options: [], collection: null },
    ...rest,
  });
  const fields = [
    field('title', 'text', { unique: true }),
    field('slug', 'text'),
    field('number', 'number', { unique: true }),
    field('lit', 'boolean'),
  ];
  const collection: Pick<Collection, 'id' | 'fields' | 'detail_page_id' | 'detail_field'> = {
    ...{ id: 4, fields, detail_page_id: 0, detail_field: 'slug' },
  };

  test('have free names where values must differ, and nothing where a name cannot', () => {
    expect(listNameFields(collection)).toEqual(['title', 'slug']);
    const taken = new Map([
      ['title', new Set<unknown>(['Boat'])],
      ['slug', new Set<unknown>(['boat', 'boat-2'])],
    ]);
    const data = { title: 'Boat', slug: 'boat', number: 7, lit: true };
    const copies = [copyEntry(collection, data, taken), copyEntry(collection, data, taken)];
    expect(copies).toEqual(
      [
        { title: 'Boat (copy)', slug: 'boat-3', number: null, lit: true },
        { title: 'Boat (copy)-2', slug: 'boat-4', number: null, lit: true },
      ].map((copied) => ({ op: 'create', kind: 'item', collection: 4, published: false, data: copied })),
    );
  });

  test('a title with a pattern stays as it is, and empty values stay empty', () => {
    const coded = {
      ...collection,
      fields: [field('code', 'text', { pattern: '[A-Z]+' }), field('slug', 'text')],
    };
    const copy = copyEntry(coded, { code: 'AB', slug: null }, new Map([['slug', new Set<unknown>()]]));
    expect(copy.data).toEqual({ code: 'AB', slug: null });
  });
});
