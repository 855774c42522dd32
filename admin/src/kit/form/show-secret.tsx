import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useRef, useState } from 'react';
import { t } from '../../base/i18n/index.ts';
import { Dialog } from '../../ui/floating/dialog.tsx';
import { openDialog } from '../../ui/floating/dialogs.ts';

export interface ShownSecret {
  readonly title: string;
  readonly label: string;
  readonly help: string;
  readonly secret: string;
}

/** A secret that was just made, which nobody sees again. So only its button closes it. */
export function showSecret(shown: ShownSecret): void {
  openDialog((onClose) => <SecretDialog {...shown} onClose={onClose} />);
}

function SecretDialog({ title, label, help, secret, onClose }: ShownSecret & { onClose(): void }) {
  const field = useRef<HTMLInputElement>(null);
  const [isCopied, setCopied] = useState(false);
  return (
    <Dialog
      title={title}
      onClose={onClose}
      closeOnEscape={false}
      closeOnClickOutside={false}
      withCloseButton={false}
    >
      <Stack gap={16}>
        <TextInput
          ref={field}
          data-autofocus
          readOnly
          label={label}
          description={help}
          value={secret}
          onFocus={(event) => event.currentTarget.select()}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={async () => setCopied(await copyText(field.current))}>
            {t(isCopied ? 'actions.copied' : 'actions.copy')}
          </Button>
          <Button onClick={onClose}>{t('actions.secretKept')}</Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

/** Whether the text of a field is in the clipboard now. Over plain HTTP only the older way is there. */
async function copyText(field: HTMLInputElement | null): Promise<boolean> {
  if (field === null) return false;
  field.select();
  if (navigator.clipboard === undefined) return document.execCommand('copy');
  return navigator.clipboard.writeText(field.value).then(
    () => true,
    () => false,
  );
}
