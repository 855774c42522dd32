import type { FileKind, MediaFile } from '../../content/files.ts';
import { Icon } from '../../ui/icons/icon.tsx';
import type { IconName } from '../../ui/icons/icons.ts';
import classes from './thumbnail.module.css';

const icons: Readonly<Record<FileKind, IconName>> = {
  image: 'image',
  video: 'video-camera',
  audio: 'music-notes',
  document: 'file-text',
  font: 'text-aa',
  other: 'file',
};

/** A small picture of a file, or the icon of its kind. The name of the file stands beside it. */
export function Thumbnail({ file }: { readonly file: MediaFile }) {
  return (
    <span className={classes['thumbnail']} data-kind={file.kind}>
      {file.kind === 'image' ? (
        <img
          src={smallest(file)}
          alt=""
          loading="lazy"
          decoding="async"
          style={{ objectPosition: `${file.focus_x * 100}% ${file.focus_y * 100}%` }}
        />
      ) : (
        <Icon name={icons[file.kind]} size={20} />
      )}
    </span>
  );
}

/** The address of the smallest variant. */
function smallest({ webp_srcset, srcset, url, updated_at }: MediaFile): string {
  const [first = ''] = (webp_srcset || srcset).split(',');
  const address = first.trim().split(' ')[0] || url;
  // A replaced file keeps its address.
  return `${address}${address.includes('?') ? '&' : '?'}v=${updated_at}`;
}
