/**
 * A queue of bytes in a temporary file. The file has no name as soon as it is open, so it ends with the process
 * that holds it, `kill -9` included.
 *
 * Appending is synchronous, because the bytes are valid only during the call. It writes to the page cache of the
 * system: 512 KB take about 0.2 ms.
 */
import { closeSync, ftruncateSync, openSync, read, unlinkSync, writeSync } from 'node:fs';
import { promisify } from 'node:util';

const readAt = promisify(read);

export class SpillFile {
  readonly #file: number;
  #written = 0;
  #read = 0;
  #isReading = false;
  #isClosed = false;

  /** @param path of a new file. @throws the error of the file system */
  constructor(path: string) {
    this.#file = openSync(path, 'wx+', 0o600);
    unlinkSync(path);
  }

  /** Bytes that have not been read yet. */
  get length(): number {
    return this.#written - this.#read;
  }

  /** @throws the error of the file system, such as ENOSPC */
  append(bytes: Uint8Array): void {
    for (let from = 0; from < bytes.length; ) {
      const count = writeSync(this.#file, bytes, from, bytes.length - from, this.#written);
      from += count;
      this.#written += count;
    }
  }

  /** The oldest bytes, at most `limit` of them. Only one call at a time. @throws the error of the file system */
  async take(limit: number): Promise<Uint8Array> {
    this.#isReading = true;
    try {
      const target = Buffer.allocUnsafeSlow(Math.min(limit, this.length));
      const { bytesRead } = await readAt(this.#file, target, 0, target.length, this.#read);
      this.#read += bytesRead;
      if (this.length === 0 && !this.#isClosed) this.#empty();
      return target.subarray(0, bytesRead);
    } finally {
      this.#isReading = false;
      if (this.#isClosed) closeSync(this.#file);
    }
  }

  /** Frees the disk. A running `take` ends first. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    if (!this.#isReading) closeSync(this.#file);
  }

  #empty(): void {
    ftruncateSync(this.#file);
    this.#written = 0;
    this.#read = 0;
  }
}
