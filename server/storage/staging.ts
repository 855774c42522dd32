/**
 * Temporary files for media on their way into the storage. They lie in one folder that is emptied at the start
 * of the server, so that nothing stays behind after `kill -9`; every failure removes its own file at once.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** A temporary file that is complete and synced to disk. It belongs to the caller: `put` it or `discard` it. */
export interface StagedFile {
  readonly path: string;
  /** In bytes. */
  readonly size: number;
  /** Deletes the file; no error if it has been moved or deleted. */
  discard(): Promise<void>;
}

/** A temporary file that is being written. Writes must be awaited one after the other. */
export interface StagedWriter {
  write(bytes: Uint8Array): Promise<void>;
  /** Syncs and closes the file. @throws the error of the file system, with the file deleted */
  finish(): Promise<StagedFile>;
  discard(): Promise<void>;
}

export class Staging {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Makes the folder if necessary, and deletes everything in it. Only the server may do this, at its start. */
  static async open(folder: string): Promise<Staging> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true, force: true });
    return new Staging(folder);
  }

  /** A new empty file. */
  async create(): Promise<StagedWriter> {
    const path = this.reserve();
    const file = await open(path, 'wx', 0o600);
    let size = 0;
    const discard = async (): Promise<void> => {
      await file.close().catch(ignore);
      await rm(path, { force: true });
    };
    return {
      async write(bytes) {
        await file.writeFile(bytes);
        size += bytes.byteLength;
      },
      async finish() {
        try {
          await file.sync();
          await file.close();
        } catch (error) {
          await discard();
          throw error;
        }
        return staged(path, size);
      },
      discard,
    };
  }

  /** Path of a new file that somebody else writes, such as another process. They `adopt`, `release` or delete it. */
  reserve(): string {
    return join(this.#folder, randomUUID());
  }

  /** Takes over a file that was written to a reserved path, and syncs it. @throws if there is no such file */
  async adopt(path: string): Promise<StagedFile> {
    const file = await open(path, 'r+');
    try {
      await file.sync();
    } finally {
      await file.close();
    }
    return staged(path, (await stat(path)).size);
  }

  /** Deletes what may have been written to a reserved path. */
  async release(path: string): Promise<void> {
    await rm(path, { force: true });
  }
}

function staged(path: string, size: number): StagedFile {
  return { path, size, discard: () => rm(path, { force: true }) };
}

function ignore(): void {}
