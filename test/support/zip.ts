import { crc32, inflateRawSync } from 'node:zlib';

export interface ZippedFile {
  readonly name: string;
  readonly bytes: Buffer;
  readonly isDeflated: boolean;
}

/**
 * The files of a ZIP archive by name. Strict: directory, local headers, sizes and checksums must agree, and nothing
 * may lie between or behind them.
 */
export function readZip(archive: Buffer): ReadonlyMap<string, ZippedFile> {
  const { count, offset, length, start: endStart } = readEnd(archive);
  const files = new Map<string, ZippedFile>();
  let expected = 0;
  let line = offset;
  for (let index = 0; index < count; index += 1) {
    if (archive.readUInt32LE(line) !== 0x02014b50) throw new Error(`no directory entry at ${line}`);
    const [nameLength, extraLength] = [archive.readUInt16LE(line + 28), archive.readUInt16LE(line + 30)];
    const nameEnd = line + 46 + nameLength;
    const name = archive.toString('utf8', line + 46, nameEnd);
    const large = extraNumbers(archive.subarray(nameEnd, nameEnd + extraLength));
    const number = (at: number): number => {
      const value = archive.readUInt32LE(line + at);
      return value === 0xffffffff ? (large.shift() ?? value) : value;
    };
    const crc = archive.readUInt32LE(line + 16);
    const bytes = number(24);
    const packed = number(20);
    const local = number(42);
    if (local !== expected) throw new Error(`${name} begins at ${local}, not at ${expected}`);
    if (files.has(name)) throw new Error(`${name} is there twice`);
    const method = archive.readUInt16LE(line + 10);
    const flags = archive.readUInt16LE(line + 8);
    if (archive.readUInt32LE(local) !== 0x04034b50 || archive.readUInt16LE(local + 8) !== method)
      throw new Error(`the local header of ${name} is another one`);
    const localName = archive.readUInt16LE(local + 26);
    const from = local + 30 + localName + archive.readUInt16LE(local + 28);
    if (archive.toString('utf8', local + 30, local + 30 + localName) !== name)
      throw new Error(`the local name of ${name} is another one`);
    const stored = archive.subarray(from, from + packed);
    const content = method === 8 ? inflateRawSync(stored) : stored;
    if (content.length !== bytes || crc32(content) !== crc)
      throw new Error(`the content of ${name} is damaged`);
    expected = from + packed + ((flags & 8) === 0 ? 0 : trailerLength(archive, from + packed, crc, packed));
    files.set(name, { name, bytes: content, isDeflated: method === 8 });
    line = nameEnd + extraLength;
  }
  if (expected !== offset || line !== offset + length || line !== endStart)
    throw new Error('there is something between the files and the directory, or behind it');
  return files;
}

/** The text of a file. @throws if there is none of this name */
export function textIn(files: ReadonlyMap<string, ZippedFile>, name: string): string {
  const file = files.get(name);
  if (file === undefined) throw new Error(`${name} is not among ${[...files.keys()].join(', ')}`);
  return file.bytes.toString();
}

function readEnd(archive: Buffer): { count: number; offset: number; length: number; start: number } {
  const end = archive.length - 22;
  if (archive.readUInt32LE(end) !== 0x06054b50) throw new Error('the archive has no end');
  const small = {
    count: archive.readUInt16LE(end + 10),
    length: archive.readUInt32LE(end + 12),
    offset: archive.readUInt32LE(end + 16),
    start: end,
  };
  if (small.count < 0xffff && small.offset < 0xffffffff) return small;
  const start = Number(archive.readBigUInt64LE(end - 20 + 8));
  if (archive.readUInt32LE(start) !== 0x06064b50) throw new Error('the archive has no end with 64 bits');
  return {
    count: Number(archive.readBigUInt64LE(start + 32)),
    length: Number(archive.readBigUInt64LE(start + 40)),
    offset: Number(archive.readBigUInt64LE(start + 48)),
    start,
  };
}

function extraNumbers(extra: Buffer): number[] {
  if (extra.length === 0) return [];
  if (extra.readUInt16LE(0) !== 1) throw new Error('an extra field that is not about sizes');
  return Array.from({ length: (extra.length - 4) / 8 }, (_, index) =>
    Number(extra.readBigUInt64LE(4 + 8 * index)),
  );
}

function trailerLength(archive: Buffer, at: number, crc: number, packed: number): number {
  if (archive.readUInt32LE(at) !== 0x08074b50 || archive.readUInt32LE(at + 4) !== crc)
    throw new Error(`no trailer at ${at}`);
  return packed >= 0xffffffff ? 24 : 16;
}
