import { Modal, Text } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { sessionRenewal } from '../api/session-renewal.ts';
import { LoginForm } from './login-form.tsx';

/** The login over the page when a session has ended. The page below keeps all input. */
export function SessionEndedDialog({ username }: { readonly username: string }) {
  const { t } = useTranslation();
  const isNeeded = useSyncExternalStore(sessionRenewal.subscribe, sessionRenewal.isNeeded);
  return (
    <Modal
      opened={isNeeded}
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
