/** The files of the built admin, as `admin/build/main.ts` describes them in its manifest. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Folder of the built admin. */
export const adminBuildFolder = fileURLToPath(new URL('../../../admin/generated/app/', import.meta.url));

export type AdminEncoding = 'gzip' | 'br';

export interface AdminManifest {
  /** Identifies the built admin: a hash of all its files. */
  readonly build: string;
  /** Hash of the sources that it was built from. */
  readonly sources: string;
  /** Files by their path below `/cms-admin/`. */
  readonly files: Readonly<Record<string, AdminFile>>;
}

export interface AdminFile {
  /** Content type. */
  readonly type: string;
  /** Quoted entity tag of the content. */
  readonly etag: string;
  /** Whether the path contains the hash of the content. */
  readonly immutable: boolean;
  /** Encodings of which there is a prepared file besides the plain one. */
  readonly encodings: readonly AdminEncoding[];
}

/** Ends of the names of prepared files. */
export const encodingSuffix: Readonly<Record<AdminEncoding, string>> = { gzip: '.gz', br: '.br' };

/** The manifest of the built admin; undefined if the admin is not built, or not to its end. */
export function readAdminManifest(): AdminManifest | undefined {
  try {
    // Type boundary: admin/build/main.ts has written it. A check against a schema would take 5 % of each start.
    manifest ??= JSON.parse(readFileSync(join(adminBuildFolder, 'manifest.json'), 'utf8'));
    return manifest;
  } catch {
    return undefined;
  }
}

let manifest: AdminManifest | undefined;
