import { useQuery } from '@tanstack/react-query';
import { api, requireData } from '../../../api/client.ts';
import { failureText } from '../../../api/failure-text.ts';
import type { User } from '../../../api/generated/schema.ts';
import { t } from '../../../base/i18n/index.ts';
import { goTo } from '../../../base/router/history.ts';
import { paths } from '../../../base/router/paths.ts';
import { Consequence } from '../../../kit/delete/consequence.tsx';
import { FormDialog } from '../../../kit/form/form-dialog.tsx';
import { useSubmit } from '../../../kit/form/submit.ts';
import { users } from './queries.ts';

interface DeleteUserProps {
  readonly user: User;
  onClose(): void;
}

/** Names the tokens that end with a user before they are deleted. */
export function DeleteUser({ user: { id, username }, onClose }: DeleteUserProps) {
  const { data, error } = useQuery({
    queryKey: ['user-deletion', id],
    queryFn: () =>
      requireData(api.DELETE('/users/{id}', { params: { path: { id }, query: { dry_run: true } } })),
    gcTime: 0,
  });
  const sending = useSubmit(async () => {
    await users.remove(id);
    onClose();
    goTo(paths.system('users'));
  });
  const message = sending.message ?? (error === null ? undefined : failureText(error));
  return (
    <FormDialog
      title={t('users.deleteTitle', { name: username })}
      submit={t('users.delete')}
      sending={{ ...sending, message }}
      isIncomplete={data === undefined}
      isDangerous
      onClose={onClose}
    >
      <p className="line">{t('users.deleteLoss')}</p>
      {data !== undefined && data.tokens.length > 0 && (
        <Consequence title={t('users.tokensEnd', { count: data.tokens.length })}>
          {data.tokens.map(({ name, prefix }) => `${name} (${prefix}…)`)}
        </Consequence>
      )}
    </FormDialog>
  );
}
