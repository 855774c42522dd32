/** The archive of an export: its files one after the other, read while the client takes them. */
import { type FileHandle, open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import { StreamedBody } from '../../http/body/streamed.ts';
import type { PublicMedia } from '../media/index.ts';
import type { ExportedFile } from './exported-file.ts';
import { MediaAhead } from './media-ahead.ts';
import {
  archiveEnd,
  computeEntryLength,
  directoryEntry,
  directoryEntryLength,
  localHeader,
  trailer,
  type WrittenEntry,
} from './zip.ts';

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
  // A block is filled when the one before is sent, in the same memory. Blocks that are left to
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
    offset += computeEntryLength(entry);
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
  const objects = new MediaAhead(files, media);
  const written: WrittenEntry[] = [];
  let offset = 0;
  try {
    for (const file of files) {
      const { entry } = file;
      yield* block.add(localHeader(entry, time));
      let crc = entry.crc ?? 0;
      const ready = readyBytes(file, spool);
      if (ready !== undefined) yield* block.add(ready);
      else
        for await (const bytes of bytesOf(file, spool, objects)) {
          if (entry.crc === undefined) crc = crc32(bytes, crc);
          yield* block.add(bytes);
        }
      if (entry.crc === undefined) yield* block.add(trailer(entry, crc));
      written.push({ entry, crc, offset });
      offset += computeEntryLength(entry);
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

/** The bytes of a file if they are in memory, as those of most pages are: thousands of them need not be waited for. */
function readyBytes({ entry, source }: ExportedFile, spool: SpoolReader): Uint8Array | undefined {
  if (source.kind === 'bytes') return source.bytes;
  return source.kind === 'spool' ? spool.inMemory(source.path, source.start, entry.packedBytes) : undefined;
}

async function* bytesOf(
  file: ExportedFile,
  spool: SpoolReader,
  objects: MediaAhead,
): AsyncGenerator<Uint8Array> {
  const { entry, source } = file;
  if (source.kind === 'bytes') {
    yield source.bytes;
  } else if (source.kind === 'spool') {
    for (let done = 0; done < entry.packedBytes; ) {
      const bytes = await spool.read(source.path, source.start + done, entry.packedBytes - done);
      done += bytes.length;
      yield bytes;
    }
  } else {
    yield* objects.read(file);
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

  /** All of these bytes, if they have been read already; the next call of `read` overwrites them. */
  inMemory(path: string, start: number, length: number): Uint8Array | undefined {
    const inWindow = start - this.#windowStart;
    if (path !== this.#path || inWindow < 0 || inWindow + length > this.#window.length) return undefined;
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
