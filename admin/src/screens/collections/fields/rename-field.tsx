import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { api, requireData } from '../../../api/client.ts';
import type { TemplateUse } from '../../../api/generated/schema.ts';
import { t } from '../../../base/i18n/index.ts';
import { type Collection, collections } from '../../../content/collections.ts';
import { FormDialog } from '../../../kit/form/form-dialog.tsx';
import { useSubmit } from '../../../kit/form/submit.ts';
import { Dialog } from '../../../ui/floating/dialog.tsx';
import { Strip } from '../../../ui/messages/strip.tsx';
import { TemplateUses } from './template-uses.tsx';

export interface RenameFieldProps {
  readonly collection: Collection;
  readonly name: string;
  /** Other changes of the fields have to be saved or dropped first. */
  readonly isBlocked: boolean;
  onClose(): void;
}

/** Renames a field and keeps its values; then names the templates that still read the old name. */
export function RenameField({ collection, name, isBlocked, onClose }: RenameFieldProps) {
  const [to, setTo] = useState(name);
  const [uses, setUses] = useState<readonly TemplateUse[]>();
  const close = () => {
    onClose();
    void collections.changed();
  };
  const sending = useSubmit(async () => {
    const path = { ref: String(collection.id) };
    const { templates } = await requireData(
      api.POST('/collections/{ref}/rename-field', { params: { path }, body: { from: name, to } }),
    );
    if (templates.length === 0) close();
    else setUses(templates);
  });
  if (uses !== undefined)
    return (
      <Dialog onClose={close} title={t('schema.renamed', { from: name, to })}>
        <TemplateUses title={t('schema.mendTemplates', { count: uses.length })} uses={uses} />
      </Dialog>
    );
  return (
    <FormDialog
      title={t('schema.renameTitle', { name })}
      submit={t('schema.rename')}
      sending={sending}
      isIncomplete={isBlocked || to === name || to === ''}
      onClose={onClose}
    >
      {isBlocked && <Strip>{t('schema.saveFirst')}</Strip>}
      <TextInput
        data-autofocus
        label={t('schema.name')}
        description={t('schema.renameHelp')}
        value={to}
        error={sending.faults['to']}
        onChange={(event) => setTo(event.currentTarget.value)}
      />
    </FormDialog>
  );
}
