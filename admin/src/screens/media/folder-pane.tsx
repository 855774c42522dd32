import { NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { t } from '../../base/i18n/index.ts';
import { goTo } from '../../base/router/history.ts';
import { Link } from '../../base/router/link.tsx';
import { paths } from '../../base/router/paths.ts';
import { type Command, createDeletion } from '../../commands/command.ts';
import { CommandMenu } from '../../commands/command-button.tsx';
import { deleteFolder, type Folder, folders } from '../../content/files.ts';
import { folderChoices, folderRows } from '../../editors/files/folder-tree.ts';
import { CreateDialog } from '../../kit/form/create-dialog.tsx';
import { ListPane } from '../../kit/list/list-pane.tsx';
import { openDialog } from '../../ui/floating/dialogs.ts';
import { Icon } from '../../ui/icons/icon.tsx';
import classes from './folder-pane.module.css';

/** @param folder undefined: a new one */
function edit(folder: Folder | undefined, parent: number): void {
  openDialog((onClose) => <FolderDialog folder={folder} parent={parent} onClose={onClose} />);
}

/** The folders of the library. @param current ID, 0 = files without a folder, undefined = all files */
export function FolderPane({ current }: { readonly current: number | undefined }) {
  const { data: allFolders = [] } = folders.useList();
  const [query, setQuery] = useState('');
  const rows = folderRows(allFolders).filter(({ folder }) =>
    folder.name.toLowerCase().includes(query.toLowerCase()),
  );
  const commandsOf = (folder: Folder): readonly Command[] => [
    {
      id: 'folder.new',
      label: 'media.newFolder',
      icon: 'folder-plus',
      run: () => edit(undefined, folder.id),
    },
    {
      id: 'folder.rename',
      label: 'media.renameFolder',
      icon: 'pencil-simple',
      run: () => edit(folder, folder.parent_id),
    },
    createDeletion('folder.delete', 'media.deleteFolder', async () => {
      await deleteFolder(folder.id);
      if (current === folder.id) goTo(paths.media({ folder: folder.parent_id || undefined }));
      return { message: t('media.folderDeleted', { name: folder.name }) };
    }),
  ];
  return (
    <ListPane
      title={t('media.folders')}
      count={allFolders.length}
      add={{ label: t('media.newFolder'), run: () => edit(undefined, current ?? 0) }}
      filter={t('media.filterFolders')}
      query={query}
      onQuery={setQuery}
    >
      <ul className={classes['folders']}>
        <FolderLink label={t('media.all')} folder={undefined} current={current} icon="images" />
        <FolderLink label={t('media.noFolder')} folder={0} current={current} icon="file" />
        {rows.map(({ folder, level }) => (
          <FolderLink
            key={folder.id}
            label={folder.name}
            folder={folder.id}
            current={current}
            icon={folder.id === current ? 'folder-open' : 'folder'}
            level={query === '' ? level : 0}
            menu={
              <CommandMenu
                label={t('media.folderActions', { name: folder.name })}
                commands={commandsOf(folder)}
              />
            }
          />
        ))}
      </ul>
    </ListPane>
  );
}

interface FolderLinkProps {
  readonly label: string;
  readonly folder: number | undefined;
  readonly current: number | undefined;
  readonly icon: 'images' | 'file' | 'folder' | 'folder-open';
  readonly level?: number;
  readonly menu?: React.ReactNode;
}

function FolderLink({ label, folder, current, icon, level = 0, menu }: FolderLinkProps) {
  return (
    <li className={classes['row']} style={{ paddingInlineStart: level * 16 }}>
      <Link
        href={paths.media({ folder })}
        className={classes['link']}
        aria-current={folder === current ? 'page' : undefined}
      >
        <Icon name={icon} />
        <span className="cut">{label}</span>
      </Link>
      {menu}
    </li>
  );
}

interface FolderDialogProps {
  /** The folder to change; undefined: a new one is made. */
  readonly folder: Folder | undefined;
  readonly parent: number;
  onClose(): void;
}

/** Name and place of a folder. */
function FolderDialog({ folder, parent, onClose }: FolderDialogProps) {
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
