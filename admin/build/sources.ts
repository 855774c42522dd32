import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const projectRoot = join(import.meta.dirname, '..', '..');

/** Paths of the files below a folder of the project, generated ones left out. */
export function filesBelow(folder: string, pattern: RegExp): string[] {
  return readdirSync(join(projectRoot, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => pattern.test(path) && !/(^|\/)generated\//.test(path))
    .sort()
    .map((path) => join(folder, path));
}

/** Hash of names and contents of files of the project. */
export function computeSourcesHash(files: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of files) hash.update(`${file}\0`).update(readFileSync(join(projectRoot, file)));
  return hash.digest('hex').slice(0, 16);
}
