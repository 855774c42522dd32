/**
 * Media as files below one folder. Symbolic links in it are never followed: an object behind one is not there.
 */
import { constants, type Stats } from 'node:fs';
import {
  copyFile,
  type FileHandle,
  lstat,
  mkdir,
  open,
  opendir,
  realpath,
  rename,
  rm,
  rmdir,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { FilePart } from '../base/file-part.ts';
import { syncFolder } from '../base/file-system.ts';
import { isMediaKey, type MediaKey } from './media-key.ts';
import type { StagedFile } from './staging.ts';
import type { ByteRange, ListedObject, MediaStorage, OpenedObject, StoredObject } from './storage.ts';

export class LocalStorage implements MediaStorage {
  readonly type = 'local';
  /** Without symbolic links, so that the real path of an object can be compared with its own path. */
  readonly #root: string;
  /** Folders directly below the root whose names are on disk; at most 256, and none is ever deleted. */
  readonly #synced = new Set<string>();

  private constructor(root: string) {
    this.#root = root;
  }

  /** Makes the folder if necessary; it may itself be a symbolic link, to another disk for example. */
  static async open(folder: string): Promise<LocalStorage> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return new LocalStorage(await realpath(folder));
  }

  async put(key: MediaKey, file: StagedFile): Promise<void> {
    const path = join(this.#root, key);
    // The removal of the last object of a content may take its folder away in between.
    const moved = (await this.#move(file, path)) || (await this.#move(file, path));
    if (!moved) throw new Error(`${file.path} could not be moved to ${path}`);
    await syncFolder(dirname(path));
  }

  /** False if the file or the folder was gone. */
  async #move(file: StagedFile, path: string): Promise<boolean> {
    const folder = dirname(path);
    await this.#makeFolder(folder);
    const found = await ifThere(() => realpath(folder));
    if (found !== undefined && found !== folder) throw new Error(`${folder} leads through a symbolic link`);
    return (await ifThere(() => moveFile(file.path, path).then(() => true))) ?? false;
  }

  /**
   * Makes the folder of a content. A name is on disk only when its folder is synced. The first object of a content is
   * stored before all others of it, but the folder above may just be made for another content.
   */
  async #makeFolder(folder: string): Promise<void> {
    const above = dirname(folder);
    const first = await mkdir(folder, { recursive: true, mode: 0o700 });
    if (first !== undefined) await syncFolder(above);
    if (this.#synced.has(above)) return;
    await syncFolder(this.#root);
    this.#synced.add(above);
  }

  async stat(key: MediaKey): Promise<StoredObject | undefined> {
    const found = await this.#plainFile(key);
    return found && { size: found.stats.size, modifiedAt: Math.floor(found.stats.mtimeMs) };
  }

  async open(key: MediaKey, range?: ByteRange): Promise<OpenedObject | undefined> {
    const path = await this.localCopy(key);
    if (path === undefined) return undefined;
    return ifThere(async () => {
      const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
      try {
        const { size, mtimeMs } = await file.stat();
        return { size, modifiedAt: Math.floor(mtimeMs), body: createFilePart(file, size, range) };
      } catch (error) {
        await file.close();
        throw error;
      }
    });
  }

  /** The object itself; undefined also if it is no plain file or lies behind a symbolic link. */
  async localCopy(key: MediaKey): Promise<string | undefined> {
    return (await this.#plainFile(key))?.path;
  }

  async remove(key: MediaKey): Promise<void> {
    const path = join(this.#root, key);
    const folder = dirname(path);
    if ((await ifThere(() => realpath(folder))) !== folder) return;
    await rm(path, { force: true });
    // The last object of a content takes the folder along; any other leaves it.
    await rmdir(folder).catch(ignore);
  }

  async *list(): AsyncGenerator<ListedObject> {
    for await (const prefix of foldersIn(this.#root)) {
      for await (const content of foldersIn(join(this.#root, prefix))) {
        yield* this.#objectsIn(`${prefix}/${content}`);
      }
    }
  }

  /** An object gets its name when it is complete; the start empties the folder of temporary files. */
  async removeUnfinished(): Promise<number> {
    return 0;
  }

  async #plainFile(key: MediaKey): Promise<{ readonly path: string; readonly stats: Stats } | undefined> {
    const path = join(this.#root, key);
    return ifThere(async () => {
      const stats = await lstat(path);
      return stats.isFile() && (await realpath(path)) === path ? { path, stats } : undefined;
    });
  }

  async *#objectsIn(folder: string): AsyncGenerator<ListedObject> {
    for await (const entry of entriesOf(join(this.#root, folder))) {
      const key = `${folder}/${entry.name}`;
      if (!entry.isFile() || !isMediaKey(key)) continue;
      const found = await this.stat(key);
      if (found !== undefined) yield { key, ...found };
    }
  }
}

/** A part of an open file; all of it without a range. The file is closed with it. */
export function createFilePart(file: FileHandle, size: number, range?: ByteRange): FilePart {
  const { start, end } = range ?? { start: 0, end: size - 1 };
  return new FilePart(file, start, end - start + 1);
}

async function* foldersIn(path: string): AsyncGenerator<string> {
  for await (const entry of entriesOf(path)) if (entry.isDirectory()) yield entry.name;
}

/** Yields nothing for a folder that is gone. */
async function* entriesOf(path: string) {
  const folder = await ifThere(() => opendir(path));
  if (folder !== undefined) yield* folder;
}

/** Moves a file, also to another disk: then by a copy beside its place, so that a reader never sees a part of it. */
async function moveFile(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EXDEV')) throw error;
    const copy = `${to}.part`;
    await copyFile(from, copy);
    const file = await open(copy, 'r+');
    await file.sync().finally(() => file.close());
    await rename(copy, to);
    await rm(from, { force: true });
  }
}

/** The result, or undefined if a file or folder is missing or a symbolic link stands in its place. */
async function ifThere<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP') return undefined;
    throw error;
  }
}

function ignore(): void {}
