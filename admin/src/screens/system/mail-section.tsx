import { Button, TextInput } from '@mantine/core';
import { queryOptions } from '@tanstack/react-query';
import { useState } from 'react';
import { api, requireData } from '../../api/client.ts';
import * as forms from '../../api/generated/forms.ts';
import { t } from '../../base/i18n/index.ts';
import { FormError } from '../../kit/form/form-error.tsx';
import { SettingsSection } from '../../kit/form/settings-section.tsx';
import { useSubmit } from '../../kit/form/submit.ts';

const mailQuery = queryOptions({ queryKey: ['mail'], queryFn: () => requireData(api.GET('/system/mail')) });

/** Through which server mails of workflows are sent. */
export function MailSection() {
  return (
    <SettingsSection
      name="mail"
      texts="mail.fields"
      secret="password"
      query={mailQuery}
      schema={forms.MailUpdate}
      layout={[['host', 'user', 'from', 'port', 'password']]}
      settingsOf={(mail) => mail}
      save={(body) => requireData(api.PUT('/system/mail', { body }))}
      help={({ has_password }) => ({
        password: t(has_password ? 'mail.passwordSet' : 'mail.passwordNone'),
      })}
      state={({ host, port }) => (
        <p className="line">{host === '' ? t('mail.off') : t('mail.on', { server: `${host}:${port}` })}</p>
      )}
    >
      {() => (
        <>
          <h2>{t('mail.testTitle')}</h2>
          <MailTest />
        </>
      )}
    </SettingsSection>
  );
}

/** Sends a mail with the saved settings, and shows what the server said. */
function MailTest() {
  const [to, setTo] = useState('');
  const [sentTo, setSentTo] = useState<string>();
  const sending = useSubmit(async () => {
    setSentTo(undefined);
    await requireData(api.POST('/system/mail/test', { body: { to } }));
    setSentTo(to);
  });
  return (
    <form className="form" onSubmit={sending.send}>
      <FormError message={sending.message} />
      <TextInput
        label={t('mail.to')}
        type="email"
        value={to}
        error={sending.faults['to']}
        onChange={(event) => setTo(event.currentTarget.value)}
      />
      <div className="bar">
        <Button type="submit" variant="default" loading={sending.isSending} disabled={to === ''}>
          {t('mail.test')}
        </Button>
        <span role="status">{sentTo !== undefined && t('mail.sent', { to: sentTo })}</span>
      </div>
    </form>
  );
}
