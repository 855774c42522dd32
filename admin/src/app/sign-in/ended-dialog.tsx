import { Modal, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { sessionRenewal } from '../../api/session-renewal.ts';
import { LoginForm } from './login-form.tsx';

/** The login over the page when a session has ended. The page below keeps all input. */
export function SessionEndedDialog({ username }: { readonly username: string }) {
  const { t } = useTranslation();
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
      <LoginForm username={username} onDone={sessionRenewal.done} />
    </Modal>
  );
}
