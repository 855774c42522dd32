import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import type { ExportedFile } from '../../../server/features/export/exported-file.ts';
import { MediaAhead } from '../../../server/features/export/media-ahead.ts';
import { isContentId, type MediaKey, mediaKey } from '../../../server/storage/media-key.ts';

function keyOf(number: number): MediaKey {
  const content = String(number).padStart(32, 'a');
  if (!isContentId(content)) throw new TypeError('an ID has 32 digits');
  return mediaKey(content, 'original');
}

function fileOf(number: number, bytes: number): ExportedFile {
  const name = `media/${number}`;
  const entry = { name, packedBytes: bytes, bytes, isDeflated: false, crc: undefined };
  return { entry, hash: name, source: { kind: 'media', key: keyOf(number) } };
}

/** Objects of these lengths; notes which are opened, and how many bytes of them. */
function storageOf(lengths: readonly (number | undefined)[]) {
  const opened: number[] = [];
  return {
    opened,
    async open(key: MediaKey) {
      const number = lengths.findIndex((_length, index) => keyOf(index) === key);
      opened.push(number);
      const length = lengths[number];
      return length === undefined ? undefined : Readable.from([Buffer.alloc(length, number)]);
    },
  };
}

describe('the media of an archive', () => {
  const large = 100_000;

  it('come in order, small ones read together and large ones in their turn', async () => {
    const lengths = [10, large, 20, ...Array<number>(12).fill(30)];
    const files = lengths.map((length, number) => fileOf(number, length));
    const storage = storageOf(lengths);
    const objects = new MediaAhead(files, storage);
    for (const [number, file] of files.entries()) {
      expect(await buffer(objects.read(file))).toEqual(Buffer.alloc(lengths[number] ?? 0, number));
      if (number === 0) expect(storage.opened).toEqual([0, 2, 3, 4, 5, 6, 7, 8]);
      if (number === 1) expect(storage.opened.at(-1)).toBe(1);
    }
    expect(storage.opened.toSorted((left, right) => left - right)).toEqual([...lengths.keys()]);
  });

  it('are kept up to a number of bytes', async () => {
    const lengths = Array<number>(8).fill(60_000);
    const files = lengths.map((length, number) => fileOf(number, length));
    const storage = storageOf(lengths);
    const objects = new MediaAhead(files, storage);
    await buffer(objects.read(fileOf(0, 60_000)));
    expect(storage.opened).toEqual([0, 1, 2, 3]);
  });

  it('fail in their turn if they are gone or have another length', async () => {
    const files = [fileOf(0, 10), fileOf(1, 10), fileOf(2, 10)];
    const objects = new MediaAhead(files, storageOf([10, undefined, 9]));
    const [first, second, third] = files.map((file) => () => buffer(objects.read(file)));
    await expect(first?.()).resolves.toHaveLength(10);
    await expect(second?.()).rejects.toThrow('was deleted during an export');
    await expect(third?.()).rejects.toThrow('has another length than before');
  });
});
