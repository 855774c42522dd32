import { ActionIcon, Progress } from '@mantine/core';
import { failureText } from '../../api/failure-text.ts';
import { t } from '../../base/i18n/index.ts';
import { Icon } from '../../ui/icons/icon.tsx';
import { Tray, TrayRow } from '../../ui/messages/tray.tsx';
import { cancelUpload, clearUploads, isOver, retryUpload, type Upload, useUploads } from './uploads.ts';

/** The uploads of this window, as long as there are any. */
export function UploadTray() {
  const uploads = useUploads();
  const running = uploads.filter(({ state }) => !isOver(state)).length;
  if (uploads.length === 0) return null;
  return (
    <Tray
      label={t('media.uploads')}
      summary={running === 0 ? t('media.uploadsDone') : t('media.uploadsRunning', { count: running })}
      close={running === 0 ? { label: t('media.closeUploads'), run: clearUploads } : undefined}
    >
      {uploads.map((upload) => (
        <UploadRow key={upload.id} upload={upload} />
      ))}
    </Tray>
  );
}

function UploadRow({ upload }: { readonly upload: Upload }) {
  const { id, name, state, progress, error } = upload;
  const texts = {
    waiting: t('media.uploadWaiting'),
    sending: `${Math.round(progress * 100)} %`,
    done: t('media.uploadDone'),
    failed: failureText(error),
  };
  return (
    <TrayRow
      state={isOver(state) ? state : 'running'}
      name={<span title={name}>{name}</span>}
      text={texts[state]}
    >
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
        <Progress size={4} value={progress * 100} aria-label={t('media.uploadOf', { name })} />
      )}
    </TrayRow>
  );
}
