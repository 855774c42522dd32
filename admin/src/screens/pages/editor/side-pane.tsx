import { SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState, useSyncExternalStore } from 'react';
import { t } from '../../../base/i18n/index.ts';
import { goTo } from '../../../base/router/history.ts';
import { type PageTab, paths } from '../../../base/router/paths.ts';
import { useContentVersion } from '../../../editors/preview/content-version.ts';
import { PagePreview } from '../../../editors/preview/page-preview.tsx';
import { useStackedTab } from '../../../editors/preview/with-preview.tsx';
import type { PageStore } from '../store/page-store.ts';
import { useUnsaved } from '../store/unsaved.ts';
import { pickedRegion, useRegionLabels } from '../store/words.ts';
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

/** The page with what is not saved yet. */
function PreviewPane({ store, choice }: { readonly store: PageStore; readonly choice: ReactNode }) {
  const base = useSyncExternalStore(store.subscribe, () => store.base);
  const version = useContentVersion() + base.updated_at;
  const labels = useRegionLabels(base);
  const [, setStackedTab] = useStackedTab();
  const onPick = (name: string) => {
    goTo(paths.page(base.root_id, base.id), { replace: true });
    setStackedTab('fields');
    pickedRegion.set({ store, name });
  };
  return (
    <PagePreview
      page={base}
      unsaved={useUnsaved(store)}
      version={version}
      words={base.region_schema.length === 0 ? undefined : { labels, onPick }}
      choice={choice}
    />
  );
}
