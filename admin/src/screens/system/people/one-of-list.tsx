import { Fragment, type ReactNode } from 'react';
import { t } from '../../../base/i18n/index.ts';
import { paths } from '../../../base/router/paths.ts';
import { NothingOpen } from '../../../kit/list/nothing-open.tsx';
import { roles, users } from './queries.ts';
import { RoleForm } from './role-form.tsx';
import { UserForm } from './user-form.tsx';

/** The user of an ID. */
export function OneUser({ id }: { readonly id: number }) {
  const { data: all } = users.useList();
  const list = { name: t('system.users'), path: paths.system('users') };
  return (
    <OneOf all={all} id={id} list={list}>
      {(user) => <UserForm user={user} />}
    </OneOf>
  );
}

/** The role of an ID. */
export function OneRole({ id }: { readonly id: number }) {
  const { data: all } = roles.useList();
  const list = { name: t('roles.title'), path: paths.system('roles') };
  return (
    <OneOf all={all} id={id} list={list}>
      {(role) => <RoleForm role={role} />}
    </OneOf>
  );
}

interface OneOfProps<Item> {
  readonly all: readonly Item[] | undefined;
  readonly id: number;
  readonly list: { readonly name: string; readonly path: string };
  children(item: Item): ReactNode;
}

/** An object of a list, or that there is none. */
function OneOf<Item extends { readonly id: number }>({ all, id, list, children }: OneOfProps<Item>) {
  const item = all?.find((other) => other.id === id);
  if (item !== undefined) return <Fragment key={id}>{children(item)}</Fragment>;
  return (
    <NothingOpen list={list} isFailed={all !== undefined}>
      {all === undefined ? '' : t('errors.common.notFound')}
    </NothingOpen>
  );
}
