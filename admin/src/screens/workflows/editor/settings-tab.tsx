import * as forms from '../../../api/generated/forms.ts';
import { useForm } from '../../../editing/use-form.ts';
import { LongText } from '../../../kit/form/field-input.tsx';
import { SchemaForm } from '../../../kit/form/schema-form.tsx';
import classes from '../runs/runs.module.css';
import type { WorkflowStore } from '../state/store.ts';

/** Name, description, and whether it starts from outside. */
export function SettingsTab({ store }: { readonly store: WorkflowStore }) {
  return (
    <div className={classes['form']}>
      <SchemaForm
        schema={forms.WorkflowUpdate}
        texts="workflows"
        layout={['name', 'description', 'enabled']}
        inputs={{ description: LongText }}
        {...useForm(store)}
      />
    </div>
  );
}
