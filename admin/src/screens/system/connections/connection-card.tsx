import { Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { selectInstance } from '../../../api/instance.ts';
import { t, timeText } from '../../../base/i18n/index.ts';
import type { Command } from '../../../commands/command.ts';
import { CommandButton, CommandMenu } from '../../../commands/command-button.tsx';
import {
  type Connection,
  type ConnectionStatus,
  type Direction,
  statusQuery,
} from '../../../content/jobs/connections.ts';
import { Icon } from '../../../ui/icons/icon.tsx';
import classes from './connections.module.css';

export interface ConnectionCardProps {
  readonly connection: Connection;
  /** Requests go to this connection already. */
  readonly isSelected: boolean;
  onSync(direction: Direction): void;
  onEdit(): void;
  onDelete(): void;
}

/** A connection as it is now, and what can be done with it. */
export function ConnectionCard({ connection, isSelected, onSync, onEdit, onDelete }: ConnectionCardProps) {
  const { id, name, url, last_sync: lastSync, last_sync_at: lastSyncAt } = connection;
  const { data: status, isFetching, refetch } = useQuery(statusQuery(id));
  const more: readonly Command[] = [
    { id: 'connection.edit', label: 'connections.edit', icon: 'pencil-simple', run: onEdit },
    { id: 'connection.delete', label: 'connections.delete', icon: 'trash', tone: 'danger', run: onDelete },
  ];
  const isOff = status?.reachable !== true;
  return (
    <li className={classes['card']}>
      <div className={classes['head']}>
        <span>
          <h2>{name}</h2>
          <span className="meta">
            {url} ·{' '}
            {lastSyncAt === null
              ? t('connections.neverSynced')
              : t(lastSync === 'pull' ? 'connections.lastPull' : 'connections.lastPush', {
                  time: timeText(lastSyncAt),
                })}
          </span>
        </span>
        <CommandMenu label={t('connections.actionsOf', { name })} commands={more} />
      </div>
      {status === undefined ? (
        <p className="line quiet">{t('connections.asking')}</p>
      ) : (
        <StatusText status={status} />
      )}
      <Group gap={8}>
        <Button
          variant="default"
          aria-label={t('connections.pushTo', { name })}
          leftSection={<Icon name="upload-simple" />}
          disabled={isOff}
          onClick={() => onSync('push')}
        >
          {t('connections.push')}
        </Button>
        <Button
          variant="default"
          aria-label={t('connections.pullFrom', { name })}
          leftSection={<Icon name="download-simple" />}
          disabled={isOff}
          onClick={() => onSync('pull')}
        >
          {t('connections.pull')}
        </Button>
        {!isSelected && (
          <CommandButton
            variant="default"
            withIcon
            command={{
              id: `connection.workThere.${id}`,
              label: 'connections.workThere',
              icon: 'arrow-square-out',
              can: () => !isOff,
              run: () => selectInstance(id),
            }}
          />
        )}
        <Button variant="subtle" loading={isFetching} onClick={() => void refetch()}>
          {t('connections.test')}
        </Button>
      </Group>
    </li>
  );
}

function StatusText({ status }: { readonly status: ConnectionStatus }) {
  const { reachable, error, remote, local_version: version, local_schema: schema } = status;
  if (!reachable || remote === null)
    return (
      <p className={classes['status']} data-tone="brick">
        <Icon name="warning-circle" />
        <span>
          {t('connections.unreachable')} <span className={classes['reason']}>{error}</span>
        </span>
      </p>
    );
  return (
    <>
      <p className={classes['status']} data-tone={status.synced ? 'leaf' : 'ochre'}>
        <Icon name={status.synced ? 'check-circle' : 'arrows-clockwise'} />
        <span>{t(`connections.states.${stateOf(status)}`)}</span>
      </p>
      {status.version_mismatch && (
        <p className={classes['status']} data-tone="ochre">
          <Icon name="warning" />
          <span>
            {t('connections.versions', {
              theirs: remote.version,
              theirSchema: remote.schema,
              ours: version,
              ourSchema: schema,
            })}
          </span>
        </p>
      )}
    </>
  );
}

function stateOf({ synced, local_changed, remote_changed }: ConnectionStatus) {
  if (synced) return 'synced';
  if (local_changed && remote_changed) return 'bothChanged';
  return local_changed ? 'localChanged' : 'remoteChanged';
}
