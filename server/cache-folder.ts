/**
 * Keeps a folder of things that can be made again (compiled templates, minified assets) from growing for ever: what was
 * written longest ago goes when there is too much. Whoever uses the folder takes a missing file for one not made yet.
 */
import type { Dirent } from 'node:fs';
import { opendir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from './log.ts';

const maxBytes = 512 * 2 ** 20;

/** How much stays when it was too much, so that the next look finds nothing to do for a while. */
const keptShare = 0.75;

const intervalMs = 60 * 60 * 1000;

/** Looks once an hour, from the first hour on. Ends with `close`. */
export function watchCacheFolder(folder: string, log: Log): { close(): void } {
  const timer = setInterval(() => {
    trimFolder(folder, maxBytes).catch((error: unknown) => {
      log.error({ err: error, folder }, 'the cache folder could not be looked through');
    });
  }, intervalMs).unref();
  return { close: () => clearInterval(timer) };
}

/** Takes the oldest files away if there are more bytes than `limitBytes`, down to three quarters of that. */
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
      // A file may be replaced or gone by now.
      const found = await stat(path).catch(() => undefined);
      if (found !== undefined) files.push({ path, size: found.size, writtenMs: found.mtimeMs });
    }
  }
}

/** Nothing for a folder that nobody has written to yet. */
async function* entriesOf(folder: string): AsyncGenerator<Dirent> {
  try {
    yield* await opendir(folder);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
}
