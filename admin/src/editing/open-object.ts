import { useEffect, useState } from 'react';
import { type Draft, type DraftKey, keepDrafts, keepEarlierDrafts, takeEarlierDrafts } from './drafts.ts';
import { type Editable, EditorStore } from './editor-store.ts';
import { toFieldRecord } from './merge/fields.ts';
import { mergeFields } from './merge/merge.ts';
import { joinWords } from './merge/named-parts.ts';

export interface OpenObject<Value extends Editable> {
  /** Undefined until the object is loaded. */
  readonly store: EditorStore<Value> | undefined;
  /** Changes of an earlier visit that wait for a decision; of several visits those of the last one. */
  readonly earlier: Draft | undefined;
  /** Puts the earlier changes into the editor, or drops them. */
  decide(isRestored: boolean): void;
}

/** Editors with unsaved changes stay as they are while other objects are shown. */
const stores = new Map<string, unknown>();

/**
 * The editor of an object, with what is kept of it in this browser.
 *
 * @param user whose changes they are
 * @param value the object as the server has it; undefined until it is loaded
 */
export function useOpenObject<Value extends Editable>(
  user: number,
  kind: string,
  id: number,
  value: Value | undefined,
): OpenObject<Value> {
  const name = `${kind} ${id}`;
  const [store, setStore] = useState(() => openStore<Value>(name));
  const [drafts, setDrafts] = useState<readonly Draft[]>([]);

  useEffect(() => {
    if (value === undefined || value.id !== id) return;
    const open = openStore<Value>(name) ?? new EditorStore<Value>(value);
    stores.set(name, open);
    setStore(open);
    // A newer state of the server is taken over where nothing was changed here; a save finds the rest.
    if (!open.isChanged && value.updated_at !== open.base.updated_at) open.take(value, {});
  }, [value, id, name]);

  useEffect(() => {
    if (store === undefined || store.base.id !== id) return;
    const key: DraftKey = { user, kind, id };
    let isLeft = false;
    if (!store.isChanged) {
      void takeEarlierDrafts(key, (draft) => isNew(store, draft)).then((found) => {
        if (!isLeft) setDrafts(found);
      });
    }
    const stop = keepDrafts(key, store);
    return () => {
      isLeft = true;
      stop();
      setDrafts([]);
      if (!store.isChanged) stores.delete(name);
    };
  }, [store, id, user, kind, name]);

  const [earlier, ...older] = drafts;
  const decide = (isRestored: boolean) => {
    if (isRestored && earlier !== undefined && store !== undefined) restore(store, earlier);
    setDrafts(older);
    void keepEarlierDrafts({ user, kind, id }, older);
  };
  return { store: store?.base.id === id ? store : undefined, earlier, decide };
}

/** Type boundary: the name holds the kind, and all objects of a kind have one type. */
function openStore<Value extends Editable>(name: string): EditorStore<Value> | undefined {
  return stores.get(name) as EditorStore<Value> | undefined;
}

/** Whether a draft has anything that the server does not have. */
function isNew<Value extends Editable>(store: EditorStore<Value>, { base, changes }: Draft): boolean {
  const merged = mergeFields(base, changes, toFieldRecord(store.base));
  return merged.conflicts.length > 0 || Object.keys(merged.changes).length > 0;
}

/** Fields that nobody else has changed come back at once; the others lead to a conflict with both versions. */
function restore<Value extends Editable>(store: EditorStore<Value>, { base, changes }: Draft): void {
  const server = store.base;
  const merged = mergeFields(base, changes, toFieldRecord(server));
  if (merged.conflicts.length === 0) {
    const restored = joinWords(merged.changes, toFieldRecord(server));
    store.setChanges({ ...restored, ...toFieldRecord(store.changes) });
    return;
  }
  // Type boundary: the draft of an object holds the object.
  store.rebase(base as unknown as Value);
  store.setChanges({ ...changes, ...toFieldRecord(store.changes) });
  store.setState({ kind: 'conflict', theirs: server });
}
