import { Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { queryClient } from '../../api/query-client.ts';
import { useSession } from '../../api/session.ts';
import { text } from '../../base/i18n/index.ts';
import { goTo } from '../../base/router/history.ts';
import type { Command } from '../../commands/command.ts';
import { CommandButton, CommandMenu } from '../../commands/command-button.tsx';
import { useCommands } from '../../commands/registry.ts';
import { deleteFile, fileQuery, folders, updateFile } from '../../content/files.ts';
import { usageQuery } from '../../content/usage.ts';
import { discardCommand } from '../../editing/discard.ts';
import { DraftStrip } from '../../editing/draft-strip.tsx';
import { type EditorStore, useField, useIsChanged, useSaveState } from '../../editing/editor-store.ts';
import { FailedStrip } from '../../editing/failed-strip.tsx';
import { type OpenObject, useOpenObject } from '../../editing/open-object.ts';
import { saveChanges } from '../../editing/save.ts';
import { SaveStateText } from '../../editing/save-state-text.tsx';
import { folderChoices } from '../../editors/files/folder-tree.ts';
import { DeleteDialog } from '../../kit/delete/delete-dialog.tsx';
import { UserList } from '../../kit/delete/user-list.tsx';
import { OpenFailure } from '../../kit/list/open-failure.tsx';
import { SidePanel } from '../../ui/layout/side-panel.tsx';
import classes from './file-details.module.css';
import { FileFacts } from './file-facts.tsx';
import { FocalPoint } from './focal-point.tsx';
import { ReplaceFile } from './replace-file.tsx';

type OpenFile = NonNullable<Awaited<ReturnType<NonNullable<ReturnType<typeof fileQuery>['queryFn']>>>>;
type FileStore = EditorStore<OpenFile>;

export interface FileDetailsProps {
  readonly id: number;
  /** Address of the list without details. */
  readonly back: string;
}

/** A file: what it shows, where it lies, what uses it. */
export function FileDetails({ id, back }: FileDetailsProps) {
  const { t } = useTranslation();
  const { data: file, error } = useQuery(fileQuery(id));
  const { data: session } = useSession();
  const open = useOpenObject<OpenFile>(session?.user?.id ?? 0, 'file', id, file);
  if (open.store !== undefined) return <Details key={id} open={open} store={open.store} back={back} />;
  if (error === null) return null;
  const list = { name: t('nav.media'), path: back };
  return <OpenFailure error={error} missing={t('media.missing')} list={list} isPart />;
}

interface DetailsProps {
  readonly open: OpenObject<OpenFile>;
  readonly store: FileStore;
  readonly back: string;
}

function Details({ open, store, back }: DetailsProps) {
  const { t } = useTranslation();
  const file = useSyncExternalStore(store.subscribe, () => store.base);
  useIsChanged(store);
  const state = useSaveState(store);
  const [dialog, setDialog] = useState<'replace' | 'delete'>();
  const { data: usage } = useQuery({ ...usageQuery('file', file.id), staleTime: 0 });
  const commands = fileCommands(store, setDialog);
  useCommands([commands.save]);
  return (
    <SidePanel
      title={file.name}
      back={back}
      actions={
        <>
          <SaveStateText store={store} />
          <CommandButton command={commands.save} />
          <CommandMenu
            label={t('page.more')}
            commands={[commands.open, commands.copy, commands.replace, commands.discard, commands.remove]}
          />
        </>
      }
      strips={
        <>
          <DraftStrip {...open} />
          {state.kind === 'failed' && (
            <FailedStrip error={state.error} save={commands.save} saveAnyway={commands.save} />
          )}
        </>
      }
    >
      {file.kind === 'image' ? <FocalPoint store={store} /> : null}
      <FileFields store={store} />
      <FileFacts file={file} />
      <section className={classes['part']}>
        <h3>{t('media.usage')}</h3>
        <UserList entries={usage?.usage ?? []} />
      </section>
      {dialog === 'replace' && <ReplaceFile file={file} onClose={() => setDialog(undefined)} />}
      {dialog === 'delete' && (
        <DeleteDialog
          kind="file"
          id={file.id}
          name={file.name}
          submit={t('media.deleteFile')}
          remove={async (isOnlyUnused) => {
            await deleteFile(file.id, isOnlyUnused);
            goTo(back);
          }}
          onClose={() => setDialog(undefined)}
        />
      )}
    </SidePanel>
  );
}

function fileCommands(store: FileStore, openDialog: (dialog: 'replace' | 'delete') => void) {
  const { id, url } = store.base;
  return {
    save: {
      id: 'file.save',
      label: 'media.saveFile',
      icon: 'check',
      keys: 'mod+S',
      can: () => store.isChanged && store.state.kind !== 'saving',
      run: async () =>
        void (await saveChanges(store, {
          send: async ({ base_updated_at: _base, ...fields }) => ({
            ...store.base,
            ...(await updateFile(id, fields)),
          }),
          load: () => queryClient.fetchQuery({ ...fileQuery(id), staleTime: 0 }),
        })),
    },
    discard: discardCommand(store),
    open: {
      id: 'file.open',
      label: 'media.open',
      icon: 'arrow-square-out',
      run: () => void window.open(url, '_blank', 'noopener'),
    },
    copy: {
      id: 'file.copy',
      label: 'media.copyAddress',
      icon: 'copy',
      async run() {
        await navigator.clipboard?.writeText(new URL(url, location.href).href);
        return { message: text('media.copied') };
      },
    },
    replace: {
      id: 'file.replace',
      label: 'media.replace',
      icon: 'arrows-clockwise',
      run: () => openDialog('replace'),
    },
    remove: {
      id: 'file.delete',
      label: 'media.delete',
      icon: 'trash',
      tone: 'danger',
      run: () => openDialog('delete'),
    },
  } as const satisfies Record<string, Command>;
}

function FileFields({ store }: { readonly store: FileStore }) {
  const { t } = useTranslation();
  const { data: allFolders = [] } = folders.useList();
  const [name, setName] = useField(store, 'name');
  const [alt, setAlt] = useField(store, 'alt');
  const [folder, setFolder] = useField(store, 'folder_id');
  const [isPrivate, setPrivate] = useField(store, 'private');
  return (
    <>
      {store.base.kind === 'image' && (
        <Textarea
          label={t('fields.alt')}
          description={t('media.altHelp')}
          autosize
          minRows={2}
          value={alt}
          onChange={(event) => setAlt(event.currentTarget.value)}
        />
      )}
      <TextInput
        label={t('fields.name')}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <NativeSelect
        label={t('fields.folder_id')}
        data={folderChoices(allFolders, t('media.noFolder')).slice()}
        value={String(folder)}
        onChange={(event) => setFolder(Number(event.currentTarget.value))}
      />
      <Checkbox
        label={t('fields.private')}
        description={t('media.privateHelp')}
        checked={isPrivate}
        onChange={(event) => setPrivate(event.currentTarget.checked)}
      />
    </>
  );
}
