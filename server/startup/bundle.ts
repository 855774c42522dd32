/** Which code the server starts from: the bundles if they are current, else the sources. See build.ts. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

export const projectRoot = join(import.meta.dirname, '..', '..');
export const bundleFolder = join(projectRoot, 'server', 'generated');
export const manifestFile = join(bundleFolder, 'bundle.json');

/** Name of each bundle and the source it begins with. */
export const bundles = { server: 'server/commands.ts', worker: 'runtime/worker.ts' } as const;

export interface Manifest {
  /** Where the project lay when the bundles were made; they hold paths of files beside the sources. */
  readonly root: string;
  readonly node: string;
  /** Every source with the time of its last change, in milliseconds. */
  readonly files: readonly (readonly [path: string, mtimeMs: number])[];
}

export interface Entry {
  readonly server: string;
  readonly worker: string;
}

/** Paths of the bundles, undefined if there are none or a source has changed. */
export function currentBundle(): Entry | undefined {
  try {
    // Written by build.ts; a damaged file fails one of the tests below.
    const manifest: Manifest = JSON.parse(readFileSync(manifestFile, 'utf8'));
    if (manifest.root !== projectRoot || manifest.node !== process.version) return undefined;
    const changed = manifest.files.some(
      ([path, mtimeMs]) => statSync(join(projectRoot, path)).mtimeMs !== mtimeMs,
    );
    return changed ? undefined : pathsIn(bundleFolder, (name) => `${name}.mjs`);
  } catch {
    return undefined;
  }
}

/** Paths of the sources. */
export function sources(): Entry {
  return pathsIn(projectRoot, (name) => bundles[name]);
}

function pathsIn(folder: string, file: (name: keyof typeof bundles) => string): Entry {
  return { server: join(folder, file('server')), worker: join(folder, file('worker')) };
}
