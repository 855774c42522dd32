import { closeSync, ftruncateSync, openSync, read, unlinkSync, writeSync } from 'node:fs';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';

/** Holds the sender of a body back, and lets it go on. */
export interface BodyFlow {
  pause(): void;
  resume(): void;
  /** Path of a new temporary file. */
  spillPath(): string;
}

/** Bytes that wait for their reader before the sender is held back; also what is read from a file at once. */
const waitingBytes = 64 * 2 ** 10;

/**
 * The body of a request while it arrives. At most one chunk and 64 KB of it are in memory.
 *
 * uWebSockets.js stops reading at `pause` only when a read has not filled its buffer of 512 KB. A client that sends
 * faster than the server reads, such as one on the same machine, fills it again and again: all of a large body comes
 * within one turn of the event loop. Bytes that come although the sender is held back go to a temporary file, and
 * the sender stays held back until they have been read.
 */
export class BodyStream extends Readable {
  readonly #flow: BodyFlow;
  #spill: SpillFile | undefined;
  #isHeld = false;
  #isComplete = false;

  constructor(flow: BodyFlow) {
    super({ highWaterMark: waitingBytes });
    this.#flow = flow;
  }

  /** Takes bytes that are valid only during this call. */
  arrive(bytes: Uint8Array, isLast: boolean): void {
    if (this.destroyed) return;
    this.#isComplete = isLast;
    if (this.#isHeld) {
      if (bytes.length > 0) this.#keep(bytes);
      return;
    }
    const takesMore = bytes.length === 0 || this.push(Buffer.from(bytes));
    if (isLast) this.push(null);
    else if (!takesMore) this.#hold();
  }

  override _read(): void {
    if (this.#spill === undefined || this.#spill.length === 0) this.#release();
    else void this.#passOn(this.#spill);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#spill?.close();
    // After a complete body nothing is read before the answer. uWebSockets.js would count the time until the answer
    // as silence of the client, and close the connection after ten seconds.
    if (!this.#isComplete) this.#flow.resume();
    done(error);
  }

  #keep(bytes: Uint8Array): void {
    try {
      this.#spill ??= new SpillFile(this.#flow.spillPath());
      this.#spill.append(bytes);
    } catch (error) {
      this.destroy(asError(error));
    }
  }

  async #passOn(spill: SpillFile): Promise<void> {
    try {
      const bytes = await spill.take(waitingBytes);
      if (!this.destroyed) this.push(bytes);
    } catch (error) {
      this.destroy(asError(error));
    }
  }

  #hold(): void {
    this.#isHeld = true;
    this.#flow.pause();
  }

  /** Everything that has arrived has been passed on. */
  #release(): void {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    if (this.#isComplete) this.push(null);
    else this.#flow.resume();
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

/**
 * A queue of bytes in a temporary file. The file has no name as soon as it is open, so it ends with the process
 * that holds it, `kill -9` included.
 *
 * Appending is synchronous, because the bytes are valid only during the call. It writes to the page cache of the
 * system: 512 KB take about 0.2 ms.
 */

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
