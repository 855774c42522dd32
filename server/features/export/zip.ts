/**
 * The parts of a ZIP archive around the bytes of its files (APPNOTE.TXT of PKWARE, 4.3), with 64-bit sizes where they
 * are needed. The libraries at hand compress every file themselves, one after the other on the main thread; here the
 * bytes come packed from render processes, and the length of the archive is known before it is sent.
 */

/** One file of an archive. */
export interface ZipEntry {
  /** Relative path with `/`. */
  readonly name: string;
  readonly packedBytes: number;
  readonly bytes: number;
  readonly isDeflated: boolean;
  /** Undefined if it is only known when the bytes have been read; then it follows them. */
  readonly crc: number | undefined;
}

/** Bytes that a file takes in an archive without its entry in the directory at the end. */
export function computeEntryLength(entry: ZipEntry): number {
  return 30 + nameOf(entry).length + localExtra(entry).length + entry.packedBytes + trailerLength(entry);
}

/** Stands before the bytes of a file. @param time of the file */
export function localHeader(entry: ZipEntry, time: Date): Buffer {
  const [name, extra] = [nameOf(entry), localExtra(entry)];
  const isLarge = extra.length > 0;
  const { crc = 0, packedBytes, bytes } = entry;
  const [packed, unpacked] = entry.crc === undefined ? [0, 0] : [packedBytes, bytes];
  const head = Buffer.alloc(30);
  head.writeUInt32LE(0x04034b50, 0);
  head.writeUInt16LE(versionFor(isLarge), 4);
  head.writeUInt16LE(flagsOf(entry), 6);
  head.writeUInt16LE(methodOf(entry), 8);
  head.writeUInt32LE(dosTime(time), 10);
  head.writeUInt32LE(crc, 14);
  head.writeUInt32LE(isLarge ? large32 : packed, 18);
  head.writeUInt32LE(isLarge ? large32 : unpacked, 22);
  head.writeUInt16LE(name.length, 26);
  head.writeUInt16LE(extra.length, 28);
  return Buffer.concat([head, name, extra]);
}

/** Stands behind the bytes of a file whose checksum was not known before. */
export function trailer(entry: ZipEntry, crc: number): Buffer {
  const bytes = Buffer.alloc(trailerLength({ ...entry, crc: undefined }));
  bytes.writeUInt32LE(0x08074b50, 0);
  bytes.writeUInt32LE(crc, 4);
  if (isLargeFile(entry)) {
    bytes.writeBigUInt64LE(BigInt(entry.packedBytes), 8);
    bytes.writeBigUInt64LE(BigInt(entry.bytes), 16);
  } else {
    bytes.writeUInt32LE(entry.packedBytes, 8);
    bytes.writeUInt32LE(entry.bytes, 12);
  }
  return bytes;
}

/** A file as the directory names it. */
export interface WrittenEntry {
  readonly entry: ZipEntry;
  readonly crc: number;
  /** Where its local header begins in the archive. */
  readonly offset: number;
}

/** The line of a file in the directory. */
export function directoryEntry({ entry, crc, offset }: WrittenEntry, time: Date): Buffer {
  const [name, extra] = [nameOf(entry), directoryExtra(entry, offset)];
  const isLarge = isLargeFile(entry);
  const head = Buffer.alloc(46);
  head.writeUInt32LE(0x02014b50, 0);
  head.writeUInt16LE(madeByUnix | versionFor(extra.length > 0), 4);
  head.writeUInt16LE(versionFor(extra.length > 0), 6);
  head.writeUInt16LE(flagsOf(entry), 8);
  head.writeUInt16LE(methodOf(entry), 10);
  head.writeUInt32LE(dosTime(time), 12);
  head.writeUInt32LE(crc, 16);
  head.writeUInt32LE(isLarge ? large32 : entry.packedBytes, 20);
  head.writeUInt32LE(isLarge ? large32 : entry.bytes, 24);
  head.writeUInt16LE(name.length, 28);
  head.writeUInt16LE(extra.length, 30);
  head.writeUInt32LE(regularFile, 38);
  head.writeUInt32LE(Math.min(offset, large32), 42);
  return Buffer.concat([head, name, extra]);
}

