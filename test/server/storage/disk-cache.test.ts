import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CachedStorage } from '../../../server/storage/cached.ts';
import { DiskCache } from '../../../server/storage/disk-cache.ts';
import { type MediaKey, mediaKey, newContentId } from '../../../server/storage/media-key.ts';
import type { ByteRange, ObjectStore, OpenedObject } from '../../../server/storage/storage.ts';

/** One test for each statement at the head of disk-cache.ts, and what the storage in front of it does. */

const root = mkdtempSync(join(tmpdir(), 'incipit-test-'));
afterAll(() => rmSync(root, { recursive: true }));
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(root, 'cache-'));
});
afterEach(() => void vi.useRealTimers());

const newKey = (): MediaKey => mediaKey(newContentId(), 'original.jpg');
const filesIn = (path: string): string[] =>
  readdirSync(path, { recursive: true, encoding: 'utf8' }).filter((name) => name.includes('~'));

/** An object storage that counts what is asked of it. */
class FakeObjects implements ObjectStore {
  readonly type = 's3';
  readonly objects = new Map<MediaKey, string>();
  readonly asked: string[] = [];
  /** Called before the answer to `open`. */
  before: (() => Promise<void>) | undefined;

  async put(): Promise<void> {
    throw new Error('not used');
  }

  async stat(key: MediaKey) {
    this.asked.push('stat');
    const found = this.objects.get(key);
    return found === undefined ? undefined : { size: found.length, modifiedAt: 1000 };
  }

  async open(key: MediaKey, range?: ByteRange): Promise<OpenedObject | undefined> {
    this.asked.push(range === undefined ? 'open' : `open ${range.start}-${range.end}`);
    await this.before?.();
    const found = this.objects.get(key);
    if (found === undefined) return undefined;
    const part = range === undefined ? found : found.slice(range.start, range.end + 1);
    return { size: found.length, modifiedAt: 1000, body: Readable.from([Buffer.from(part)]) };
  }

  async remove(key: MediaKey): Promise<void> {
    this.objects.delete(key);
  }

  async *list(): AsyncGenerator<never> {}

  async removeUnfinished(): Promise<number> {
    return 0;
  }
}

async function setUp(maxBytes: number) {
  const objects = new FakeObjects();
  const cache = await DiskCache.open(folder, maxBytes);
  const storage = new CachedStorage(objects, cache);
  const add = (content: string): MediaKey => {
    const key = newKey();
    objects.objects.set(key, content);
    return key;
  };
  const read = async (key: MediaKey, range?: ByteRange) => {
    const opened = await storage.open(key, range);
    return opened === undefined ? undefined : text(opened.body);
  };
  return { objects, cache, storage, add, read };
}

