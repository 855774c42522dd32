/**
 * Puts the state of a backup into a data directory (`-restore`). What holds:
 *
 *  1. The archive may come from anyone: it is refused as a whole if anything of it is not what it must be.
 *  2. The new state is made beside the old one, which stays untouched until the new one is complete (`db/replacement.ts`).
 *     Media are stored under their keys at once, because nothing of the old state has them; one that it has with other
 *     bytes waits with the new state.
 *  3. Whatever fails or ends the process leaves the old state. Media without a row are deleted, now or by the next start.
 *  4. Only originals are in a backup, so all variants are to be written; media are local files then, because a bucket
 *     belongs to one server; and nobody is signed in, because sessions may have been ended since.
 */
import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { StartupError } from '../../base/startup-error.ts';
import type { Config } from '../../config/config.ts';
import { type DataDirLock, lockDataDir, lockForBackup } from '../../db/lock.ts';
import { ensureDirectory } from '../../db/open.ts';
import { beginReplacement, decideReplacement } from '../../db/replacement.ts';
import { ArchiveError } from '../../storage/archives/reader.ts';
import { BackupArchive } from './archive.ts';
import { adaptContent, prepareDatabase } from './databases.ts';
import { finishRestore } from './finish.ts';
import { RestoredMedia } from './media.ts';
import { databaseNames, type Manifest, mediaKeyName } from './model.ts';

export interface RestoreReport {
  readonly manifest: Manifest;
  /** Number of media. */
  readonly media: number;
}

/** Disk space beyond the files of the archive, in bytes: databases are brought to a new version. */
const spareBytes = 64 * 2 ** 20;

/**
 * Restores a backup. The data directory may have content only if `force` is true.
 *
 * @throws StartupError; the data directory has its old state then
 */
export async function restoreBackup(
  { dataDir, force }: Pick<Config, 'dataDir' | 'force'>,
  file: string,
): Promise<RestoreReport> {
  if (!existsSync(file)) throw new StartupError(`there is no file ${file}`);
  const locks: DataDirLock[] = [];
  let archive: BackupArchive | undefined;
  try {
    archive = await BackupArchive.open(file);
    ensureDirectory(dataDir);
    locks.push(lockDataDir(dataDir));
    locks.push(lockForBackup(dataDir));
    await finishRestore(dataDir);
    if (!force && databaseNames.some((name) => existsSync(join(dataDir, `${name}.db`))))
      throw new StartupError(
        `the data directory ${dataDir} has content: restore into a new one, or replace it with -force`,
      );
    await requireSpace(dataDir, archive.bytes + spareBytes);
    const media = await restore(dataDir, archive);
    return { manifest: archive.manifest, media };
  } catch (error) {
    if (error instanceof ArchiveError)
      throw new StartupError(`${file} is no backup that can be restored: ${error.message}`);
    if (error instanceof StartupError) throw error;
    throw new StartupError(`the restore failed: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  } finally {
    for (const lock of locks.reverse()) lock.release();
    archive?.close();
  }
}

/** @returns number of media */
async function restore(dataDir: string, archive: BackupArchive): Promise<number> {
  const folder = await beginReplacement(dataDir);
  const media = await RestoredMedia.open(dataDir, folder);
  try {
    for (const name of databaseNames) {
      const path = join(folder, `${name}.db`);
      await archive.unpack(`${name}.db`, path);
      prepareDatabase(name, path, archive.manifest.schema[name]);
    }
    if (archive.has(mediaKeyName)) await archive.unpack(mediaKeyName, join(folder, mediaKeyName));
    const count = await media.store(archive, join(folder, 'content.db'));
    await adaptContent(join(folder, 'content.db'));
    await decideReplacement(dataDir);
    media.keep();
    await finishRestore(dataDir);
    return count;
  } catch (error) {
    await media.takeBack();
    await finishRestore(dataDir);
    throw error;
  }
}

/** Objects that are there already count too, because only their hashes tell which they are. */
async function requireSpace(dataDir: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(dataDir);
  const free = bavail * bsize;
  if (free >= bytes) return;
  const [needed, there] = [bytes, free].map((size) => Math.ceil(size / 2 ** 20));
  throw new StartupError(
    `there is not enough room for the data directory ${dataDir}: ${needed} MB are needed, ${there} MB are free`,
  );
}
