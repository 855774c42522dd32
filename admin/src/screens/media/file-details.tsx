import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import * as forms from '../../api/generated/forms.ts';
import { queryClient } from '../../api/query-client.ts';
import { t, timeText } from '../../base/i18n/index.ts';
import { sizeText } from '../../base/i18n/size-text.ts';
import type { Command } from '../../commands/command.ts';
import { deleteFile, fileQuery, folders, type MediaFile, updateFile } from '../../content/files.ts';
import { usageQuery } from '../../content/usage.ts';
import type { EditorStore } from '../../editing/editor-store.ts';
import { EditorPanel } from '../../editing/frame/editor-panel.tsx';
import { type Editor, useEditor } from '../../editing/use-editor.ts';
import { useForm } from '../../editing/use-form.ts';
import { folderChoices } from '../../editors/files/folder-tree.ts';
import { deleteUsedCommand } from '../../kit/delete/delete-command.tsx';
import { UserList } from '../../kit/delete/user-list.tsx';
import { type InputProps, LongText, toWrapperProps } from '../../kit/form/field-input.tsx';
import { SchemaForm } from '../../kit/form/schema-form.tsx';
import { OpenFailure } from '../../kit/list/open-failure.tsx';
import { openDialog } from '../../ui/floating/dialogs.ts';
import { Facts } from '../../ui/values/facts.tsx';
import classes from './file-details.module.css';
import { FocalPoint } from './focal-point.tsx';
import { ReplaceFile } from './replace-file.tsx';

type OpenFile = NonNullable<Awaited<ReturnType<NonNullable<ReturnType<typeof fileQuery>['queryFn']>>>>;

export interface FileDetailsProps {
  readonly id: number;
  /** Address of the list without details. */
  readonly back: string;
}

/** A file: what it shows, where it lies, what uses it. */
export function FileDetails({ id, back }: FileDetailsProps) {
  const { data: file, error } = useQuery(fileQuery(id));
  const editor = useEditor<OpenFile>({
    kind: 'file',
    id,
    value: file,
    save: { id: 'file.save', label: 'media.saveFile' },
    requests: (store) => ({
      send: async ({ base_updated_at: _base, ...fields }) => ({
        ...store.base,
        ...(await updateFile(id, fields)),
      }),
      load: () => queryClient.fetchQuery({ ...fileQuery(id), staleTime: 0 }),
    }),
  });
  if (editor !== undefined) return <Details key={id} editor={editor} back={back} />;
  if (error === null) return null;
  const list = { name: t('nav.media'), path: back };
  return <OpenFailure error={error} missing={t('media.missing')} list={list} isPart />;
}

function Details({ editor, back }: { readonly editor: Editor<OpenFile>; readonly back: string }) {
  const { store } = editor;
  const file = useSyncExternalStore(store.subscribe, () => store.base);
  const { data: usage } = useQuery({ ...usageQuery('file', file.id), staleTime: 0 });
  const { id, name } = file;
  return (
    <EditorPanel
      editor={editor}
      title={name}
      back={back}
      gone={t('media.missing')}
      status={null}
      before={fileCommands(file)}
      deletion={deleteUsedCommand({ name: 'files', remove: deleteFile }, id, {
        kind: 'file',
        name,
        label: 'media.delete',
        submit: 'media.deleteFile',
        list: back,
      })}
    >
      {file.kind === 'image' ? <FocalPoint store={store} /> : null}
      <FileFields store={store} />
      <FileFacts file={file} />
      <section className={classes['part']}>
        <h3>{t('media.usage')}</h3>
        <UserList entries={usage?.usage ?? []} />
      </section>
    </EditorPanel>
  );
}

function fileCommands(file: OpenFile): readonly Command[] {
  const { url } = file;
  return [
    {
      id: 'file.open',
      label: 'media.open',
      icon: 'arrow-square-out',
      run: () => void window.open(url, '_blank', 'noopener'),
    },
    {
      id: 'file.copy',
      label: 'media.copyAddress',
      icon: 'copy',
      async run() {
        await navigator.clipboard?.writeText(new URL(url, location.href).href);
        return { message: t('media.copied') };
      },
    },
    {
      id: 'file.replace',
      label: 'media.replace',
      icon: 'arrows-clockwise',
      run: () => openDialog((onClose) => <ReplaceFile file={file} onClose={onClose} />),
    },
  ];
}

/** The alt text of an image, where the file lies, and who may see it. */
function FileFields({ store }: { readonly store: EditorStore<OpenFile> }) {
  const isImage = store.base.kind === 'image';
  return (
    <SchemaForm
      schema={forms.FileUpdate}
      texts="media.fields"
      layout={[{ if: () => isImage, show: ['alt'] }, 'name', 'folder_id', 'private']}
      inputs={fileInputs}
      {...useForm(store)}
    />
  );
}

const fileInputs = { alt: LongText, folder_id: FolderChoice };

function FolderChoice(props: InputProps) {
  const { data: all = [] } = folders.useList();
  return (
    <NativeSelect
      {...toWrapperProps(props)}
      data={folderChoices(all, t('media.noFolder')).slice()}
      value={String(props.value)}
      onChange={(event) => props.onChange(Number(event.currentTarget.value))}
    />
  );
}

/** What the server knows of a file. */
function FileFacts({ file }: { readonly file: MediaFile }) {
  const { mime, size, width, height, created_at, url } = file;
  return (
    <section className={classes['part']}>
      <h3>{t('media.facts')}</h3>
      <div className="small">
        <Facts
          facts={[
            [t('media.type'), mime],
            [t('media.size'), sizeText(size)],
            ...(width === null ? [] : [[t('media.dimensions'), `${width} × ${height}`] as const]),
            [t('media.uploaded'), timeText(created_at)],
            [t('media.address'), <code key="url">{url}</code>],
          ]}
        />
      </div>
    </section>
  );
}
