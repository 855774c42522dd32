import { type FileHandle, open } from 'node:fs/promises';
import { RandomAccessReader } from 'yauzl';

/** How much of the file is read at once, in bytes. */
const windowBytes = 64 * 2 ** 10;

/**
 * A file of which many small parts are wanted, one close after the other, as by a list of entries: a large part is read
 * and kept. Reading each part of a list of 65,000 entries by itself takes nine times as long.
 */
export class WindowedFile extends RandomAccessReader {
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
