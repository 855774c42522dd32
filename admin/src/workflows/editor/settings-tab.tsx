import { Checkbox, Textarea, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { fieldFaults } from '../../api/failure-text.ts';
import { useField, useSaveState } from '../../editing/editor-store.ts';
import classes from '../runs/runs.module.css';
import type { WorkflowStore } from '../store.ts';

/** Name, description, and whether it starts from outside. */
export function SettingsTab({ store }: { readonly store: WorkflowStore }) {
  const { t } = useTranslation();
  const [name, setName] = useField(store, 'name');
  const [description, setDescription] = useField(store, 'description');
  const [enabled, setEnabled] = useField(store, 'enabled');
  const state = useSaveState(store);
  const faults = state.kind === 'failed' ? fieldFaults(state.error) : {};
  return (
    <div className={classes['form']}>
      <TextInput
        label={t('fields.name')}
        value={name}
        error={faults['name']}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Textarea
        label={t('fields.description')}
        autosize
        minRows={2}
        value={description}
        error={faults['description']}
        onChange={(event) => setDescription(event.currentTarget.value)}
      />
      <Checkbox
        label={t('workflows.enabledLabel')}
        description={t('workflows.enabledHelp')}
        checked={enabled}
        onChange={(event) => setEnabled(event.currentTarget.checked)}
      />
    </div>
  );
}
