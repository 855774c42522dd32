import { describe, expect, it } from 'vitest';
import { type Entry, SharedEntries } from '../../../server/http/exchange/threads/shared-entries.ts';

let last = 0;

function entryOf(space: string, address: string, condition = ''): Entry {
  last += 1;
  const response = { status: '200 OK', headers: [], body: '' };
  return { number: last, key: { space, address, condition }, version: 1, expiresAt: 1, response, uses: 0 };
}

describe('the shared answers of a thread', () => {
  it('differ by each part of their keys', () => {
    const entries = new SharedEntries();
    const added = ['a', 'b'].flatMap((space) =>
      ['/', '/x'].flatMap((address) => ['', '"t"'].map((condition) => entryOf(space, address, condition))),
    );
    for (const entry of added) entries.add(entry);
    expect(added.map((entry) => entries.find(entry.key))).toEqual(added);
    expect(entries.find({ space: 'c', address: '/', condition: '' })).toBeUndefined();
    expect(entries.size).toBe(8);
  });

  it('have one entry for a key, which an older one does not remove', () => {
    const entries = new SharedEntries();
    const [older, newer] = [entryOf('a', '/'), entryOf('a', '/')];
    entries.add(older);
    entries.add(newer);
    entries.remove(older);
    expect(entries.find(newer.key)).toBe(newer);
    expect(entries.size).toBe(1);
    entries.remove(newer);
    expect(entries.find(newer.key)).toBeUndefined();
    expect(entries.size).toBe(0);
  });

  it('are found again in a space that was empty or cleared meanwhile', () => {
    const entries = new SharedEntries();
    const entry = entryOf('a', '/');
    expect(entries.find(entry.key)).toBeUndefined();
    entries.add(entry);
    expect(entries.find(entry.key)).toBe(entry);
    entries.remove(entry);
    entries.add(entry);
    expect(entries.find(entry.key)).toBe(entry);
    entries.clear();
    expect(entries.find(entry.key)).toBeUndefined();
    expect(entries.size).toBe(0);
    entries.add(entry);
    expect(entries.find(entry.key)).toBe(entry);
  });
});
