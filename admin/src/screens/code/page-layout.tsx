import { Checkbox, Textarea, TextInput } from '@mantine/core';
import { t } from '../../base/i18n/index.ts';
import { useField } from '../../editing/editor-store.ts';
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
        <>
          <TextInput
            label={t('schema.label')}
            value={layout.label}
            onChange={(event) => setLayout({ ...whole, label: event.currentTarget.value })}
          />
          <Textarea
            label={t('fields.description')}
            value={layout.description}
            onChange={(event) => setLayout({ ...whole, description: event.currentTarget.value })}
          />
          <Checkbox
            label={t('pageLayout.default')}
            checked={layout.default}
            onChange={(event) => setLayout({ ...whole, default: event.currentTarget.checked })}
          />
        </>
      )}
    </div>
  );
}
