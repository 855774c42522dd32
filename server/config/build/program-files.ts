/** Selects the code to start: the bundles if they are current, else the sources. See build.ts. */
import { readFileSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';

export const projectRoot = join(import.meta.dirname, '..', '..', '..');
const bundleFolderOf = (root: string): string => join(root, 'server', 'generated');
export const bundleFolder = bundleFolderOf(projectRoot);
const manifestOf = (root: string): string => join(bundleFolderOf(root), 'bundle.json');
export const manifestFile = manifestOf(projectRoot);

/** Name of each bundle and its entry file. */
export const bundles = {
  bundle: 'server/config/build/program-files.ts',
  main: 'server/main.ts',
  server: 'server/commands.ts',
  worker: 'runtime/worker.ts',
  images: 'runtime/image-worker.ts',
  parser: 'server/features/imports/parsing/worker.ts',
  thread: 'server/http/exchange/threads/thread.ts',
  statistics: 'server/features/statistics/counting/thread.ts',
  sandbox: 'server/processes/sandbox/child.ts',
  program: 'server/program/main.ts',
  csv: 'server/http/csv/thread.ts',
  passwords: 'server/features/auth/passwords/thread.ts',
  engine: 'runtime/engine.ts',
} as const;

export interface Manifest {
  /** Folder of the project when the bundles were made; they contain absolute paths of files. */
  readonly root: string;
  readonly node: string;
  /** Every source with the time of its last change, in milliseconds. */
  readonly files: readonly (readonly [path: string, mtimeMs: number])[];
}

export interface EntryFiles {
  /** Of the command line. */
  readonly main: string;
  /** Of its commands. */
  readonly server: string;
  /** Of the processes that render pages. */
  readonly worker: string;
  /** Of the processes that make images. */
  readonly images: string;
  /** Of the processes that read what other websites send. */
  readonly parser: string;
  /** Of the threads of the front. */
  readonly thread: string;
  /** Of the thread that counts visits. */
  readonly statistics: string;
  /** Of the processes that run the code of function and custom nodes. */
  readonly sandbox: string;
  /** Of the program `incipit`. */
  readonly program: string;
}

/**
 * Paths of the bundles, undefined if there are none or a source has changed. Below `node_modules` Node.js removes no
 * types, so an installed package always runs its bundles.
 *
 * @param root folder of the project
 */
export function currentBundle(root: string = projectRoot): EntryFiles | undefined {
  if (root.split(sep).includes('node_modules')) return pathsIn(bundleFolderOf(root), (name) => `${name}.mjs`);
  try {
    // Type boundary: build.ts writes this file; a damaged file fails one of the checks below.
    const manifest: Manifest = JSON.parse(readFileSync(manifestOf(root), 'utf8'));
    if (manifest.root !== root || manifest.node !== process.version) return undefined;
    const changed = manifest.files.some(([path, mtimeMs]) => statSync(join(root, path)).mtimeMs !== mtimeMs);
    return changed ? undefined : pathsIn(bundleFolderOf(root), (name) => `${name}.mjs`);
  } catch {
    return undefined;
  }
}

/** Paths of the sources. */
export function sources(): EntryFiles {
  return pathsIn(projectRoot, (name) => bundles[name]);
}

function pathsIn(folder: string, file: (name: keyof typeof bundles) => string): EntryFiles {
  return {
    main: join(folder, file('main')),
    server: join(folder, file('server')),
    worker: join(folder, file('worker')),
    images: join(folder, file('images')),
    parser: join(folder, file('parser')),
    thread: join(folder, file('thread')),
    statistics: join(folder, file('statistics')),
    sandbox: join(folder, file('sandbox')),
    program: join(folder, file('program')),
  };
}
