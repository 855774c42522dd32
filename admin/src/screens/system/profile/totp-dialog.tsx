import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, requireData } from '../../../api/client.ts';
import { t } from '../../../base/i18n/index.ts';
import { FormDialog } from '../../../kit/form/form-dialog.tsx';
import { useSubmit } from '../../../kit/form/submit.ts';
import { showRecoveryCodes } from './recovery-codes-dialog.tsx';

export interface TotpDialogProps {
  onClose(): void;
  onDone(): void;
}

/** Shows a new secret for an app, and asks for a code to see that it works. */
export function TotpDialog({ onClose, onDone }: TotpDialogProps) {
  const [code, setCode] = useState('');
  const { data: setup } = useQuery({
    queryKey: ['new-totp'],
    queryFn: () => requireData(api.POST('/auth/factors/totp', { body: {} })),
    // Each time a new secret, which nothing keeps.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const sending = useSubmit(async () => {
    const { recovery_codes: codes } = await requireData(
      api.POST('/auth/factors/totp/verify', { body: { code } }),
    );
    onClose();
    onDone();
    showRecoveryCodes(codes);
  });
  return (
    <FormDialog
      title={t('profile.addTotp')}
      submit={t('profile.activate')}
      sending={sending}
      isIncomplete={setup === undefined}
      onClose={onClose}
    >
      <p>{t('profile.scan')}</p>
      {setup !== undefined && (
        <>
          <img src={setup.qr} alt={t('profile.qr')} width={200} height={200} />
          <TextInput
            readOnly
            label={t('profile.secret')}
            value={setup.secret}
            onFocus={(event) => event.currentTarget.select()}
          />
        </>
      )}
      <TextInput
        label={t('session.code')}
        autoComplete="one-time-code"
        inputMode="numeric"
        required
        data-autofocus
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
      />
    </FormDialog>
  );
}
