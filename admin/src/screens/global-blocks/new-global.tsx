import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { goTo } from '../../base/router/history.ts';
import { paths } from '../../base/router/paths.ts';
import { globalBlocks } from '../../content/global-blocks.ts';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import { FormText } from '../../kit/form/form-text.tsx';
import { useSending } from '../../kit/form/sending.ts';

/** Asks for the name of a new global block, and opens it. */
export function NewGlobal({ onClose }: { onClose(): void }) {
  const { t } = useTranslation();
  const [name, setName] = useState('');
  const sending = useSending(async () => {
    const { id } = await globalBlocks.create({ name });
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
