import { useQuery } from '@tanstack/react-query';
import { useMemo, useSyncExternalStore } from 'react';
import { copyQuery } from '../../../content/releases/copies.ts';
import type { UnsavedPage } from '../../../editors/preview/use-preview.ts';
import type { PageStore } from './page-store.ts';
import { findChangedWords } from './words.ts';

/** Fields of the page that the preview takes unsaved. */
const previewed = ['html', 'head', 'title', 'description', 'assets', 'blocks'] as const;

/** The unpublished state and the unsaved fields for a preview; the same object as long as they are the same. */
export function useUnsaved(store: PageStore): UnsavedPage {
  const base = useSyncExternalStore(store.subscribe, () => store.base);
  const changes = useSyncExternalStore(store.subscribe, () => store.changes);
  const of = { kind: 'page', id: base.id, path: `/pages/${base.id}` };
  // The editor asks for it.
  const { data: copy } = useQuery({ ...copyQuery(of), enabled: false });
  const changeSet = copy?.changeSet;
  return useMemo(() => {
    const names = previewed.filter((name) => name in changes);
    const unsaved: UnsavedPage = {
      ...Object.fromEntries(names.map((name) => [name, changes[name]])),
      ...(typeof changeSet === 'number' ? { change_set: changeSet } : {}),
    };
    if (changes.regions === undefined) return unsaved;
    return { ...unsaved, regions: findChangedWords(base.regions, changes.regions) };
  }, [changes, base, changeSet]);
}
