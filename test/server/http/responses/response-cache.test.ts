import { beforeEach, describe, expect, it } from 'vitest';
import { createFullInvalidation } from '../../../../runtime/content/change-log.ts';
import { dependencies } from '../../../../runtime/content/dependencies.ts';
import type { ReadSet } from '../../../../runtime/content/dependency-recorder.ts';
import { ContentVersion } from '../../../../server/changes/content-version.ts';
import type { CacheKey, EntryFacts } from '../../../../server/http/responses/cache-entry.ts';
import {
  entryOverhead,
  maxKeyLength,
  nextMidnight,
  ResponseCache,
} from '../../../../server/http/responses/response-cache.ts';

let nowMs = 0;
let version: ContentVersion;

beforeEach(() => {
  nowMs = 1000;
  version = new ContentVersion();
  change(other);
});

/** The asset that entries depend on, and another one. */
const own = 1;
const other = 2;

/** A committed change of an asset. */
function change(assetId: number): void {
  const seq = version.current() + 1;
  version.move([{ ...createFullInvalidation(seq), kind: 'asset', id: assetId }]);
}

function readAt(seq: number): ReadSet & { readonly dependencies: Float64Array } {
  return {
    seq,
    dependencies: Float64Array.of(dependencies.everything, dependencies.asset(own)),
  };
}

function cacheOf(maxBytes: number, onRemove: (value: string) => void = () => {}): ResponseCache<string> {
  return new ResponseCache({ maxBytes, nowMs: () => nowMs, version, onRemove });
}

function put(cache: ResponseCache<string>, key: string, facts: Partial<EntryFacts> = {}): boolean {
  return cache.set(keyOf(key), `value of ${key}`, {
    bodyBytes: 100,
    reads: readAt(1),
    expiresAt: 10_000,
    ...facts,
  });
}

function keyOf(address: string): CacheKey {
  return { partition: '', address };
}

/** Bytes of an entry without its body. */
const restBytes = 2 + entryOverhead + readAt(1).dependencies.byteLength;

/** The bytes that `count` entries of 100 bytes with one-letter keys need. */
function roomFor(count: number): number {
  return count * (100 + restBytes);
}

