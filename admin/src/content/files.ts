import { queryOptions } from '@tanstack/react-query';
import { api, requireData } from '../api/client.ts';
import { followChanges } from '../api/feeds.ts';
import type { FileUpdate, Folder, File as MediaFile } from '../api/generated/schema.ts';
import { type Paged, readPart, usePaged } from '../api/paged.ts';
import { queryClient } from '../api/query-client.ts';
import { Resource } from '../api/resource.ts';
import type { Range } from '../base/range.ts';

followChanges(['file', 'import'], 'files');

export const folders = new Resource('/folders', { feeds: ['folder', 'import'] });

export type { FileUpdate, Folder, MediaFile };
export type FileKind = MediaFile['kind'];
export const fileKinds = ['image', 'video', 'audio', 'document', 'font', 'other'] as const;

/** Which files a list shows. */
export interface FileFilter {
  /** Undefined: of all folders; 0: without a folder. */
  readonly folder?: number | undefined;
  readonly kind?: FileKind | undefined;
  readonly query: string;
}

export function useFiles({ folder, kind, query }: FileFilter, range: Range): Paged<MediaFile> {
  const filter = {
    ...(folder === undefined ? {} : { folder_id: folder }),
    ...(kind === undefined ? {} : { kind }),
    ...(query === '' ? {} : { q: query }),
  };
  return usePaged(
    ['files', 'list', filter],
    ({ signal, ...place }) =>
      readPart(api.GET('/files', { params: { query: { ...filter, ...place } }, signal })),
    range,
  );
}

export function fileQuery(id: number) {
  return queryOptions({
    queryKey: ['files', 'file', id],
    queryFn: ({ signal }) => requireData(api.GET('/files/{id}', { params: { path: { id } }, signal })),
  });
}

export async function updateFile(id: number, body: FileUpdate): Promise<MediaFile> {
  const file = await requireData(api.PUT('/files/{id}', { params: { path: { id } }, body }));
  await filesChanged();
  return file;
}

export async function deleteFile(id: number, isOnlyUnused: boolean): Promise<void> {
  const query = isOnlyUnused ? { if_unused: true } : {};
  await requireData(api.DELETE('/files/{id}', { params: { path: { id }, query } }));
  await filesChanged();
}

/** What is in the folder moves one level up. */
export async function deleteFolder(id: number): Promise<void> {
  await folders.remove(id);
  await filesChanged();
}

export function filesChanged(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: ['files'] });
}
