import { open } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Log } from '../base/log.ts';
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

/** Memory for pages that a transaction has changed. Beyond it SQLite writes pages that may change again. */
const transactionCacheKb = 128 * 2 ** 10;

/** Pages of 4 KB that are written before others have their turn. */
const pagesPerTurn = 256;

/**
 * Keeps commits of very many rows short. SQLite does all parts of such a commit while the main thread waits: it writes
 * the changed pages to its log, waits until the log is on the disk, and then copies the log into the database file. Here
 * the log is complete and on the disk before the commit, so that little is left, and another process copies it
 * afterwards.
 *
 * A page is written only once. The checksum of each page in the log continues that of the page before, so if one
 * changes after it was written, the commit reads and changes all that follow it. Therefore changed pages stay in memory
 * until the transaction has changed all its rows.
 */
export class LargeCommits {
  readonly #options: LargeCommitsOptions;
  #running: Promise<void> = Promise.resolve();
  /** Whether the transaction that runs is a large one, ready for its commit. */
  #isPrepared = false;
  #isClosing = false;

  constructor(options: LargeCommitsOptions) {
    this.#options = options;
  }

  /** To be called when a transaction has begun. */
  begin(): void {
    this.#options.writer.setCacheSize(transactionCacheKb);
  }

  /**
   * To be called before a commit.
   *
   * @param rows number of rows that it changes
   */
  async beforeCommit(rows: number): Promise<void> {
    if (rows < largeRows) return;
    const { writer, file } = this.#options;
    await writeChangedPages(writer);
    await sync(`${file}-wal`);
    writer.pragma('wal_autocheckpoint = 0');
    this.#isPrepared = true;
  }

  /** To be called when the transaction has ended, also when it has failed. */
  end(): void {
    this.#options.writer.setCacheSize();
    if (!this.#isPrepared) return;
    this.#isPrepared = false;
    this.#running = this.#checkpointAfter(this.#running);
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

/**
 * Has SQLite write the pages that its transaction has changed to its log, in turns. It has no statement for that, but
 * writes one of them whenever it reads a page that is not in a full cache. So the cache is made small, and the pages of
 * the schema, which no change touches, are read until every changed page must have been written.
 */
async function writeChangedPages(writer: ContentDb): Promise<void> {
  writer.setCacheSize(smallestCacheKb);
  const pages = Math.min(transactionCacheKb / 4, Number(writer.pragma('page_count')));
  const schemaPages = Number(writer.statement(countSchemaPages).first([])?.['pages']);
  const readSchema = writer.statement('SELECT count(*) FROM sqlite_schema');
  for (let read = 0, turns = 1; read < pages; read += schemaPages) {
    readSchema.first([]);
    if (read < turns * pagesPerTurn) continue;
    turns += 1;
    await nextTurn();
  }
}

/** Ten pages, of which SQLite keeps one or two free. */
const smallestCacheKb = 40;

const countSchemaPages = `
  SELECT count(*) AS pages FROM dbstat WHERE name = 'sqlite_schema' AND pagetype = 'leaf'`;

/** Waits in another thread until a file is on the disk. */
async function sync(file: string): Promise<void> {
  const handle = await open(file, 'r+');
  try {
    await handle.datasync();
  } finally {
    await handle.close();
  }
}
