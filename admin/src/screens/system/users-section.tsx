import { Button } from '@mantine/core';
import { api, requireData } from '../../api/client.ts';
import type { User } from '../../api/generated/schema.ts';
import { Resource } from '../../api/resource.ts';
import { useSession } from '../../api/session.ts';
import { t, timeText } from '../../base/i18n/index.ts';
import { DeleteButton } from '../../kit/delete/confirm-deletion.tsx';
import { CreateDialog } from '../../kit/form/create-dialog.tsx';
import { openDialog } from '../../ui/floating/dialogs.ts';
import { Icon } from '../../ui/icons/icon.tsx';
import classes from '../../ui/layout/section.module.css';
import { showToast } from '../../ui/messages/toasts.ts';

const users = new Resource('/users');

/** The administrators. */
export function UsersSection() {
  const { data: all = [] } = users.useList();
  const { data: session } = useSession();
  const own = session?.user?.id;
  return (
    <>
      <div>
        <Button
          leftSection={<Icon name="plus" />}
          onClick={() => openDialog((onClose) => <NewUser onClose={onClose} />)}
        >
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
              onClick={() =>
                openDialog((onClose) => <SetPassword user={user} isOwn={user.id === own} onClose={onClose} />)
              }
            >
              {t('users.setPassword')}
            </Button>
            <DeleteButton
              texts="users"
              names={{ name: user.username }}
              isDisabled={all.length < 2 || user.id === own}
              run={() => users.remove(user.id)}
            />
          </li>
        ))}
      </ul>
    </>
  );
}

function NewUser({ onClose }: { readonly onClose: () => void }) {
  return (
    <CreateDialog
      title={t('users.new')}
      submit={t('users.create')}
      initial={{ username: '', password: '' }}
      fields={[{ name: 'username', label: 'session.username', autoComplete: 'off' }, newPassword]}
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
  const setPassword = async ({
    current,
    password,
  }: {
    readonly current: string;
    readonly password: string;
  }) => {
    if (isOwn)
      await requireData(
        api.POST('/auth/password', { body: { current_password: current, new_password: password } }),
      );
    else
      await requireData(
        api.PUT('/users/{id}/password', { params: { path: { id: user.id } }, body: { password } }),
      );
  };
  return (
    <CreateDialog
      title={t('users.setPasswordOf', { name: user.username })}
      submit={t('users.setPassword')}
      initial={{ current: '', password: '' }}
      intro={<p className="line">{t('users.passwordEffect')}</p>}
      fields={isOwn ? [currentPassword, newPassword] : [newPassword]}
      create={setPassword}
      onDone={() => showToast({ tone: 'done', message: t('users.passwordSet', { name: user.username }) })}
      onClose={onClose}
    />
  );
}

const newPassword = {
  name: 'password',
  label: 'users.newPassword',
  help: 'session.passwordHelp',
  isSecret: true,
  autoComplete: 'new-password',
} as const;
const currentPassword = {
  name: 'current',
  label: 'users.currentPassword',
  isSecret: true,
  autoComplete: 'current-password',
} as const;
