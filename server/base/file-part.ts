import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';

/**
 * A part of an open file. It can be read as a stream, or without one at any position (`readAt`): then nobody has to
 * keep bytes that a slow reader does not take yet. It must be read to its end as a stream, or destroyed.
 */
export class FilePart extends Readable {
  /** In bytes, as it was when the file was opened. */
  readonly length: number;
  readonly #file: FileHandle;
  readonly #start: number;
  #streamed = 0;

  /**
   * @param file belongs to the part from now on
   * @param start in bytes from the beginning of the file
   */
  constructor(file: FileHandle, start: number, length: number) {
    super({ highWaterMark: streamedBytes });
    this.#file = file;
    this.#start = start;
    this.length = length;
  }

  /**
   * Fills the beginning of `target`; resolves with the number of bytes, 0 at the end. Must not be called after
   * `destroy`.
   *
   * @param position in bytes from the beginning of the part
   */
  async readAt(target: Uint8Array, position: number): Promise<number> {
    const wanted = Math.min(target.length, this.length - position);
    if (wanted <= 0) return 0;
    const { bytesRead } = await this.#file.read(target, 0, wanted, this.#start + position);
    return bytesRead;
  }

  override async _read(size: number): Promise<void> {
    try {
      const target = Buffer.allocUnsafeSlow(Math.min(size, this.length - this.#streamed));
      const count = await this.readAt(target, this.#streamed);
      this.#streamed += count;
      this.push(count === 0 ? null : target.subarray(0, count));
    } catch (error) {
      this.destroy(error instanceof Error ? error : new Error(String(error)));
    }
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#file.close().then(
      () => done(error),
      (closing: Error) => done(error ?? closing),
    );
  }
}

const streamedBytes = 64 * 2 ** 10;
