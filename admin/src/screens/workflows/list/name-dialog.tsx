import { t } from '../../../base/i18n/index.ts';
import { goTo } from '../../../base/router/history.ts';
import { paths } from '../../../base/router/paths.ts';
import { createWorkflow, type Workflow, workflows } from '../../../content/workflows.ts';
import { CreateDialog } from '../../../kit/form/create-dialog.tsx';

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
  const before = of?.name ?? '';
  const label = 'fields.name';
  return (
    <CreateDialog
      title={t(titles[kind])}
      submit={t(submits[kind])}
      initial={{ name: kind === 'copy' ? t('workflows.copyOf', { name: before }) : before }}
      fields={[kind === 'copy' ? { name: 'name', label, help: 'workflows.copyHelp' } : 'name']}
      create={async ({ name }) => {
        if (kind === 'rename' && of !== undefined) return void (await workflows.update(of.id, { name }));
        // A copy is off, because its HTTP inputs have the paths of the original.
        const fields = of === undefined ? {} : { description: of.description, flow: of.flow, enabled: false };
        goTo(paths.workflow((await createWorkflow({ name, ...fields })).id));
      }}
      onClose={onClose}
    />
  );
}
