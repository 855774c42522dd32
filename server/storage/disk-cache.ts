/**
 * Copies of media from object storage on the local disk. What holds:
 *
 *  1. A copy is complete and synced before it has its name. The name tells size and time of the object, so a
 *     copy that is damaged by a power loss is recognised by its size.
 *  2. All copies together have at most the given size; the ones that were not used for the longest time go
 *     first. The order survives a restart, because a used copy gets a new time of change now and then.
 *  3. Objects that are larger than a quarter of the cache are not kept.
 *  4. However many ask for an object at the same time, it is fetched once.
 *  5. A copy is deleted at once when it has to go, except while somebody holds it.
 *
 * The cache knows nothing of access rights: whoever asks it has decided that the object may be read.
 */
import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { LRUCache } from 'lru-cache';
import { getContentId, isMediaKey, type MediaKey } from './media-key.ts';
import type { OpenedObject, StoredObject } from './storage.ts';

export interface CachedCopy extends StoredObject {
  readonly path: string;
}

export interface DiskCacheUse {
  readonly maxBytes: number;
  readonly usedBytes: number;
  readonly entries: number;
}

/** How long a copy is held at least for whoever has asked for it, in milliseconds. */
const minHoldMs = 10_000;
/** How often the time of change of a copy in use is renewed, in milliseconds. */
const touchMs = 3_600_000;
const maxShare = 4;
/** LRUCache takes no limit of 0. */
const minLimit = 1;

interface Entry extends CachedCopy {
  /** When the file got its time of change. */
  touchedAt: number;
  /** Until when the file must stay, even if it is no entry any more. */
  heldUntil: number;
}

interface Fetch {
  readonly copy: Promise<Entry | undefined>;
  /** The object was changed meanwhile: the copy serves those who wait for it, and is not kept. */
  isStale: boolean;
}

export class DiskCache {
  readonly #folder: string;
  #maxBytes: number;
  #copies: LRUCache<MediaKey, Entry>;
  readonly #fetches = new Map<MediaKey, Fetch>();
  readonly #timers = new Set<NodeJS.Timeout>();

  private constructor(folder: string, maxBytes: number) {
    this.#folder = folder;
    this.#maxBytes = maxBytes;
    this.#copies = this.#newList();
  }

