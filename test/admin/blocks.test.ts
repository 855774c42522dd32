/** Block trees in the admin: changes, rules, outline, clipboard and undo. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { BlockType, GlobalBlock } from '../../admin/src/api/generated/schema.ts';
import { StepHistory } from '../../admin/src/editing/step-history.ts';
import { blocksFromText, blocksToText, pasteInto } from '../../admin/src/editors/blocks/model/clipboard.ts';
import { formatBlockLabel } from '../../admin/src/editors/blocks/model/labels.ts';
import { outlineRows } from '../../admin/src/editors/blocks/model/outline.ts';
import { findOwnBlock } from '../../admin/src/editors/blocks/model/own-block.ts';
import { type BlockFacts, listsFor, refusal } from '../../admin/src/editors/blocks/model/rules.ts';
import type { TreeState } from '../../admin/src/editors/blocks/model/selection.ts';
import {
  type BlockTree,
  blockAt,
  blocksIn,
  changeBlock,
  findBlock,
  findPlace,
  insertBlocks,
  moveBlocks,
  removeBlocks,
  rootList,
  setOverride,
  setParam,
  withNewIds,
} from '../../admin/src/editors/blocks/model/tree.ts';

const param = (name: string, type: string) => ({
  name,
  label: name,
  type,
  required: false,
  options: [],
  collection: null,
  default: null,
  design: false,
});
const slot = (name: string, allow: string[] = [], max = 0) => ({ name, label: name, allow, max });
const blockType = (name: string, more: Partial<BlockType> = {}): BlockType => ({
  name,
  label: name.toUpperCase(),
  description: '',
  icon: '',
  category: '',
  params: [param('count', 'number'), param('title', 'text'), param('text', 'html')],
  slots: [],
  ...more,
});
const types = [
  blockType('card'),
  blockType('button'),
  blockType('columns', { slots: [slot('left', ['card']), slot('right', [], 1)] }),
  blockType('box', { slots: [slot('default')] }),
];
const global: GlobalBlock = {
  id: 7,
  name: 'Hours',
  folder: '',
  description: '',
  created_at: 0,
  updated_at: 0,
  blocks: [{ id: 'in', type: 'button', params: { title: 'Open' } }],
};
const facts: BlockFacts = {
  types: new Map(types.map((type) => [type.name, type])),
  globals: new Map([[7, global]]),
};
const card = (id: string, title = '') => ({ id, type: 'card', params: { title } });
const tree: BlockTree = [
  { id: 'cols', type: 'columns', params: {}, slots: { left: [card('a', 'A'), card('b')] } },
  { id: 'ref', global: 7 },
  { id: 'last', type: 'card', params: { text: '<b>Bold</b> words' } },
];
const ids = (blocks: BlockTree) => [...blocksIn(blocks)].map(({ id }) => id);
const outline = (blocks: BlockTree, closed: string[] = []) =>
  outlineRows(facts, blocks, new Set(closed)).map(({ key, level }) => `${level} ${key}`);

describe('changes of a tree', () => {
  test('insert, remove, set a value, and find by the path of an error', () => {
    const inserted = insertBlocks(tree, { parent: 'cols', slot: 'right', index: 9 }, [card('c')]);
    expect(ids(inserted)).toEqual(['cols', 'a', 'b', 'c', 'ref', 'last']);
    expect(inserted[2]).toBe(tree[2]);
    expect(removeBlocks(inserted, new Set(['c']))).toEqual(tree);
    expect(removeBlocks(tree, new Set(['a', 'b']))[0]).toEqual({ id: 'cols', type: 'columns', params: {} });
    expect(findBlock(setParam(tree, 'b', 'title', 'B'), 'b')).toEqual(card('b', 'B'));
    expect(findBlock(setParam(tree, 'a', 'title', undefined), 'a')).toMatchObject({ params: {} });
    expect([blockAt(tree, '0.slots.left.1')?.id, blockAt(tree, '2')?.id, blockAt(tree, '9')?.id]).toEqual([
      'b',
      'last',
      undefined,
    ]);
    expect(changeBlock(tree, 'none', (block) => block)).toBe(tree);
  });

  test('a move counts places before the move, and never goes into itself', () => {
    const end = (moved: string[], place: Parameters<typeof moveBlocks>[2]) =>
      ids(moveBlocks(tree, new Set(moved), place));
    expect(end(['cols'], { ...rootList, index: 3 })).toEqual(['ref', 'last', 'cols', 'a', 'b']);
    expect(end(['last'], { parent: 'cols', slot: 'left', index: 1 })).toEqual([
      'cols',
      'a',
      'last',
      'b',
      'ref',
    ]);
    expect(end(['a', 'last'], { ...rootList, index: 2 })).toEqual(['cols', 'b', 'ref', 'a', 'last']);
    expect(moveBlocks(tree, new Set(['cols']), { parent: 'cols', slot: 'right', index: 0 })).toBe(tree);
    expect(moveBlocks(tree, new Set(['a']), { parent: 'cols', slot: 'left', index: 1 })).toBe(tree);
  });

  test('any move keeps every block exactly once', () => {
    const place = fc.constantFrom(
      rootList,
      { parent: 'cols', slot: 'left' },
      { parent: 'cols', slot: 'right' },
      { parent: 'last', slot: 'x' },
    );
    const moved = fc.subarray(['cols', 'a', 'b', 'ref', 'last'], { minLength: 1 });
    fc.assert(
      fc.property(place, moved, fc.nat(5), (list, chosen, index) => {
        const next = moveBlocks(tree, new Set(chosen), { ...list, index });
        expect(ids(next).toSorted()).toEqual(ids(tree).toSorted());
      }),
      { numRuns: 200 },
    );
  });

  test('values for one place of a global block come and go', () => {
    const changed = setOverride(tree, { id: 'ref', inner: 'in', name: 'title' }, 'Closed');
    expect(changed[1]).toEqual({ id: 'ref', global: 7, overrides: { in: { title: 'Closed' } } });
    expect(setOverride(changed, { id: 'ref', inner: 'in', name: 'title' }, undefined)).toEqual(tree);
  });

  test('copies have new IDs throughout', () => {
    const copied = ids(withNewIds(tree));
    expect(new Set([...copied, ...ids(tree)]).size).toBe(10);
    expect(copied.every((id) => /^[A-Za-z0-9_-]{1,64}$/.test(id))).toBe(true);
  });
});

describe('rules', () => {
  const left = { parent: 'cols', slot: 'left' };
  const right = { parent: 'cols', slot: 'right' };

  test.each([
    ['a type that the slot lists', left, [card('x')], undefined],
    [
      'another type',
      left,
      [{ id: 'x', type: 'button', params: {} }],
      { reason: 'notAllowed', type: 'BUTTON', slot: 'left' },
    ],
    [
      'a global block with another type at its top',
      left,
      [{ id: 'x', global: 7 }],
      { reason: 'notAllowed', type: 'BUTTON', slot: 'left' },
    ],
    ['as many as the slot takes', right, [card('x')], undefined],
    ['more than the slot takes', right, [card('x'), card('y')], { reason: 'full', slot: 'right', max: 1 }],
  ])('%s', (_name, list, blocks, refused) => {
    expect(refusal(facts, tree, list, blocks)).toEqual(refused);
  });

  test('depth, a block in itself, a global block in itself', () => {
    let deep: BlockTree = [card('deep')];
    for (let level = 0; level < 9; level++)
      deep = [{ id: `box${level}`, type: 'box', params: {}, slots: { default: deep } }];
    expect(refusal(facts, [], rootList, deep)).toBeUndefined();
    expect(refusal(facts, tree, right, deep)).toEqual({ reason: 'tooDeep', max: 10 });
    expect(refusal(facts, tree, right, [card('cols')], new Set(['cols']))).toEqual({ reason: 'inside' });
    expect(refusal({ ...facts, ownGlobal: 7 }, [], rootList, [{ id: 'x', global: 7 }])).toEqual({
      reason: 'cycle',
    });
  });

  test('the lists that take a block that is moved', () => {
    expect(listsFor(facts, tree, new Set(['a']))).toEqual([rootList, left, right]);
    expect(listsFor(facts, tree, new Set(['ref']))).toEqual([rootList, right]);
    expect(listsFor(facts, tree, new Set(['cols']))).toEqual([rootList]);
  });
});

test('the outline has a row for each slot, and opens global blocks on request', () => {
  expect(outline(tree)).toEqual(['1 cols', '2 cols/left', '3 a', '3 b', '2 cols/right', '1 ref', '1 last']);
  expect(outline(tree, ['cols', 'ref!'])).toEqual(['1 cols', '1 ref', '2 ref>in', '1 last']);
  const boxed: BlockTree = [{ id: 'box', type: 'box', params: {}, slots: { default: [card('a')] } }];
  expect(outline(boxed)).toEqual(['1 box', '2 a']);
  expect(outline([{ id: 'box', type: 'box', params: {} }])).toEqual(['1 box', '2 box/default']);
});

test('a block is called by its first text, else by its type', () => {
  expect(tree.map((block) => formatBlockLabel(facts, block))).toEqual([
    { type: 'COLUMNS', content: '' },
    { type: 'Hours', content: '' },
    { type: 'CARD', content: 'Bold words' },
  ]);
  expect(formatBlockLabel(facts, { id: 'x', type: 'gone', params: { title: 'T' } })).toEqual({
    type: 'gone',
    content: '',
  });
});

test.each([
  ['gate-ell,sea-chronometer,barometer', 'Objects of the house'],
  ['/collection', 'Objects of the house'],
  ['https://example.org/a', 'Objects of the house'],
  ['Weights, scales', 'Weights, scales'],
  ['1,5 kg', '1,5 kg'],
])('a block with the text %s is called %s', (title, content) => {
  const params = { title, text: 'Objects of the house' };
  expect(formatBlockLabel(facts, { id: 'x', type: 'card', params })).toMatchObject({ content });
});

describe('clipboard', () => {
  test('what is copied comes back with new IDs, without what the place does not take', () => {
    const copied = blocksFromText(blocksToText(tree)) ?? [];
    expect(copied).toEqual(tree);
    const all = pasteInto(facts, tree, rootList, copied);
    expect([all.leftOut, ids(all.blocks).some((id) => ids(tree).includes(id))]).toEqual([0, false]);
    expect(pasteInto(facts, tree, { parent: 'cols', slot: 'left' }, copied)).toMatchObject({
      leftOut: 2,
      blocks: [{ type: 'card' }],
    });
    const strange: BlockTree = [{ id: 'x', type: 'gone', params: {} }, { id: 'y', global: 99 }, card('z')];
    expect(pasteInto(facts, tree, rootList, strange)).toMatchObject({
      leftOut: 2,
      blocks: [{ type: 'card' }],
    });
  });

  test.each([
    '',
    'text',
    '{"incipit-blocks":',
    '{"incipit-blocks":[1]}',
    '{"incipit-blocks":[{"id":"a"}]}',
    '{"incipit-blocks":[{"id":"a","type":"card","params":{},"slots":{"x":1}}]}',
  ])('other text is no blocks: %s', (text) => expect(blocksFromText(text)).toBeUndefined());
});

describe('undo', () => {
  const state = (title: string, field?: string) => ({
    tree: [card('a', title)],
    selection: { ids: ['a'], field },
  });

  test('typing is one step until it pauses, other changes are steps of their own', () => {
    let now = 0;
    const history = new StepHistory<TreeState>(() => now);
    history.add(state(''), state('H'), 'a title');
    now = 700;
    history.add(state('H'), state('Hi'), 'a title');
    now = 1600;
    history.add(state('Hi'), state('Hi!'), 'a title');
    history.add(state('Hi!'), state('moved'));
    expect([history.undo()?.tree, history.undo()?.tree, history.undo()?.tree]).toEqual([
      state('Hi!').tree,
      state('Hi').tree,
      state('').tree,
    ]);
    expect([history.canUndo, history.undo()]).toEqual([false, undefined]);
    expect(history.redo()).toEqual(state('Hi'));
    history.add(state('Hi'), state('new'));
    expect([history.canRedo, history.undo()?.selection.ids]).toEqual([false, ['a']]);
  });
});

test('a block is found in its place', () => {
  expect([findPlace(tree, 'b'), findPlace(tree, 'last'), findPlace(tree, 'none')]).toEqual([
    { parent: 'cols', slot: 'left', index: 1 },
    { parent: null, slot: '', index: 2 },
    undefined,
  ]);
});

describe('what a click in the page means', () => {
  const own = (...blocks: (readonly [origin: string, id: string])[]) =>
    findOwnBlock(
      tree,
      'page.blocks',
      blocks.map(([origin, id]) => ({ origin, id })),
    );

  test('is the innermost block of the tree', () => {
    expect(own(['page.blocks', 'cols'], ['page.blocks', 'a'])).toEqual({ id: 'a', isForeign: false });
    expect(own(['page.blocks', 'ref'])).toEqual({ id: 'ref', isForeign: false });
  });

  test('is nothing of the tree outside of its blocks, or where the page is older', () => {
    expect(own()).toBeUndefined();
    expect(own(['item:news:4:body', 'a'])).toBeUndefined();
    expect(own(['page.blocks', 'gone'])).toBeUndefined();
  });

  test('is a block inside of a global block with the reference to it', () => {
    expect(own(['page.blocks', 'ref'], ['global:7', 'in'])).toEqual({
      id: 'ref',
      inner: 'in',
      isForeign: false,
    });
  });

  test('is foreign where something else lies in it', () => {
    expect(own(['page.blocks', 'a'], ['item:news:4:body', 'x'])).toEqual({ id: 'a', isForeign: true });
    expect(own(['page.blocks', 'ref'], ['global:7', 'in'], ['global:8', 'deep'])).toEqual({
      id: 'ref',
      inner: 'in',
      isForeign: true,
    });
  });
});
