import { Button, Progress } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSession } from '../../../api/session/session.ts';
import { t } from '../../../base/i18n/index.ts';
import { sizeText } from '../../../base/i18n/size-text.ts';
import {
  type Connection,
  connections,
  type Direction,
  previewSync,
  sync,
  syncQuery,
} from '../../../content/jobs/connections.ts';
import { confirmDeletion } from '../../../kit/delete/confirm-deletion.tsx';
import { CreateDialog } from '../../../kit/form/create-dialog.tsx';
import { openDialog } from '../../../ui/floating/dialogs.ts';
import { Icon } from '../../../ui/icons/icon.tsx';
import { EmptyState } from '../../../ui/messages/empty-state.tsx';
import { ReplaceDialog } from '../bundles/replace-dialog.tsx';
import { ConnectionCard } from './connection-card.tsx';

/** Other instances: what differs, content in both directions, and work on them from here. */
export function ConnectionsSection() {
  const { data: all } = connections.useList();
  const { data: running } = useQuery(syncQuery);
  const { data: session } = useSession();
  const [synced, setSynced] = useState<Omit<SyncDialogProps, 'onClose'>>();
  return (
    <>
      <p className="quiet line">{t('connections.help')}</p>
      <div>
        <Button leftSection={<Icon name="plus" />} onClick={() => edit(undefined)}>
          {t('connections.new')}
        </Button>
      </div>
      {running?.running === true && synced === undefined && <SyncProgress />}
      {all?.length === 0 && <EmptyState>{t('connections.none')}</EmptyState>}
      <ul className="plain-list stack-12">
        {all?.map((connection) => (
          <ConnectionCard
            key={connection.id}
            connection={connection}
            isSelected={session?.remote?.id === connection.id}
            onSync={(direction) => setSynced({ connection, direction })}
            onEdit={() => edit(connection)}
            onDelete={() =>
              confirmDeletion({
                texts: 'connections',
                names: { name: connection.name },
                run: () => connections.remove(connection.id),
              })
            }
          />
        ))}
      </ul>
      {synced !== undefined && <SyncDialog {...synced} onClose={() => setSynced(undefined)} />}
    </>
  );
}

/** @param connection undefined: a new one */
function edit(connection: Connection | undefined): void {
  openDialog((onClose) => <ConnectionForm connection={connection} onClose={onClose} />);
}

interface SyncDialogProps {
  readonly connection: Connection;
  readonly direction: Direction;
  onClose(): void;
}

function SyncDialog({ connection: { id, name }, direction, onClose }: SyncDialogProps) {
  const here = location.host;
  const isPush = direction === 'push';
  return (
    <ReplaceDialog
      title={t(isPush ? 'connections.pushTitle' : 'connections.pullTitle', { name })}
      submit={t(isPush ? 'connections.pushNow' : 'connections.pullNow')}
      from={isPush ? here : name}
      to={isPush ? name : here}
      effect={t('connections.effect', { target: isPush ? name : here, source: isPush ? here : name })}
      typed={isPush ? name : here}
      progress={<SyncProgress />}
      preview={() => previewSync(id, direction)}
      run={async () =>
        t(isPush ? 'connections.pushed' : 'connections.pulled', {
          name,
          backup: await sync(id, direction),
        })
      }
      onClose={onClose}
    />
  );
}

/** The push or pull that is running: its step and how much has been sent. */
function SyncProgress() {
  const { data } = useQuery(syncQuery);
  if (data === undefined || !data.running || data.phase === '') return null;
  const { phase, done, total } = data;
  return (
    <section aria-label={t('connections.running')}>
      <p className="line" role="status">
        {t(`connections.phases.${phase}`)}
      </p>
      <Progress
        aria-label={t('connections.running')}
        value={total === 0 ? 100 : (done / total) * 100}
        striped={total === 0}
        animated={total === 0}
      />
      <p className="meta line tabular">
        {total > 0 && t('cache.sizeOf', { size: sizeText(done), max: sizeText(total) })}
      </p>
    </section>
  );
}

interface ConnectionFormProps {
  /** Undefined for a new one. */
  readonly connection: Connection | undefined;
  onClose(): void;
}

/** Name, address and token of a connection. A stored token is never shown. */
function ConnectionForm({ connection, onClose }: ConnectionFormProps) {
  const isNew = connection === undefined;
  return (
    <CreateDialog
      title={isNew ? t('connections.new') : t('connections.editTitle', { name: connection.name })}
      submit={t(isNew ? 'connections.create' : 'connections.save')}
      initial={{ name: connection?.name ?? '', url: connection?.url ?? '', token: '' }}
      fields={[
        { name: 'name', label: 'fields.name', help: 'connections.nameHelp' },
        { name: 'url', label: 'fields.url', help: 'imports.urlHelp' },
        {
          name: 'token',
          label: 'connections.token',
          help: () =>
            isNew
              ? t('connections.tokenHelp')
              : t('connections.tokenKept', { prefix: connection.token_prefix }),
          isOptional: !isNew,
          isSecret: true,
          autoComplete: 'off',
        },
      ]}
      create={(body) => (isNew ? connections.create(body) : connections.update(connection.id, body))}
      onClose={onClose}
    />
  );
}
