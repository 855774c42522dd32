import { NativeSelect } from '@mantine/core';
import { ApiFailure } from '../../api/failure.ts';
import { t } from '../../base/i18n/index.ts';
import { createDeletion } from '../../commands/command.ts';
import { CommandButton } from '../../commands/command-button.tsx';
import { runCommand } from '../../commands/run.ts';
import { deleteFile, folders, type MediaFile, updateFile } from '../../content/files.ts';
import { folderChoices } from '../../editors/files/folder-tree.ts';
import { tellDeleted } from '../../kit/delete/tell-deleted.ts';
import { showToast } from '../../ui/messages/toasts.ts';
import { BulkBar } from '../../ui/rows/bulk-bar.tsx';

/** What can be done with several files at once. Files in use are named and stay. */
export function SelectionBar({ files, onDone }: { readonly files: readonly MediaFile[]; onDone(): void }) {
  const { data: allFolders = [] } = folders.useList();
  const move = (folder: number) =>
    runCommand({
      id: 'media.move',
      label: 'media.moveTo',
      icon: 'folder',
      async run() {
        for (const { id } of files) await updateFile(id, { folder_id: folder });
        onDone();
        return {
          message: t('media.moved', { count: files.length }),
          undo: async () => {
            for (const { id, folder_id } of files) await updateFile(id, { folder_id });
          },
        };
      },
    });
  return (
    <BulkBar count={files.length} onClear={onDone}>
      <NativeSelect
        size="xs"
        aria-label={t('media.moveTo')}
        data={[{ value: '', label: t('media.moveTo') }, ...folderChoices(allFolders, t('media.noFolder'))]}
        value=""
        onChange={(event) => void move(Number(event.currentTarget.value))}
      />
      <CommandButton
        variant="default"
        size="compact-sm"
        command={createDeletion('media.delete', 'media.deleteFile', async () => {
          await deleteUnused(files);
          onDone();
        })}
      />
    </BulkBar>
  );
}

/** Deletes the files that nothing uses, and tells which ones stay. */
async function deleteUnused(files: readonly MediaFile[]): Promise<void> {
  const used: string[] = [];
  for (const { id, name } of files) {
    try {
      await deleteFile(id, true);
    } catch (error) {
      if (!(error instanceof ApiFailure) || error.code !== 'common.inUse') throw error;
      used.push(name);
    }
  }
  if (used.length > 0)
    showToast({ tone: 'failed', message: t('media.notDeleted', { names: used.join(', ') }) });
  const count = files.length - used.length;
  if (count > 0) await tellDeleted(t('media.deleted', { count }));
}
