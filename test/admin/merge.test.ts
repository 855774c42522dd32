import { describe, expect, it } from 'vitest';
import { mergeFields } from '../../admin/src/editing/merge.ts';

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
