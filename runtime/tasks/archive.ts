import { readFile } from 'node:fs/promises';
import { type Archive, type ArchivedPart, createArchive } from '../page/mhtml.ts';
import type { ArchiveTask } from './messages/documents.ts';

/** Joins a document and the files it shows to a single file. A file that is gone meanwhile is left out. */
export async function archiveTask({ html, title, url, now, files }: ArchiveTask): Promise<Archive> {
  const parts: ArchivedPart[] = [];
  for (const { location, mime, file } of files) {
    const bytes = await readFile(file).catch(() => undefined);
    if (bytes !== undefined) parts.push({ location, mime, bytes });
  }
  return createArchive({ html, title, url, date: new Date(now) }, parts);
}
