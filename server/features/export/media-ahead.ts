import type { PublicMedia } from '../media/index.ts';
import type { ExportedFile } from './exported-file.ts';

/** Objects that are read at the same time, and how many bytes of them are kept until it is their turn. */
const maxAhead = 8;
const maxAheadBytes = 256 * 2 ** 10;
/** Larger objects are read in parts when it is their turn. */
const maxObjectBytes = 64 * 2 ** 10;

interface ObjectAhead {
  readonly bytes: number;
  readonly parts: Promise<Uint8Array[]>;
}

/**
 * The media of an archive in the order of its files. Opening, reading and closing a small object is a row of waits for
 * the disk or the network, so several small ones are read before it is their turn.
 */
export class MediaAhead {
  readonly #media: Pick<PublicMedia, 'open'>;
  /** Small objects that are not asked for yet. */
  readonly #waiting: Iterator<ExportedFile>;
  #next: IteratorResult<ExportedFile, undefined>;
  readonly #ahead: ObjectAhead[] = [];
  #aheadBytes = 0;

  /** @param files of the archive in order */
  constructor(files: readonly ExportedFile[], media: Pick<PublicMedia, 'open'>) {
    this.#media = media;
    this.#waiting = files.values().filter(isReadAhead);
    this.#next = this.#waiting.next();
  }

  /**
   * The bytes of an object. Objects must be asked for in the order of the archive, each once.
   *
   * @throws if the object is gone or has another length than before
   */
  async *read(file: ExportedFile): AsyncGenerator<Uint8Array> {
    if (!isReadAhead(file)) {
      yield* partsOf(file, this.#media);
      return;
    }
    this.#readAhead();
    const first = this.#ahead.shift();
    if (first === undefined) throw new Error('the media of an archive are read out of order');
    this.#aheadBytes -= first.bytes;
    yield* await first.parts;
  }

  #readAhead(): void {
    for (; this.#next.done !== true; this.#next = this.#waiting.next()) {
      const file = this.#next.value;
      const { packedBytes: bytes } = file.entry;
      if (this.#ahead.length >= maxAhead || this.#aheadBytes + bytes > maxAheadBytes) return;
      const parts = allOf(partsOf(file, this.#media));
      // An error belongs to the turn of the object; until then nobody waits for it.
      parts.catch(() => {});
      this.#ahead.push({ bytes, parts });
      this.#aheadBytes += bytes;
    }
  }
}

function isReadAhead({ source, entry }: ExportedFile): boolean {
  return source.kind === 'media' && entry.packedBytes <= maxObjectBytes;
}

async function allOf<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

async function* partsOf(
  { source, entry }: ExportedFile,
  media: Pick<PublicMedia, 'open'>,
): AsyncGenerator<Uint8Array> {
  if (source.kind !== 'media') throw new TypeError('only media are read from the storage');
  const { key } = source;
  const stream = await media.open(key);
  if (stream === undefined) throw new Error(`the object ${key} was deleted during an export`);
  let done = 0;
  for await (const part of stream) {
    if (!(part instanceof Uint8Array)) throw new TypeError('an object must consist of bytes');
    done += part.length;
    yield part;
  }
  if (done !== entry.packedBytes) throw new Error(`the object ${key} has another length than before`);
}
