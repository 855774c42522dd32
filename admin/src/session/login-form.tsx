import { Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { failureText } from '../api/failure-text.ts';
import { FormError } from '../ui/form-error.tsx';
import { logIn } from './queries.ts';

export interface LoginFormProps {
  /** Filled in when a session has ended. */
  readonly username?: string;
  readonly onDone?: () => void;
}

export function LoginForm({ username: known = '', onDone }: LoginFormProps) {
  const { t } = useTranslation();
  const [username, setUsername] = useState(known);
  const [password, setPassword] = useState('');
  const [error, setError] = useState<unknown>();
  const [isSending, setSending] = useState(false);
  const send = async (event: FormEvent) => {
    event.preventDefault();
    setSending(true);
    setError(undefined);
    try {
      await logIn(username, password);
      onDone?.();
    } catch (failure) {
      setError(failure);
    } finally {
      setSending(false);
    }
  };
  return (
    <form onSubmit={send}>
      <Stack gap={16}>
        <FormError message={error === undefined ? undefined : failureText(error)} />
        <TextInput
          label={t('session.username')}
          autoComplete="username"
          required
          withAsterisk={false}
          data-autofocus={known === '' || undefined}
          autoFocus={known === ''}
          value={username}
          onChange={(event) => setUsername(event.currentTarget.value)}
        />
        <PasswordInput
          label={t('session.password')}
          autoComplete="current-password"
          required
          withAsterisk={false}
          data-autofocus={known !== '' || undefined}
          autoFocus={known !== ''}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          visibilityToggleButtonProps={{ 'aria-label': t('session.showPassword') }}
        />
        <Button type="submit" loading={isSending}>
          {t('session.logIn')}
        </Button>
      </Stack>
    </form>
  );
}
