import { appendFile, open, readFile, rm } from 'node:fs/promises';
import { type CopyRoute, copyObject } from './copy.ts';
import { inParallel } from './in-parallel.ts';
import type { LocalStorage } from './local.ts';
import { isMediaKey, type MediaKey } from './media-key.ts';
import type { StagedFile } from './staging.ts';
import type { ByteRange, ListedObject, MediaStorage, OpenedObject, StoredObject } from './storage.ts';

/**
 * Local files in place of object storage that did not work at the start. The key of each object is noted in a
 * file before the object is written or deleted, so that the changes can be carried over as soon as the object
 * storage works again, after a restart too.
 */
export class OutageStorage implements MediaStorage {
  readonly type = 'local';
  readonly #local: LocalStorage;
  readonly #journal: OutageJournal;

  constructor(local: LocalStorage, journal: OutageJournal) {
    this.#local = local;
    this.#journal = journal;
  }

  async put(key: MediaKey, file: StagedFile): Promise<void> {
    await this.#journal.note(key);
    await this.#local.put(key, file);
  }

  async remove(key: MediaKey): Promise<void> {
    await this.#journal.note(key);
    await this.#local.remove(key);
  }

  stat(key: MediaKey): Promise<StoredObject | undefined> {
    return this.#local.stat(key);
  }

  open(key: MediaKey, range?: ByteRange): Promise<OpenedObject | undefined> {
    return this.#local.open(key, range);
  }

  localCopy(key: MediaKey): Promise<string | undefined> {
    return this.#local.localCopy(key);
  }

  list(): AsyncIterable<ListedObject> {
    return this.#local.list();
  }

  removeUnfinished(): Promise<number> {
    return this.#local.removeUnfinished();
  }
}

/** The keys of objects that were written or deleted during an outage, one in a line of a file. */
export class OutageJournal {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  /** Resolves when the key is on disk. */
  async note(key: MediaKey): Promise<void> {
    const file = await open(this.#file, 'a', 0o600);
    try {
      await appendFile(file, `${key}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
  }

  /** Makes the noted objects of the target what they are in the local files. Doing so twice does no harm. */
  async carryOver(route: CopyRoute): Promise<void> {
    await inParallel(await this.#keys(), async (key) => {
      if ((await copyObject(route, key)) === undefined) await route.to.remove(key);
    });
  }

  /** Must follow `carryOver` before local objects are deleted, else it would be taken for their deletion. */
  forget(): Promise<void> {
    return rm(this.#file, { force: true });
  }

  /** A line that a crash has cut is no key; its object was not touched yet. */
  async #keys(): Promise<readonly MediaKey[]> {
    const text = await readFile(this.#file, 'utf8').catch((error: unknown) => {
      if (error instanceof Error && Reflect.get(error, 'code') === 'ENOENT') return '';
      throw error;
    });
    return [...new Set(text.split('\n').filter(isMediaKey))];
  }
}
