import { Button, Input } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { t } from '../../base/i18n/index.ts';
import { fileQuery } from '../../content/files.ts';
import { Icon } from '../../ui/icons/icon.tsx';
import { helpAbove } from '../../ui/layout/help-above.ts';
import { MissingAlt } from './alt-text.tsx';
import classes from './file-field.module.css';
import { Thumbnail } from './thumbnail.tsx';

const FilePicker = lazy(async () => ({ default: (await import('./file-picker.tsx')).FilePicker }));

export interface FileFieldProps {
  readonly label: string;
  readonly help?: string | undefined;
  readonly error?: string | undefined;
  /** Only images can be chosen. */
  readonly isImage?: boolean;
  /** ID of a file; null or 0 = none. */
  readonly value: number | null;
  onChange(id: number | null): void;
}

/** A field that holds a file of the library. */
export function FileField({ label, help, error, isImage = false, value, onChange }: FileFieldProps) {
  const id = value ?? 0;
  const { data: file } = useQuery({ ...fileQuery(id), enabled: id !== 0, retry: false });
  const [isPicking, setPicking] = useState(false);
  return (
    <Input.Wrapper {...helpAbove} label={label} labelElement="div" description={help} error={error}>
      <fieldset className={classes['field']} aria-label={label}>
        {file !== undefined && id !== 0 && (
          <span className={classes['thumbnail']}>
            <Thumbnail file={file} />
          </span>
        )}
        {id !== 0 && <span className={classes['name']}>{file?.name ?? `#${id}`}</span>}
        <Button
          variant="default"
          leftSection={<Icon name={isImage ? 'image' : 'file'} />}
          onClick={() => setPicking(true)}
        >
          {t(id !== 0 ? 'media.change' : isImage ? 'media.pickImage' : 'media.pick')}
        </Button>
        {id !== 0 && (
          <Button variant="subtle" color="gray" onClick={() => onChange(null)}>
            {t('media.remove')}
          </Button>
        )}
        {file !== undefined && id !== 0 && <MissingAlt key={id} file={file} />}
      </fieldset>
      {isPicking && (
        <Suspense>
          <FilePicker
            isImage={isImage}
            onChoose={(chosen) => onChange(chosen.id)}
            onClose={() => setPicking(false)}
          />
        </Suspense>
      )}
    </Input.Wrapper>
  );
}
