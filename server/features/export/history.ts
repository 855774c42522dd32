/**
 * Which files earlier exports had, so that `changed_since` can tell what is different. Kept in the cache folder: a
 * state that is not there any more only means that everything is exported again.
 */
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ExportedFile } from './exported-file.ts';

/** States that are kept; a state of 2,000 files takes about 100 KB. */
const maxStates = 50;
/** Files that are worked on in one turn of the event loop. */
const sliceSize = 1000;

/** The hash of an export: the same for the same files with the same content. @param files by name */
export async function hashOfExport(files: readonly ExportedFile[]): Promise<string> {
  const hash = createHash('sha256');
  for (let start = 0; start < files.length; start += sliceSize) {
    hash.update(linesOf(files.slice(start, start + sliceSize)));
    await nextTurn();
  }
  return hash.digest('base64url');
}

export class ExportHistory {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Keeps the state of an export. */
  async keep(hash: string, files: readonly ExportedFile[]): Promise<void> {
    await mkdir(this.#folder, { recursive: true });
    const path = join(this.#folder, randomUUID());
    const file = await open(path, 'wx', 0o600);
    try {
      for (let start = 0; start < files.length; start += sliceSize)
        await file.writeFile(linesOf(files.slice(start, start + sliceSize)));
    } finally {
      await file.close();
    }
    await rename(path, this.#pathOf(hash));
    await this.#dropOldest();
  }

  /** The hashes of the files of an earlier export by name; undefined if the state is not known. */
  async find(hash: string): Promise<ReadonlyMap<string, string> | undefined> {
    if (!/^[\w-]{43}$/.test(hash)) return undefined;
    const path = this.#pathOf(hash);
    if ((await stat(path).catch(() => undefined)) === undefined) return undefined;
    const files = new Map<string, string>();
    for await (const line of createInterface({
      input: createReadStream(path),
      crlfDelay: Number.POSITIVE_INFINITY,
    })) {
      const space = line.indexOf(' ');
      files.set(line.slice(space + 1), line.slice(0, space));
    }
    return files;
  }

  #pathOf(hash: string): string {
    return join(this.#folder, `${hash}.txt`);
  }

  async #dropOldest(): Promise<void> {
    const names = await readdir(this.#folder);
    if (names.length <= maxStates) return;
    const dated = await Promise.all(
      names.map(async (name) => {
        const path = join(this.#folder, name);
        const writtenMs = (await stat(path).catch(() => undefined))?.mtimeMs ?? 0;
        return { path, writtenMs };
      }),
    );
    dated.sort((left, right) => right.writtenMs - left.writtenMs);
    for (const { path } of dated.slice(maxStates)) await rm(path, { force: true });
  }
}

/** No name contains a line break. */
function linesOf(files: readonly ExportedFile[]): string {
  return files.map(({ entry, hash }) => `${hash} ${entry.name}\n`).join('');
}
