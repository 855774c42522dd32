import { open } from 'node:fs/promises';
import type { Log } from '../log.ts';
import type { ContentDb } from './tables.ts';

export interface LargeCommitsOptions {
  readonly writer: ContentDb;
  /** The database file. */
  readonly file: string;
  /** Copies the log of SQLite into the database file, in another process. */
  readonly checkpoint: () => Promise<unknown>;
  readonly log: Log;
}

/** A commit of so many rows is a large one. */
const largeRows = 5000;

/** After how many pages of its log SQLite copies them into the database file, by default. */
const pagesPerCheckpoint = 1000;

/**
 * Keeps commits of very many rows short. SQLite does both parts of such a commit while the main thread waits: it
 * waits until the log of all rows is on the disk, and then copies the log into the database file. Here the log is
 * written to the disk before the commit, so that little is left, and another process copies it afterwards.
 */
export class LargeCommits {
  readonly #options: LargeCommitsOptions;
  #running: Promise<void> = Promise.resolve();
  #isClosing = false;

  constructor(options: LargeCommitsOptions) {
    this.#options = options;
  }

  /**
   * To be called before a commit; resolves with what is to be called after it, also after one that failed.
   *
   * @param rows number of rows that it has changed
   */
  async before(rows: number): Promise<() => void> {
    if (rows < largeRows) return () => {};
    const { writer, file } = this.#options;
    await sync(`${file}-wal`);
    writer.pragma('wal_autocheckpoint = 0');
    return () => {
      this.#running = this.#checkpointAfter(this.#running);
    };
  }

  /** Resolves when the last checkpoint has ended. */
  close(): Promise<void> {
    this.#isClosing = true;
    return this.#running;
  }

  async #checkpointAfter(earlier: Promise<void>): Promise<void> {
    const { writer, checkpoint, log } = this.#options;
    await earlier;
    try {
      await checkpoint();
    } catch (error) {
      if (!this.#isClosing)
        log.warn({ err: error }, 'the log of the database could not be copied by another process');
    } finally {
      writer.pragma(`wal_autocheckpoint = ${pagesPerCheckpoint}`);
    }
  }
}

/** Waits in another thread until a file is on the disk. */
async function sync(file: string): Promise<void> {
  const handle = await open(file, 'r+');
  try {
    await handle.datasync();
  } finally {
    await handle.close();
  }
}
