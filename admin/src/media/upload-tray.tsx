import { ActionIcon, Progress } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { failureText } from '../api/failure-text.ts';
import { Icon } from '../ui/icon.tsx';
import classes from './upload-tray.module.css';
import { cancelUpload, clearUploads, isOver, retryUpload, type Upload, useUploads } from './uploads.ts';

/** The uploads of this window at the edge of the screen, as long as there are any. */
export function UploadTray() {
  const { t } = useTranslation();
  const uploads = useUploads();
  const running = uploads.filter(({ state }) => !isOver(state)).length;
  if (uploads.length === 0) return null;
  return (
    <section className={classes['tray']} aria-label={t('media.uploads')}>
      <header className={classes['head']}>
        <b role="status">
          {running === 0 ? t('media.uploadsDone') : t('media.uploadsRunning', { count: running })}
        </b>
        {running === 0 && (
          <ActionIcon size={24} aria-label={t('media.closeUploads')} onClick={clearUploads}>
            <Icon name="x" />
          </ActionIcon>
        )}
      </header>
      <ul className={classes['rows']}>
        {uploads.map((upload) => (
          <UploadRow key={upload.id} upload={upload} />
        ))}
      </ul>
    </section>
  );
}

function UploadRow({ upload }: { readonly upload: Upload }) {
  const { t } = useTranslation();
  const { id, name, state, progress, error } = upload;
  const texts = {
    waiting: t('media.uploadWaiting'),
    sending: `${Math.round(progress * 100)} %`,
    done: t('media.uploadDone'),
    failed: failureText(error),
  };
  return (
    <li className={classes['row']} data-state={state}>
      <span className={classes['name']} title={name}>
        {name}
      </span>
      <span className={classes['state']}>{texts[state]}</span>
      {state === 'failed' && (
        <ActionIcon size={24} aria-label={t('media.retryUpload', { name })} onClick={() => retryUpload(id)}>
          <Icon name="arrows-clockwise" />
        </ActionIcon>
      )}
      {state !== 'done' && (
        <ActionIcon size={24} aria-label={t('media.cancelUpload', { name })} onClick={() => cancelUpload(id)}>
          <Icon name="x" />
        </ActionIcon>
      )}
      {state === 'sending' && (
        <Progress
          className={classes['progress'] ?? ''}
          size={4}
          value={progress * 100}
          aria-label={t('media.uploadOf', { name })}
        />
      )}
    </li>
  );
}
