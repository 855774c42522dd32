import { Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { logIn } from '../../api/session.ts';
import { t } from '../../base/i18n/index.ts';
import { FormError } from '../../kit/form/form-error.tsx';
import { useSubmit } from '../../kit/form/submit.ts';

export interface LoginFormProps {
  /** Filled in when a session has ended. */
  readonly username?: string;
  readonly onDone?: () => void;
}

export function LoginForm({ username: known = '', onDone }: LoginFormProps) {
  const [username, setUsername] = useState(known);
  const [password, setPassword] = useState('');
  const sending = useSubmit(async () => {
    await logIn(username, password);
    onDone?.();
  });
  return (
    <form onSubmit={sending.send}>
      <Stack gap={16}>
        <FormError message={sending.message} />
        <TextInput
          label={t('session.username')}
          autoComplete="username"
          required
          data-autofocus={known === '' || undefined}
          autoFocus={known === ''}
          value={username}
          onChange={(event) => setUsername(event.currentTarget.value)}
        />
        <PasswordInput
          label={t('session.password')}
          autoComplete="current-password"
          required
          data-autofocus={known !== '' || undefined}
          autoFocus={known !== ''}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          visibilityToggleButtonProps={{ 'aria-label': t('session.showPassword') }}
        />
        <Button type="submit" loading={sending.isSending}>
          {t('session.logIn')}
        </Button>
      </Stack>
    </form>
  );
}
