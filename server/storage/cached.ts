import { open } from 'node:fs/promises';
import { LRUCache } from 'lru-cache';
import { OutgoingError } from '../http/outgoing/errors.ts';
import type { CachedCopy, DiskCache } from './disk-cache.ts';
import { createFilePart } from './local.ts';
import type { MediaKey } from './media-key.ts';
import { errorOfOutgoing } from './s3/errors.ts';
import type { StagedFile } from './staging.ts';
import type {
  ByteRange,
  ListedObject,
  MediaStorage,
  ObjectStore,
  OpenedObject,
  StoredObject,
} from './storage.ts';

/**
 * Objects up to this size are fetched before they are sent to their first reader; larger ones go straight
 * through, because the reader would wait too long.
 */
const fetchedFirstBytes = 16 * 2 ** 20;

/** Most objects whose size and time are remembered. */
const maxKnown = 20_000;

/** How long a copy stays whose path another process was told, in milliseconds; it may wait in a queue. */
const handedOutMs = 600_000;

/** How often a copy is fetched again when the connection breaks midway. */
const attempts = 3;

/** Object storage with a cache on the local disk. */
export class CachedStorage implements MediaStorage {
  readonly type = 's3';
  readonly #objects: ObjectStore;
  readonly #cache: DiskCache;
  /** Number of changes of objects so far. */
  #writes = 0;
  /** Size and time of objects. Only this server writes objects, so they stay true until it does. */
  readonly #known = new LRUCache<MediaKey, StoredObject>({ max: maxKnown });

  constructor(objects: ObjectStore, cache: DiskCache) {
    this.#objects = objects;
    this.#cache = cache;
  }

  async put(key: MediaKey, file: StagedFile): Promise<void> {
    try {
      await this.#objects.put(key, file);
    } finally {
      this.#forget(key);
    }
  }

  async remove(key: MediaKey): Promise<void> {
    try {
      await this.#objects.remove(key);
    } finally {
      this.#forget(key);
    }
  }

  async stat(key: MediaKey): Promise<StoredObject | undefined> {
    const known = this.#known.get(key) ?? this.#cache.find(key);
    if (known !== undefined) return { size: known.size, modifiedAt: known.modifiedAt };
    const writes = this.#writes;
    const found = await this.#objects.stat(key);
    if (found !== undefined && this.#writes === writes) this.#known.set(key, found);
    return found;
  }

  list(): AsyncIterable<ListedObject> {
    return this.#objects.list();
  }

  removeUnfinished(): Promise<number> {
    return this.#objects.removeUnfinished();
  }

  /** A part of an object that has no copy is read from the object storage; it is not worth fetching the whole. */
  async open(key: MediaKey, range?: ByteRange): Promise<OpenedObject | undefined> {
    const copy = this.#cache.find(key);
    const opened = copy === undefined ? undefined : await this.#openCopy(key, copy, range);
    if (opened !== undefined) return opened;
    const found = await this.stat(key);
    if (found === undefined) return undefined;
    const isWhole = range === undefined || (range.start === 0 && range.end === found.size - 1);
    if (isWhole && found.size <= fetchedFirstBytes && this.#cache.takes(found.size)) {
      const fetched = await this.#obtain(key);
      if (fetched !== undefined) return (await this.#openCopy(key, fetched)) ?? this.#objects.open(key);
    }
    const direct = await this.#objects.open(key, range);
    if (direct === undefined) this.#forget(key);
    return direct;
  }

  async localCopy(key: MediaKey): Promise<string | undefined> {
    return (await this.#obtain(key, handedOutMs))?.path;
  }

  #forget(key: MediaKey): void {
    this.#writes++;
    this.#known.delete(key);
    this.#cache.drop(key);
  }

  async #openCopy(key: MediaKey, copy: CachedCopy, range?: ByteRange): Promise<OpenedObject | undefined> {
    try {
      const file = await open(copy.path);
      const { size } = await file.stat();
      if (size === copy.size)
        return { size, modifiedAt: copy.modifiedAt, body: createFilePart(file, size, range) };
      await file.close();
    } catch (error) {
      if (!(error instanceof Error) || Reflect.get(error, 'code') !== 'ENOENT') throw error;
    }
    this.#cache.drop(key);
    return undefined;
  }

  async #obtain(key: MediaKey, holdMs?: number): Promise<CachedCopy | undefined> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#cache.obtain(key, () => this.#objects.open(key), holdMs);
      } catch (error) {
        if (!(error instanceof OutgoingError)) throw error;
        if (attempt === attempts) throw errorOfOutgoing(error);
      }
    }
  }
}
