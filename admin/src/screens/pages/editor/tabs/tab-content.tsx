import { lazy, type ReactNode, Suspense } from 'react';
import { t } from '../../../../base/i18n/index.ts';
import type { PageTab } from '../../../../base/router/paths.ts';
import { pagesChanged } from '../../../../content/pages.ts';
import { RevisionList } from '../../../../editors/versions/revision-list.tsx';
import { styled } from '../../../../ui/theme/styled.ts';
import type { TabProps } from '../../store/page-store.ts';
import { hasWords } from '../../store/words.ts';
import { AssetsTab } from './assets-tab.tsx';
import classes from './fields.module.css';
import { CodeField, PageFields } from './fields.tsx';
import { SeoTab } from './seo-tab.tsx';
import { SettingsTab } from './settings-tab.tsx';
import { WordsForm } from './words-form.tsx';

const tabs: Readonly<Record<PageTab, (props: TabProps) => ReactNode>> = {
  content: ContentTab,
  template: TemplateTab,
  head: HeadTab,
  seo: SeoTab,
  settings: SettingsTab,
  assets: AssetsTab,
  history: HistoryTab,
};

export function TabContent({ store, tab }: TabProps & { readonly tab: PageTab }) {
  const Tab = tabs[tab];
  return <Tab store={store} />;
}

function HeadTab({ store }: TabProps) {
  return (
    <div className={classes['fill']}>
      <p className="quiet" style={{ margin: 0 }}>
        {t('page.headHelp')}
      </p>
      <CodeField store={store} name="head" />
    </div>
  );
}

const BlocksTab = lazy(async () => ({
  default: (await styled(() => import('./blocks-tab.tsx'))).BlocksTab,
}));

/** What visitors read: the blocks where the template prints them, else its words, else the template. */
function ContentTab({ store }: TabProps) {
  if (!store.base.renders_blocks) {
    return hasWords(store.base) ? <WordsTab store={store} /> : <TemplateTab store={store} />;
  }
  return (
    <Suspense>
      <BlocksTab store={store} />
    </Suspense>
  );
}

function WordsTab({ store }: TabProps) {
  return (
    <div className={classes['form']}>
      <PageFields store={store} layout={['title']} />
      <WordsForm store={store} />
    </div>
  );
}

function HistoryTab({ store }: TabProps) {
  return <RevisionList kind="page" store={store} kept={t('history.keptOfPage')} changed={pagesChanged} />;
}

function TemplateTab({ store }: TabProps) {
  return (
    <div className={classes['fill']}>
      <PageFields store={store} layout={['title']} />
      <CodeField store={store} name="html" />
    </div>
  );
}
