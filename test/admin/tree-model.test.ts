import { describe, expect, it } from 'vitest';
import { findNearest } from '../../admin/src/kit/tree/rows.ts';
import {
  collectSubtree,
  computePlace,
  indexTree,
  listAncestors,
  pagePlaces,
  textFilter,
  visibleRows,
} from '../../admin/src/screens/pages/model/tree-model.ts';

/** home > (a > (a1, a2), b > (b1), c) */
const pages = [
  page(1, null, 'home'),
  page(2, 1, 'a'),
  page(3, 1, 'b'),
  page(4, 1, 'c'),
  page(5, 2, 'a1'),
  page(6, 2, 'a2'),
  page(7, 3, 'b1'),
];
const tree = indexTree(pages, 1);
const open = new Set([1, 2]);

function page(id: number, parent_id: number | null, title: string) {
  return { id, parent_id, root_id: 1, title, slug: title, path: `/${title}`, published: true };
}

function titles(rows: readonly { readonly page: { readonly title: string } }[]): string[] {
  return rows.map((row) => row.page.title);
}

describe('rows', () => {
  it('are the pages whose ancestors are open', () => {
    expect(titles(visibleRows(tree, open))).toEqual(['home', 'a', 'a1', 'a2', 'b', 'c']);
  });

  it('tell level, position and number of siblings', () => {
    const row = visibleRows(tree, open).find(({ page: { title } }) => title === 'a2');
    expect(row).toMatchObject({ level: 3, position: 2, setSize: 2, hasChildren: false });
  });

  it('with a filter are the matches with their ancestors, which are grey', () => {
    const rows = visibleRows(tree, new Set(), textFilter('b1'));
    expect(rows.map(({ page: { title }, isGrey }) => [title, isGrey])).toEqual([
      ['home', true],
      ['b', true],
      ['b1', false],
    ]);
  });

  it('of a filter without a match are none', () => {
    expect(visibleRows(tree, open, () => false)).toEqual([]);
  });

  it('leave out pages of other websites', () => {
    const other = { ...page(9, null, 'other'), root_id: 9 };
    expect(indexTree([...pages, other], 1).byId.has(9)).toBe(false);
  });
});

describe('the place of a move', () => {
  const without = (id: number) => {
    const moved = collectSubtree(tree, id);
    return visibleRows(tree, open).filter((row) => !moved.has(row.page.id));
  };

  it.each([
    ['before the first page', 1, 2, { parentId: 1, index: 0, level: 2 }],
    ['above the home page is the first place below it', 0, 1, { parentId: 1, index: 0, level: 2 }],
    ['between the pages of a branch', 3, 3, { parentId: 2, index: 1, level: 3 }],
    ['after the last page of a branch, in the branch', 4, 3, { parentId: 2, index: 2, level: 3 }],
    ['after the last page of a branch, out of it', 4, 2, { parentId: 1, index: 1, level: 2 }],
    ['below the last page of a branch', 4, 9, { parentId: 6, index: 0, level: 4 }],
    ['below a closed page, as its first', 5, 3, { parentId: 3, index: 0, level: 3 }],
    ['at the very end', 99, 2, { parentId: 1, index: 2, level: 2 }],
  ])('%s', (_name, gap, level, expected) => {
    expect(findNearest(pagePlaces(without(4)), gap, level)).toMatchObject(expected);
  });

  it('is never inside of the moved page', () => {
    expect(titles(without(2))).toEqual(['home', 'b', 'c']);
  });

  it('counts the place without the moved page', () => {
    expect(computePlace(tree, page(4, 1, 'c'))).toEqual({ parentId: 1, index: 2 });
    expect(findNearest(pagePlaces(without(2)), 3, 2)).toMatchObject({ parentId: 1, index: 2 });
  });
});

it('ancestors are listed from the nearest', () => {
  expect(listAncestors(tree, 5)).toEqual([2, 1]);
});

it('20,000 open pages become as many rows', () => {
  const many = [
    page(1, null, 'home'),
    ...Array.from({ length: 20_000 }, (_, n) => page(n + 2, Math.floor(n / 10) + 1, `p${n}`)),
  ];
  const large = indexTree(many, 1);
  const rows = visibleRows(large, new Set(many.map(({ id }) => id)));
  expect(rows).toHaveLength(20_001);
  // After each row at least as its first page; after the last one of a branch at each level of it too.
  expect(pagePlaces(rows).filter(({ gap }) => gap === 20_001).length).toBe(rows.at(-1)?.level);
});
