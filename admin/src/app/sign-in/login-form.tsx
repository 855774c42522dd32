import { Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ApiFailure } from '../../api/failure.ts';
import { hasPasskeys } from '../../api/session/passkeys.ts';
import { logIn, logInWithPasskey } from '../../api/session/session.ts';
import { t } from '../../base/i18n/index.ts';
import { FormError } from '../../kit/form/form-error.tsx';
import { useSubmit } from '../../kit/form/submit.ts';
import { CodeInput, chooseCodeKind, type LoginCodeKind } from './code-input.tsx';
import { PasskeyButton } from './passkey-button.tsx';
import { ProviderButton } from './provider-button.tsx';

export interface LoginFormProps {
  /** Filled in when a session has ended. */
  readonly username?: string;
  readonly onDone?: () => void;
}

/** Name and password, then a code if the account asks for one; or a passkey alone. */
export function LoginForm({ username: known = '', onDone }: LoginFormProps) {
  const [username, setUsername] = useState(known);
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [codeKind, setCodeKind] = useState<LoginCodeKind>();
  const sending = useSubmit(async () => {
    const factors = await logIn(username, password, codeKind && { [codeKind]: code });
    if (factors === undefined) onDone?.();
    else setCodeKind(chooseCodeKind(factors));
  });
  const byKey = useSubmit(async () => {
    await logInWithPasskey();
    onDone?.();
  });
  const isCodeWrong = codeKind !== undefined && isRefused(sending.error);
  return (
    <form onSubmit={sending.send}>
      <Stack gap={16}>
        <FormError message={isCodeWrong ? t('session.codeWrong') : (sending.message ?? byKey.message)} />
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
        {codeKind !== undefined && (
          <CodeInput kind={codeKind} code={code} onKind={setCodeKind} onChange={setCode} />
        )}
        <Button type="submit" loading={sending.isSending}>
          {t('session.logIn')}
        </Button>
        {hasPasskeys && <PasskeyButton sending={byKey} />}
        <ProviderButton />
      </Stack>
    </form>
  );
}

function isRefused(error: unknown): boolean {
  return error instanceof ApiFailure && error.code === 'auth.invalidCredentials';
}
