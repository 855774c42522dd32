import { t, timeText } from '../../base/i18n/index.ts';
import { sizeText } from '../../base/i18n/size-text.ts';
import type { MediaFile } from '../../content/files.ts';
import classes from './file-details.module.css';

/** What the server knows of a file. */
export function FileFacts({ file }: { readonly file: MediaFile }) {
  const { mime, size, width, height, created_at, url } = file;
  return (
    <section className={classes['part']}>
      <h3>{t('media.facts')}</h3>
      <dl className={classes['facts']}>
        <dt>{t('media.type')}</dt>
        <dd>{mime}</dd>
        <dt>{t('media.size')}</dt>
        <dd>{sizeText(size)}</dd>
        {width !== null && height !== null && (
          <>
            <dt>{t('media.dimensions')}</dt>
            <dd>
              {width} × {height}
            </dd>
          </>
        )}
        <dt>{t('media.uploaded')}</dt>
        <dd>{timeText(created_at)}</dd>
        <dt>{t('media.address')}</dt>
        <dd>
          <code>{url}</code>
        </dd>
      </dl>
    </section>
  );
}
