import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import { api, requireData } from '../../api/client.ts';
import type { User } from '../../api/generated/schema.ts';
import { Resource } from '../../api/resource.ts';
import { useSession } from '../../api/session.ts';
import { t, timeText } from '../../base/i18n/index.ts';
import { ConfirmDialog } from '../../kit/form/confirm-dialog.tsx';
import { CreateDialog } from '../../kit/form/create-dialog.tsx';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import { useSubmit } from '../../kit/form/submit.ts';
import { Icon } from '../../ui/icons/icon.tsx';
import classes from '../../ui/layout/section.module.css';
import { showToast } from '../../ui/messages/toasts.ts';

const users = new Resource('/users');

type Open =
  | { readonly kind: 'new' }
  | { readonly kind: 'password'; readonly user: User }
  | { readonly kind: 'delete'; readonly user: User };

/** The administrators. */
export function UsersSection() {
  const { data: all = [] } = users.useList();
  const { data: session } = useSession();
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const own = session?.user?.id;
  return (
    <>
      <div>
        <Button leftSection={<Icon name="plus" />} onClick={() => setOpen({ kind: 'new' })}>
          {t('users.new')}
        </Button>
      </div>
      <ul className={classes['rows']}>
        {all.map((user) => (
          <li key={user.id} className={classes['row']}>
            <span>
              <b>
                {user.username} {user.id === own && <span className="quiet">{t('users.you')}</span>}
              </b>
              <span className="meta">
                {user.last_login_at === null
                  ? t('users.never')
                  : t('users.lastLogin', { time: timeText(user.last_login_at) })}
              </span>
            </span>
            <Button
              variant="default"
              size="compact-sm"
              aria-label={t('users.setPasswordOf', { name: user.username })}
              onClick={() => setOpen({ kind: 'password', user })}
            >
              {t('users.setPassword')}
            </Button>
            <Button
              variant="subtle"
              color="brick"
              size="compact-sm"
              aria-label={t('users.deleteOf', { name: user.username })}
              disabled={all.length < 2 || user.id === own}
              onClick={() => setOpen({ kind: 'delete', user })}
            >
              {t('actions.delete')}
            </Button>
          </li>
        ))}
      </ul>
      {open?.kind === 'new' && <NewUser onClose={close} />}
      {open?.kind === 'password' && (
        <SetPassword user={open.user} isOwn={open.user.id === own} onClose={close} />
      )}
      {open?.kind === 'delete' && (
        <ConfirmDialog
          title={t('users.deleteTitle', { name: open.user.username })}
          loss={t('users.deleteLoss')}
          submit={t('users.delete')}
          run={() => users.remove(open.user.id)}
          onClose={close}
        />
      )}
    </>
  );
}

function NewUser({ onClose }: { readonly onClose: () => void }) {
  return (
    <CreateDialog
      title={t('users.new')}
      submit={t('users.create')}
      initial={{ username: '', password: '' }}
      fields={[]}
      more={({ body, faults, onChange }) => (
        <>
          <TextInput
            data-autofocus
            label={t('session.username')}
            required
            withAsterisk={false}
            autoComplete="off"
            value={body.username}
            error={faults['username']}
            onChange={(event) => onChange({ username: event.currentTarget.value })}
          />
          <NewPassword
            value={body.password}
            error={faults['password']}
            onChange={(password) => onChange({ password })}
          />
        </>
      )}
      create={(body) => users.create(body)}
      onDone={({ username }) => showToast({ tone: 'done', message: t('users.created', { name: username }) })}
      onClose={onClose}
    />
  );
}

interface SetPasswordProps {
  readonly user: User;
  /** The own password asks for the one of now. */
  readonly isOwn: boolean;
  onClose(): void;
}

function SetPassword({ user, isOwn, onClose }: SetPasswordProps) {
  const [current, setCurrent] = useState('');
  const [password, setPassword] = useState('');
  const sending = useSubmit(async () => {
    if (isOwn)
      await requireData(
        api.POST('/auth/password', { body: { current_password: current, new_password: password } }),
      );
    else
      await requireData(
        api.PUT('/users/{id}/password', { params: { path: { id: user.id } }, body: { password } }),
      );
    onClose();
    showToast({ tone: 'done', message: t('users.passwordSet', { name: user.username }) });
  });
  return (
    <FormDialog
      title={t('users.setPasswordOf', { name: user.username })}
      submit={t('users.setPassword')}
      sending={sending}
      onClose={onClose}
    >
      <p className="line">{t('users.passwordEffect')}</p>
      {isOwn && (
        <PasswordInput
          data-autofocus
          label={t('users.currentPassword')}
          autoComplete="current-password"
          required
          withAsterisk={false}
          value={current}
          onChange={(event) => setCurrent(event.currentTarget.value)}
          visibilityToggleButtonProps={{ 'aria-label': t('session.showPassword') }}
        />
      )}
      <NewPassword value={password} error={sending.faults['password']} onChange={setPassword} />
    </FormDialog>
  );
}

interface NewPasswordProps {
  readonly value: string;
  readonly error: string | undefined;
  onChange(value: string): void;
}

function NewPassword({ value, error, onChange }: NewPasswordProps) {
  return (
    <PasswordInput
      label={t('users.newPassword')}
      description={t('session.passwordHelp')}
      autoComplete="new-password"
      required
      withAsterisk={false}
      value={value}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value)}
      visibilityToggleButtonProps={{ 'aria-label': t('session.showPassword') }}
    />
  );
}
