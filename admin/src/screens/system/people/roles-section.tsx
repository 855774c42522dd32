import { Button } from '@mantine/core';
import { t } from '../../../base/i18n/index.ts';
import { goTo } from '../../../base/router/history.ts';
import { Link } from '../../../base/router/link.tsx';
import { paths } from '../../../base/router/paths.ts';
import { CreateDialog } from '../../../kit/form/create-dialog.tsx';
import { openDialog } from '../../../ui/floating/dialogs.ts';
import { Icon } from '../../../ui/icons/icon.tsx';
import classes from '../../../ui/layout/section.module.css';
import { roles } from './queries.ts';

/** What users and tokens can be allowed. */
export function RolesSection() {
  const { data: all = [] } = roles.useList();
  return (
    <>
      <p className="quiet line">{t('roles.help')}</p>
      <div>
        <Button
          leftSection={<Icon name="plus" />}
          onClick={() => openDialog((onClose) => <NewRole onClose={onClose} />)}
        >
          {t('roles.new')}
        </Button>
      </div>
      <ul className={classes['rows']}>
        {all.map(({ id, name, description, builtin, require_factor }) => (
          <li key={id} className={classes['row']}>
            <span>
              <Link href={paths.role(id)}>{name}</Link>
              <span className="meta">
                {[
                  ...(builtin ? [t('roles.builtin')] : []),
                  ...(require_factor ? [t('roles.needsFactor')] : []),
                  ...(description === '' ? [] : [description]),
                ].join(' · ')}
              </span>
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

function NewRole({ onClose }: { readonly onClose: () => void }) {
  return (
    <CreateDialog
      title={t('roles.new')}
      submit={t('roles.create')}
      initial={{ name: '' }}
      fields={['name']}
      create={(body) => roles.create({ ...body, grants: [{ actions: ['read'], on: {} }] })}
      onDone={({ id }) => goTo(paths.role(id))}
      onClose={onClose}
    />
  );
}
