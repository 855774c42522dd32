import { Modal, Text } from '@mantine/core';
import { sessionRenewal } from '../../api/renewal/session-renewal.ts';
import { t } from '../../base/i18n/index.ts';
import { LoginForm } from './login-form.tsx';

/** The login over the page when a session has ended. The page below keeps all input. */
export function SessionEndedDialog({ username }: { readonly username: string }) {
  return (
    <Modal
      opened
      onClose={() => {}}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title={t('session.endedTitle')}
      size="sm"
    >
      <Text mb={16}>{t('session.ended')}</Text>
      <LoginForm username={username} onDone={() => sessionRenewal.end()} />
    </Modal>
  );
}
