import type { MediaKey } from './media-key.ts';
import type { StagedFile } from './staging.ts';
import type { ByteRange, ListedObject, MediaStorage, OpenedObject, StoredObject } from './storage.ts';

/**
 * The storage in use. It can be exchanged while the server runs:
 *
 *  1. While a recording runs, the keys of all writes are noted, also those of writes that run when it starts.
 *     The key of a write is noted until the write has ended, however often it is taken meanwhile.
 *  2. `exchange` lets new writes wait, lets running ones end, and then calls `prepare`. If that succeeds, all
 *     further reads and writes go to the new storage, and so do the waiting writes; if it fails, all goes on
 *     with the old one.
 *  3. Reads never wait.
 *  4. `replace` waits for nothing. It is for another way to the same objects, and for a node that serves nothing yet.
 */
export class ActiveStorage implements MediaStorage {
  #current: MediaStorage;
  #recorded: Set<MediaKey> | undefined;
  readonly #writes = new Set<{ readonly key: MediaKey }>();
  #whenIdle: (() => void) | undefined;
  #gate: Promise<void> | undefined;

  constructor(current: MediaStorage) {
    this.#current = current;
  }

  get type(): 'local' | 's3' {
    return this.#current.type;
  }

  put(key: MediaKey, file: StagedFile): Promise<void> {
    return this.#write(key, (storage) => storage.put(key, file));
  }

  remove(key: MediaKey): Promise<void> {
    return this.#write(key, (storage) => storage.remove(key));
  }

  stat(key: MediaKey): Promise<StoredObject | undefined> {
    return this.#current.stat(key);
  }

  open(key: MediaKey, range?: ByteRange): Promise<OpenedObject | undefined> {
    return this.#current.open(key, range);
  }

  localCopy(key: MediaKey): Promise<string | undefined> {
    return this.#current.localCopy(key);
  }

  list(): AsyncIterable<ListedObject> {
    return this.#current.list();
  }

  removeUnfinished(): Promise<number> {
    return this.#current.removeUnfinished();
  }

  /** Begins to note the keys of all writes. */
  startRecording(): void {
    this.#recorded = new Set(this.#runningKeys());
  }

  stopRecording(): void {
    this.#recorded = undefined;
  }

  /** The keys that `takeRecorded` would return. */
  peekRecorded(): readonly MediaKey[] {
    return [...(this.#recorded ?? [])];
  }

  /** The keys that were noted since the last call. */
  takeRecorded(): MediaKey[] {
    const keys = [...(this.#recorded ?? [])];
    if (this.#recorded !== undefined) this.#recorded = new Set(this.#runningKeys());
    return keys;
  }

  /** Exchanges the storage, see the head. @throws the error of `prepare` */
  async exchange(next: MediaStorage, prepare: () => Promise<void>): Promise<void> {
    let open = (): void => {};
    this.#gate = new Promise((resolve) => {
      open = resolve;
    });
    try {
      if (this.#writes.size > 0)
        await new Promise<void>((resolve) => {
          this.#whenIdle = resolve;
        });
      await prepare();
      this.#current = next;
    } finally {
      this.#whenIdle = undefined;
      this.#gate = undefined;
      open();
    }
  }

  /** Uses another storage from now on, while writes to the one before may run. */
  replace(next: MediaStorage): void {
    this.#current = next;
  }

  async #write<T>(key: MediaKey, work: (storage: MediaStorage) => Promise<T>): Promise<T> {
    while (this.#gate !== undefined) await this.#gate;
    const write = { key };
    this.#recorded?.add(key);
    this.#writes.add(write);
    try {
      return await work(this.#current);
    } finally {
      this.#writes.delete(write);
      if (this.#writes.size === 0) this.#whenIdle?.();
    }
  }

  #runningKeys(): MediaKey[] {
    return [...this.#writes].map(({ key }) => key);
  }
}
