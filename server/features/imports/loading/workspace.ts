/**
 * The files of a job. They lie in a folder of their own among the temporary files, which the start of the server
 * empties, so that nothing stays behind after a crash. Memory holds only where they are.
 */
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { StagedFile, Staging } from '../../../storage/staging.ts';

export class Workspace {
  readonly #folder: string;
  readonly #staging: Pick<Staging, 'adopt'>;
  #count = 0;

  private constructor(folder: string, staging: Pick<Staging, 'adopt'>) {
    this.#folder = folder;
    this.#staging = staging;
  }

  /** Calls `work` with a new folder, and deletes the folder when it has ended. */
  static async with<T>(staging: Staging, work: (workspace: Workspace) => Promise<T>): Promise<T> {
    const folder = staging.reserve();
    await mkdir(folder, { mode: 0o700 });
    try {
      return await work(new Workspace(folder, staging));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** Path of a new file. */
  newPath(): string {
    return join(this.#folder, String(this.#count++));
  }

  /** A file as the media library takes it. */
  stage(path: string): Promise<StagedFile> {
    return this.#staging.adopt(path);
  }

  async remove(path: string): Promise<void> {
    await rm(path, { force: true });
  }
}
