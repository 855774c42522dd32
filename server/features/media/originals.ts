/** Files without their variants: what has to be kept of them, because everything else can be made again. */
import type { ContentDb } from '../../db/tables.ts';
import { isContentId, type MediaKey } from '../../storage/media-key.ts';
import { originalKey } from './objects.ts';
import { forgetVariants, listFilesAfter } from './store.ts';

export interface Original {
  /** Address below /media/. */
  readonly path: string;
  readonly key: MediaKey;
  /** In bytes. */
  readonly size: number;
}

const filesPerSlice = 500;

/** The originals of all files by their IDs. @throws Error if a row names no content, which nothing writes */
export async function* listOriginals(db: ContentDb): AsyncGenerator<Original> {
  for (let last = 0; ; ) {
    const files = await listFilesAfter(db, last, filesPerSlice);
    for (const file of files) yield { path: file.path, key: originalKey(file), size: file.size };
    if (files.length < filesPerSlice) return;
    last = files.at(-1)?.id ?? last;
  }
}

/** The key of the original of a content; undefined for a text that is none. */
export function findOriginal(content: string): MediaKey | undefined {
  return isContentId(content) ? originalKey({ content }) : undefined;
}

/** Lets the next start of the server write all variants, because only the originals are there. */
export function remakeVariants(db: ContentDb): Promise<void> {
  return forgetVariants(db);
}
