import { useMemo, useSyncExternalStore } from 'react';
import type { PagePreview } from '../../../api/generated/schema.ts';
import type { PageStore } from './page-store.ts';
import { findChangedWords } from './words.ts';

/** Fields of the page that the preview takes unsaved. */
const previewed = ['html', 'head', 'title', 'description', 'assets', 'blocks'] as const;

/** The unsaved fields for a preview; the same object as long as they are the same. */
export function useUnsaved(store: PageStore): PagePreview {
  const base = useSyncExternalStore(store.subscribe, () => store.base);
  const changes = useSyncExternalStore(store.subscribe, () => store.changes);
  return useMemo(() => {
    const names = previewed.filter((name) => name in changes);
    const unsaved = Object.fromEntries(names.map((name) => [name, changes[name]]));
    if (changes.regions === undefined) return unsaved;
    return { ...unsaved, regions: findChangedWords(base.regions, changes.regions) };
  }, [changes, base]);
}
