import { TextInput } from '@mantine/core';
import { t } from '../../base/i18n/index.ts';
import { Dialog } from '../../ui/floating/dialog.tsx';
import { openDialog } from '../../ui/floating/dialogs.ts';

export interface ShownSecret {
  readonly title: string;
  /** Group of its texts `secret` and `secretHelp`. */
  readonly texts: 'webhooks' | 'tokens';
  readonly secret: string;
}

/** A secret that was just made, which nobody sees again. */
export function showSecret({ title, texts, secret }: ShownSecret): void {
  openDialog((onClose) => (
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
  ));
}
