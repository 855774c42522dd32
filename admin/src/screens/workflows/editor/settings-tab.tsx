import { Checkbox } from '@mantine/core';
import { fieldFaults } from '../../../api/failure-text.ts';
import { t } from '../../../base/i18n/index.ts';
import { DescriptionField, NameField } from '../../../editing/description-fields.tsx';
import { useField, useSaveState } from '../../../editing/editor-store.ts';
import classes from '../runs/runs.module.css';
import type { WorkflowStore } from '../state/store.ts';

/** Name, description, and whether it starts from outside. */
export function SettingsTab({ store }: { readonly store: WorkflowStore }) {
  const [enabled, setEnabled] = useField(store, 'enabled');
  const state = useSaveState(store);
  const faults = state.kind === 'failed' ? fieldFaults(state.error) : {};
  return (
    <div className={classes['form']}>
      <NameField store={store} faults={faults} />
      <DescriptionField store={store} faults={faults} />
      <Checkbox
        label={t('workflows.enabledLabel')}
        description={t('workflows.enabledHelp')}
        checked={enabled}
        onChange={(event) => setEnabled(event.currentTarget.checked)}
      />
    </div>
  );
}
