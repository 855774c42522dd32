import { api, requireData } from '../../../api/client.ts';
import type { User } from '../../../api/generated/schema.ts';
import { t } from '../../../base/i18n/index.ts';
import { CreateDialog } from '../../../kit/form/create-dialog.tsx';
import { showToast } from '../../../ui/messages/toasts.ts';
import { usersChanged } from './queries.ts';

interface SetPasswordProps {
  readonly user: User;
  onClose(): void;
}

/** Gives somebody a password, which they change at the next login. */
export function SetPassword({ user: { id, username }, onClose }: SetPasswordProps) {
  const params = { path: { id } };
  const setPassword = async ({ password }: { readonly password: string }) => {
    await requireData(api.PUT('/users/{id}/password', { params, body: { password } }));
    await requireData(api.PUT('/users/{id}', { params, body: { must_change_password: true } }));
    await usersChanged();
  };
  return (
    <CreateDialog
      title={t('users.setPasswordOf', { name: username })}
      submit={t('users.setPassword')}
      initial={{ password: '' }}
      intro={<p className="line">{t('users.passwordEffect')}</p>}
      fields={[
        {
          name: 'password',
          label: 'users.newPassword',
          help: 'session.passwordRules',
          isSecret: true,
          autoComplete: 'new-password',
        },
      ]}
      create={setPassword}
      onDone={() => showToast({ tone: 'done', message: t('users.passwordSet', { name: username }) })}
      onClose={onClose}
    />
  );
}
