import { existsSync } from 'node:fs';
import { readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { takeReplacement } from '../../db/replacement.ts';
import { LocalStorage } from '../../storage/local.ts';
import { findOriginal } from '../media/originals.ts';

/**
 * Puts a restored state in its place if it is complete, and deletes what an interrupted restore has left. The data
 * directory must be locked, and its databases must not be open.
 *
 * @returns whether a restored state is in its place now
 */
export function finishRestore(dataDir: string): Promise<boolean> {
  return takeReplacement(dataDir, async (folder) => {
    await moveMedia(replacedMediaIn(folder), dataDir);
    const key = join(folder, 'media.key');
    if (existsSync(key)) await rename(key, join(dataDir, 'media.key'));
    // It tells of objects of the old state.
    await rm(join(dataDir, 'media-outage'), { force: true });
  });
}

/** Objects whose key has other bytes in the old state; each is a file that has the name of its content. */
export function replacedMediaIn(folder: string): string {
  return join(folder, 'media');
}

async function moveMedia(folder: string, dataDir: string): Promise<void> {
  if (!existsSync(folder)) return;
  const media = await LocalStorage.open(join(dataDir, 'media'));
  for (const content of await readdir(folder)) {
    const path = join(folder, content);
    const key = findOriginal(content);
    const { size } = await stat(path);
    if (key !== undefined) await media.put(key, { path, size, discard: () => rm(path, { force: true }) });
  }
}
