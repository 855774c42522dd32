import { Button } from '@mantine/core';
import { t } from '../../base/i18n/index.ts';
import type { Sending } from '../../kit/form/submit.ts';
import { Icon } from '../../ui/icons/icon.tsx';

/** Asks the browser for a passkey. @param sending what is done with it */
export function PasskeyButton({ sending }: { readonly sending: Sending }) {
  return (
    <Button
      variant="default"
      leftSection={<Icon name="key" />}
      loading={sending.isSending}
      onClick={() => void sending.send()}
    >
      {t('session.usePasskey')}
    </Button>
  );
}
