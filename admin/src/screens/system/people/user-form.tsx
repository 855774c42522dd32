import { api, requireData } from '../../../api/client.ts';
import * as forms from '../../../api/generated/forms.ts';
import type { User } from '../../../api/generated/schema.ts';
import { useSession } from '../../../api/session/session.ts';
import { t, timeText } from '../../../base/i18n/index.ts';
import { paths } from '../../../base/router/paths.ts';
import { type Command, createDeletion } from '../../../commands/command.ts';
import { confirmFirst } from '../../../kit/form/confirm-first.tsx';
import { ObjectForm } from '../../../kit/form/object-form.tsx';
import { openDialog } from '../../../ui/floating/dialogs.ts';
import { Facts } from '../../../ui/values/facts.tsx';
import { SessionList } from '../profile/session-list.tsx';
import { DeleteUser } from './delete-user.tsx';
import { invite, useRoles, users, usersChanged } from './queries.ts';
import { RightsList } from './rights-list.tsx';
import { RolesInput } from './roles-input.tsx';
import { SetPassword } from './set-password.tsx';
import { formatFactors } from './users-section.tsx';

/** A user: who it is, what they may do, how and where they are logged in. */
export function UserForm({ user }: { readonly user: User }) {
  const { data: session } = useSession();
  const all = useRoles();
  const { id, username, last_login_at: lastLogin, factors = [] } = user;
  const isOwn = id === session?.user?.id;
  return (
    <ObjectForm
      title={username}
      list={{ name: t('system.users'), path: paths.system('users') }}
      saveLabel="users.save"
      schema={forms.UserUpdate}
      texts="users"
      layout={[['username', 'name'], 'email', 'role_ids', 'must_change_password']}
      inputs={{ role_ids: RolesInput }}
      object={user}
      save={(changes) => users.update(id, changes)}
      commands={[
        ...(isOwn ? [] : passwordCommands(user)),
        ...(factors.length > 0 && !isOwn ? [removeFactors(user)] : []),
        createDeletion('users.delete', 'users.delete', () =>
          openDialog((onClose) => <DeleteUser user={user} onClose={onClose} />),
        ),
      ]}
    >
      <Facts
        facts={[
          [t('profile.factors'), formatFactors(user) || t('users.noFactor')],
          [t('users.columns.lastLogin'), lastLogin === null ? t('users.never') : timeText(lastLogin)],
        ]}
      />
      <RightsList roles={all.filter((role) => user.role_ids.includes(role.id))} />
      {!isOwn && <SessionList userId={id} />}
    </ObjectForm>
  );
}

/** The ways in which somebody gets a password. */
function passwordCommands(user: User): readonly Command[] {
  return [
    { id: 'users.invite', label: 'users.invite', icon: 'envelope-simple', run: () => invite(user) },
    {
      id: 'users.password',
      label: 'users.setPassword',
      icon: 'key',
      run: () => openDialog((onClose) => <SetPassword user={user} onClose={onClose} />),
    },
  ];
}

/** For somebody who has lost them. */
function removeFactors({ id, username }: User): Command {
  return {
    id: 'users.factors',
    label: 'users.removeFactors',
    icon: 'x',
    tone: 'danger',
    run: () =>
      confirmFirst({
        title: t('users.removeFactorsOf', { name: username }),
        loss: t('users.removeFactorsLoss'),
        submit: t('users.removeFactors'),
        run: async () => {
          await requireData(api.DELETE('/users/{id}/factors', { params: { path: { id } } }));
          await usersChanged();
        },
      }),
  };
}
