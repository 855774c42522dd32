import { TextInput } from '@mantine/core';
import { t } from '../../base/i18n/index.ts';
import { Dialog } from '../../ui/floating/dialog.tsx';

export interface SecretDialogProps {
  readonly title: string;
  /** Group of its texts `secret` and `secretHelp`. */
  readonly texts: 'webhooks' | 'tokens';
  /** Undefined: there is nothing to show. */
  readonly secret: string | undefined;
  onClose(): void;
}

/** A secret that was just made, which nobody sees again. */
export function SecretDialog({ title, texts, secret, onClose }: SecretDialogProps) {
  if (secret === undefined) return null;
  return (
    <Dialog title={title} onClose={onClose}>
      <TextInput
        data-autofocus
        readOnly
        label={t(`${texts}.secret`)}
        description={t(`${texts}.secretHelp`)}
        value={secret}
        onFocus={(event) => event.currentTarget.select()}
      />
    </Dialog>
  );
}
