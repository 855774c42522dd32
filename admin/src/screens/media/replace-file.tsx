import { FileInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { api, requireData } from '../../api/client.ts';
import { sentAsForm } from '../../api/form.ts';
import { t } from '../../base/i18n/index.ts';
import { sizeText } from '../../base/i18n/size-text.ts';
import { filesChanged, type MediaFile } from '../../content/files.ts';
import { CreateDialog } from '../../kit/form/create-dialog.tsx';
import { showToast } from '../../ui/messages/toasts.ts';
import classes from './file-details.module.css';

interface Replacement {
  readonly chosen: File | null;
}

/** Gives a file new content: both are shown before visitors see the new one. */
export function ReplaceFile({ file, onClose }: { readonly file: MediaFile; onClose(): void }) {
  const isImage = file.kind === 'image';
  const replace = async ({ chosen }: Replacement) => {
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
  };
  return (
    <CreateDialog<Replacement, void>
      title={t('media.replaceTitle', { name: file.name })}
      size={640}
      submit={t('media.replaceNow')}
      initial={{ chosen: null }}
      intro={<p className="line">{t('media.replaceHelp')}</p>}
      fields={[]}
      isReady={({ chosen }) => chosen !== null}
      create={replace}
      more={({ body: { chosen }, onChange }) => (
        <>
          <FileInput
            data-autofocus
            label={t('media.replaceWith')}
            accept={isImage ? 'image/*' : ''}
            value={chosen}
            onChange={(next) => onChange({ chosen: next })}
          />
          <div className={classes['pair']}>
            <figure>
              {isImage && <img src={`${file.url}?v=${file.updated_at}`} alt="" />}
              <figcaption className="meta">
                {t('media.now')} · {sizeText(file.size)}
              </figcaption>
            </figure>
            {chosen !== null && <ChosenFile file={chosen} isImage={isImage} />}
          </div>
        </>
      )}
      onDone={() => showToast({ tone: 'done', message: t('media.replaced', { name: file.name }) })}
      onClose={onClose}
    />
  );
}

function ChosenFile({ file, isImage }: { readonly file: File; readonly isImage: boolean }) {
  const preview = useObjectUrl(file);
  return (
    <figure>
      {isImage && <img src={preview} alt="" />}
      <figcaption className="meta">
        {file.name} · {sizeText(file.size)}
      </figcaption>
    </figure>
  );
}

/** An address of a file of this computer, for as long as it is shown. */
function useObjectUrl(file: File): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(file);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  return url;
}
