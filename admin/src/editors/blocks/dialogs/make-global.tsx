import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { globalBlocks } from '../../../content/global-blocks.ts';
import { FormDialog } from '../../../kit/form/form-dialog.tsx';
import { FormText } from '../../../kit/form/form-text.tsx';
import { useSending } from '../../../kit/form/sending.ts';
import { outermost } from '../model/tree.ts';
import { replaceByGlobal } from '../state/actions.ts';
import type { BlockEditing } from '../state/editing.ts';

export interface MakeGlobalProps {
  readonly editing: BlockEditing;
  onClose(): void;
}

/** Makes a global block of the chosen blocks, and puts it in their place. */
export function MakeGlobal({ editing, onClose }: MakeGlobalProps) {
  const { t } = useTranslation();
  const [name, setName] = useState('');
  const sending = useSending(async () => {
    const blocks = outermost(editing.tree, new Set(editing.selection.ids));
    const global = await globalBlocks.create({ name, blocks });
    replaceByGlobal(editing, global);
    onClose();
  });
  return (
    <FormDialog
      title={t('blocks.makeGlobal')}
      submit={t('globals.create')}
      sending={sending}
      isIncomplete={name.trim() === ''}
      onClose={onClose}
    >
      <p className="line">{t('blocks.makeGlobalHelp')}</p>
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
