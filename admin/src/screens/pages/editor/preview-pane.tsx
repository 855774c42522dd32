import { type ReactNode, useSyncExternalStore } from 'react';
import { useContentVersion } from '../../../editors/preview/content-version.ts';
import { PagePreview } from '../../../editors/preview/page-preview.tsx';
import type { PageStore } from '../store/page-store.ts';
import { useUnsaved } from '../store/unsaved.ts';

/** The page with what is not saved yet. */
export function PreviewPane({ store, choice }: { readonly store: PageStore; readonly choice: ReactNode }) {
  const base = useSyncExternalStore(store.subscribe, () => store.base);
  const version = useContentVersion() + base.updated_at;
  return <PagePreview page={base} unsaved={useUnsaved(store)} version={version} choice={choice} />;
}