  /** Opens a cache with the copies that an earlier run has left. */
  static async open(folder: string, maxBytes: number): Promise<DiskCache> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const cache = new DiskCache(folder, maxBytes);
    for (const [key, entry] of await copiesIn(folder)) cache.#keep(key, entry);
    return cache;
  }

  get use(): DiskCacheUse {
    return {
      maxBytes: this.#maxBytes,
      usedBytes: this.#copies.calculatedSize,
      entries: this.#copies.size,
    };
  }

  /** Changes the largest size; copies beyond it are deleted. */
  resize(maxBytes: number): void {
    if (maxBytes === this.#maxBytes) return;
    const kept = [...this.#copies.entries()].reverse();
    this.#maxBytes = maxBytes;
    this.#copies = this.#newList();
    for (const [key, entry] of kept) this.#keep(key, entry);
  }

  /** Whether an object of this size is kept once it was fetched. */
  takes(size: number): boolean {
    return this.#maxBytes > 0 && size <= this.#maxBytes / maxShare;
  }

  /** The copy of an object, if there is one. */
  find(key: MediaKey): CachedCopy | undefined {
    const entry = this.#copies.get(key);
    if (entry !== undefined && Date.now() - entry.touchedAt > touchMs) {
      entry.touchedAt = Date.now();
      const now = new Date();
      utimes(entry.path, now, now).catch(ignore);
    }
    return entry;
  }

  /** A copy that was found is gone or damaged. */
  drop(key: MediaKey): void {
    this.#forget(key);
    this.#copies.delete(key);
  }

  /**
   * The copy of an object, fetched if there is none.
   *
   * @param openObject undefined if there is no such object
   * @param holdMs how long the file stays in any case, in milliseconds
   */
  async obtain(
    key: MediaKey,
    openObject: () => Promise<OpenedObject | undefined>,
    holdMs = minHoldMs,
  ): Promise<CachedCopy | undefined> {
    const found = this.#copies.get(key);
    if (found !== undefined) hold(found, holdMs);
    if (found !== undefined && (await isWhole(found))) return found;
    if (found !== undefined) this.drop(key);
    const running = this.#fetches.get(key) ?? this.#startFetch(key, openObject);
    const copy = await running.copy;
    if (copy !== undefined) hold(copy, holdMs);
    return copy;
  }

  /** Deletes all copies. */
  clear(): void {
    for (const key of [...this.#fetches.keys()]) this.#forget(key);
    this.#copies.clear();
  }

  /** Deletes what must not outlive the server. */
  async close(): Promise<void> {
    for (const timer of this.#timers) clearTimeout(timer);
    const kept = new Set([...this.#copies.values()].map(({ path }) => path));
    for (const { path } of (await filesIn(this.#folder)).filter((file) => !kept.has(file.path)))
      await rm(path, { force: true });
  }

  #startFetch(key: MediaKey, openObject: () => Promise<OpenedObject | undefined>): Fetch {
    const running: Fetch = { copy: this.#write(key, openObject), isStale: false };
    this.#fetches.set(key, running);
    const end = (copy?: Entry): void => {
      if (this.#fetches.get(key) === running) this.#fetches.delete(key);
      if (copy === undefined) return;
      if (running.isStale || !this.takes(copy.size)) this.#remove(copy);
      else this.#keep(key, copy);
    };
    running.copy.then(end, () => end());
    return running;
  }

  async #write(
    key: MediaKey,
    openObject: () => Promise<OpenedObject | undefined>,
  ): Promise<Entry | undefined> {
    const opened = await openObject();
    if (opened === undefined) return undefined;
    const { size, modifiedAt, body } = opened;
    const path = this.#newPath(key, { size, modifiedAt });
    await writeCopy(path, size, body);
    const now = Date.now();
    return { size, modifiedAt, path, touchedAt: now, heldUntil: now + minHoldMs };
  }

  /** Whoever asks from now on does not wait for a fetch that has begun. */
  #forget(key: MediaKey): void {
    const running = this.#fetches.get(key);
    if (running !== undefined) running.isStale = true;
    this.#fetches.delete(key);
  }

  #keep(key: MediaKey, entry: Entry): void {
    this.#copies.set(key, entry);
    if (this.#copies.peek(key) !== entry) this.#remove(entry);
  }

  #newList(): LRUCache<MediaKey, Entry> {
    return new LRUCache({
      maxSize: Math.max(minLimit, this.#maxBytes),
      sizeCalculation: ({ size }) => Math.max(1, size),
      dispose: (entry) => this.#remove(entry),
    });
  }

  /** Deletes a file that is no entry any more, as soon as nobody holds it. */
  #remove(entry: Entry): void {
    const waitMs = entry.heldUntil - Date.now();
    if (waitMs <= 0) {
      rm(entry.path, { force: true }).catch(ignore);
      return;
    }
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      this.#remove(entry);
    }, waitMs).unref();
    this.#timers.add(timer);
  }

  /** A path that no copy has had before, so that an old copy of the same object is never in the way. */
  #newPath(key: MediaKey, { size, modifiedAt }: StoredObject): string {
    const name = key.slice(getContentId(key).length + 4);
    const unique = randomBytes(6).toString('hex');
    return join(this.#folder, key.slice(0, 2), [getContentId(key), name, size, modifiedAt, unique].join('~'));
  }
}

function hold(entry: Entry, holdMs: number): void {
  entry.heldUntil = Math.max(entry.heldUntil, Date.now() + holdMs);
}

/** Reads the copies of a folder, the one that was used last at the end, and deletes all other files. */
async function copiesIn(folder: string): Promise<[MediaKey, Entry][]> {
  const found: [MediaKey, Entry][] = [];
  for (const file of await filesIn(folder)) {
    const copy = await readCopy(file).catch(() => undefined);
    if (copy === undefined) await rm(file.path, { recursive: true, force: true });
    else found.push(copy);
  }
  return found.sort(([, left], [, right]) => left.touchedAt - right.touchedAt);
}

interface CacheFile {
  readonly path: string;
  readonly name: string;
}

/** The files in the folders of a cache; what is no folder counts as a file. */
async function filesIn(folder: string): Promise<CacheFile[]> {
  const files: CacheFile[] = [];
  for (const prefix of await readdir(folder)) {
    const inside = join(folder, prefix);
    const names = await readdir(inside).catch(() => undefined);
    if (names === undefined) files.push({ path: inside, name: prefix });
    else for (const name of names) files.push({ path: join(inside, name), name });
  }
  return files;
}

/** Undefined for a file that is no whole copy. */
async function readCopy({ path, name }: CacheFile): Promise<[MediaKey, Entry] | undefined> {
  const [content = '', object = '', sizeText, timeText, unique] = name.split('~');
  const key = `${content.slice(0, 2)}/${content}/${object}`;
  const [size, modifiedAt] = [Number(sizeText), Number(timeText)];
  if (unique === undefined || !isMediaKey(key) || !Number.isSafeInteger(size + modifiedAt)) return undefined;
  const { size: found, mtimeMs } = await stat(path);
  return found === size ? [key, { size, modifiedAt, path, touchedAt: mtimeMs, heldUntil: 0 }] : undefined;
}

async function isWhole({ path, size }: CachedCopy): Promise<boolean> {
  return stat(path).then(
    (found) => found.size === size,
    () => false,
  );
}

/** @throws the error of the body or of the file system; nothing is left then */
async function writeCopy(path: string, size: number, body: Readable): Promise<void> {
  const draft = `${path}~draft`;
  await mkdir(join(path, '..'), { recursive: true, mode: 0o700 });
  const file = await open(draft, 'wx', 0o600);
  try {
    let written = 0;
    for await (const chunk of body) {
      const bytes: Buffer = chunk;
      await file.writeFile(bytes);
      written += bytes.length;
    }
    if (written !== size) throw new Error(`${written} of ${size} bytes have arrived`);
    await file.sync();
    await file.close();
    await rename(draft, path);
  } catch (error) {
    body.destroy();
    await file.close().catch(ignore);
    await rm(draft, { force: true });
    throw error;
  }
}

function ignore(): void {}
