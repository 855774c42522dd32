import { createHash } from 'node:crypto';
import { PassThrough, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { BodyParts } from './parts.ts';
import { StreamedBody } from './streamed.ts';

/**
 * A long body that is in memory in gzip only. For clients that do not take gzip it is unpacked while it is sent, a
 * small part at a time.
 */
export class CompressedBody {
  readonly gzip: BodyParts;
  /** Of the unpacked bytes; short, for an entity tag. */
  readonly hash: string;
  readonly #identityLength: number;

  constructor(gzip: BodyParts, identityLength: number, hash: string) {
    this.gzip = gzip;
    this.hash = hash;
    this.#identityLength = identityLength;
  }

  /** The unpacked bytes. Nothing is unpacked before the stream is read. */
  identity(): StreamedBody {
    return new StreamedBody(Readable.from(unpack(this.gzip), { objectMode: false }), this.#identityLength);
  }
}

/**
 * Compresses a body while it is made, in threads of the system. Only a few pieces at a time are outside the compressed
 * bytes.
 */
export async function compressBody(pieces: AsyncIterable<string | Uint8Array>): Promise<CompressedBody> {
  const gzip = createGzip({ level, chunkSize: partBytes });
  const hash = createHash('sha256');
  const parts: Uint8Array[] = [];
  let identityLength = 0;
  const compressed = (async () => {
    for await (const part of gzip) parts.push(part);
  })();
  const bytes = bytesInSteps(pieces, (step) => {
    hash.update(step);
    identityLength += step.length;
  });
  const waiting = new PassThrough({ highWaterMark: waitingBytes });
  await Promise.all([pipeline(bytes, waiting, gzip), compressed]);
  return new CompressedBody(new BodyParts(parts), identityLength, hash.digest('base64url').slice(0, 22));
}

async function* bytesInSteps(
  pieces: AsyncIterable<string | Uint8Array>,
  visit: (step: Uint8Array) => void,
): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
    for (let start = 0; start < bytes.length; start += stepBytes) {
      const step = bytes.subarray(start, start + stepBytes);
      visit(step);
      yield step;
    }
  }
}

async function* unpack(gzip: BodyParts): AsyncGenerator<Uint8Array> {
  const source = Readable.from(partsOf(gzip));
  const unpacked = source.pipe(createGunzip({ chunkSize: stepBytes }));
  try {
    yield* unpacked;
  } finally {
    source.destroy();
  }
}

function* partsOf(body: BodyParts): Generator<Uint8Array> {
  for (let position = 0; position < body.length; ) {
    const part = body.from(position, stepBytes);
    yield part;
    position += part.length;
  }
}

/** Takes half the time of the default level, for 3 % more bytes. */
const level = 4;
/** Bytes that are hashed, compressed or unpacked at once. */
const stepBytes = 64 * 2 ** 10;
/** Compressed bytes share blocks of this size. */
const partBytes = 2 ** 20;
/** Bytes that may wait for the compressor, so that it works while the next slices are made. */
const waitingBytes = 4 * 2 ** 20;
