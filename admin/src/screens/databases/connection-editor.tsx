import { Button, Checkbox } from '@mantine/core';
import { useState } from 'react';
import { failureText } from '../../api/failure-text.ts';
import { t } from '../../base/i18n/index.ts';
import { goTo } from '../../base/router/history.ts';
import { Link } from '../../base/router/link.tsx';
import { paths } from '../../base/router/paths.ts';
import { type Command, createDeletion } from '../../commands/command.ts';
import { CommandButton, CommandMenu } from '../../commands/command-button.tsx';
import { useCommands } from '../../commands/registry.ts';
import { workflows } from '../../content/workflows.ts';
import { Consequence } from '../../kit/delete/consequence.tsx';
import { confirmFirst } from '../../kit/form/confirm-first.tsx';
import { FormError } from '../../kit/form/form-error.tsx';
import { useSubmit } from '../../kit/form/submit.ts';
import { Icon } from '../../ui/icons/icon.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { useMedia } from '../../ui/layout/use-media.ts';
import { StatusMark } from '../../ui/messages/status-mark.tsx';
import {
  ConnectionFields,
  type ConnectionForm,
  faultsOfConnection,
  strayFault,
} from './connection-fields.tsx';
import classes from './databases.module.css';
import {
  deleteConnection,
  type ExtdbConnection,
  type ExtdbTest,
  testConnection,
  updateConnection,
  useTables,
} from './queries.ts';

/** A connection: its test, its form, and which workflows use it. */
export function ConnectionEditor({ connection }: { readonly connection: ExtdbConnection }) {
  const { name, url, has_token: hasToken } = connection;
  const [form, setForm] = useState<ConnectionForm>({ name, url, token: '' });
  const [isTokenRemoved, setTokenRemoved] = useState(false);
  // Where there is room for one pane, the list with the tables is not on the screen.
  const isTight = useMedia('(max-width: 767px)');
  const isChanged = form.name !== name || form.url !== url || form.token !== '' || isTokenRemoved;
  const saving = useSubmit(async () => {
    const token = isTokenRemoved ? '' : form.token === '' ? null : form.token;
    await updateConnection(name, { name: form.name, url: form.url, token });
    setForm({ ...form, token: '' });
    setTokenRemoved(false);
    if (form.name !== name) goTo(paths.database(form.name), { replace: true });
  });
  const save: Command = {
    id: 'database.save',
    label: 'databases.save',
    icon: 'check',
    keys: 'mod+S',
    can: () => isChanged && !saving.isSending,
    run: () => saving.send(),
  };
  const remove = createDeletion('database.delete', 'databases.delete', () =>
    confirmFirst({
      title: t('code.deleteTitle', { name }),
      loss: t('databases.deleteLoss'),
      submit: t('databases.delete'),
      more: <DeletionUsers name={name} />,
      async run() {
        await deleteConnection(name);
        goTo(paths.databases());
      },
    }),
  );
  useCommands([save]);
  return (
    <div className="screen">
      <PageHeader
        scope={
          <>
            <Link href={paths.databases()}>{t('databases.title')}</Link> · {t('frame.allSites')}
          </>
        }
        title={name}
        actions={
          <>
            {isChanged && <StatusMark status="unsaved" />}
            <CommandButton command={save} />
            <CommandMenu label={t('page.more')} commands={[remove]} />
          </>
        }
      />
      <div className="body column">
        <ConnectionTest name={name} isDisabled={isChanged} />
        <FormError message={saving.message ?? strayFault(saving.error)} />
        <div className="form">
          <ConnectionFields
            form={form}
            faults={faultsOfConnection(saving.error)}
            hasToken={hasToken}
            onChange={setForm}
          />
          {hasToken && (
            <Checkbox
              label={t('databases.removeToken')}
              disabled={form.token !== ''}
              checked={isTokenRemoved}
              onChange={(event) => setTokenRemoved(event.currentTarget.checked)}
            />
          )}
        </div>
        {isTight && <Tables name={name} />}
        <UsedBy name={name} />
      </div>
    </div>
  );
}

/** Asks the service, and shows what it answers. */
function ConnectionTest({ name, isDisabled }: { readonly name: string; readonly isDisabled: boolean }) {
  const [result, setResult] = useState<ExtdbTest>();
  const testing = useSubmit(async () => {
    setResult(undefined);
    setResult(await testConnection(name));
  });
  return (
    <section className={classes['test']} aria-label={t('databases.test')}>
      <Button
        variant="default"
        leftSection={<Icon name="plugs-connected" />}
        loading={testing.isSending}
        disabled={isDisabled}
        onClick={() => void testing.send()}
      >
        {t('databases.test')}
      </Button>
      <span role="status" data-state={testing.message === undefined ? 'ok' : 'failed'}>
        {isDisabled
          ? t('databases.saveFirst')
          : (testing.message ??
            (result && t('databases.works', { version: result.version, count: result.tables })))}
      </span>
    </section>
  );
}

function Tables({ name }: { readonly name: string }) {
  const { data: tables = [], error } = useTables(name);
  return (
    <section className={classes['users']}>
      <h2>{t('databases.tables')}</h2>
      {error !== null && <p className="line">{failureText(error)}</p>}
      <ul>
        {tables.map(({ id, ref }) => (
          <li key={id}>
            <Link href={paths.database(name, ref)}>{ref}</Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Names of the workflows with nodes that name the connection. */
function useUsers(name: string): readonly { readonly id: number; readonly name: string }[] {
  const { data: allWorkflows = [] } = workflows.useList();
  return allWorkflows.filter(({ flow }) =>
    flow.nodes.some(
      ({ type, config }) =>
        type === 'extdb' && String(config['connection']).toLowerCase() === name.toLowerCase(),
    ),
  );
}

function UsedBy({ name }: { readonly name: string }) {
  const users = useUsers(name);
  return (
    <section className={classes['users']}>
      <h2>{t('databases.usedBy')}</h2>
      {users.length === 0 && <p className="quiet line">{t('databases.notUsed')}</p>}
      <ul>
        {users.map((user) => (
          <li key={user.id}>
            <Link href={paths.workflow(user.id)}>{user.name}</Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

function DeletionUsers({ name }: { readonly name: string }) {
  const users = useUsers(name);
  if (users.length === 0) return null;
  return (
    <Consequence title={t('code.usedBy', { count: users.length })}>
      {users.map((user) => `${t('kinds.workflow')} "${user.name}"`)}
    </Consequence>
  );
}
