import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LocalStorage } from '../../../server/storage/local.ts';
import {
  getContentId,
  isContentId,
  isMediaKey,
  type MediaKey,
  mediaKey,
  newContentId,
} from '../../../server/storage/media-key.ts';
import { Staging } from '../../../server/storage/staging.ts';

function isOtherDisk(path: string): boolean {
  return existsSync(path) && statSync(path).dev !== statSync(tmpdir()).dev;
}

describe('media keys', () => {
  it('are made from a content and a name', () => {
    const content = newContentId();
    expect(mediaKey(content, 'w640.webp')).toBe(`${content.slice(0, 2)}/${content}/w640.webp`);
    expect(getContentId(mediaKey(content, 'w640.webp'))).toBe(content);
  });

  it.each(['', '.', '..', '../x', 'a/b', 'A.jpg', '.hidden', 'a\0', 'a b', 'ä', 'x'.repeat(101)])(
    'refuse the name %j',
    (name) => {
      expect(() => mediaKey(newContentId(), name)).toThrow(TypeError);
    },
  );

  const digits = '0123456789abcdef'.repeat(2);
  it.each([
    '',
    'original.jpg',
    `01/${digits}`,
    `02/${digits}/original.jpg`,
    `01/${digits}/../../../content.db`,
    `/01/${digits}/original.jpg`,
    `01\\${digits}\\original.jpg`,
    `01/${digits.toUpperCase()}/original.jpg`,
  ])('do not accept the text %j', (found) => {
    expect(isMediaKey(found)).toBe(false);
    expect(isContentId(found)).toBe(false);
  });
});

describe('local storage', () => {
  let folder: string;
  let storage: LocalStorage;
  let staging: Staging;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'incipit-storage-'));
    storage = await LocalStorage.open(join(folder, 'media'));
    staging = await Staging.open(join(folder, 'media', '.staging'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  async function put(key: MediaKey, content: string): Promise<void> {
    const writer = await staging.create();
    await writer.write(Buffer.from(content));
    await storage.put(key, await writer.finish());
  }

  async function read(key: MediaKey, range?: { start: number; end: number }): Promise<string | undefined> {
    const opened = await storage.open(key, range);
    return opened === undefined ? undefined : text(opened.body);
  }

  it('gives back what was put, whole or a range of it', async () => {
    const key = mediaKey(newContentId(), 'original.txt');
    await put(key, 'hello world');
    expect(await read(key)).toBe('hello world');
    expect(await read(key, { start: 4, end: 6 })).toBe('o w');
    expect(await storage.stat(key)).toMatchObject({ size: 11 });
    expect(readFileSync((await storage.localCopy(key)) ?? '', 'utf8')).toBe('hello world');
    expect(readdirSync(join(folder, 'media', '.staging'))).toEqual([]);
  });

  it('replaces an object and removes it with its folder', async () => {
    const content = newContentId();
    const key = mediaKey(content, 'original.txt');
    await put(key, 'old');
    await put(mediaKey(content, 'w320.txt'), 'variant');
    await put(key, 'new');
    expect(await read(key)).toBe('new');
    await storage.remove(key);
    await storage.remove(key);
    expect(await read(key)).toBeUndefined();
    expect(await storage.stat(key)).toBeUndefined();
    expect(await storage.localCopy(key)).toBeUndefined();
    await storage.remove(mediaKey(content, 'w320.txt'));
    expect(readdirSync(join(folder, 'media', content.slice(0, 2)))).toEqual([]);
  });

  it('lists objects and nothing else', async () => {
    const key = mediaKey(newContentId(), 'original.txt');
    await put(key, 'x');
    writeFileSync(join(folder, 'media', 'README.txt'), 'mine');
    mkdirSync(join(folder, 'media', 'zz', 'holiday'), { recursive: true });
    writeFileSync(join(folder, 'media', 'zz', 'holiday', 'a.jpg'), 'mine');
    const keys: string[] = [];
    for await (const found of storage.list()) keys.push(found.key);
    expect(keys).toEqual([key]);
  });

  it.skipIf(!isOtherDisk('/dev/shm'))('keeps files on another disk than the temporary ones', async () => {
    const elsewhere = mkdtempSync('/dev/shm/incipit-staging-');
    try {
      const staged = await (await Staging.open(elsewhere)).create();
      await staged.write(Buffer.from('from another disk'));
      const key = mediaKey(newContentId(), 'original');
      await storage.put(key, await staged.finish());
      expect(await read(key)).toBe('from another disk');
      expect(readdirSync(elsewhere)).toEqual([]);
      expect(readdirSync(join(folder, 'media', key, '..'))).toEqual(['original']);
    } finally {
      rmSync(elsewhere, { recursive: true, force: true });
    }
  });

  it('follows no symbolic link', async () => {
    writeFileSync(join(folder, 'content.db'), 'secret');
    const content = newContentId();
    const behindFile = mediaKey(content, 'original.txt');
    await put(mediaKey(content, 'other.txt'), 'x');
    symlinkSync(join(folder, 'content.db'), join(folder, 'media', behindFile));

    const linked = newContentId();
    mkdirSync(join(folder, 'elsewhere'));
    writeFileSync(join(folder, 'elsewhere', 'original.txt'), 'secret');
    mkdirSync(join(folder, 'media', linked.slice(0, 2)), { recursive: true });
    symlinkSync(join(folder, 'elsewhere'), join(folder, 'media', linked.slice(0, 2), linked));
    const behindFolder = mediaKey(linked, 'original.txt');

    for (const key of [behindFile, behindFolder]) {
      expect(await read(key)).toBeUndefined();
      expect(await storage.stat(key)).toBeUndefined();
      expect(await storage.localCopy(key)).toBeUndefined();
    }
    await expect(put(behindFolder, 'x')).rejects.toThrow('symbolic link');
    await storage.remove(behindFolder);
    expect(readFileSync(join(folder, 'elsewhere', 'original.txt'), 'utf8')).toBe('secret');
  });

  it('empties the staging folder at the start', async () => {
    const writer = await staging.create();
    await writer.write(Buffer.from('left behind'));
    await Staging.open(join(folder, 'media', '.staging'));
    expect(readdirSync(join(folder, 'media', '.staging'))).toEqual([]);
    await writer.discard();
  });

  it('takes over files that somebody else wrote', async () => {
    const path = staging.reserve();
    writeFileSync(path, 'made by a process');
    const file = await staging.adopt(path);
    expect(file.size).toBe(17);
    await file.discard();
    await staging.release(staging.reserve());
    expect(readdirSync(join(folder, 'media', '.staging'))).toEqual([]);
  });
});
