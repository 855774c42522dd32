import { PasswordInput } from '@mantine/core';
import { t } from '../../../base/i18n/index.ts';
import { type Connection, connections } from '../../../content/jobs/connections.ts';
import { CreateDialog } from '../../../kit/form/create-dialog.tsx';

export interface ConnectionFormProps {
  /** Undefined for a new one. */
  readonly connection: Connection | undefined;
  onClose(): void;
}

/** Name, address and token of a connection. A stored token is never shown. */
export function ConnectionForm({ connection, onClose }: ConnectionFormProps) {
  const isNew = connection === undefined;
  return (
    <CreateDialog
      title={isNew ? t('connections.new') : t('connections.editTitle', { name: connection.name })}
      submit={t(isNew ? 'connections.create' : 'connections.save')}
      initial={{ name: connection?.name ?? '', url: connection?.url ?? '', token: '' }}
      fields={[
        { name: 'name', label: 'fields.name', help: 'connections.nameHelp' },
        { name: 'url', label: 'fields.url', help: 'imports.urlHelp' },
      ]}
      more={({ body, faults, onChange }) => (
        <PasswordInput
          label={t('connections.token')}
          description={t(isNew ? 'connections.tokenHelp' : 'connections.tokenKept', {
            prefix: connection?.token_prefix ?? '',
          })}
          autoComplete="off"
          required={isNew}
          value={body.token}
          error={faults['token']}
          onChange={(event) => onChange({ token: event.currentTarget.value })}
          visibilityToggleButtonProps={{ 'aria-label': t('session.showPassword') }}
        />
      )}
      create={(body) => (isNew ? connections.create(body) : connections.update(connection.id, body))}
      onClose={onClose}
    />
  );
}
