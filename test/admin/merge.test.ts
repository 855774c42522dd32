import { describe, expect, it } from 'vitest';
import { mergeFields } from '../../admin/src/editing/merge/merge.ts';
import { joinWords } from '../../admin/src/editing/merge/named-parts.ts';

describe('a merge of fields', () => {
  const base = { title: 'a', html: 'one\ntwo\nthree\nfour', noindex: false, updated_at: 1 };

  it('keeps what only I have changed', () => {
    expect(mergeFields(base, { title: 'mine' }, { ...base, updated_at: 2 })).toEqual({
      changes: { title: 'mine' },
      fromTheirs: [],
      fromBoth: [],
      conflicts: [],
    });
  });

  it('takes what only they have changed', () => {
    expect(mergeFields(base, { title: 'mine' }, { ...base, noindex: true })).toMatchObject({
      changes: { title: 'mine' },
      fromTheirs: ['noindex'],
    });
  });

  it('merges texts by line', () => {
    const mine = { html: 'ONE\ntwo\nthree\nfour' };
    const theirs = { ...base, html: 'one\ntwo\nthree\nFOUR' };
    expect(mergeFields(base, mine, theirs)).toMatchObject({
      changes: { html: 'ONE\ntwo\nthree\nFOUR' },
      fromBoth: ['html'],
      conflicts: [],
    });
  });

  it('asks about lines that both have changed', () => {
    const theirs = { ...base, html: 'theirs\ntwo\nthree\nfour' };
    expect(mergeFields(base, { html: 'mine\ntwo\nthree\nfour' }, theirs).conflicts).toEqual([
      { field: 'html', base: base.html, mine: 'mine\ntwo\nthree\nfour', theirs: theirs.html },
    ]);
  });

  it('asks about short values that both have changed', () => {
    expect(mergeFields(base, { title: 'mine' }, { ...base, title: 'theirs' }).conflicts).toHaveLength(1);
  });

  it('drops what both have changed in the same way', () => {
    expect(mergeFields(base, { title: 'same' }, { ...base, title: 'same' })).toMatchObject({
      changes: {},
      conflicts: [],
    });
  });

  it('compares lists by their content', () => {
    const assets = [{ asset_id: 1 }];
    expect(mergeFields({ assets: [] }, { assets }, { assets: [{ asset_id: 1 }] })).toMatchObject({
      changes: {},
      conflicts: [],
    });
  });
});

describe('block trees', () => {
  const card = (id: string, title: string, tone = 'sea') => ({ id, type: 'card', params: { title, tone } });
  const box = (...blocks: object[]) => ({ id: 'box', type: 'box', params: {}, slots: { default: blocks } });
  const base = [box(card('a', 'A'), card('b', 'B'))];
  const merge = (mine: object[], theirs: object[]) =>
    mergeFields({ blocks: base }, { blocks: mine }, { blocks: theirs });

  it('values of different blocks, and different values of one block, merge', () => {
    const { changes, fromBoth, conflicts } = merge(
      [box(card('a', 'Mine'), card('b', 'B'))],
      [box(card('a', 'A', 'sand'), card('b', 'Theirs'))],
    );
    expect(changes).toEqual({ blocks: [box(card('a', 'Mine', 'sand'), card('b', 'Theirs'))] });
    expect([fromBoth, conflicts]).toEqual([['blocks'], []]);
  });

  it('an order of one side and values of the other merge', () => {
    const { changes } = merge(
      [box(card('b', 'B'), card('a', 'A'))],
      [box(card('a', 'Theirs'), card('b', 'B'))],
    );
    expect(changes).toEqual({ blocks: [box(card('b', 'B'), card('a', 'Theirs'))] });
    const added = merge(
      [box(card('a', 'Mine'), card('b', 'B'))],
      [box(card('a', 'A'), card('b', 'B'), card('c', 'C'))],
    );
    expect(added.changes).toEqual({ blocks: [box(card('a', 'Mine'), card('b', 'B'), card('c', 'C'))] });
  });

  it.each([
    ['the same value', [box(card('a', 'Mine'), card('b', 'B'))], [box(card('a', 'Theirs'), card('b', 'B'))]],
    ['the order', [box(card('b', 'B'), card('a', 'A'))], [box(card('a', 'A'))]],
  ])('both have changed %s: that is asked', (_name, mine, theirs) => {
    expect(merge(mine, theirs).conflicts).toMatchObject([{ field: 'blocks' }]);
  });
});

describe('the words of a page', () => {
  const page = (regions: object) => ({ title: 'T', region_schema: [], regions });
  const base = page({ a: '1', b: '1', gone: 'x' });

  it('merge by name, and a removed name stays removed', () => {
    const theirs = page({ a: '1', b: '2', gone: 'x', constructor: 'theirs' });
    const merged = mergeFields(base, { regions: { a: 'mine', b: '1' } }, theirs);
    expect(merged).toEqual({
      changes: { 'regions.a': 'mine', 'regions.gone': null },
      fromTheirs: ['regions.b', 'regions.constructor'],
      fromBoth: [],
      conflicts: [],
    });
    expect(joinWords(merged.changes, theirs)).toEqual({
      regions: { a: 'mine', b: '2', constructor: 'theirs' },
    });
  });

  it('are asked about where both have changed the same name', () => {
    const merged = mergeFields(base, { regions: { ...base.regions, a: 'mine' } }, page({ a: 'theirs' }));
    expect(merged.conflicts).toEqual([{ field: 'regions.a', base: '1', mine: 'mine', theirs: 'theirs' }]);
    expect(merged.fromTheirs).toEqual(['regions.b', 'regions.gone']);
  });

  it('of an object without regions are a field like others', () => {
    const merged = mergeFields({ regions: { a: 1 } }, { regions: { a: 2 } }, { regions: { a: 3 } });
    expect(merged.conflicts.map(({ field }) => field)).toEqual(['regions']);
  });
});
