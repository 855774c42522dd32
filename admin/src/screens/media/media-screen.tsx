import { Button, NativeSelect, SegmentedControl } from '@mantine/core';
import { useDebouncedValue, useLocalStorage } from '@mantine/hooks';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { t } from '../../base/i18n/index.ts';
import { goTo } from '../../base/router/history.ts';
import { paths } from '../../base/router/paths.ts';
import { useCommands } from '../../commands/registry.ts';
import { type FileKind, fileKinds, folders, type MediaFile } from '../../content/files.ts';
import { DropZone } from '../../editors/files/drop-zone.tsx';
import { FileList, type FileView } from '../../editors/files/file-list.tsx';
import { folderChoices } from '../../editors/files/folder-tree.ts';
import { uploadFiles } from '../../editors/files/uploads.ts';
import { WithDetail } from '../../kit/list/with-detail.tsx';
import { openDialog } from '../../ui/floating/dialogs.ts';
import { Icon } from '../../ui/icons/icon.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { SplitPane } from '../../ui/layout/split-pane.tsx';
import { useMedia } from '../../ui/layout/use-media.ts';
import { SearchInput } from '../../ui/rows/search-input.tsx';
import { UploadButton } from '../../ui/values/upload-button.tsx';
import { CleanupDialog } from './cleanup-dialog.tsx';
import { FileDetails } from './file-details.tsx';
import { FolderPane } from './folder-pane.tsx';
import classes from './media-screen.module.css';
import { SelectionBar } from './selection-bar.tsx';

/** The library of files: folders, files, and the details of one. */
export function MediaScreen() {
  const search: { readonly folder?: unknown; readonly file?: unknown } = useSearch({ strict: false });
  const folder = idOf(search.folder);
  const file = idOf(search.file);
  const isSingle = useMedia('(max-width: 767px)');
  useCommands([{ id: 'media.cleanup', label: 'media.cleanup', icon: 'broom', run: cleanUp }]);
  const content = (
    <WithDetail
      id="file"
      label={t('media.detailsWidth')}
      widths={[300, 380, 640]}
      restMin={360}
      list={<Library folder={folder} file={file} hasFolders={!isSingle} />}
      detail={file !== undefined && <FileDetails id={file} back={paths.media({ folder })} />}
    />
  );
  return (
    <div className={classes['screen']}>
      {isSingle ? (
        content
      ) : (
        <SplitPane
          id="folders"
          label={t('media.foldersWidth')}
          widths={[160, 220, 420]}
          first={<FolderPane current={folder} />}
        >
          {content}
        </SplitPane>
      )}
    </div>
  );
}

function cleanUp(): void {
  openDialog((onClose) => <CleanupDialog onClose={onClose} />);
}

interface LibraryProps {
  readonly folder: number | undefined;
  readonly file: number | undefined;
  readonly hasFolders: boolean;
}

function Library({ folder, file, hasFolders }: LibraryProps) {
  const { data: allFolders = [] } = folders.useList();
  const [query, setQuery] = useState('');
  const [asked] = useDebouncedValue(query, 200);
  const [kind, setKind] = useState<FileKind>();
  const [view, setView] = useLocalStorage<FileView>({
    key: 'ic-media-view',
    defaultValue: 'grid',
    getInitialValueInEffect: false,
  });
  const [selected, setSelected] = useState<ReadonlyMap<number, MediaFile>>(new Map());
  const select = (chosen: MediaFile, isSelected: boolean) => {
    const next = new Map(selected);
    if (isSelected) next.set(chosen.id, chosen);
    else next.delete(chosen.id);
    setSelected(next);
  };
  const upload = (files: readonly File[]) => uploadFiles(files, folder ?? 0);
  const title = allFolders.find(({ id }) => id === folder)?.name;
  return (
    <DropZone onFiles={upload}>
      <PageHeader
        title={title ?? t(folder === 0 ? 'media.noFolder' : 'media.title')}
        scope={t('frame.allSites')}
        actions={
          <>
            <Button variant="default" leftSection={<Icon name="broom" />} onClick={cleanUp}>
              {t('media.cleanup')}
            </Button>
            <UploadButton onFiles={upload} />
          </>
        }
      />
      <div className={classes['bar']}>
        {!hasFolders && (
          <NativeSelect
            aria-label={t('media.folders')}
            data={[{ value: '', label: t('media.all') }, ...folderChoices(allFolders, t('media.noFolder'))]}
            value={folder === undefined ? '' : String(folder)}
            onChange={(event) => goTo(paths.media({ folder: idOf(event.currentTarget.value) }))}
          />
        )}
        <div className={classes['search']}>
          <SearchInput label={t('media.search')} value={query} onChange={setQuery} />
        </div>
        <NativeSelect
          aria-label={t('media.kind')}
          data={['all' as const, ...fileKinds].map((value) => ({ value, label: t(`media.kinds.${value}`) }))}
          value={kind ?? 'all'}
          onChange={(event) => setKind(fileKinds.find((known) => known === event.currentTarget.value))}
        />
        <SegmentedControl
          aria-label={t('media.view')}
          data={[
            { value: 'grid', label: t('media.grid') },
            { value: 'list', label: t('media.list') },
          ]}
          value={view}
          onChange={(value) => setView(value === 'list' ? 'list' : 'grid')}
        />
      </div>
      <FileList
        filter={{ folder, kind, query: asked }}
        view={view}
        current={file}
        selected={new Set(selected.keys())}
        onOpen={({ id }) => goTo(paths.media({ folder, file: id }))}
        onSelect={select}
      />
      {selected.size > 0 && (
        <SelectionBar files={[...selected.values()]} onDone={() => setSelected(new Map())} />
      )}
    </DropZone>
  );
}

/** An ID in an address; undefined for everything else. */
function idOf(value: unknown): number | undefined {
  const id = Number(value ?? '');
  return value !== undefined && value !== '' && Number.isInteger(id) && id >= 0 ? id : undefined;
}
