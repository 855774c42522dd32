import { useMemo, useSyncExternalStore } from 'react';
import type { PagePreview } from '../../../api/generated/schema.ts';
import type { PageStore } from './page-store.ts';

/** Fields of the page that the preview takes unsaved. */
const previewed = ['html', 'head', 'title', 'description', 'assets', 'blocks'] as const;

/** The unsaved fields for a preview; the same object as long as they are the same. */
export function useUnsaved(store: PageStore): PagePreview {
  const changes = useSyncExternalStore(store.subscribe, () => store.changes);
  return useMemo(() => {
    const names = previewed.filter((name) => name in changes);
    return Object.fromEntries(names.map((name) => [name, changes[name]]));
  }, [changes]);
}
