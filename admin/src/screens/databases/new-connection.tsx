import { useState } from 'react';
import { t } from '../../base/i18n/index.ts';
import { goTo } from '../../base/router/history.ts';
import { paths } from '../../base/router/paths.ts';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import { useSubmit } from '../../kit/form/submit.ts';
import { ConnectionFields, faultsOfConnection, strayFault } from './connection-fields.tsx';
import { addConnection } from './queries.ts';

/** Adds a connection to the service of a database. */
export function NewConnection({ onClose }: { readonly onClose: () => void }) {
  const [form, setForm] = useState({ name: '', url: 'https://', token: '' });
  const sending = useSubmit(async () => {
    await addConnection({ ...form, name: form.name.trim() });
    onClose();
    goTo(paths.database(form.name.trim()));
  });
  return (
    <FormDialog
      title={t('databases.new')}
      submit={t('databases.create')}
      sending={{ ...sending, message: sending.message ?? strayFault(sending.error) }}
      isIncomplete={form.name.trim() === '' || !/^https?:\/\/./.test(form.url)}
      onClose={onClose}
    >
      <ConnectionFields
        isNew
        form={form}
        faults={faultsOfConnection(sending.error)}
        hasToken={false}
        onChange={setForm}
      />
    </FormDialog>
  );
}
