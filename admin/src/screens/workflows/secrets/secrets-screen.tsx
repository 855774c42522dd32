import { Button, PasswordInput } from '@mantine/core';
import { t, timeText } from '../../../base/i18n/index.ts';
import { Link } from '../../../base/router/link.tsx';
import { paths } from '../../../base/router/paths.ts';
import { deleteSecret, putSecret, useSecrets } from '../../../content/workflows.ts';
import { DeleteButton } from '../../../kit/delete/confirm-deletion.tsx';
import { CreateDialog } from '../../../kit/form/create-dialog.tsx';
import { DataTable } from '../../../kit/table/data-table.tsx';
import { openDialog } from '../../../ui/floating/dialogs.ts';
import { Icon } from '../../../ui/icons/icon.tsx';
import { PageHeader } from '../../../ui/layout/page-header.tsx';
import tableClasses from '../../../ui/rows/table.module.css';
import classes from './secrets.module.css';

/** Values that workflows may use and nobody can read. */
export function SecretsScreen() {
  const { data: secrets } = useSecrets();
  return (
    <div className="screen">
      <PageHeader
        scope={
          <>
            <Link href={paths.workflows()}>{t('nav.workflows')}</Link> · {t('frame.allSites')}
          </>
        }
        title={t('workflows.secrets.title')}
        actions={
          <Button leftSection={<Icon name="plus" />} onClick={() => askSecret('')}>
            {t('workflows.secrets.new')}
          </Button>
        }
      />
      <p className={classes['help']}>{t('workflows.secrets.help', { example: '{{ secret.NAME }}' })}</p>
      <div className={tableClasses['body']}>
        <DataTable
          className={tableClasses['table']}
          rows={secrets}
          none={t('workflows.secrets.none')}
          keyOf={({ name }) => name}
          columns={[
            { head: t('fields.name'), cell: ({ name }) => <code>{name}</code> },
            {
              head: t('workflows.secrets.set'),
              className: 'tabular',
              cell: ({ updated_at }) => timeText(updated_at),
            },
            {
              head: t('actions.more'),
              isHeadHidden: true,
              cell: ({ name }) => (
                <>
                  <Button
                    variant="subtle"
                    size="compact-sm"
                    aria-label={t('workflows.secrets.changeOf', { name })}
                    onClick={() => askSecret(name)}
                  >
                    {t('workflows.secrets.change')}
                  </Button>
                  <DeleteButton texts="workflows.secrets" names={{ name }} run={() => deleteSecret(name)} />
                </>
              ),
            },
          ]}
        />
      </div>
    </div>
  );
}

/** @param name of the secret that gets a value; empty for a new one */
function askSecret(name: string): void {
  openDialog((onClose) => <SecretDialog name={name} onClose={onClose} />);
}

function SecretDialog({ name: known, onClose }: { readonly name: string; onClose(): void }) {
  const isNew = known === '';
  return (
    <CreateDialog
      title={isNew ? t('workflows.secrets.new') : t('workflows.secrets.changeOf', { name: known })}
      submit={t('workflows.secrets.save')}
      initial={{ name: known, value: '' }}
      fields={isNew ? [{ name: 'name', label: 'fields.name', help: 'workflows.secrets.nameHelp' }] : []}
      more={({ body, faults, onChange }) => (
        <PasswordInput
          label={t('workflows.secrets.value')}
          description={t('workflows.secrets.valueHelp')}
          visibilityToggleButtonProps={{ 'aria-label': t('workflows.secrets.show') }}
          autoComplete="off"
          value={body.value}
          error={faults['value']}
          onChange={(event) => onChange({ value: event.currentTarget.value })}
        />
      )}
      isReady={({ name, value }) => name !== '' && value !== ''}
      create={({ name, value }) => putSecret(name, value)}
      onClose={onClose}
    />
  );
}
