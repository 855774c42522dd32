import { NativeSelect } from '@mantine/core';
import { t } from '../../base/i18n/index.ts';
import { goTo } from '../../base/router/history.ts';
import { paths } from '../../base/router/paths.ts';
import { type Folder, folders } from '../../content/files.ts';
import { folderChoices } from '../../editors/files/folder-tree.ts';
import { CreateDialog } from '../../kit/form/create-dialog.tsx';

export interface FolderDialogProps {
  /** The folder to change; undefined: a new one is made. */
  readonly folder: Folder | undefined;
  readonly parent: number;
  onClose(): void;
}

/** Name and place of a folder. */
export function FolderDialog({ folder, parent, onClose }: FolderDialogProps) {
  const { data: allFolders = [] } = folders.useList();
  const title = t(folder === undefined ? 'media.newFolder' : 'media.renameFolder');
  return (
    <CreateDialog
      title={title}
      submit={folder === undefined ? t('media.createFolder') : title}
      initial={{ name: folder?.name ?? '', parent_id: parent }}
      fields={['name']}
      more={({ body, faults, onChange }) => (
        <NativeSelect
          label={t('media.parentFolder')}
          data={folderChoices(allFolders, t('media.top')).slice()}
          value={String(body.parent_id)}
          error={faults['parent_id']}
          onChange={(event) => onChange({ parent_id: Number(event.currentTarget.value) })}
        />
      )}
      create={async (body) => {
        if (folder === undefined) goTo(paths.media({ folder: (await folders.create(body)).id }));
        else await folders.update(folder.id, body);
      }}
      onClose={onClose}
    />
  );
}
