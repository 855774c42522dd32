/** Changes many files of a folder such that a kill leaves no half of it: the next run finishes what was begun. */
import { copyFile, mkdir, readdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { writeWhole } from '../../format/index.ts';
import { isFields } from '../../format/text-file.ts';

export interface FolderChanges {
  /** Texts by path. */
  readonly texts: ReadonlyMap<string, string>;
  /** Files with the bytes for a path. They are copied. */
  readonly copies: ReadonlyMap<string, string>;
  readonly deletions: readonly string[];
  /** Texts by absolute path, written last. */
  readonly notes: ReadonlyMap<string, string>;
}

interface Manifest {
  /** Name of the prepared file, and where it belongs. */
  readonly writes: readonly (readonly [string, string])[];
  readonly deletions: readonly string[];
}

/** Makes changes in a folder. @param pending where they are prepared, on the same file system */
export async function changeFolder(folder: string, pending: string, changes: FolderChanges): Promise<void> {
  await rm(pending, { recursive: true, force: true });
  await mkdir(pending, { recursive: true });
  const writes: [string, string][] = [];
  const prepare = async (target: string, write: (path: string) => Promise<void>) => {
    const name = String(writes.length);
    await write(join(pending, name));
    writes.push([name, target]);
  };
  for (const [path, text] of changes.texts)
    await prepare(join(folder, path), (prepared) => writeFile(prepared, text));
  for (const [path, source] of changes.copies)
    await prepare(join(folder, path), (prepared) => copyFile(source, prepared));
  for (const [path, text] of changes.notes) await prepare(path, (prepared) => writeFile(prepared, text));
  const deletions = changes.deletions.map((path) => join(folder, path));
  const manifest: Manifest = { writes, deletions };
  await writeWhole(join(pending, 'manifest.json'), JSON.stringify(manifest));
  await finishChanges(folder, pending);
}

/** Finishes changes that were prepared as a whole; forgets all others. */
export async function finishChanges(folder: string, pending: string): Promise<void> {
  const manifest = await readManifest(join(pending, 'manifest.json'));
  if (manifest !== undefined) {
    for (const path of manifest.deletions) await removeFile(folder, path);
    for (const [name, target] of manifest.writes) {
      await mkdir(dirname(target), { recursive: true });
      await rename(join(pending, name), target).catch(ignoreMissing);
    }
  }
  await rm(pending, { recursive: true, force: true });
}

/** Deletes a file, and the folders that are empty without it. */
async function removeFile(folder: string, path: string): Promise<void> {
  await rm(path, { force: true });
  for (let above = dirname(path); above.length > folder.length; above = dirname(above)) {
    const entries = await readdir(above).catch(() => ['gone']);
    if (entries.length > 0) return;
    await rmdir(above);
  }
}

async function readManifest(path: string): Promise<Manifest | undefined> {
  const text = await readFile(path, 'utf8').catch(ignoreMissing);
  const parsed: unknown = text === undefined ? undefined : JSON.parse(text);
  // Type boundary: only `changeFolder` writes this file, as a whole.
  return isFields(parsed) ? (parsed as unknown as Manifest) : undefined;
}

/** What is not there was moved before the kill. */
function ignoreMissing(error: unknown): undefined {
  if (error instanceof Error && Reflect.get(error, 'code') === 'ENOENT') return undefined;
  throw error;
}
