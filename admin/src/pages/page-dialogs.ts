import { useSyncExternalStore } from 'react';
import type { PageTreeEntry } from './queries.ts';

/** A dialog about pages that a command has opened. */
export type PageDialog =
  | { readonly kind: 'new'; readonly parent: PageTreeEntry }
  | { readonly kind: 'move'; readonly page: PageTreeEntry }
  | { readonly kind: 'reimport'; readonly page: Pick<PageTreeEntry, 'id' | 'title'> }
  | { readonly kind: 'delete'; readonly pages: readonly PageTreeEntry[] };

type Listener = () => void;

let open: PageDialog | undefined;
const listeners = new Set<Listener>();

export function openPageDialog(dialog: PageDialog | undefined): void {
  open = dialog;
  for (const listener of listeners) listener();
}

export function usePageDialog(): PageDialog | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => open,
  );
}
