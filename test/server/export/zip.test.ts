import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { crc32, deflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { archiveBody } from '../../../server/features/export/archive.ts';
import type { ExportedFile } from '../../../server/features/export/exported-file.ts';
import {
  archiveEnd,
  computeEntryLength,
  directoryEntry,
  localHeader,
  trailer,
} from '../../../server/features/export/zip.ts';
import { mediaKey, newContentId } from '../../../server/storage/media-key.ts';
import { readZip } from '../../support/zip.ts';

const time = new Date(2026, 1, 3, 4, 5, 6);

function stored(name: string, text: string, isDeflated = false): ExportedFile {
  const bytes = Buffer.from(text);
  const packed = isDeflated ? deflateRawSync(bytes) : bytes;
  const entry = { name, packedBytes: packed.length, bytes: bytes.length, isDeflated, crc: crc32(bytes) };
  return { entry, hash: '', source: { kind: 'bytes', bytes: packed } };
}

async function archiveOf(files: readonly ExportedFile[], objects: ReadonlyMap<string, Buffer> = new Map()) {
  let releases = 0;
  const media = {
    open: async (key: string) => {
      const bytes = objects.get(key);
      return bytes === undefined ? undefined : Readable.from([bytes.subarray(0, 3), bytes.subarray(3)]);
    },
  };
  const body = archiveBody(files, media, time, () => {
    releases += 1;
  });
  const parts: Buffer[] = [];
  for await (const part of body.source) {
    // Whoever sends a part may take some time for it.
    await new Promise(setImmediate);
    parts.push(Buffer.from(part));
  }
  await new Promise(setImmediate);
  return { bytes: Buffer.concat(parts), length: body.length, releases: () => releases };
}

describe('an archive', () => {
  it('holds names and bytes of all sources, and has the length that was told before', async () => {
    const key = mediaKey(newContentId(), 'original');
    const object = Buffer.from('the bytes of an object');
    const entry = { name: 'media/ö.bin', packedBytes: 22, bytes: 22, isDeflated: false, crc: undefined };
    const files: ExportedFile[] = [
      stored('index.html', 'x'.repeat(5000), true),
      stored('ä/ß.txt', 'text'),
      { entry, hash: key, source: { kind: 'media', key } },
      stored('empty', ''),
    ];
    const { bytes, length, releases } = await archiveOf(files, new Map([[key, object]]));
    expect(bytes.length).toBe(length);
    const read = [...readZip(bytes).values()].map((file) => [
      file.name,
      file.bytes.toString(),
      file.isDeflated,
    ]);
    expect(read).toEqual([
      ['index.html', 'x'.repeat(5000), true],
      ['ä/ß.txt', 'text', false],
      ['media/ö.bin', 'the bytes of an object', false],
      ['empty', '', false],
    ]);
    expect(releases()).toBe(1);
  });

  it('may have more files than 16 bits count', async () => {
    const files = Array.from({ length: 65_536 }, (_, index) => stored(String(index), ''));
    const { bytes, length } = await archiveOf(files);
    expect([bytes.length, readZip(bytes).size]).toEqual([length, 65_536]);
  });

  it('may be read slowly, with files that are larger than a block', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'incipit-archive-'));
    try {
      const path = join(folder, 'spool');
      const texts = Array.from({ length: 9 }, (_, index) => String(index).repeat(50_000 * (index % 3) + 1));
      writeFileSync(path, texts.join(''));
      let start = 0;
      const files = texts.map((text, index): ExportedFile => {
        const source = { kind: 'spool', path, start } as const;
        start += text.length;
        return { ...stored(`${index}.txt`, text), source };
      });
      const { bytes } = await archiveOf(files);
      expect([...readZip(bytes).values()].map((file) => file.bytes.toString())).toEqual(texts);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('fails if an object is gone or has another length', async () => {
    const key = mediaKey(newContentId(), 'original');
    const entry = { name: 'media/a', packedBytes: 5, bytes: 5, isDeflated: false, crc: undefined };
    const files: ExportedFile[] = [{ entry, hash: key, source: { kind: 'media', key } }];
    await expect(archiveOf(files)).rejects.toThrow('was deleted');
    await expect(archiveOf(files, new Map([[key, Buffer.from('four')]]))).rejects.toThrow('another length');
  });

  it('is released without being read', async () => {
    let releases = 0;
    const body = archiveBody([stored('a', 'b')], { open: async () => undefined }, time, () => {
      releases += 1;
    });
    body.discard();
    await new Promise(setImmediate);
    expect(releases).toBe(1);
  });
});

describe('sizes above 4 GB', () => {
  const size = 5 * 2 ** 30;
  const entry = { name: 'film.mp4', packedBytes: size, bytes: size, isDeflated: false, crc: undefined };

  it('have 64 bits in the header, behind the bytes and in the directory', () => {
    const head = localHeader(entry, time);
    expect([head.readUInt16LE(4), head.readUInt32LE(18), head.readUInt16LE(28)]).toEqual([
      45, 0xffffffff, 20,
    ]);
    expect(trailer(entry, 7).readBigUInt64LE(8)).toBe(BigInt(size));
    expect(computeEntryLength(entry)).toBe(size + head.length + 24);
    const line = directoryEntry({ entry, crc: 7, offset: 6 * 2 ** 30 }, time);
    const extra = line.subarray(46 + entry.name.length);
    expect([extra.readUInt16LE(0), extra.readUInt16LE(2)]).toEqual([1, 24]);
    expect(extra.readBigUInt64LE(20)).toBe(BigInt(6 * 2 ** 30));
  });

  it('move the end of the archive to 64 bits', () => {
    const end = archiveEnd({ count: 1, offset: size, length: 100 });
    expect([end.length, end.readUInt32LE(0), end.readBigUInt64LE(48)]).toEqual([
      98,
      0x06064b50,
      BigInt(size),
    ]);
    expect(end.readBigUInt64LE(56 + 8)).toBe(BigInt(size + 100));
  });
});
