import Type, { type Static } from 'typebox';
import type { DatabaseName } from '../../db/migrate.ts';
import { isMediaKey } from '../../storage/media-key.ts';

/** Version of the form of a backup. */
export const backupFormat = 1;

const Schema = Type.Integer({ minimum: 1 });

/** `manifest.json`, the last file of a backup. */
export const Manifest = Type.Object({
  format: Type.Literal(backupFormat),
  /** Of the program that has made it. */
  version: Type.String(),
  /** Unix seconds, as far as dates reach. */
  created_at: Type.Integer({ minimum: 0, maximum: 8_640_000_000_000 }),
  /** The number of the newest migration of each database. */
  schema: Type.Object({ content: Schema, activity: Schema }),
  /** What encrypts the stored secrets: the file `secret.key`, the variable `IC_ENCRYPTION_KEY`, or nothing so far. */
  secrets: Type.Enum(['file', 'variable', 'none']),
  /** Files whose bytes were not in the media storage. */
  missing: Type.Integer({ minimum: 0 }),
  /** SHA-256 of the list of hashes. */
  sums: Type.String({ pattern: '^[0-9a-f]{64}$' }),
});
export type Manifest = Static<typeof Manifest>;

export const manifestName = 'manifest.json';
/** The hash of each file, in the form that the program `sha256sum` checks. */
export const sumsName = 'SHA256SUMS';
/** In this order they are copied: what happened to visitors tells of content, never the other way round. */
export const databaseNames = ['activity', 'content'] as const satisfies readonly DatabaseName[];
/** The key that signs addresses of private files. */
export const mediaKeyName = 'media.key';

const mediaFolder = 'media/';

/** Name of the file with an object of the media storage. */
export function mediaName(key: string): string {
  return mediaFolder + key;
}

/** Whether a file of this name has an object of the media storage. */
export function isMediaName(name: string): boolean {
  return name.startsWith(mediaFolder) && isMediaKey(name.slice(mediaFolder.length));
}

/** Whether a backup may have a file of this name. */
export function isBackupName(name: string): boolean {
  return plainNames.has(name) || isMediaName(name);
}

/** Whether a backup may have a folder of this name; archives that were packed anew have them. */
export function isBackupFolder(name: string): boolean {
  return /^media\/(?:[0-9a-f]{2}\/(?:[0-9a-f]{32}\/)?)?$/.test(name);
}

const plainNames: ReadonlySet<string> = new Set([
  manifestName,
  sumsName,
  mediaKeyName,
  ...databaseNames.map((name) => `${name}.db`),
]);
