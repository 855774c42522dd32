/** The archive of an export: its files one after the other, read while the client takes them. */
import { type FileHandle, open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import { StreamedBody } from '../http/streamed-body.ts';
import type { PublicMedia } from '../media/index.ts';
import {
  archiveEnd,
  directoryEntry,
  directoryEntryLength,
  lengthOf,
  localHeader,
  trailer,
  type WrittenEntry,
  type ZipEntry,
} from './zip.ts';

/** Where the packed bytes of a file are. */
export type FileSource =
  /** In a temporary file, from `start` on. */
  | { readonly kind: 'spool'; readonly path: string; readonly start: number }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'media'; readonly key: Parameters<PublicMedia['open']>[0] };

export interface ExportedFile {
  readonly entry: ZipEntry;
  /** Tells different contents apart. */
  readonly hash: string;
  readonly source: FileSource;
}

/**
 * Makes the body of an answer.
 *
 * @param time of all files
 * @param release called once when nothing of the files is read any more, also if the body is never sent
 */
export function archiveBody(
  files: readonly ExportedFile[],
  media: Pick<PublicMedia, 'open'>,
  time: Date,
  release: () => void,
): StreamedBody {
  // Nothing is read ahead: a block is filled when the one before is sent, in the same memory. Blocks that are left to
  // the garbage collector would be as large together as the archive, because few objects are made meanwhile.
  const source = Readable.from(archived(files, media, time), { objectMode: false, highWaterMark: 0 });
  source.once('close', release);
  return new StreamedBody(source, archiveLength(files));
}

/** Bytes that are sent at once: small files together, large ones in parts. */
const blockBytes = 128 * 2 ** 10;

function archiveLength(files: readonly ExportedFile[]): number {
  let offset = 0;
  let directory = 0;
  for (const { entry } of files) {
    directory += directoryEntryLength(entry, offset);
    offset += lengthOf(entry);
  }
  return offset + directory + archiveEnd({ count: files.length, offset, length: directory }).length;
}

async function* archived(
  files: readonly ExportedFile[],
  media: Pick<PublicMedia, 'open'>,
  time: Date,
): AsyncGenerator<Uint8Array> {
  const block = new Block();
  const spool = new SpoolReader();
  const written: WrittenEntry[] = [];
  let offset = 0;
  try {
    for (const { entry, source } of files) {
      yield* block.add(localHeader(entry, time));
      let crc = entry.crc ?? 0;
      for await (const bytes of bytesOf(source, entry.packedBytes, spool, media)) {
        if (entry.crc === undefined) crc = crc32(bytes, crc);
        yield* block.add(bytes);
      }
      if (entry.crc === undefined) yield* block.add(trailer(entry, crc));
      written.push({ entry, crc, offset });
      offset += lengthOf(entry);
    }
    let length = 0;
    for (const entry of written) {
      const line = directoryEntry(entry, time);
      length += line.length;
      yield* block.add(line);
    }
    yield* block.add(archiveEnd({ count: files.length, offset, length }));
    yield* block.rest();
  } finally {
    await spool.close();
  }
}

async function* bytesOf(
  source: FileSource,
  length: number,
  spool: SpoolReader,
  media: Pick<PublicMedia, 'open'>,
): AsyncGenerator<Uint8Array> {
  if (source.kind === 'bytes') {
    yield source.bytes;
  } else if (source.kind === 'spool') {
    for (let done = 0; done < length; ) {
      const bytes = await spool.read(source.path, source.start + done, length - done);
      done += bytes.length;
      yield bytes;
    }
  } else {
    const stream = await media.open(source.key);
    if (stream === undefined) throw new Error(`the object ${source.key} was deleted during an export`);
    let done = 0;
    for await (const part of stream) {
      if (!(part instanceof Uint8Array)) throw new TypeError('an object must consist of bytes');
      done += part.length;
      yield part;
    }
    if (done !== length) throw new Error(`the object ${source.key} has another length than before`);
  }
}

/** Copies bytes to blocks of one size. A block is true until the next one is asked for. */
class Block {
  readonly #block = Buffer.allocUnsafeSlow(blockBytes);
  #length = 0;

  *add(bytes: Uint8Array): Generator<Uint8Array> {
    for (let done = 0; done < bytes.length; ) {
      const part = bytes.subarray(done, done + blockBytes - this.#length);
      this.#block.set(part, this.#length);
      this.#length += part.length;
      done += part.length;
      if (this.#length < blockBytes) continue;
      yield this.#block;
      this.#length = 0;
    }
  }

  *rest(): Generator<Uint8Array> {
    if (this.#length > 0) yield this.#block.subarray(0, this.#length);
  }
}

/** Reads temporary files from their beginning to their end, in parts of one size. */
class SpoolReader {
  readonly #buffer = Buffer.allocUnsafeSlow(blockBytes);
  #path = '';
  #file: FileHandle | undefined;
  /** The part of the buffer that holds bytes of the file, and where they are in it. */
  #window: Uint8Array = new Uint8Array();
  #windowStart = 0;

  /** Between one and `length` bytes, which the next call overwrites. @throws if the file ends before */
  async read(path: string, start: number, length: number): Promise<Uint8Array> {
    if (path !== this.#path) await this.#open(path);
    let inWindow = start - this.#windowStart;
    if (inWindow < 0 || inWindow >= this.#window.length) {
      await this.#fill(start);
      inWindow = 0;
    }
    return this.#window.subarray(inWindow, inWindow + length);
  }

  async close(): Promise<void> {
    await this.#file?.close();
    this.#file = undefined;
  }

  async #open(path: string): Promise<void> {
    await this.close();
    this.#file = await open(path);
    this.#path = path;
    this.#window = new Uint8Array();
  }

  async #fill(start: number): Promise<void> {
    const { bytesRead = 0 } = (await this.#file?.read(this.#buffer, 0, blockBytes, start)) ?? {};
    if (bytesRead === 0) throw new RangeError(`a temporary file of an export ends at ${start}`);
    this.#window = this.#buffer.subarray(0, bytesRead);
    this.#windowStart = start;
  }
}
