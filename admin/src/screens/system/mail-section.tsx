import { Button, NumberInput, PasswordInput, TextInput } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, ok } from '../../api/client.ts';
import type { MailSettings, MailUpdate } from '../../api/generated/schema.ts';
import { queryClient } from '../../api/query-client.ts';
import { FormError } from '../../kit/form/form-error.tsx';
import { useKeptChanges } from '../../kit/form/kept-changes.ts';
import { useSending } from '../../kit/form/sending.ts';
import { SettingsButtons } from '../../kit/form/settings-buttons.tsx';
import classes from '../../ui/layout/section.module.css';
import { showToast } from '../../ui/messages/toasts.ts';

const mailQuery = queryOptions({ queryKey: ['mail'], queryFn: () => ok(api.GET('/system/mail')) });

/** Through which server mails of workflows are sent. */
export function MailSection() {
  const { t } = useTranslation();
  const { data } = useQuery(mailQuery);
  if (data === undefined) return null;
  const { host, port } = data;
  return (
    <>
      <p className="line">{host === '' ? t('mail.off') : t('mail.on', { server: `${host}:${port}` })}</p>
      <MailForm mail={data} />
      <h2>{t('mail.testTitle')}</h2>
      <MailTest />
    </>
  );
}

const texts = ['host', 'user', 'from'] as const;

function MailForm({ mail }: { readonly mail: MailSettings }) {
  const { t } = useTranslation();
  const [changes, setChanges] = useKeptChanges<MailUpdate>('mail', 'password');
  const values = { ...mail, password: '', ...changes };
  const set = (fields: MailUpdate) => setChanges({ ...changes, ...fields });
  const sending = useSending(async () => {
    queryClient.setQueryData(mailQuery.queryKey, await ok(api.PUT('/system/mail', { body: changes })));
    setChanges({});
    showToast({ tone: 'done', message: t('system.saved') });
  });
  return (
    <form className={classes['form']} onSubmit={sending.send}>
      <FormError message={sending.message} />
      <div className={classes['pair']}>
        {texts.map((name) => (
          <TextInput
            key={name}
            label={t(`mail.fields.${name}`)}
            description={t(`mail.fields.${name}Help`)}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            autoComplete="off"
            value={values[name]}
            error={sending.faults[name]}
            onChange={(event) => set({ [name]: event.currentTarget.value })}
          />
        ))}
        <NumberInput
          label={t('mail.fields.port')}
          description={t('mail.fields.portHelp')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          min={1}
          max={65_535}
          value={values.port}
          error={sending.faults['port']}
          onChange={(port) => set({ port: Number(port) })}
        />
        <PasswordInput
          label={t('session.password')}
          description={t(mail.has_password ? 'mail.passwordSet' : 'mail.passwordNone')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          autoComplete="new-password"
          value={values.password}
          error={sending.faults['password']}
          visibilityToggleButtonProps={{ 'aria-label': t('session.showPassword') }}
          onChange={(event) => set({ password: event.currentTarget.value })}
        />
      </div>
      <SettingsButtons
        submit={t('system.save')}
        isSending={sending.isSending}
        changes={changes}
        onDiscard={() => setChanges({})}
      />
    </form>
  );
}

/** Sends a mail with the saved settings, and shows what the server said. */
function MailTest() {
  const { t } = useTranslation();
  const [to, setTo] = useState('');
  const [sentTo, setSentTo] = useState<string>();
  const sending = useSending(async () => {
    setSentTo(undefined);
    await ok(api.POST('/system/mail/test', { body: { to } }));
    setSentTo(to);
  });
  return (
    <form className={classes['form']} onSubmit={sending.send}>
      <FormError message={sending.message} />
      <TextInput
        label={t('mail.to')}
        type="email"
        value={to}
        error={sending.faults['to']}
        onChange={(event) => setTo(event.currentTarget.value)}
      />
      <div className={classes['actions']}>
        <Button type="submit" variant="default" loading={sending.isSending} disabled={to === ''}>
          {t('mail.test')}
        </Button>
        <span role="status">{sentTo !== undefined && t('mail.sent', { to: sentTo })}</span>
      </div>
    </form>
  );
}
