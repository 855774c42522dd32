import { hash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { crc32, deflateRawSync } from 'node:zlib';

/** A file of an export, packed for a ZIP archive. */
export interface PackedFile {
  readonly name: string;
  /** Where its packed bytes begin in the file that `write` makes, and how many there are. */
  readonly start: number;
  readonly packedBytes: number;
  /** Bytes before packing. */
  readonly bytes: number;
  readonly crc: number;
  /** Whether the bytes are compressed (method 8 of ZIP) or stored as they are (method 0). */
  readonly isDeflated: boolean;
  /** Hash of the bytes before packing. */
  readonly hash: string;
}

/**
 * Packs the files of one task in a render process, because packing takes about as long as rendering. The packed bytes
 * go to a temporary file and not through the main thread.
 */
export class Packer {
  readonly #parts: Uint8Array[] = [];
  #length = 0;

  add(name: string, text: string): PackedFile {
    const bytes = Buffer.from(text);
    const chunkSize = Math.max(minChunkBytes, bytes.length >> 1);
    const deflated = deflateRawSync(bytes, { level: deflateLevel, chunkSize });
    const isDeflated = deflated.length < bytes.length;
    const packed = isDeflated ? deflated : bytes;
    const start = this.#length;
    this.#parts.push(packed);
    this.#length += packed.length;
    return {
      name,
      start,
      packedBytes: packed.length,
      bytes: bytes.length,
      crc: crc32(bytes),
      isDeflated,
      hash: hash('sha256', bytes, 'base64url').slice(0, 22),
    };
  }

  /** Writes the packed bytes to a new file that only the user of the server can read. */
  write(file: string): void {
    writeFileSync(file, Buffer.concat(this.#parts), { flag: 'wx', mode: 0o600 });
  }
}

/** Half the time of level 6, and pages are 5 % larger. */
const deflateLevel = 3;

/**
 * The packed bytes of a file keep the whole buffer that zlib wrote them to, 16 KB unless it is told otherwise. Most
 * texts fit into half of their length; others take a second buffer.
 */
const minChunkBytes = 512;