describe('a cache', () => {
  it('keeps what was read once', async () => {
    const { objects, cache, storage, add, read } = await setUp(1000);
    const key = add('0123456789');
    for (let count = 0; count < 3; count++) expect(await read(key)).toBe('0123456789');
    expect(await read(key, { start: 2, end: 4 })).toBe('234');
    expect(await storage.stat(key)).toEqual({ size: 10, modifiedAt: 1000 });
    expect(objects.asked).toEqual(['stat', 'open']);
    expect(cache.use).toEqual({ maxBytes: 1000, usedBytes: 10, entries: 1 });
  });

  it('reads a part of an object without a copy from the object storage, and asks for its size once', async () => {
    const { objects, cache, add, read } = await setUp(1000);
    const key = add('0123456789');
    expect(await read(key, { start: 2, end: 4 })).toBe('234');
    expect(await read(key, { start: 0, end: 3 })).toBe('0123');
    expect([objects.asked, cache.use.entries]).toEqual([['stat', 'open 2-4', 'open 0-3'], 0]);
  });

  it('takes a range of all bytes for the whole', async () => {
    const { objects, cache, add, read } = await setUp(1000);
    const key = add('0123456789');
    for (let count = 0; count < 2; count++) expect(await read(key, { start: 0, end: 9 })).toBe('0123456789');
    expect([objects.asked, cache.use.entries]).toEqual([['stat', 'open'], 1]);
  });

  it('notices an object that somebody else has deleted', async () => {
    const { objects, storage, add, read } = await setUp(0);
    const key = add('abc');
    await read(key);
    objects.objects.delete(key);
    expect([await read(key), await storage.stat(key)]).toEqual([undefined, undefined]);
  });

  it('deletes what was not used for the longest time when it is full', async () => {
    const { objects, cache, add, read } = await setUp(40);
    const keys = ['a', 'b', 'c', 'd'].map((letter) => add(letter.repeat(10)));
    const [first, second] = keys;
    for (const key of keys) await read(key);
    if (first !== undefined) await read(first);
    await read(add('e'.repeat(10)));
    expect(cache.use).toMatchObject({ usedBytes: 40, entries: 4 });
    objects.asked.length = 0;
    if (first !== undefined) await read(first);
    expect(objects.asked).toEqual([]);
    if (second !== undefined) await read(second);
    expect(objects.asked).toEqual(['open']);
  });

  it('deletes the file of a copy as soon as nobody holds it', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'Date'] });
    const { storage, cache, add, read } = await setUp(40);
    const handedOut = add('a'.repeat(10));
    const path = (await storage.localCopy(handedOut)) ?? '';
    for (const letter of 'bcdef') await read(add(letter.repeat(10)));
    expect(cache.use.entries).toBe(4);
    await vi.advanceTimersByTimeAsync(20_000);
    await vi.waitFor(() => expect(filesIn(folder)).toHaveLength(5), 20_000);
    expect(readFileSync(path, 'utf8')).toBe('a'.repeat(10));
    await vi.advanceTimersByTimeAsync(600_000);
    await vi.waitFor(() => expect(filesIn(folder)).toHaveLength(4), 20_000);
  });

  it('survives a restart with its order, without what is damaged or foreign', async () => {
    const { cache, add, read, objects } = await setUp(40);
    const keys = ['a', 'b', 'c', 'd'].map((letter) => add(letter.repeat(10)));
    for (const key of keys) await read(key);
    await cache.close();
    const files = filesIn(folder);
    const fileOf = (key: MediaKey | undefined) =>
      join(folder, files.find((name) => name.includes(String(key).slice(3, 35))) ?? '');
    // The first was used last; the second is damaged.
    const [first, second, third] = keys;
    for (const key of keys) utimesSync(fileOf(key), 1000, 1000);
    utimesSync(fileOf(first), 2000, 2000);
    truncateSync(fileOf(second), 5);
    writeFileSync(join(folder, 'ab~foreign'), 'x');
    mkdirSync(join(folder, 'zz'));
    writeFileSync(join(folder, 'zz', 'x~y~1~1~draft~draft'), 'x');

    const reopened = await DiskCache.open(folder, 40);
    expect(reopened.use).toMatchObject({ usedBytes: 30, entries: 3 });
    expect(reopened.find(second ?? newKey())).toBeUndefined();
    const storage = new CachedStorage(objects, reopened);
    for (const letter of 'ef') {
      const opened = await storage.open(add(letter.repeat(10)));
      await text(opened?.body ?? Readable.from([]));
    }
    expect([reopened.find(first ?? newKey()) !== undefined, reopened.use.entries]).toEqual([true, 4]);
    expect(
      reopened.find(third ?? newKey()) === undefined || reopened.find(keys[3] ?? newKey()) === undefined,
    ).toBe(true);
    await reopened.close();
    expect(filesIn(folder)).toHaveLength(4);
  });

  it('lets objects through that are larger than a quarter of it', async () => {
    const { cache, storage, add, read } = await setUp(40);
    const key = add('x'.repeat(11));
    expect(await read(key)).toBe('x'.repeat(11));
    expect(cache.use.entries).toBe(0);
    const path = (await storage.localCopy(key)) ?? '';
    expect([readFileSync(path, 'utf8'), cache.use.entries]).toEqual(['x'.repeat(11), 0]);
  });

  it('of size 0 keeps nothing, and still hands out local copies', async () => {
    const { cache, storage, add, read } = await setUp(0);
    const key = add('abc');
    expect([await read(key), cache.use.entries]).toEqual(['abc', 0]);
    expect(readFileSync((await storage.localCopy(key)) ?? '', 'utf8')).toBe('abc');
    await cache.close();
    expect(filesIn(folder)).toEqual([]);
  });

  it('fetches an object once, however many ask for it', async () => {
    const { objects, storage, add } = await setUp(1000);
    const key = add('abc');
    const paths = await Promise.all(Array.from({ length: 50 }, () => storage.localCopy(key)));
    expect(new Set(paths).size).toBe(1);
    expect(objects.asked).toEqual(['open']);
  });

  it('keeps nothing of an object that is deleted or replaced meanwhile', async () => {
    const { objects, cache, storage, add, read } = await setUp(1000);
    const key = add('old');
    objects.before = async () => {
      objects.before = undefined;
      await storage.remove(key);
      objects.objects.set(key, 'new');
    };
    await storage.localCopy(key);
    expect(cache.use.entries).toBe(0);
    expect(await read(key)).toBe('new');
    await storage.remove(key);
    expect([await read(key), await storage.stat(key), await storage.localCopy(key)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('fetches again what somebody has damaged or deleted', async () => {
    const { add, read, storage } = await setUp(1000);
    const key = add('abcdef');
    truncateSync((await storage.localCopy(key)) ?? '', 3);
    expect(await read(key)).toBe('abcdef');
    rmSync((await storage.localCopy(key)) ?? '');
    expect(await read(key)).toBe('abcdef');
  });

  it('leaves nothing of a fetch that fails', async () => {
    const { objects, storage, add } = await setUp(1000);
    const key = add('abc');
    objects.before = async () => {
      throw new Error('no way');
    };
    await expect(storage.localCopy(key)).rejects.toThrow('no way');
    objects.before = undefined;
    expect(filesIn(folder)).toEqual([]);
    expect(readFileSync((await storage.localCopy(key)) ?? '', 'utf8')).toBe('abc');
  });

  it('can be made smaller and larger', async () => {
    const { cache, add, read } = await setUp(40);
    const keys = ['a', 'b', 'c', 'd'].map((letter) => add(letter.repeat(10)));
    for (const key of keys) await read(key);
    cache.resize(20);
    expect(cache.use).toEqual({ maxBytes: 20, usedBytes: 20, entries: 2 });
    expect(cache.find(keys[3] ?? newKey())).toBeDefined();
    cache.resize(0);
    expect(cache.use).toEqual({ maxBytes: 0, usedBytes: 0, entries: 0 });
    cache.resize(100);
    for (const key of keys) await read(key);
    expect(cache.use.entries).toBe(4);
    cache.clear();
    expect(cache.use.entries).toBe(0);
  });
});
