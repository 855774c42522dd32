import { fileOfMedia } from '../../../runtime/export/files.ts';
import type { ContentSnapshots } from '../../db/tables.ts';
import type { PublicMedia } from '../media/index.ts';
import type { ExportedFile } from './exported-file.ts';

/** The media of an export. */
export interface ExportedMedia {
  readonly files: readonly ExportedFile[];
  /** In bytes. */
  readonly bytes: number;
  /** Addresses that do not exist. */
  readonly missing: readonly string[];
  /** Number of private files that are left out. */
  readonly privateCount: number;
}

/** Files that are looked up at the same time. */
const concurrency = 32;

/**
 * Finds the objects of media.
 *
 * @param used addresses by the name of their exported file
 */
export async function findMedia(
  media: PublicMedia,
  used: ReadonlyMap<string, string>,
): Promise<ExportedMedia> {
  const files: ExportedFile[] = [];
  const missing: string[] = [];
  const hidden = new Set<string>();
  let bytes = 0;
  const waiting = used.entries();
  const work = async (): Promise<void> => {
    for (const [name, address] of waiting) {
      const found = await media.find(address);
      if (found === 'missing') missing.push(address);
      else if (found === 'private') hidden.add(address.replace(/\?.*/s, ''));
      else {
        const { key, size } = found;
        bytes += size;
        files.push({
          entry: { name, packedBytes: size, bytes: size, isDeflated: false, crc: undefined },
          hash: key,
          source: { kind: 'media', key },
        });
      }
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return { files, bytes, missing: missing.sort(), privateCount: hidden.size };
}

/** The addresses of all files of the library by the names of their exported files. */
export async function allMedia(
  snapshots: ContentSnapshots,
  media: PublicMedia,
): Promise<Map<string, string>> {
  const all = new Map<string, string>();
  await snapshots.read(async (db) => {
    for await (const slice of media.list(db))
      for (const { path } of slice) {
        const file = fileOfMedia(`/media/${path}`);
        if (file !== undefined) all.set(file, `/media/${path}`);
      }
  });
  return all;
}