describe('a part of the cache', () => {
  it('finds a stored value by exactly its key', () => {
    const cache = cacheOf(roomFor(2));
    put(cache, 'a');
    expect(cache.get(keyOf('a'))).toBe('value of a');
    expect(cache.get(keyOf('b'))).toBeUndefined();
  });

  it('keeps one address of several partitions apart, also while a partition is empty', () => {
    const cache = cacheOf(2 * roomFor(1) + 12);
    const keys = ['one', 'two', 'one', 'six', 'two'].map((partition) => ({ partition, address: 'a' }));
    const facts = { bodyBytes: 100, reads: readAt(1), expiresAt: 10_000 };
    for (const [index, key] of keys.entries()) {
      expect(cache.get(key)).toBe(index === 2 ? 'value of one' : undefined);
      expect(cache.set(key, `value of ${key.partition}`, facts)).toBe(true);
      expect(cache.get(key)).toBe(`value of ${key.partition}`);
    }
    expect(['one', 'two', 'six'].map((partition) => cache.get({ partition, address: 'a' }))).toEqual([
      undefined,
      'value of two',
      'value of six',
    ]);
    expect(cache.stats()).toMatchObject({ entries: 2, bytes: 2 * roomFor(1) + 12 });
  });

  it('drops the least recently used entry when it is full', () => {
    const cache = cacheOf(roomFor(3));
    for (const key of ['a', 'b', 'c']) put(cache, key);
    cache.get(keyOf('a'));
    put(cache, 'd');
    expect(['a', 'b', 'c', 'd'].map((key) => cache.get(keyOf(key)) !== undefined)).toEqual([
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
        expect(cache.get(keyOf(key)) !== undefined).toBe(model.includes(key));
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
    expect(cache.stats()).toMatchObject({ entries: 1, bytes: 50 + restBytes });
  });

  it('counts uses elsewhere as hits, and keeps what is used there', () => {
    const removed: string[] = [];
    const cache = cacheOf(roomFor(2), (value) => removed.push(value));
    for (const key of ['a', 'b']) put(cache, key);
    cache.recordHits(keyOf('a'), 'value of a', 5);
    cache.recordHits(keyOf('b'), 'another value', 1);
    put(cache, 'c');
    expect(removed).toEqual(['value of b']);
    expect(cache.stats()).toMatchObject({ hits: 6, entries: 2 });
  });

  it('counts the new size of a value, and makes room for it', () => {
    const cache = cacheOf(roomFor(2));
    for (const key of ['a', 'b']) put(cache, key);
    cache.resize(keyOf('b'), 'another value', 1);
    expect(cache.stats()).toMatchObject({ entries: 2, bytes: 2 * (100 + restBytes) });
    cache.resize(keyOf('b'), 'value of b', 110);
    expect(cache.stats()).toMatchObject({ entries: 1, bytes: 110 + restBytes });
    expect(cache.get(keyOf('a'))).toBeUndefined();
    cache.markStale();
    cache.resize(keyOf('b'), 'value of b', 10);
    expect(cache.stats()).toMatchObject({ entries: 0, bytes: 0 });
  });

  it('refuses a value if something that it depends on has changed since its rendering', () => {
    const cache = cacheOf(roomFor(2));
    change(own);
    expect(put(cache, 'a', { reads: readAt(1) })).toBe(false);
    expect(cache.get(keyOf('a'))).toBeUndefined();
    expect(put(cache, 'a', { reads: readAt(2) })).toBe(true);
  });

  it('stores a value if only something else has changed since its rendering', () => {
    const cache = cacheOf(roomFor(2));
    change(other);
    cache.markStale();
    expect(put(cache, 'a', { reads: readAt(1) })).toBe(true);
    expect([cache.get(keyOf('a')), cache.stats().entries]).toEqual([undefined, 0]);
    expect(cache.revalidate(keyOf('a'))).toBe('value of a');
    // After a change such as that of a pen, the cache is not empty for clients.
    change(other);
    expect(put(cache, 'b', { reads: readAt(2) })).toBe(true);
    expect([cache.get(keyOf('b')), cache.stats().entries]).toEqual(['value of b', 2]);
  });

  it('refuses a value that depends on something unknown after any change', () => {
    const cache = cacheOf(roomFor(2));
    expect(put(cache, 'a', { reads: { seq: 1, dependencies: undefined } })).toBe(true);
    change(other);
    expect(put(cache, 'b', { reads: { seq: 1, dependencies: undefined } })).toBe(false);
  });

  it('seems empty after markStale, and revalidates what no change has touched', () => {
    const cache = cacheOf(roomFor(3));
    put(cache, 'a');
    change(other);
    cache.markStale();
    expect(cache.get(keyOf('a'))).toBeUndefined();
    expect(cache.stats()).toMatchObject({ entries: 0, bytes: 0 });
    expect(cache.revalidate(keyOf('a'))).toBe('value of a');
    expect(cache.get(keyOf('a'))).toBe('value of a');
    expect(cache.stats()).toMatchObject({ entries: 1, bytes: roomFor(1), hits: 1, misses: 2 });
  });

  it.each([
    ['what it depends on has changed', () => change(own)],
    ['everything may have changed', () => version.move([createFullInvalidation(version.current() + 1)])],
    [
      'it has expired',
      () => {
        nowMs = 10_000;
      },
    ],
  ])('does not revalidate an entry if %s', (_name, happen) => {
    const cache = cacheOf(roomFor(3));
    put(cache, 'a');
    happen();
    cache.markStale();
    expect(cache.revalidate(keyOf('a'))).toBeUndefined();
    expect(cache.stats()).toMatchObject({ entries: 0, bytes: 0, misses: 1 });
  });

  it('revalidates an entry again after further changes, until one touches it', () => {
    const cache = cacheOf(roomFor(3));
    put(cache, 'a');
    for (let round = 0; round < 3; round += 1) {
      change(other);
      cache.markStale();
      expect(cache.revalidate(keyOf('a'))).toBe('value of a');
    }
    change(own);
    cache.markStale();
    expect(cache.revalidate(keyOf('a'))).toBeUndefined();
  });

  it('counts stale entries for its limit', () => {
    const cache = cacheOf(roomFor(2));
    put(cache, 'a');
    put(cache, 'b');
    cache.markStale();
    put(cache, 'c');
    expect(['a', 'b', 'c'].map((key) => cache.revalidate(keyOf(key)) ?? cache.get(keyOf(key)))).toEqual([
      undefined,
      'value of b',
      'value of c',
    ]);
  });

  it('gives a live entry only to get, not to revalidate', () => {
    const cache = cacheOf(roomFor(2));
    put(cache, 'a');
    expect(cache.revalidate(keyOf('a'))).toBeUndefined();
    expect(cache.stats().misses).toBe(1);
  });

  it('is empty after clear', () => {
    const cache = cacheOf(roomFor(2));
    put(cache, 'a');
    cache.clear();
    expect(cache.get(keyOf('a'))).toBeUndefined();
    expect(cache.stats()).toMatchObject({ entries: 0, bytes: 0 });
    put(cache, 'b');
    expect(cache.get(keyOf('b'))).toBe('value of b');
  });

  it('drops an entry when it expires, not before', () => {
    const cache = cacheOf(roomFor(2));
    put(cache, 'a', { expiresAt: 5000 });
    nowMs = 4999;
    expect(cache.get(keyOf('a'))).toBe('value of a');
    nowMs = 5000;
    expect(cache.get(keyOf('a'))).toBeUndefined();
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
    expect(cache.get(keyOf('a'))).toBe('value of a');
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
    cache.get(keyOf('a'));
    put(cache, 'a');
    put(cache, 'b', { expiresAt: 0 });
    cache.get(keyOf('a'));
    cache.get(keyOf('a'));
    expect(cache.stats()).toMatchObject({ hits: 2, misses: 1 });
  });
});

describe('an entry for every variant of its key', () => {
  const take = (cache: ResponseCache<string>, variant: string) =>
    cache.takeVariant(keyOf('a'), variant)?.isHit;
  let cache: ResponseCache<string>;
  beforeEach(() => {
    cache = cacheOf(2 ** 20);
  });

  it('tells of each variant whether it was asked for before', () => {
    put(cache, 'a', { variant: 'x' });
    expect(take(cache, 'x')).toBe(true);
    expect([take(cache, 'y'), take(cache, 'y')]).toEqual([false, true]);
    expect(cache.get(keyOf('a'))).toBeUndefined();
    expect([take(cache, ''), take(cache, '')]).toEqual([false, true]);
    expect(cache.get(keyOf('a'))).toBe('value of a');
    expect(cache.stats()).toMatchObject({ entries: 3, hits: 4, misses: 3 });
  });

  it('is none if it was stored for its key only', () => {
    put(cache, 'a');
    expect(cache.takeVariant(keyOf('a'), 'x')).toBeUndefined();
  });

  it('forgets its variants at a change, and ends with what it depends on', () => {
    put(cache, 'a', { variant: '', reads: readAt(version.current()) });
    take(cache, 'x');
    change(other);
    cache.markStale();
    expect(cache.get(keyOf('a'))).toBeUndefined();
    expect([take(cache, 'x'), take(cache, 'x')]).toEqual([false, true]);
    expect(cache.get(keyOf('a'))).toBeUndefined();
    change(own);
    cache.markStale();
    expect(cache.takeVariant(keyOf('a'), 'x')).toBeUndefined();
    expect(cache.stats()).toMatchObject({ entries: 0, bytes: 0 });
  });

  it('ends when it expires', () => {
    put(cache, 'a', { variant: 'x', expiresAt: 5000 });
    nowMs = 5000;
    expect(cache.takeVariant(keyOf('a'), 'x')).toBeUndefined();
  });

  it('keeps its variants when it is made twice at once', () => {
    put(cache, 'a', { variant: 'x', reads: readAt(version.current()) });
    put(cache, 'a', { variant: 'y', reads: readAt(version.current()) });
    expect([take(cache, 'x'), take(cache, 'y'), cache.stats().entries]).toEqual([true, true, 2]);
  });

  it('grows by no more than a limit, whatever is invented, and stays the answer of its key', () => {
    put(cache, 'a', { variant: '' });
    put(cache, 'b');
    const before = cache.stats().bytes;
    for (let index = 0; index < 20_000; index++) take(cache, `invented=${index}`);
    take(cache, 'v'.repeat(50_000));
    expect(cache.stats().bytes - before).toBeLessThanOrEqual(65_536);
    expect(cache.get(keyOf('a'))).toBe('value of a');
    expect(cache.get(keyOf('b'))).toBe('value of b');
    change(own);
    cache.markStale();
    expect(cache.takeVariant(keyOf('a'), 'x')).toBeUndefined();
    put(cache, 'b', { reads: readAt(version.current()) });
    expect(cache.stats()).toMatchObject({ entries: 1, bytes: restBytes + 100 });
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
