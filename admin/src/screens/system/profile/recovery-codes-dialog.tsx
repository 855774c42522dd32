import { Button, Group, Stack, Textarea } from '@mantine/core';
import { t } from '../../../base/i18n/index.ts';
import { Dialog } from '../../../ui/floating/dialog.tsx';
import { openDialog } from '../../../ui/floating/dialogs.ts';

/** Codes that were just made, which nobody sees again. So only the button closes the dialog. */
export function showRecoveryCodes(codes: readonly string[]): void {
  openDialog((onClose) => (
    <Dialog
      title={t('profile.recoveryCodes')}
      onClose={onClose}
      closeOnEscape={false}
      closeOnClickOutside={false}
      withCloseButton={false}
    >
      <Stack gap={16}>
        <Textarea
          readOnly
          autosize
          data-autofocus
          label={t('profile.recoveryCodes')}
          description={t('profile.recoveryCodesHelp')}
          value={codes.join('\n')}
          onFocus={(event) => event.currentTarget.select()}
        />
        <Group justify="flex-end">
          <Button onClick={onClose}>{t('profile.codesKept')}</Button>
        </Group>
      </Stack>
    </Dialog>
  ));
}
