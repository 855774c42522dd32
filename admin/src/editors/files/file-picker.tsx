import { NativeSelect } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { t } from '../../base/i18n/index.ts';
import { folders, type MediaFile } from '../../content/files.ts';
import { Dialog } from '../../ui/floating/dialog.tsx';
import { SearchInput } from '../../ui/rows/search-input.tsx';
import { UploadButton } from '../../ui/values/upload-button.tsx';
import { AltForm } from './alt-text.tsx';
import { DropZone } from './drop-zone.tsx';
import { FileList } from './file-list.tsx';
import classes from './file-picker.module.css';
import { folderChoices } from './folder-tree.ts';
import { uploadFiles } from './uploads.ts';

export interface FilePickerProps {
  readonly isImage: boolean;
  onChoose(file: MediaFile): void;
  onClose(): void;
}

/** Chooses a file of the library; one that is uploaded here is chosen at once. */
export function FilePicker({ isImage, onChoose, onClose }: FilePickerProps) {
  const { data: allFolders = [] } = folders.useList();
  const [query, setQuery] = useState('');
  const [asked] = useDebouncedValue(query, 200);
  const [folder, setFolder] = useState('');
  const [described, setDescribed] = useState<MediaFile>();
  const choose = (file: MediaFile) => {
    onChoose(file);
    onClose();
  };
  const upload = (files: readonly File[]) => uploadFiles(files.slice(0, 1), Number(folder), choose);
  return (
    <Dialog onClose={onClose} size={880} title={t(isImage ? 'media.pickImage' : 'media.pick')}>
      <div className={classes['picker']}>
        <DropZone onFiles={upload}>
          <div className={classes['bar']}>
            <NativeSelect
              aria-label={t('media.folders')}
              data={[{ value: '', label: t('media.all') }, ...folderChoices(allFolders, t('media.noFolder'))]}
              value={folder}
              onChange={(event) => setFolder(event.currentTarget.value)}
            />
            <div className={classes['search']}>
              <SearchInput label={t('media.search')} value={query} onChange={setQuery} />
            </div>
            <UploadButton variant="default" accept={isImage ? 'image/*' : ''} onFiles={upload} />
          </div>
          <FileList
            filter={{
              folder: folder === '' ? undefined : Number(folder),
              kind: isImage ? 'image' : undefined,
              query: asked,
            }}
            view="grid"
            onOpen={choose}
            onDescribe={setDescribed}
          />
          {described !== undefined && (
            <AltForm key={described.id} file={described} onClose={() => setDescribed(undefined)} />
          )}
        </DropZone>
      </div>
    </Dialog>
  );
}
