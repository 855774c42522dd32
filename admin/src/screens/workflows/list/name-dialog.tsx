import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { goTo } from '../../../base/router/history.ts';
import { paths } from '../../../base/router/paths.ts';
import { createWorkflow, type Workflow, workflows } from '../../../content/workflows.ts';
import { FormDialog } from '../../../kit/form/form-dialog.tsx';
import { FormText } from '../../../kit/form/form-text.tsx';
import { useSending } from '../../../kit/form/sending.ts';

export interface NameDialogProps {
  readonly kind: 'new' | 'rename' | 'copy';
  /** The workflow that gets another name, or a copy. */
  readonly of?: Workflow;
  onClose(): void;
}

const titles = { new: 'workflows.new', rename: 'workflows.rename', copy: 'workflows.copy' } as const;
const submits = {
  new: 'workflows.create',
  rename: 'workflows.rename',
  copy: 'workflows.createCopy',
} as const;

/** Asks for the name of a new workflow, of a copy, or for another name. */
export function NameDialog({ kind, of, onClose }: NameDialogProps) {
  const { t } = useTranslation();
  const before = of?.name ?? '';
  const [name, setName] = useState(kind === 'copy' ? t('workflows.copyOf', { name: before }) : before);
  const sending = useSending(async () => {
    if (kind === 'rename' && of !== undefined) {
      await workflows.update(of.id, { name });
      return onClose();
    }
    // A copy is off, because its HTTP inputs have the paths of the original.
    const fields = of === undefined ? {} : { description: of.description, flow: of.flow, enabled: false };
    const { id } = await createWorkflow({ name, ...fields });
    onClose();
    goTo(paths.workflow(id));
  });
  return (
    <FormDialog title={t(titles[kind])} submit={t(submits[kind])} sending={sending} onClose={onClose}>
      <FormText
        isFirst
        label={t('fields.name')}
        {...(kind === 'copy' ? { help: t('workflows.copyHelp') } : {})}
        value={name}
        error={sending.faults['name']}
        onChange={setName}
      />
    </FormDialog>
  );
}
