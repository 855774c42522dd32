/**
 * Reads a ZIP archive that anyone may have made. Everything that can be known without reading an entry is checked before
 * the first is read. No name of an entry is ever a path of the file system.
 */

import { type FileHandle, open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import {
  type Entry,
  fromRandomAccessReaderPromise,
  openPromise,
  RandomAccessReader,
  type ZipFile,
} from 'yauzl';

export type { Entry } from 'yauzl';

/** An archive is not what it says, or not what it must be. The message says why, for whoever gave it. */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError';
}

/** What an archive may consist of. */
export interface ArchiveRules {
  /** What the archive is, for messages. */
  readonly what: string;
  readonly maxEntries: number;
  /** Whether a file may have this name; letters of both cases never tell two of them apart. */
  isFile(name: string): boolean;
  /** Whether an empty folder may have this name, which ends with a slash. */
  isFolder(name: string): boolean;
  /** Whether a large file of this name may not be many times larger than its compressed form. */
  isBulky(name: string): boolean;
  /** Called with the size of all entries so far, in bytes; throws if it is too much. */
  checkSize(bytes: number): void;
}

/** How many times larger a bulky file may be than its compressed form, if it is large. */
const bulkRatio = 200;
const largeBytes = 10 * 2 ** 20;

export class ArchiveReader {
  /** All files by name, in the order of the archive. */
  readonly files: ReadonlyMap<string, Entry>;
  readonly #zip: ZipFile;

  private constructor(zip: ZipFile, files: ReadonlyMap<string, Entry>) {
    this.#zip = zip;
    this.files = files;
  }

  /** @throws ArchiveError, and what `rules` throw */
  static async open(path: string, rules: ArchiveRules): Promise<ArchiveReader> {
    const files = await listFiles(path, rules);
    return new ArchiveReader(await openPromise(path, zipOptions), files);
  }

  /** The bytes of an entry. @throws ArchiveError if they are not what the archive says of them */
  async *read(entry: Entry): AsyncGenerator<Buffer> {
    const name = quoted(entry.fileName);
    const stream: Readable = await refusing(`${name} cannot be read`, () =>
      this.#zip.openReadStreamPromise(entry),
    );
    let sum = 0;
    try {
      for await (const part of stream) {
        const bytes: Buffer = part;
        sum = crc32(bytes, sum);
        yield bytes;
      }
    } catch (error) {
      throw new ArchiveError(`${name} is damaged: ${messageOf(error)}`);
    } finally {
      stream.destroy();
    }
    if (sum !== entry.crc32) throw new ArchiveError(`${name} is damaged: its checksum is wrong`);
  }

  /** All bytes of an entry. @throws ArchiveError as `read`, or if it has more than `maxBytes` */
  async readWhole(entry: Entry, maxBytes: number): Promise<Buffer> {
    if (entry.uncompressedSize > maxBytes) throw new ArchiveError(`${quoted(entry.fileName)} is too large`);
    const parts: Buffer[] = [];
    for await (const part of this.read(entry)) parts.push(part);
    return Buffer.concat(parts);
  }

  close(): void {
    this.#zip.close();
  }
}

const zipOptions = {
  lazyEntries: true,
  autoClose: false,
  strictFileNames: true,
  validateEntrySizes: true,
} as const;

async function listFiles(path: string, rules: ArchiveRules): Promise<ReadonlyMap<string, Entry>> {
  const file = await WindowedFile.open(path);
  try {
    const zip = await refusing('it is no ZIP archive', () =>
      fromRandomAccessReaderPromise(file, file.size, zipOptions),
    );
    if (zip.entryCount > rules.maxEntries)
      throw new ArchiveError(`it has more than ${rules.maxEntries} entries`);
    return await readEntries(zip, rules);
  } finally {
    await file.end();
  }
}

async function readEntries(zip: ZipFile, rules: ArchiveRules): Promise<Map<string, Entry>> {
  const names = new Set<string>();
  const files = new Map<string, Entry>();
  const ranges: (readonly [number, number])[] = [];
  let total = 0;
  for await (const entry of listedEntries(zip)) {
    const name = entry.fileName;
    checkEntry(entry, rules);
    const folded = name.normalize('NFC').toLowerCase();
    if (names.has(folded)) throw new ArchiveError(`two entries are called ${quoted(name)}`);
    names.add(folded);
    total += entry.uncompressedSize;
    rules.checkSize(total);
    const start = entry.relativeOffsetOfLocalHeader;
    ranges.push([start, start + localHeaderBytes + entry.fileNameLength + entry.compressedSize]);
    if (!name.endsWith('/')) files.set(name, entry);
  }
  refuseOverlap(ranges);
  return files;
}

