/**
 * A new state of the data directory that takes the place of the one in use, as a whole. It lies in the folder `restore`
 * until then. What holds:
 *
 *  1. Until the file `complete` is in the folder, no file of the old state is touched, so whatever ends the process leaves
 *     the old state in use.
 *  2. From then on the new state counts: whoever locks the data directory next moves what is still in the folder.
 *  3. No process opens the databases in between.
 */
import { existsSync } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from '../base/file-system.ts';

/** Where the files of the new state are written. */
function replacementFolder(dataDir: string): string {
  return join(dataDir, 'restore');
}

/** Whether the new state is complete and not everything of it is in its place yet. */
export function isReplacementPending(dataDir: string): boolean {
  return existsSync(markerIn(dataDir));
}

/** Begins a new state. The data directory must be locked. */
export async function beginReplacement(dataDir: string): Promise<string> {
  const folder = replacementFolder(dataDir);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { mode: 0o700 });
  return folder;
}

/** Makes the new state the one that counts. All of its files must be synced. */
export async function decideReplacement(dataDir: string): Promise<void> {
  const folder = replacementFolder(dataDir);
  await syncFolder(folder);
  const marker = await open(markerIn(dataDir), 'wx', 0o600);
  await marker.sync().finally(() => marker.close());
  await syncFolder(folder);
  await syncFolder(dataDir);
}

/**
 * Puts a complete new state in the place of the old one, or deletes what there is of an incomplete one. The data directory
 * must be locked. It can be repeated after whatever has ended it.
 *
 * @param moveOthers moves what is no database
 * @returns whether there was a complete one
 */
export async function takeReplacement(
  dataDir: string,
  moveOthers: (folder: string) => Promise<void>,
): Promise<boolean> {
  const folder = replacementFolder(dataDir);
  const isComplete = isReplacementPending(dataDir);
  if (isComplete) {
    await moveOthers(folder);
    for (const name of ['activity.db', 'content.db'])
      await moveDatabase(join(folder, name), join(dataDir, name));
    await syncFolder(dataDir);
    await rm(markerIn(dataDir));
    await syncFolder(folder);
  }
  await rm(folder, { recursive: true, force: true });
  return isComplete;
}

/** A log that belongs to another database would damage this one, so it goes first. */
async function moveDatabase(from: string, to: string): Promise<void> {
  if (!existsSync(from)) return;
  for (const ending of ['-wal', '-shm', '-journal']) await rm(`${to}${ending}`, { force: true });
  await rename(from, to);
}

function markerIn(dataDir: string): string {
  return join(replacementFolder(dataDir), 'complete');
}
