import { hash } from 'node:crypto';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

/** Content codings that bodies are sent in; the smaller one first. */
export const encodings = ['br', 'gzip'] as const;
export type Encoding = (typeof encodings)[number];

/** A body in the forms in which it is sent. */
export interface EncodedBody {
  readonly identity: Uint8Array<ArrayBuffer>;
  /** The compressed forms that have been made. */
  readonly encoded: { readonly [Name in Encoding]?: Uint8Array<ArrayBuffer> };
  /** False if compression saves nothing. */
  readonly isCompressible: boolean;
}

/** A body that a client may have already. */
export interface TaggedBody extends EncodedBody {
  /** Hash of the bytes, for use as an entity tag. */
  readonly tag: string;
}

/**
 * Compression levels by how often a body will be sent. Measured on the 8 pages and files of the demonstration
 * website, 3 to 27 KB, against gzip level 6 (0.27 ms for 27 KB), bytes and processor time:
 *
 *     gzip 1  +8 to 13 %, 0.6 times     br 3   +3 to 5 %, 0.7 times
 *     gzip 9  0 to -1 %, 1.2 times      br 4   0 to -3 %, 1.1 times
 *                                       br 5   -6 to -10 %, 1.6 times
 *                                       br 9   -7 to -11 %, 30 times
 *                                       br 11  -15 to -20 %, 150 times
 *
 * So Brotli costs what gzip costs as long as a body may be sent only once more, and its best level pays for what is
 * sent very often. zstd is left out: at the time of Brotli 5 it is larger than gzip 6 by up to 1 %, its best level
 * (20 times) is larger than Brotli 5, and every browser that takes it takes Brotli too.
 */
const levels = {
  br: { once: 3, often: 4, 'very often': 11 },
  gzip: { once: 1, often: 6, 'very often': 9 },
} as const satisfies Record<Encoding, Record<CompressionUse, number>>;

/** How often a body will be sent in compressed form. */
export type CompressionUse = 'once' | 'often' | 'very often';

/** Below this size a compressed body saves nothing on the wire. */
const minCompressedBytes = 256;

/** @param encoding the form to make; undefined = none */
export function encodeBody(text: string, use: CompressionUse, encoding: Encoding | undefined): EncodedBody {
  const identity = bytesOf(text);
  const isLong = identity.byteLength >= minCompressedBytes;
  if (encoding === undefined || !isLong) return { identity, encoded: {}, isCompressible: isLong };
  const bytes = compress(identity, encoding, use);
  const isCompressible = bytes.byteLength < identity.byteLength;
  return { identity, encoded: isCompressible ? { [encoding]: bytes } : {}, isCompressible };
}

/** The same with an entity tag. The hash takes as long as rendering a tenth of a page. */
export function encodeTagged(text: string, use: CompressionUse, encoding: Encoding | undefined): TaggedBody {
  const body = encodeBody(text, use, encoding);
  return { ...body, tag: computeEntityTag(body.identity) };
}

export function isTagged(body: EncodedBody | TaggedBody): body is TaggedBody {
  return 'tag' in body;
}

/**
 * With memory of their own, so that they can be transferred. Three times as quick as TextEncoder for ASCII. To count
 * the bytes before they are written takes longer than to copy them.
 */
function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const most = text.length * maxUnitBytes;
  const room = most > scratch.byteLength ? Buffer.allocUnsafeSlow(most) : scratch;
  const length = room.write(text);
  const bytes = Buffer.allocUnsafeSlow(length);
  room.copy(bytes, 0, 0, length);
  return bytes;
}

/** The most that a unit of a string takes in UTF-8. */
const maxUnitBytes = 3;
/** Room for pages of up to 340,000 characters; the system gives memory only for what is used. */
const scratch = Buffer.allocUnsafeSlow(2 ** 20);

/** Compressed bytes of the exact size: the compressor's buffer is larger, and a cache would keep all of it. */
export function compress(
  bytes: Uint8Array,
  encoding: Encoding,
  use: CompressionUse,
): Uint8Array<ArrayBuffer> {
  const level = levels[encoding][use];
  if (encoding === 'gzip') return new Uint8Array(gzipSync(bytes, { level }));
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: level,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.byteLength,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
  };
  return new Uint8Array(brotliCompressSync(bytes, { params }));
}

/** Hash of a body, for use as an entity tag. */
export function computeEntityTag(bytes: Uint8Array): string {
  return hash('sha256', bytes, 'base64url').slice(0, 22);
}
