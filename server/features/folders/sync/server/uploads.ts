/** Files of a folder that a push sends before its change set. */
import type { FolderObject } from '../../format/content.ts';
import type { SyncOptions } from '../model.ts';
import type { IdentifiedObject, Uid } from '../objects/identity.ts';
import { type ApiClient, mapParallel, ServerError } from './api-client.ts';
import { ObjectRefused } from './object-refused.ts';

/** Uploads files. They are in the library at once, without being used. @throws ObjectRefused, ServerError */
export async function uploadFiles(
  client: ApiClient,
  files: readonly { readonly object: IdentifiedObject; readonly source: FolderObject }[],
  {
    pathOf,
    onProgress,
    onStored,
    isPrivate,
    isNew,
  }: {
    pathOf(key: string): string;
    onProgress: SyncOptions['onProgress'];
    /** Called for each file that is stored. */
    onStored(id: number): void;
    readonly isPrivate: boolean;
    /** Whether they are what the folder calls them, and not only bytes for others. */
    readonly isNew: boolean;
  },
): Promise<Map<Uid, number>> {
  const ids = new Map<Uid, number>();
  let done = 0;
  await mapParallel(files, async ({ object: { uid, fields }, source }) => {
    const answer = await client
      .upload('POST', '/files', pathOf(source.key), {
        filename: String(fields['name']),
        private: isPrivate || fields['private'] === true ? '1' : '0',
        ...(isNew ? { alt: String(fields['alt'] ?? ''), url: String(fields['url']) } : {}),
      })
      .catch((error: unknown) => {
        const isRefused = error instanceof ServerError && error.status >= 400 && error.status < 500;
        const isOurs = isRefused && error.status !== 401 && error.status !== 403;
        throw isOurs ? new ObjectRefused(uid, error.code, error.message) : error;
      });
    ids.set(uid, Number(answer['id']));
    onStored(Number(answer['id']));
    done += 1;
    onProgress?.({ step: 'upload', done, total: files.length });
  });
  return ids;
}
