import { memo } from 'react';
import { failureText } from '../../api/failure-text.ts';
import { useAskedRange } from '../../api/paged.ts';
import { t, timeText } from '../../base/i18n/index.ts';
import { type RowText, useRowText } from '../../base/i18n/row-text.ts';
import { sizeText } from '../../base/i18n/size-text.ts';
import { type FileFilter, type MediaFile, useFiles } from '../../content/files.ts';
import { Icon } from '../../ui/icons/icon.tsx';
import { EmptyState } from '../../ui/messages/empty-state.tsx';
import { RowCheckbox } from '../../ui/rows/row-checkbox.tsx';
import { VirtualGrid } from '../../ui/rows/virtual-grid.tsx';
import { isAltMissing } from './alt-text.tsx';
import classes from './file-list.module.css';
import { Thumbnail } from './thumbnail.tsx';

export type FileView = 'grid' | 'list';

export interface FileListProps {
  readonly filter: FileFilter;
  readonly view: FileView;
  /** ID of the file that is open. */
  readonly current?: number | undefined;
  readonly selected?: ReadonlySet<number>;
  onOpen(file: MediaFile): void;
  /** Without it files cannot be selected. */
  onSelect?(file: MediaFile, isSelected: boolean): void;
  /** Asks for the alt text of an image that has none. Without it the images are only marked. */
  onDescribe?(file: MediaFile): void;
}

/** Files as tiles or rows, loaded as they come into view. */
export function FileList({ filter, view, current, selected, onOpen, onSelect, onDescribe }: FileListProps) {
  const rowText = useRowText();
  const [range, setRange] = useAskedRange();
  const files = useFiles(filter, range);
  if (files.error !== undefined) return <EmptyState>{failureText(files.error)}</EmptyState>;
  if (files.count === undefined) return null;
  const isFiltered = filter.query !== '' || filter.kind !== undefined;
  if (files.count === 0) return <EmptyState>{t(isFiltered ? 'media.noHit' : 'media.none')}</EmptyState>;
  return (
    <VirtualGrid
      label={t('media.title')}
      count={files.count}
      {...(view === 'grid' ? { minWidth: 168 } : {})}
      rowHeight={view === 'grid' ? 196 : 48}
      onRange={setRange}
      render={(index) => {
        const file = files.at(index);
        if (file === undefined) return null;
        return (
          <Tile
            file={file}
            text={rowText}
            view={view}
            isCurrent={file.id === current}
            isSelected={selected?.has(file.id) === true}
            onOpen={onOpen}
            onSelect={onSelect}
            onDescribe={onDescribe}
          />
        );
      }}
    />
  );
}

interface TileProps extends Pick<FileListProps, 'view' | 'onOpen'> {
  readonly file: MediaFile;
  readonly text: RowText;
  readonly isCurrent: boolean;
  readonly isSelected: boolean;
  readonly onSelect: FileListProps['onSelect'] | undefined;
  readonly onDescribe: FileListProps['onDescribe'] | undefined;
}

/** Drawn again only if the file or its state is another one. */
const Tile = memo(function Tile(props: TileProps) {
  const { file, text, view, isCurrent, isSelected, onOpen, onSelect, onDescribe } = props;
  return (
    <div className={classes[view]} data-current={isCurrent || undefined}>
      {onSelect !== undefined && (
        <RowCheckbox
          className={classes['check']}
          aria-label={text('media.select', { name: file.name })}
          checked={isSelected}
          onChange={(event) => onSelect(file, event.currentTarget.checked)}
        />
      )}
      <button
        type="button"
        className={classes['file']}
        aria-current={isCurrent || undefined}
        onClick={() => onOpen(file)}
      >
        <Thumbnail file={file} />
        <span className={classes['name']} title={file.name}>
          {file.name}
        </span>
        <FileFacts file={file} text={text} />
      </button>
      {onDescribe !== undefined && isAltMissing(file) && (
        <button
          type="button"
          className={classes['describe']}
          title={text('media.addAltOf', { name: file.name })}
          aria-label={text('media.addAltOf', { name: file.name })}
          onClick={() => onDescribe(file)}
        >
          <Icon name="pencil-simple" />
        </button>
      )}
    </div>
  );
});

function FileFacts({ file, text }: Pick<TileProps, 'file' | 'text'>) {
  const { size, width, height, created_at } = file;
  return (
    <span className={classes['facts']}>
      {isAltMissing(file) && <span className={classes['warning']}>{text('media.noAlt')}</span>}
      {file.private && <span>{text('media.private')}</span>}
      <span>{width === null || height === null ? sizeText(size) : `${width} × ${height}`}</span>
      <span className={classes['wide']}>{sizeText(size)}</span>
      <span className={classes['wide']}>{timeText(created_at)}</span>
    </span>
  );
}
