/**
 * Limits the size of a folder of files that can be made again (compiled templates, minified assets). When the
 * folder is too large, the oldest files are deleted. Code that uses the folder must treat a missing file like
 * a file that was not made yet.
 */
import type { Dirent } from 'node:fs';
import { opendir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '../base/log.ts';

const maxBytes = 512 * 2 ** 20;

/** Share of the limit that remains after a cleanup, so that the next checks find nothing to delete. */
const keptShare = 0.75;

const intervalMs = 60 * 60 * 1000;

/** Checks the folder once an hour, for the first time after one hour. `close` ends the checks. */
export function watchCacheFolder(folder: string, log: Log): { close(): void } {
  const timer = setInterval(() => {
    trimFolder(folder, maxBytes).catch((error: unknown) => {
      log.error({ err: error, folder }, 'the cache folder could not be looked through');
    });
  }, intervalMs).unref();
  return { close: () => clearInterval(timer) };
}

/** Deletes the oldest files of a folder above `limitBytes`, until three quarters of the limit remain. */
export async function trimFolder(folder: string, limitBytes: number): Promise<void> {
  const files: CachedFile[] = [];
  await collectFiles(folder, files);
  let bytes = files.reduce((sum, { size }) => sum + size, 0);
  if (bytes <= limitBytes) return;
  files.sort((a, b) => a.writtenMs - b.writtenMs);
  for (const { path, size } of files) {
    if (bytes <= limitBytes * keptShare) return;
    await rm(path, { force: true });
    bytes -= size;
  }
}

interface CachedFile {
  readonly path: string;
  readonly size: number;
  readonly writtenMs: number;
}

async function collectFiles(folder: string, files: CachedFile[]): Promise<void> {
  for await (const entry of entriesOf(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await collectFiles(path, files);
    else {
      // The file may have been replaced or deleted meanwhile.
      const found = await stat(path).catch(() => undefined);
      if (found !== undefined) files.push({ path, size: found.size, writtenMs: found.mtimeMs });
    }
  }
}

/** Yields nothing if the folder does not exist yet. */
async function* entriesOf(folder: string): AsyncGenerator<Dirent> {
  try {
    yield* await opendir(folder);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
}
