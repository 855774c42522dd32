/**
 * Unsaved changes, kept in this browser so that a closed window loses nothing. Each object has the changes of
 * now and those of earlier visits, which wait for a decision: typing does not overwrite them.
 */
import { createStore, del, get, keys, set } from 'idb-keyval';
import { draftNames, draftPrefix } from '../content/draft-names.ts';
import type { Editable, EditorStore } from './editor-store.ts';
import { type Fields, isEqual, toFieldRecord } from './merge/fields.ts';
import { removeKept, saveToLocalStorage, takeKept } from './save-to-local-storage.ts';

export interface Draft {
  /** The fields that were changed, as they were before. */
  readonly base: Fields;
  readonly changes: Fields;
  /** Unix seconds. */
  readonly savedAt: number;
}

/** Kind and ID of an object of the instance that this window works on, and whose draft it is. */
export interface DraftKey {
  readonly user: number;
  readonly kind: string;
  readonly id: number;
}

/** Changes are kept so long after the first key that is not kept yet, in milliseconds. */
const keepAfterMs = 250;

type Slot = 'now' | 'earlier';

const database = createStore('incipit-drafts', 'drafts');

function nameOf({ user, kind, id }: DraftKey, slot: Slot): string {
  return `${draftPrefix(user, kind)}${id}/${slot}`;
}

/** What the last window kept while it closed is a draft like all others before anything is read. */
const ready = Promise.all(
  takeKept<Draft>().map(([name, draft]) => set(name, draft, database).then(() => removeKept(name))),
);

/** Finds out which objects have drafts. */
export async function loadDraftNames(): Promise<void> {
  await ready;
  const stored = await keys<string>(database);
  draftNames.set(new Set([...draftNames.get(), ...stored]));
}

/**
 * The changes of earlier visits, the newest first; those of the last visit are among them from now on.
 *
 * @param isNew whether the server does not have a draft's changes already; other drafts are forgotten
 */
export async function takeEarlierDrafts(
  key: DraftKey,
  isNew: (draft: Draft) => boolean,
): Promise<readonly Draft[]> {
  await ready;
  const last = await read<Draft>(key, 'now');
  // Before there could be several, it was the draft itself.
  const stored = await read<Draft | readonly Draft[]>(key, 'earlier');
  const before = stored === undefined ? [] : 'changes' in stored ? [stored] : stored;
  const all = [...(last === undefined ? [] : [last]), ...before.filter((draft) => !isEqual(draft, last))];
  const drafts = all.filter(isNew);
  if (!isEqual(drafts, before)) await keepEarlierDrafts(key, drafts);
  if (last !== undefined) await remove(key, 'now');
  return drafts;
}

/** Replaces the changes of earlier visits. */
export function keepEarlierDrafts(key: DraftKey, drafts: readonly Draft[]): Promise<void> {
  return drafts.length === 0 ? remove(key, 'earlier') : write(key, 'earlier', drafts);
}

/** Keeps the changes of an editor from now on. Returns how to stop. */
export function keepDrafts<Value extends Editable>(key: DraftKey, store: EditorStore<Value>): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let kept: unknown;
  const keep = (isLast = false) => {
    clearTimeout(timer);
    timer = undefined;
    if (kept === store.changes) return;
    kept = store.changes;
    if (!store.isChanged) return void remove(key, 'now');
    const draft: Draft = {
      base: toFieldRecord(store.base),
      changes: toFieldRecord(store.changes),
      savedAt: Math.floor(Date.now() / 1000),
    };
    const name = nameOf(key, 'now');
    if (isLast) saveToLocalStorage(name, draft);
    void write(key, 'now', draft).then(() => {
      if (isLast) removeKept(name);
    });
  };
  const later = () => {
    timer ??= setTimeout(() => keep(), keepAfterMs);
  };
  const whenHidden = () => {
    if (document.visibilityState === 'hidden') keep();
  };
  const whenLeft = () => keep(true);
  const stop = store.subscribe(later);
  document.addEventListener('visibilitychange', whenHidden);
  window.addEventListener('pagehide', whenLeft);
  return () => {
    keep();
    stop();
    document.removeEventListener('visibilitychange', whenHidden);
    window.removeEventListener('pagehide', whenLeft);
  };
}

function read<Stored>(key: DraftKey, slot: Slot): Promise<Stored | undefined> {
  return get<Stored>(nameOf(key, slot), database);
}

async function write(key: DraftKey, slot: Slot, stored: Draft | readonly Draft[]): Promise<void> {
  await set(nameOf(key, slot), stored, database);
  draftNames.set(new Set([...draftNames.get(), nameOf(key, slot)]));
}

async function remove(key: DraftKey, slot: Slot): Promise<void> {
  await del(nameOf(key, slot), database);
  const left = new Set(draftNames.get());
  if (left.delete(nameOf(key, slot))) draftNames.set(left);
}
