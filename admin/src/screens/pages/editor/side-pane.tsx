import { SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '../../../base/i18n/index.ts';
import type { PageTab } from '../../../base/router/paths.ts';
import type { PageStore } from '../store/page-store.ts';
import { PreviewPane } from './preview-pane.tsx';
import classes from './side-pane.module.css';
import { translationsQuery } from './tabs/translations.tsx';
import { TranslationPane } from './translation-pane.tsx';

/** Beside the fields: the page as it will look, or the same fields of another language. */
export function SidePane({ store, tab }: { readonly store: PageStore; readonly tab: PageTab }) {
  const { data: versions = [] } = useQuery(translationsQuery(store.base.id));
  const [shown, setShown] = useState('preview');
  const version = versions.find(({ page_id }) => String(page_id) === shown);
  const choice = versions.length > 0 && (
    <SegmentedControl
      size="xs"
      aria-label={t('preview.side')}
      value={version === undefined ? 'preview' : shown}
      onChange={setShown}
      data={[
        { value: 'preview', label: t('preview.title') },
        ...versions.map(({ page_id, lang }) => ({ value: String(page_id), label: lang.toUpperCase() })),
      ]}
    />
  );
  return (
    <section className={classes['pane']} aria-label={t('preview.title')}>
      {version === undefined ? (
        <PreviewPane store={store} choice={choice} />
      ) : (
        <TranslationPane
          key={version.page_id}
          source={store}
          id={version.page_id}
          tab={tab}
          choice={choice}
        />
      )}
    </section>
  );
}
