import { Button, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { api, requireData } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';
import { logOut } from '../../api/session/session.ts';
import { t } from '../../base/i18n/index.ts';
import { FormError } from '../../kit/form/form-error.tsx';
import { useSubmit } from '../../kit/form/submit.ts';
import { useDocumentTitle } from '../../ui/layout/document-title.ts';
import { OutsideFrame } from './outside-frame.tsx';

/** Whoever must choose another password does it before anything else. */
export function PasswordPage() {
  const [current, setCurrent] = useState('');
  const [password, setPassword] = useState('');
  const sending = useSubmit(async () => {
    const body = { current_password: current, new_password: password };
    await requireData(api.POST('/auth/password', { body }));
    await queryClient.invalidateQueries();
  });
  useDocumentTitle(t('session.newPasswordTitle'));
  const visibilityToggleButtonProps = { 'aria-label': t('session.showPassword') };
  return (
    <OutsideFrame>
      <Title order={1} mb={16}>
        {t('session.newPasswordTitle')}
      </Title>
      <form onSubmit={sending.send}>
        <Stack gap={16}>
          <FormError message={sending.message} />
          <Text>{t('session.newPasswordWhy')}</Text>
          <PasswordInput
            label={t('session.presentPassword')}
            autoComplete="current-password"
            required
            autoFocus
            value={current}
            onChange={(event) => setCurrent(event.currentTarget.value)}
            visibilityToggleButtonProps={visibilityToggleButtonProps}
          />
          <PasswordInput
            label={t('session.newPassword')}
            description={t('session.passwordRules')}
            autoComplete="new-password"
            required
            value={password}
            error={sending.faults['password']}
            onChange={(event) => setPassword(event.currentTarget.value)}
            visibilityToggleButtonProps={visibilityToggleButtonProps}
          />
          <Button type="submit" loading={sending.isSending}>
            {t('session.saveNewPassword')}
          </Button>
          <Button variant="default" onClick={() => void logOut()}>
            {t('session.logOut')}
          </Button>
        </Stack>
      </form>
    </OutsideFrame>
  );
}
