import { queryOptions } from '@tanstack/react-query';
import { api, requireData } from '../../../api/client.ts';
import type { Backup, ImportReport } from '../../../api/generated/schema.ts';
import { queryClient } from '../../../api/query-client.ts';
import { confirmation } from '../../../api/renewal/confirmation.ts';
import { sendForm } from '../../../api/send-form.ts';
import type { ContentChanges } from '../../../content/jobs/connections.ts';

export type { Backup };

export const bundleInfoQuery = queryOptions({
  queryKey: ['bundles', 'info'],
  queryFn: () => requireData(api.GET('/bundle/info')),
});

export const backupsQuery = queryOptions({
  queryKey: ['bundles', 'backups'],
  queryFn: () => requireData(api.GET('/bundle/backups')),
});

/** Address of a backup as a file. */
export function backupAddress(name: string): string {
  return `/api/v1/bundle/backups/${encodeURIComponent(name)}`;
}

export async function backUp(): Promise<Backup> {
  const backup = await requireData(api.POST('/bundle/backups'));
  await backupsChanged();
  return backup;
}

export async function deleteBackup(name: string): Promise<void> {
  await requireData(api.DELETE('/bundle/backups/{name}', { params: { path: { name } } }));
  await backupsChanged();
}

/** What a restore would do. */
export async function previewRestore(name: string): Promise<ContentChanges> {
  return changesIn(await restoreRequest(name, true));
}

/** Makes the content that of a backup. Resolves with the name of the backup of the state before. */
export async function restore(name: string): Promise<string> {
  return (await restoreRequest(name, false)).backup ?? '';
}

/** What an import of a bundle would do. */
export async function previewImport(
  file: File,
  onProgress: (share: number) => void,
): Promise<ContentChanges> {
  return changesIn(await importRequest(file, '?dry_run=1', onProgress));
}

/** Makes the content that of a bundle. Resolves with the name of the backup of the state before. */
export async function importBundle(file: File, onProgress: (share: number) => void): Promise<string> {
  return (await importRequest(file, '', onProgress)).backup ?? '';
}

function restoreRequest(name: string, isTrial: boolean): Promise<ImportReport> {
  const params = { path: { name }, query: { dry_run: isTrial } };
  return requireData(api.POST('/bundle/backups/{name}', { params }));
}

async function importRequest(
  file: File,
  query: string,
  onProgress: (share: number) => void,
): Promise<ImportReport> {
  const form = new FormData();
  form.append('file', file, file.name);
  // Type boundary: the answer to a bundle is a report.
  return (await sendForm(`/bundle${query}`, form, { onProgress })) as ImportReport;
}

function changesIn({ kinds = {} }: ImportReport): ContentChanges {
  return kinds;
}

function backupsChanged(): Promise<void> {
  return queryClient.invalidateQueries(backupsQuery);
}

/**
 * Asks who it is before a download, if that is long ago: a link shows no dialog.
 *
 * @returns whether the download may begin
 */
export async function confirmDownload(): Promise<boolean> {
  const { confirmed_until: until } = await requireData(api.GET('/auth/confirm'));
  return until * 1000 > Date.now() || confirmation.wait();
}
