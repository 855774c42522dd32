import { useEffect, useState } from 'react';
import {
  type Draft,
  type DraftKey,
  dropEarlierDraft,
  keepDrafts,
  takeEarlierDraft,
} from '../../editing/drafts.ts';
import { EditorStore } from '../../editing/editor-store.ts';
import { type Fields, mergeFields } from '../../editing/merge.ts';
import { useSession } from '../../session/queries.ts';
import { type Page, usePage } from '../queries.ts';

export type PageStore = EditorStore<Page>;

/** What each tab gets. */
export interface TabProps {
  readonly store: PageStore;
}

/** Editors with unsaved changes stay as they are while other pages are shown. */
const stores = new Map<number, PageStore>();

export interface OpenPage {
  readonly store: PageStore | undefined;
  readonly error: unknown;
  /** Changes of an earlier visit that wait for a decision. */
  readonly earlier: Draft | undefined;
  /** Puts the earlier changes into the editor, or drops them. */
  decide(isRestored: boolean): void;
}

/** The editor of a page, with what is kept of it in this browser. */
export function useOpenPage(id: number): OpenPage {
  const { data: page, error } = usePage(id);
  const { data: session } = useSession();
  const user = session?.user?.id ?? 0;
  const [store, setStore] = useState<PageStore | undefined>(() => stores.get(id));
  const [earlier, setEarlier] = useState<Draft>();

  useEffect(() => {
    if (page === undefined || page.id !== id) return;
    const known = stores.get(id);
    if (known === undefined) {
      const made = new EditorStore<Page>(page);
      stores.set(id, made);
      setStore(made);
      return;
    }
    setStore(known);
    // A newer state of the server is taken over where nothing was changed here; a save finds the rest.
    if (!known.isChanged && page.updated_at !== known.base.updated_at) known.rebase(page);
  }, [page, id]);

  useEffect(() => {
    const key: DraftKey = { user, kind: 'page', id };
    let isLeft = false;
    const known = stores.get(id);
    if (known === undefined || !known.isChanged) {
      void takeEarlierDraft(key).then((draft) => {
        if (!isLeft) setEarlier(draft);
      });
    }
    if (store === undefined || store.base.id !== id) return;
    const stop = keepDrafts(key, store);
    return () => {
      isLeft = true;
      stop();
      setEarlier(undefined);
      if (!store.isChanged) stores.delete(id);
    };
  }, [store, id, user]);

  const decide = (isRestored: boolean) => {
    if (isRestored && earlier !== undefined && store !== undefined) restore(store, earlier);
    setEarlier(undefined);
    void dropEarlierDraft({ user, kind: 'page', id });
  };
  return { store: store?.base.id === id ? store : undefined, error, earlier, decide };
}

/** Fields that nobody else has changed come back at once; the others lead to a conflict with both versions. */
function restore(store: PageStore, { base, changes }: Draft): void {
  const server = store.base;
  const merged = mergeFields(base, changes, { ...server });
  if (merged.conflicts.length === 0) {
    store.setChanges({ ...merged.changes, ...store.changes });
    return;
  }
  // Type boundary: the draft of a page holds the page.
  store.rebase(base as unknown as Page);
  store.setChanges({ ...changes, ...store.changes });
  store.setState({ kind: 'conflict', theirs: server });
}

/** Whether the fields of a draft are any that can be shown. */
export function changedFields(draft: { readonly changes: Fields }): readonly string[] {
  return Object.keys(draft.changes);
}
