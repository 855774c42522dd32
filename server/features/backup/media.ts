/** Media of a backup on their way into the data directory. */
import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from '../../base/file-system.ts';
import { Connection } from '../../db/connection.ts';
import type { ContentTables } from '../../db/tables.ts';
import { ArchiveError } from '../../storage/archives/reader.ts';
import { LocalStorage } from '../../storage/local.ts';
import { getContentId } from '../../storage/media-key.ts';
import { Staging } from '../../storage/staging.ts';
import { listOriginals, type Original } from '../media/originals.ts';
import type { BackupArchive } from './archive.ts';
import { replacedMediaIn } from './finish.ts';
import { mediaName } from './model.ts';

export class RestoredMedia {
  readonly #local: LocalStorage;
  readonly #staging: Staging;
  /** Where objects wait whose keys have other bytes now. */
  readonly #replaced: string;
  #added: Original[] = [];

  private constructor(local: LocalStorage, staging: Staging, replaced: string) {
    this.#local = local;
    this.#staging = staging;
    this.#replaced = replaced;
  }

  /** @param folder of the new state; the data directory must be locked */
  static async open(dataDir: string, folder: string): Promise<RestoredMedia> {
    const replaced = replacedMediaIn(folder);
    await mkdir(replaced, { mode: 0o700 });
    const local = await LocalStorage.open(join(dataDir, 'media'));
    const staging = await Staging.open(join(dataDir, 'media', '.staging'));
    return new RestoredMedia(local, staging, replaced);
  }

  /**
   * Stores the originals of all files.
   *
   * @param database with the rows of the files
   * @returns their number
   * @throws ArchiveError if the archive lacks one, or has one of no file
   */
  async store(archive: BackupArchive, database: string): Promise<number> {
    const db = new Connection<ContentTables>(database, { readonly: true });
    try {
      await refuseOthers(archive, db);
      let count = 0;
      for await (const original of listOriginals(db)) {
        if (!archive.has(mediaName(original.key))) continue;
        await this.#put(original, archive);
        count += 1;
      }
      await syncFolder(this.#replaced);
      return count;
    } finally {
      db.close();
    }
  }

  /** The new state counts: nothing is taken back any more. */
  keep(): void {
    this.#added = [];
  }

  /** Deletes what was stored. */
  async takeBack(): Promise<void> {
    for (const { key } of this.#added) await this.#local.remove(key);
    this.#added = [];
  }

  async #put(original: Original, archive: BackupArchive): Promise<void> {
    const { key } = original;
    const name = mediaName(key);
    const before = await this.#hashNow(original);
    if (before === archive.hashOf(name)) {
      await archive.verify(name);
      return;
    }
    if (before !== undefined) {
      await archive.unpack(name, join(this.#replaced, getContentId(key)));
      return;
    }
    const writer = await this.#staging.create();
    try {
      for await (const part of archive.read(name)) await writer.write(part);
    } catch (error) {
      await writer.discard();
      throw error;
    }
    this.#added.push(original);
    await this.#local.put(key, await writer.finish());
  }

  /** SHA-256 of the bytes that a key has; undefined if it has none. */
  async #hashNow({ key }: Original): Promise<string | undefined> {
    const opened = await this.#local.open(key);
    if (opened === undefined) return undefined;
    const hash = createHash('sha256');
    for await (const part of opened.body) hash.update(part);
    return hash.digest('hex');
  }
}

async function refuseOthers(archive: BackupArchive, db: Connection<ContentTables>): Promise<void> {
  const { mediaCount, manifest } = archive;
  let found = 0;
  let missing = 0;
  for await (const { key, path } of listOriginals(db)) {
    if (archive.has(mediaName(key))) found += 1;
    else missing += 1;
    if (missing > manifest.missing)
      throw new ArchiveError(`the bytes of ${JSON.stringify(path)} are missing`);
  }
  if (found !== mediaCount) throw new ArchiveError('it has media that belong to no file');
}
