import { Checkbox } from '@mantine/core';
import * as forms from '../../api/generated/forms.ts';
import { t } from '../../base/i18n/index.ts';
import { useField } from '../../editing/editor-store.ts';
import { LongText } from '../../kit/form/field-input.tsx';
import { SchemaForm } from '../../kit/form/schema-form.tsx';
import classes from './block-type.module.css';
import type { CodeStore } from './code-store.ts';

/** Offers a snippet as layout of new pages. */
export function PageLayoutPanel({ store }: { readonly store: CodeStore }) {
  const [layout, setLayout] = useField(store, 'page_layout');
  const whole = layout ?? { label: '', description: '', default: false };
  return (
    <div className={classes['panel']}>
      <Checkbox
        label={t('pageLayout.offer')}
        description={t('pageLayout.offerHelp')}
        checked={layout !== null && layout !== undefined}
        onChange={(event) => setLayout(event.currentTarget.checked ? whole : null)}
      />
      {layout !== null && layout !== undefined && (
        <SchemaForm
          schema={forms.PageLayoutInput}
          texts={['pageLayout', 'schema']}
          layout={['label', 'description', 'default']}
          inputs={{ description: LongText }}
          values={layout}
          faults={{}}
          onChange={(change) => setLayout({ ...layout, ...change })}
        />
      )}
    </div>
  );
}
