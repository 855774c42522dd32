import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { goTo } from '../app/history.ts';
import { paths } from '../app/paths.ts';
import { createGlobal } from '../blocks/queries.ts';
import { FormDialog } from '../ui/form-dialog.tsx';
import { FormText } from '../ui/form-text.tsx';
import { useSending } from '../ui/sending.ts';

/** Asks for the name of a new global block, and opens it. */
export function NewGlobal({ onClose }: { onClose(): void }) {
  const { t } = useTranslation();
  const [name, setName] = useState('');
  const sending = useSending(async () => {
    const { id } = await createGlobal({ name });
    onClose();
    goTo(paths.globalBlock(id));
  });
  return (
    <FormDialog
      title={t('globals.new')}
      submit={t('blocks.createGlobal')}
      sending={sending}
      isIncomplete={name.trim() === ''}
      onClose={onClose}
    >
      <FormText
        isFirst
        label={t('fields.name')}
        value={name}
        error={sending.faults['name']}
        onChange={setName}
      />
    </FormDialog>
  );
}
