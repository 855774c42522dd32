/**
 * Unsaved changes, kept in this browser so that a closed window loses nothing. Each object has the changes of
 * now and those of an earlier visit, which wait for a decision: typing does not overwrite them.
 */
import { createStore, del, get, keys, set } from 'idb-keyval';
import { instanceName } from '../session/instance.ts';
import { SharedValue, useShared } from '../state/shared-value.ts';
import type { Editable, EditorStore } from './editor-store.ts';
import { type Fields, fieldsOf } from './fields.ts';

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

/** Changes are kept so long after the last key, in milliseconds. */
const keepAfterMs = 500;

type Slot = 'now' | 'earlier';

const database = createStore('incipit-drafts', 'drafts');
const known = new Set<string>();
const names = new SharedValue<ReadonlySet<string>>(new Set());

function nameOf({ user, kind, id }: DraftKey, slot: Slot): string {
  return `${instanceName()}${user}/${kind}/${id}/${slot}`;
}

/** Finds out which objects have drafts. */
export async function loadDraftNames(): Promise<void> {
  for (const key of await keys<string>(database)) known.add(key);
  tell();
}

/** IDs of the objects of a kind with unsaved changes in this browser. */
export function useDraftIds(user: number, kind: string): ReadonlySet<number> {
  const all = useShared(names);
  const prefix = `${instanceName()}${user}/${kind}/`;
  return new Set(
    [...all].filter((name) => name.startsWith(prefix)).map((name) => Number(name.split('/')[2])),
  );
}

/** The changes of an earlier visit; those of the last one become it. */
export async function takeEarlierDraft(key: DraftKey): Promise<Draft | undefined> {
  const last = await read(key, 'now');
  if (last !== undefined) {
    await write(key, 'earlier', last);
    await remove(key, 'now');
    return last;
  }
  return read(key, 'earlier');
}

export function dropEarlierDraft(key: DraftKey): Promise<void> {
  return remove(key, 'earlier');
}

/** Keeps the changes of an editor from now on. Returns how to stop. */
export function keepDrafts<Value extends Editable>(key: DraftKey, store: EditorStore<Value>): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let kept: unknown;
  const keep = () => {
    clearTimeout(timer);
    timer = undefined;
    if (kept === store.changes) return;
    kept = store.changes;
    if (!store.isChanged) return void remove(key, 'now');
    const draft: Draft = {
      base: fieldsOf(store.base),
      changes: fieldsOf(store.changes),
      savedAt: Math.floor(Date.now() / 1000),
    };
    void write(key, 'now', draft);
  };
  const later = () => {
    clearTimeout(timer);
    timer = setTimeout(keep, keepAfterMs);
  };
  const whenHidden = () => {
    if (document.visibilityState === 'hidden') keep();
  };
  const stop = store.subscribe(later);
  document.addEventListener('visibilitychange', whenHidden);
  window.addEventListener('pagehide', keep);
  return () => {
    keep();
    stop();
    document.removeEventListener('visibilitychange', whenHidden);
    window.removeEventListener('pagehide', keep);
  };
}

function read(key: DraftKey, slot: Slot): Promise<Draft | undefined> {
  return get<Draft>(nameOf(key, slot), database);
}

async function write(key: DraftKey, slot: Slot, draft: Draft): Promise<void> {
  await set(nameOf(key, slot), draft, database);
  known.add(nameOf(key, slot));
  tell();
}

async function remove(key: DraftKey, slot: Slot): Promise<void> {
  await del(nameOf(key, slot), database);
  if (known.delete(nameOf(key, slot))) tell();
}

function tell(): void {
  names.set(new Set(known));
}
