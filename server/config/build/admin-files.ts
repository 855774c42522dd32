/** The files of the built admin, as `admin/build/main.ts` describes them in its manifest. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Type, { type Static } from 'typebox';
import { Value } from 'typebox/value';

/** Folder of the built admin. */
export const adminBuildFolder = fileURLToPath(new URL('../../../admin/generated/app/', import.meta.url));

const encodings = ['gzip', 'br'] as const;
export type AdminEncoding = (typeof encodings)[number];

export const AdminManifest = Type.Object({
  /** Identifies the built admin: a hash of all its files. */
  build: Type.String(),
  /** Hash of the sources that it was built from. */
  sources: Type.String(),
  /** Files by their path below `/cms-admin/`. */
  files: Type.Record(
    Type.String(),
    Type.Object({
      /** Content type. */
      type: Type.String(),
      /** Quoted entity tag of the content. */
      etag: Type.String(),
      /** Whether the path contains the hash of the content. */
      immutable: Type.Boolean(),
      /** Encodings of which there is a prepared file besides the plain one. */
      encodings: Type.Array(Type.Enum(encodings)),
    }),
  ),
});
export type AdminManifest = Static<typeof AdminManifest>;
export type AdminFile = AdminManifest['files'][string];

/** Ends of the names of prepared files. */
export const encodingSuffix: Readonly<Record<AdminEncoding, string>> = { gzip: '.gz', br: '.br' };

/** The manifest of the built admin; undefined if the admin is not built. */
export function readAdminManifest(): AdminManifest | undefined {
  try {
    const text = readFileSync(join(adminBuildFolder, 'manifest.json'), 'utf8');
    return Value.Parse(AdminManifest, JSON.parse(text));
  } catch {
    return undefined;
  }
}
