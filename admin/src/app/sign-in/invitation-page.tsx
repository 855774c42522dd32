import { Button, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, requireData } from '../../api/client.ts';
import { ApiFailure } from '../../api/failure.ts';
import { failureText } from '../../api/failure-text.ts';
import type { Invitation } from '../../api/generated/schema.ts';
import { acceptInvitation, startAgain } from '../../api/session/session.ts';
import { t, timeText } from '../../base/i18n/index.ts';
import { FormError } from '../../kit/form/form-error.tsx';
import { useSubmit } from '../../kit/form/submit.ts';
import { useDocumentTitle } from '../../ui/layout/document-title.ts';
import { CodeInput, chooseCodeKind, type LoginCodeKind } from './code-input.tsx';
import { OutsideFrame } from './outside-frame.tsx';

/** Where somebody who is invited chooses a password. Whoever was signed in here is not any more. */
export function InvitationPage() {
  const token = new URLSearchParams(location.search).get('token') ?? '';
  const { data: invitation, error } = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => requireData(api.GET('/auth/invitation', { params: { query: { token } } })),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const isOver = error instanceof ApiFailure && error.code === 'common.notFound';
  useDocumentTitle(t('invitation.title'));
  return (
    <OutsideFrame>
      <Title order={1} mb={16}>
        {t('invitation.title')}
      </Title>
      {error !== null && (
        <Stack gap={16}>
          <FormError message={isOver ? t('invitation.over') : failureText(error)} />
          <Button variant="default" onClick={startAgain}>
            {t('invitation.toLogin')}
          </Button>
        </Stack>
      )}
      {invitation !== undefined && <Acceptance token={token} invitation={invitation} />}
    </OutsideFrame>
  );
}

interface AcceptanceProps {
  readonly token: string;
  readonly invitation: Invitation;
}

function Acceptance({ token, invitation: { username, name, email, expires_at } }: AcceptanceProps) {
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [codeKind, setCodeKind] = useState<LoginCodeKind>();
  const sending = useSubmit(async () => {
    const factors = await acceptInvitation(token, password, codeKind && { [codeKind]: code });
    if (factors === undefined) startAgain();
    else setCodeKind(chooseCodeKind(factors));
  });
  const isOver = sending.error instanceof ApiFailure && sending.error.code === 'common.notFound';
  const person = [name, email].filter((part) => part !== '').join(', ');
  return (
    <form onSubmit={sending.send}>
      <Stack gap={16}>
        <FormError message={isOver ? t('invitation.over') : sending.message} />
        <Text>
          {person === '' ? '' : `${person}. `}
          {t('invitation.until', { time: timeText(expires_at) })}
        </Text>
        <TextInput
          readOnly
          label={t('session.username')}
          description={t('invitation.usernameHelp')}
          autoComplete="username"
          value={username}
        />
        <PasswordInput
          label={t('session.password')}
          description={t('session.passwordRules')}
          autoComplete="new-password"
          required
          autoFocus
          value={password}
          error={sending.faults['password']}
          onChange={(event) => setPassword(event.currentTarget.value)}
          visibilityToggleButtonProps={{ 'aria-label': t('session.showPassword') }}
        />
        {codeKind !== undefined && (
          <CodeInput kind={codeKind} code={code} onKind={setCodeKind} onChange={setCode} />
        )}
        <Button type="submit" loading={sending.isSending}>
          {t('invitation.accept')}
        </Button>
      </Stack>
    </form>
  );
}
