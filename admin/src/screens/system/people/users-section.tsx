import { Button } from '@mantine/core';
import type { User } from '../../../api/generated/schema.ts';
import { useSession } from '../../../api/session/session.ts';
import { t, timeText } from '../../../base/i18n/index.ts';
import { Link } from '../../../base/router/link.tsx';
import { paths } from '../../../base/router/paths.ts';
import { DataTable } from '../../../kit/table/data-table.tsx';
import { openDialog } from '../../../ui/floating/dialogs.ts';
import { Icon } from '../../../ui/icons/icon.tsx';
import { NewUser } from './new-user.tsx';
import classes from './people.module.css';
import { formatRoles, useRoles, users } from './queries.ts';

/** Everybody who can log in. */
export function UsersSection() {
  const { data: all } = users.useList();
  const known = useRoles();
  const { data: session } = useSession();
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
      <DataTable
        className={classes['table']}
        rows={all}
        keyOf={({ id }) => id}
        columns={[
          {
            head: t('users.columns.name'),
            isName: true,
            cell: ({ id, username, name }) => (
              <span className={classes['name']}>
                <span>
                  <Link href={paths.user(id)}>{username}</Link>{' '}
                  {id === session?.user?.id && <span className="quiet">{t('users.you')}</span>}
                </span>
                {name !== '' && <span className="meta">{name}</span>}
              </span>
            ),
          },
          { head: t('users.email'), cell: ({ email }) => email },
          {
            head: t('users.role_ids'),
            cell: ({ role_ids }) => formatRoles(known, role_ids) || t('users.noRole'),
          },
          { head: t('profile.factors'), cell: formatFactors },
          {
            head: t('users.columns.lastLogin'),
            className: 'tabular',
            cell: ({ last_login_at: at }) => (at === null ? t('users.never') : timeText(at)),
          },
        ]}
      />
    </>
  );
}

/** The kinds of factors of a user in one text. */
export function formatFactors({ factors = [] }: User): string {
  return factors.map((kind) => t(`profile.kind.${kind}`)).join(', ');
}