/** Bytes of the line of a file in the directory. */
export function directoryEntryLength(entry: ZipEntry, offset: number): number {
  return 46 + nameOf(entry).length + directoryExtra(entry, offset).length;
}

export interface Directory {
  readonly count: number;
  /** Where it begins in the archive, and how long it is. */
  readonly offset: number;
  readonly length: number;
}

/** The end of an archive. */
export function archiveEnd({ count, offset, length }: Directory): Buffer {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Math.min(count, large16), 8);
  end.writeUInt16LE(Math.min(count, large16), 10);
  end.writeUInt32LE(Math.min(length, large32), 12);
  end.writeUInt32LE(Math.min(offset, large32), 16);
  if (count < large16 && offset < large32 && length < large32) return end;
  const large = Buffer.alloc(76);
  large.writeUInt32LE(0x06064b50, 0);
  large.writeBigUInt64LE(44n, 4);
  large.writeUInt16LE(madeByUnix | versionFor(true), 12);
  large.writeUInt16LE(versionFor(true), 14);
  large.writeBigUInt64LE(BigInt(count), 24);
  large.writeBigUInt64LE(BigInt(count), 32);
  large.writeBigUInt64LE(BigInt(length), 40);
  large.writeBigUInt64LE(BigInt(offset), 48);
  large.writeUInt32LE(0x07064b50, 56);
  large.writeBigUInt64LE(BigInt(offset + length), 64);
  large.writeUInt32LE(1, 72);
  return Buffer.concat([large, end]);
}

const large16 = 0xffff;
const large32 = 0xffffffff;
const madeByUnix = 3 << 8;
/** Attributes of Unix: a file that its owner may write and everybody read. */
const regularFile = (0o100644 << 16) >>> 0;

function versionFor(isLarge: boolean): number {
  return isLarge ? 45 : 20;
}

/** Bit 11: the name is UTF-8. Bit 3: checksum and sizes follow the bytes. */
function flagsOf({ crc }: ZipEntry): number {
  return (1 << 11) | (crc === undefined ? 1 << 3 : 0);
}

function methodOf({ isDeflated }: ZipEntry): number {
  return isDeflated ? 8 : 0;
}

function isLargeFile({ packedBytes, bytes }: ZipEntry): boolean {
  return packedBytes >= large32 || bytes >= large32;
}

function nameOf({ name }: ZipEntry): Buffer {
  return Buffer.from(name);
}

/** Says that sizes have 64 bits; with a trailer they are not known yet, but their width is. */
function localExtra(entry: ZipEntry): Buffer {
  if (!isLargeFile(entry)) return Buffer.alloc(0);
  const sizes = entry.crc === undefined ? [0, 0] : [entry.bytes, entry.packedBytes];
  return extraField(sizes);
}

function directoryExtra(entry: ZipEntry, offset: number): Buffer {
  const values = [
    ...(isLargeFile(entry) ? [entry.bytes, entry.packedBytes] : []),
    ...(offset >= large32 ? [offset] : []),
  ];
  return values.length === 0 ? Buffer.alloc(0) : extraField(values);
}

function extraField(values: readonly number[]): Buffer {
  const field = Buffer.alloc(4 + 8 * values.length);
  field.writeUInt16LE(0x0001, 0);
  field.writeUInt16LE(8 * values.length, 2);
  for (const [index, value] of values.entries()) field.writeBigUInt64LE(BigInt(value), 4 + 8 * index);
  return field;
}

function trailerLength(entry: ZipEntry): number {
  if (entry.crc !== undefined) return 0;
  return isLargeFile(entry) ? 24 : 16;
}

/** Local time with a precision of two seconds, from 1980 on; time in the lower half, date in the upper one. */
function dosTime(time: Date): number {
  const date = ((time.getFullYear() - 1980) << 9) | ((time.getMonth() + 1) << 5) | time.getDate();
  const clock = (time.getHours() << 11) | (time.getMinutes() << 5) | (time.getSeconds() >> 1);
  return ((date << 16) | clock) >>> 0;
}
