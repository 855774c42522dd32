import type { ReactNode } from 'react';
import type { PageTab } from '../../../../base/router/paths.ts';
import type { TabProps } from '../../store/page-store.ts';
import { AssetsTab } from './assets-tab.tsx';
import { ContentTab } from './content-tab.tsx';
import { HeadTab } from './head-tab.tsx';
import { HistoryTab } from './history-tab.tsx';
import { SeoTab } from './seo-tab.tsx';
import { SettingsTab } from './settings-tab.tsx';
import { TemplateTab } from './template-tab.tsx';

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
