import { beforeEach, describe, expect, it } from 'vitest';
import { ContentVersion } from '../../../runtime/content/version.ts';
import { entryOverhead, maxKeyLength, nextMidnight, PageCache } from '../../../server/delivery/page-cache.ts';

let nowMs = 0;
let version: ContentVersion;

beforeEach(() => {
  nowMs = 1000;
  version = new ContentVersion();
  version.move();
});

function cacheOf(maxBytes: number): PageCache<string> {
  return new PageCache({ maxBytes, nowMs: () => nowMs, version });
}

function put(
  cache: PageCache<string>,
  key: string,
  facts: Partial<{ bodyBytes: number; version: number; expiresAt: number }> = {},
): boolean {
  return cache.set(key, `value of ${key}`, { bodyBytes: 100, version: 1, expiresAt: 10_000, ...facts });
}

/** The bytes that `count` entries of 100 bytes with one-letter keys need. */
function roomFor(count: number): number {
  return count * (100 + 2 + entryOverhead);
}

describe('the page cache', () => {
  it('finds a stored value by exactly its key', () => {
    const cache = cacheOf(roomFor(2));
    put(cache, 'a');
    expect(cache.get('a')).toBe('value of a');
    expect(cache.get('b')).toBeUndefined();
  });

  it('drops the least recently used entry when it is full', () => {
    const cache = cacheOf(roomFor(3));
    for (const key of ['a', 'b', 'c']) put(cache, key);
    cache.get('a');
    put(cache, 'd');
    expect(['a', 'b', 'c', 'd'].map((key) => cache.get(key) !== undefined)).toEqual([
      true,
      false,
      true,
      true,
    ]);
  });

  it('has the right order and number of bytes after many random operations', () => {
    const cache = cacheOf(roomFor(5));
    let model: string[] = [];
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 48271) % 2147483647;
      return seed % below;
    };
    for (let step = 0; step < 5000; step += 1) {
      const key = 'abcdefgh'.charAt(random(8));
      if (random(50) === 0) {
        cache.clear();
        model = [];
      } else if (random(2) === 0) {
        put(cache, key);
        model = [...model.filter((known) => known !== key), key].slice(-5);
      } else {
        expect(cache.get(key) !== undefined).toBe(model.includes(key));
        if (model.includes(key)) model = [...model.filter((known) => known !== key), key];
      }
      expect(cache.stats().entries).toBe(model.length);
      expect(cache.stats().bytes).toBe(roomFor(model.length));
    }
  });

  it('replaces an entry of the same key without counting it twice', () => {
    const cache = cacheOf(roomFor(4));
    put(cache, 'a');
    put(cache, 'a', { bodyBytes: 50 });
    expect(cache.stats()).toMatchObject({ entries: 1, bytes: 50 + 2 + entryOverhead });
  });

  it('refuses a value that was rendered before the last change', () => {
    const cache = cacheOf(roomFor(2));
    version.move();
    expect(put(cache, 'a', { version: 1 })).toBe(false);
    expect(cache.get('a')).toBeUndefined();
    expect(put(cache, 'a', { version: 2 })).toBe(true);
  });

  it('is empty after clear', () => {
    const cache = cacheOf(roomFor(2));
    put(cache, 'a');
    cache.clear();
    expect(cache.get('a')).toBeUndefined();
    expect(cache.stats()).toMatchObject({ entries: 0, bytes: 0 });
    put(cache, 'b');
    expect(cache.get('b')).toBe('value of b');
  });

  it('drops an entry when it expires, not before', () => {
    const cache = cacheOf(roomFor(2));
    put(cache, 'a', { expiresAt: 5000 });
    nowMs = 4999;
    expect(cache.get('a')).toBe('value of a');
    nowMs = 5000;
    expect(cache.get('a')).toBeUndefined();
    expect(cache.stats()).toMatchObject({ entries: 0, bytes: 0 });
  });

  it('refuses an entry that expired during its rendering', () => {
    nowMs = 5001;
    expect(put(cacheOf(roomFor(2)), 'a', { expiresAt: 5000 })).toBe(false);
  });

  it('refuses a value larger than the whole cache and keeps the others', () => {
    const cache = cacheOf(roomFor(2));
    put(cache, 'a');
    expect(put(cache, 'b', { bodyBytes: roomFor(2) })).toBe(false);
    expect(cache.get('a')).toBe('value of a');
  });

  it('refuses keys above the maximum length', () => {
    const cache = cacheOf(2 ** 20);
    expect(put(cache, 'k'.repeat(maxKeyLength))).toBe(true);
    expect(put(cache, 'k'.repeat(maxKeyLength + 1))).toBe(false);
  });

  it('stores nothing when it is off, and its statistics show that', () => {
    const cache = cacheOf(0);
    expect(put(cache, 'a', { bodyBytes: 0 })).toBe(false);
    expect(cache.stats()).toEqual({ enabled: false, entries: 0, bytes: 0, max_bytes: 0, hits: 0, misses: 0 });
  });

  it('counts hits, and misses that were stored', () => {
    const cache = cacheOf(roomFor(2));
    cache.get('a');
    put(cache, 'a');
    put(cache, 'b', { version: 7 });
    cache.get('a');
    cache.get('a');
    expect(cache.stats()).toMatchObject({ hits: 2, misses: 1 });
  });
});

describe('nextMidnight', () => {
  it.each([
    ['the first moment of a day', new Date(2024, 4, 6, 0, 0, 0), new Date(2024, 4, 7)],
    ['the last moment of a month', new Date(2024, 4, 31, 23, 59, 59, 999), new Date(2024, 5, 1)],
    ['the end of a year', new Date(2024, 11, 31, 12), new Date(2025, 0, 1)],
    ['a day on which clocks change in many places', new Date(2024, 2, 31, 1), new Date(2024, 3, 1)],
  ])('after %s', (_title, from, expected) => {
    expect(new Date(nextMidnight(from.getTime()))).toEqual(expected);
  });
});
