import { lazy, Suspense } from 'react';
import { styled } from '../../../../ui/theme/styled.ts';
import type { TabProps } from '../../store/page-store.ts';
import { TemplateTab } from './template-tab.tsx';

const BlocksTab = lazy(async () => ({
  default: (await styled(() => import('./blocks-tab.tsx'))).BlocksTab,
}));

/** What visitors read: the blocks where the template prints them, else the template. */
export function ContentTab({ store }: TabProps) {
  if (!store.base.renders_blocks) return <TemplateTab store={store} />;
  return (
    <Suspense>
      <BlocksTab store={store} />
    </Suspense>
  );
}
