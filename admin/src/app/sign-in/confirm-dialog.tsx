import { PasswordInput, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, requireData } from '../../api/client.ts';
import { confirmation } from '../../api/renewal/confirmation.ts';
import { hasPasskeys, signWithPasskey } from '../../api/session/passkeys.ts';
import { factorsQuery } from '../../api/session/session.ts';
import { t } from '../../base/i18n/index.ts';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import { useSubmit } from '../../kit/form/submit.ts';
import { PasskeyButton } from './passkey-button.tsx';

const close = (): void => confirmation.end(false);

/** Asks who it is before something sensitive. The page below keeps all input, and the request goes on afterwards. */
export function ConfirmDialog() {
  const { data: factors } = useQuery(factorsQuery);
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const hasFactors = (factors ?? []).length > 0;
  const hasCodes = factors?.some(({ kind }) => kind === 'totp') === true;
  const hasKeys = factors?.some(({ kind }) => kind === 'passkey') === true && hasPasskeys;
  const sending = useSubmit(async () => {
    await requireData(api.POST('/auth/confirm', { body: hasFactors ? { code } : { password } }));
    confirmation.end(true);
  });
  const byKey = useSubmit(async () => {
    await requireData(api.POST('/auth/confirm', { body: { passkey: await signWithPasskey() } }));
    confirmation.end(true);
  });
  if (factors === undefined) return null;
  return (
    <FormDialog
      title={t('confirmation.title')}
      submit={t('confirmation.confirm')}
      size="sm"
      sending={{ ...sending, message: sending.message ?? byKey.message }}
      isIncomplete={hasFactors && !hasCodes}
      onClose={close}
    >
      <Text>{t('confirmation.why')}</Text>
      {!hasFactors && (
        <PasswordInput
          label={t('session.password')}
          autoComplete="current-password"
          required
          data-autofocus
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          visibilityToggleButtonProps={{ 'aria-label': t('session.showPassword') }}
        />
      )}
      {hasCodes && (
        <TextInput
          label={t('session.code')}
          autoComplete="one-time-code"
          inputMode="numeric"
          required
          data-autofocus
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
      )}
      {hasKeys && <PasskeyButton sending={byKey} />}
    </FormDialog>
  );
}
