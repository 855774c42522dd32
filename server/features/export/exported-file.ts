import type { PublicMedia } from '../media/index.ts';
import type { ZipEntry } from './zip.ts';

/** Where the packed bytes of a file are. */
type FileSource =
  /** In a temporary file, from `start` on. */
  | { readonly kind: 'spool'; readonly path: string; readonly start: number }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'media'; readonly key: Parameters<PublicMedia['open']>[0] };

export interface ExportedFile {
  readonly entry: ZipEntry;
  /** Tells different contents apart. */
  readonly hash: string;
  readonly source: FileSource;
}
