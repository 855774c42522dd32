import { NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { goTo } from '../../base/router/history.ts';
import { paths } from '../../base/router/paths.ts';
import { type Folder, folders } from '../../content/files.ts';
import { folderChoices } from '../../editors/files/folder-tree.ts';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import { FormText } from '../../kit/form/form-text.tsx';
import { useSending } from '../../kit/form/sending.ts';

export interface FolderDialogProps {
  /** The folder to change; without it a new one is made. */
  readonly folder?: Folder;
  readonly parent: number;
  onClose(): void;
}

/** Name and place of a folder. */
export function FolderDialog({ folder, parent, onClose }: FolderDialogProps) {
  const { t } = useTranslation();
  const { data: allFolders = [] } = folders.useList();
  const [name, setName] = useState(folder?.name ?? '');
  const [place, setPlace] = useState(parent);
  const sending = useSending(async () => {
    if (folder === undefined)
      goTo(paths.media({ folder: (await folders.create({ name, parent_id: place })).id }));
    else await folders.update(folder.id, { name, parent_id: place });
    onClose();
  });
  const title = t(folder === undefined ? 'media.newFolder' : 'media.renameFolder');
  return (
    <FormDialog
      title={title}
      submit={folder === undefined ? t('media.createFolder') : title}
      sending={sending}
      onClose={onClose}
    >
      <FormText
        isFirst
        label={t('fields.name')}
        value={name}
        error={sending.faults['name']}
        onChange={setName}
      />
      <NativeSelect
        label={t('media.parentFolder')}
        data={folderChoices(allFolders, t('media.top')).slice()}
        value={String(place)}
        error={sending.faults['parent_id']}
        onChange={(event) => setPlace(Number(event.currentTarget.value))}
      />
    </FormDialog>
  );
}
