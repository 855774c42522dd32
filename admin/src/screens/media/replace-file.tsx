import { FileInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { api, requireData } from '../../api/client.ts';
import { sentAsForm } from '../../api/form.ts';
import { t } from '../../base/i18n/index.ts';
import { sizeText } from '../../base/i18n/size-text.ts';
import { filesChanged, type MediaFile } from '../../content/files.ts';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import { useSubmit } from '../../kit/form/submit.ts';
import { showToast } from '../../ui/messages/toasts.ts';
import classes from './file-details.module.css';

export interface ReplaceFileProps {
  readonly file: MediaFile;
  onClose(): void;
}

/** Gives a file new content: both are shown before visitors see the new one. */
export function ReplaceFile({ file, onClose }: ReplaceFileProps) {
  const [chosen, setChosen] = useState<File | null>(null);
  const preview = useObjectUrl(chosen);
  const sending = useSubmit(async () => {
    if (chosen === null) return;
    const form = new FormData();
    form.append('file', chosen, chosen.name);
    await requireData(
      api.PUT('/files/{id}', {
        params: { path: { id: file.id } },
        ...sentAsForm<{ readonly file: string }>(form),
      }),
    );
    await filesChanged();
    onClose();
    showToast({ tone: 'done', message: t('media.replaced', { name: file.name }) });
  });
  const isImage = file.kind === 'image';
  return (
    <FormDialog
      title={t('media.replaceTitle', { name: file.name })}
      size={640}
      submit={t('media.replaceNow')}
      sending={sending}
      isIncomplete={chosen === null}
      onClose={onClose}
    >
      <p className="line">{t('media.replaceHelp')}</p>
      <FileInput
        data-autofocus
        label={t('media.replaceWith')}
        accept={isImage ? 'image/*' : ''}
        value={chosen}
        onChange={setChosen}
      />
      <div className={classes['pair']}>
        <figure>
          {isImage && <img src={`${file.url}?v=${file.updated_at}`} alt="" />}
          <figcaption className="meta">
            {t('media.now')} · {sizeText(file.size)}
          </figcaption>
        </figure>
        {chosen !== null && (
          <figure>
            {isImage && <img src={preview} alt="" />}
            <figcaption className="meta">
              {chosen.name} · {sizeText(chosen.size)}
            </figcaption>
          </figure>
        )}
      </div>
    </FormDialog>
  );
}

/** An address of a file of this computer, for as long as it is shown. */
function useObjectUrl(file: File | null): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (file === null) return;
    const made = URL.createObjectURL(file);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  return url;
}
