import { Button, Group, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useRef, useState } from 'react';
import { t } from '../../../base/i18n/index.ts';
import type { MediaFile } from '../../../content/files.ts';
import { Dialog } from '../../../ui/floating/dialog.tsx';
import { FilePicker } from '../../files/file-picker.tsx';

export interface ImageChoice {
  readonly src: string;
  readonly alt: string;
}

export interface ImageDialogProps {
  /** The image that is chosen in the text; undefined for a new one. */
  readonly image: ImageChoice | undefined;
  onImage(image: ImageChoice): void;
  onClose(): void;
}

/** Chooses an image, then asks for its text. */
export function ImageDialog({ image, onImage, onClose }: ImageDialogProps) {
  const [chosen, setChosen] = useState(image);
  const isChosen = useRef(false);
  if (chosen === undefined)
    return (
      <FilePicker
        isImage
        onChoose={({ url, alt }: MediaFile) => {
          isChosen.current = true;
          setChosen({ src: url, alt });
        }}
        // It closes itself when something is chosen, too.
        onClose={() => isChosen.current || onClose()}
      />
    );
  const send = (event: FormEvent) => {
    event.preventDefault();
    onImage(chosen);
  };
  return (
    <Dialog onClose={onClose} title={t('richtext.image')}>
      <form onSubmit={send}>
        <Stack gap={16}>
          <TextInput
            label={t('richtext.imageAddress')}
            value={chosen.src}
            onChange={(event) => setChosen({ ...chosen, src: event.currentTarget.value })}
          />
          <TextInput
            data-autofocus
            label={t('richtext.alt')}
            description={t('richtext.altHelp')}
            value={chosen.alt}
            onChange={(event) => setChosen({ ...chosen, alt: event.currentTarget.value })}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('actions.cancel')}
            </Button>
            <Button type="submit" disabled={chosen.src.trim() === ''}>
              {t('richtext.setImage')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
