import { PasswordInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Connection, connections } from '../../../content/jobs/connections.ts';
import { FormDialog } from '../../../kit/form/form-dialog.tsx';
import { FormText } from '../../../kit/form/form-text.tsx';
import { useSending } from '../../../kit/form/sending.ts';

export interface ConnectionFormProps {
  /** Undefined for a new one. */
  readonly connection: Connection | undefined;
  onClose(): void;
}

/** Name, address and token of a connection. A stored token is never shown. */
export function ConnectionForm({ connection, onClose }: ConnectionFormProps) {
  const { t } = useTranslation();
  const [name, setName] = useState(connection?.name ?? '');
  const [url, setUrl] = useState(connection?.url ?? '');
  const [token, setToken] = useState('');
  const sending = useSending(async () => {
    const body = { name, url, token };
    await (connection === undefined ? connections.create(body) : connections.update(connection.id, body));
    onClose();
  });
  const isNew = connection === undefined;
  return (
    <FormDialog
      title={isNew ? t('connections.new') : t('connections.editTitle', { name: connection.name })}
      submit={t(isNew ? 'connections.create' : 'connections.save')}
      sending={sending}
      onClose={onClose}
    >
      <FormText
        isFirst
        label={t('fields.name')}
        help={t('connections.nameHelp')}
        value={name}
        error={sending.faults['name']}
        onChange={setName}
      />
      <FormText
        label={t('fields.url')}
        help={t('imports.urlHelp')}
        value={url}
        error={sending.faults['url']}
        onChange={setUrl}
      />
      <PasswordInput
        label={t('connections.token')}
        description={t(isNew ? 'connections.tokenHelp' : 'connections.tokenKept', {
          prefix: connection?.token_prefix ?? '',
        })}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        autoComplete="off"
        required={isNew}
        withAsterisk={false}
        value={token}
        error={sending.faults['token']}
        onChange={(event) => setToken(event.currentTarget.value)}
        visibilityToggleButtonProps={{ 'aria-label': t('session.showPassword') }}
      />
    </FormDialog>
  );
}