async function* listedEntries(zip: ZipFile): AsyncGenerator<Entry> {
  const entries = zip.eachEntry();
  for (;;) {
    const { value, done } = await refusing('its list of entries is damaged', () => entries.next());
    if (done === true) return;
    yield value;
  }
}

/** Without the name and the extra fields. */
const localHeaderBytes = 30;

function checkEntry(entry: Entry, rules: ArchiveRules): void {
  const { fileName: name, uncompressedSize: size, compressedSize, compressionMethod: method } = entry;
  const type = (entry.externalFileAttributes >>> 16) & 0o170000;
  const isFolder = name.endsWith('/');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  if (/[\x00-\x1f\x7f\\]/.test(name)) throw new ArchiveError(`${quoted(name)} is no name in ${rules.what}`);
  if (isFolder && !(rules.isFolder(name) && size === 0))
    throw new ArchiveError(`${quoted(name)} is no folder of ${rules.what}`);
  if (!isFolder && !rules.isFile(name)) throw new ArchiveError(`${quoted(name)} is no name in ${rules.what}`);
  if (type !== 0 && type !== (isFolder ? 0o040000 : 0o100000))
    throw new ArchiveError(`${quoted(name)} is no plain file`);
  if (entry.isEncrypted()) throw new ArchiveError(`${quoted(name)} is encrypted`);
  if (method !== 0 && method !== 8)
    throw new ArchiveError(`${quoted(name)} is compressed in a way that is not known`);
  if (method === 0 && size !== compressedSize)
    throw new ArchiveError(`${quoted(name)} has two different sizes`);
  const isBomb = size > largeBytes && size > compressedSize * bulkRatio;
  if (isBomb && rules.isBulky(name)) throw new ArchiveError(`${quoted(name)} is compressed too much`);
}

/** Entries that share bytes make a small archive large. */
function refuseOverlap(ranges: (readonly [number, number])[]): void {
  let end = 0;
  for (const [start, stop] of ranges.sort(([left], [right]) => left - right)) {
    if (start < end) throw new ArchiveError('its entries overlap');
    end = stop;
  }
}

/** Runs `work`; its errors become a refusal. */
async function refusing<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new ArchiveError(`${what}: ${messageOf(error)}`);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function quoted(name: string): string {
  return JSON.stringify(name.slice(0, 100));
}

/** How much of the file is read at once, in bytes. */
const windowBytes = 64 * 2 ** 10;

/**
 * A file of which many small parts are wanted, one close after the other, as by a list of entries: a large part is read
 * and kept. Reading each part of a list of 65,000 entries by itself takes nine times as long.
 */
class WindowedFile extends RandomAccessReader {
  readonly size: number;
  readonly #file: FileHandle;
  #window = Buffer.alloc(0);
  #start = 0;

  private constructor(file: FileHandle, size: number) {
    super();
    this.#file = file;
    this.size = size;
  }

  static async open(path: string): Promise<WindowedFile> {
    const file = await open(path);
    try {
      return new WindowedFile(file, (await file.stat()).size);
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  override read(
    target: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    if (this.#copy(target, offset, length, position)) setImmediate(callback, null);
    else
      this.#fill(Math.max(length, windowBytes), position).then(() => {
        const isThere = this.#copy(target, offset, length, position);
        callback(isThere ? null : new Error('the file ends too early'));
      }, callback);
  }

  /** False if the window does not hold the part. */
  #copy(target: Buffer, offset: number, length: number, position: number): boolean {
    const from = position - this.#start;
    if (from < 0 || from + length > this.#window.length) return false;
    this.#window.copy(target, offset, from, from + length);
    return true;
  }

  async #fill(length: number, position: number): Promise<void> {
    const { bytesRead, buffer } = await this.#file.read(Buffer.allocUnsafe(length), 0, length, position);
    this.#window = buffer.subarray(0, bytesRead);
    this.#start = position;
  }

  /** Whoever opened the file closes it, since an archive that is refused early closes nothing. */
  end(): Promise<void> {
    return this.#file.close();
  }
}
