import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { t } from '../../base/i18n/index.ts';
import { type MediaFile, updateFile } from '../../content/files.ts';
import { useSubmit } from '../../kit/form/submit.ts';
import { Icon } from '../../ui/icons/icon.tsx';
import classes from './alt-text.module.css';

type DescribedFile = Pick<MediaFile, 'id' | 'name' | 'kind' | 'alt'>;

/** Whether people who do not see the image get nothing in its place. */
export function isAltMissing({ kind, alt }: Pick<MediaFile, 'kind' | 'alt'>): boolean {
  return kind === 'image' && alt === '';
}

/** Says that an image has no alt text, and takes one; nothing for other files. */
export function MissingAlt({ file }: { readonly file: DescribedFile }) {
  const [isOpen, setOpen] = useState(false);
  if (!isAltMissing(file)) return null;
  if (isOpen) return <AltForm key={file.id} file={file} onClose={() => setOpen(false)} />;
  return (
    <Button
      variant="subtle"
      size="compact-sm"
      className={classes['mark'] ?? ''}
      leftSection={<Icon name="warning" />}
      aria-label={t('media.addAltOf', { name: file.name })}
      onClick={() => setOpen(true)}
    >
      {t('media.noAlt')}
    </Button>
  );
}

interface AltFormProps {
  readonly file: DescribedFile;
  onClose(): void;
}

/** No form element, because fields stand inside of forms that save something else. */
export function AltForm({ file, onClose }: AltFormProps) {
  const [alt, setAlt] = useState('');
  const { isSending, faults, message, send } = useSubmit(async () => {
    await updateFile(file.id, { alt: alt.trim() });
    onClose();
  });
  const canSave = alt.trim() !== '' && !isSending;
  return (
    <div className={classes['form']}>
      <TextInput
        autoFocus
        // Escape closes this alone, and no dialog around it.
        data-mantine-stop-propagation
        label={t('media.altOf', { name: file.name })}
        description={t('media.fields.altHelp')}
        value={alt}
        error={faults['alt'] ?? message}
        onChange={(event) => setAlt(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' && event.key !== 'Escape') return;
          event.preventDefault();
          if (event.key === 'Escape') onClose();
          else if (canSave) void send();
        }}
      />
      <Button variant="default" disabled={!canSave} onClick={() => void send()}>
        {t('media.saveAlt')}
      </Button>
      <Button variant="subtle" color="gray" onClick={onClose}>
        {t('actions.cancel')}
      </Button>
    </div>
  );
}
