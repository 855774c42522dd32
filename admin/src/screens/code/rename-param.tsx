import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, ok } from '../../api/client.ts';
import { snippetResource } from '../../content/code-kinds.ts';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import { FormText } from '../../kit/form/form-text.tsx';
import { useSending } from '../../kit/form/sending.ts';
import { Strip } from '../../ui/messages/strip.tsx';
import { showToast } from '../../ui/messages/toasts.ts';

export interface RenameParamProps {
  /** ID of the snippet. */
  readonly snippet: number;
  readonly name: string;
  /** Other changes have to be saved or dropped first. */
  readonly isBlocked: boolean;
  onClose(): void;
}

/** Renames a parameter and keeps the values of all blocks; then says how many templates still read the old name. */
export function RenameParam({ snippet, name, isBlocked, onClose }: RenameParamProps) {
  const { t } = useTranslation();
  const [to, setTo] = useState(name);
  const sending = useSending(async () => {
    const path = { id: snippet };
    const { templates } = await ok(
      api.POST('/snippets/{id}/rename-param', { params: { path }, body: { from: name, to } }),
    );
    await snippetResource.changed();
    onClose();
    const message =
      templates.length === 0
        ? t('schema.renamed', { from: name, to })
        : t('schema.mendTemplates', { count: templates.length });
    showToast({ tone: 'done', message });
  });
  return (
    <FormDialog
      title={t('schema.renameTitle', { name })}
      submit={t('blockType.rename')}
      sending={sending}
      isIncomplete={isBlocked || to === name || to === ''}
      onClose={onClose}
    >
      {isBlocked && <Strip>{t('schema.saveFirst')}</Strip>}
      <FormText
        isFirst
        label={t('schema.name')}
        help={t('blockType.renameHelp')}
        value={to}
        error={sending.faults['to']}
        onChange={setTo}
      />
    </FormDialog>
  );
}
