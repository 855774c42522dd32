import { api, requireData } from '../../../api/client.ts';
import type { Role, User } from '../../../api/generated/schema.ts';
import { queryClient } from '../../../api/query-client.ts';
import { Resource } from '../../../api/resource.ts';
import { t, timeText } from '../../../base/i18n/index.ts';
import { showSecret } from '../../../kit/form/show-secret.tsx';

// One's own rights may be among what changes.
export const users = new Resource('/users', { also: ['session', 'tokens'] });
export const roles = new Resource('/roles', { also: ['session'] });
export const tokens = new Resource('/tokens');

const noRoles: readonly Role[] = [];

/** The roles in the order of their IDs: those that come with the program are first. */
export function useRoles(): readonly Role[] {
  return roles.useList().data ?? noRoles;
}

/** The names of some roles in one text. */
export function formatRoles(all: readonly Role[], ids: readonly number[]): string {
  return all
    .filter(({ id }) => ids.includes(id))
    .map(({ name }) => name)
    .join(', ');
}

/** What a person is called: the full name if there is one. */
function personName({ name, username }: Pick<User, 'name' | 'username'>): string {
  return name === '' ? username : `${name} (${username})`;
}

/** Makes an invitation and shows its address. */
export async function invite(user: Pick<User, 'id' | 'name' | 'username' | 'email'>): Promise<void> {
  const params = { path: { id: user.id } };
  const { url, expires_at, sent } = await requireData(api.POST('/users/{id}/invitation', { params }));
  showSecret({
    title: t('invitation.made', { name: personName(user) }),
    label: t('invitation.secret'),
    help: [
      t('invitation.secretHelp', { time: timeText(expires_at) }),
      ...(sent ? [t('invitation.sent', { email: user.email })] : []),
    ].join(' '),
    secret: url,
  });
}

/** After a change that the answers of `/users` show, but that is none of their fields. */
export function usersChanged(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: ['users'] });
}
