import { ApiFailure } from '../api/failure.ts';
import { noteSave } from './breaking-saves.ts';
import type { Editable, EditorStore } from './editor-store.ts';
import { type Fields, isEqual } from './merge/fields.ts';

export interface SaveRequests<Value extends Editable> {
  /** Sends changed fields with `base_updated_at`. */
  send(fields: Fields & { readonly base_updated_at: number }): Promise<Value>;
  /** The state that the server has now. */
  load(): Promise<Value>;
  /** What the feed of changes calls the object, if pages may fail by it. */
  readonly kind?: string;
  /** As `send`, of values that the server had before. Default: `send`. */
  sendBack?(fields: Fields & { readonly base_updated_at: number }): Promise<Value>;
}

/**
 * Saves the changes of an editor. A conflict and a deleted object become states of the editor, in which the
 * input is kept; other errors are shown at the editor too. True if everything was saved.
 *
 * @param more fields to save besides the changes, such as `published`
 */
export async function saveChanges<Value extends Editable>(
  store: EditorStore<Value>,
  requests: SaveRequests<Value>,
  more: Fields = {},
): Promise<boolean> {
  const { send, load } = requests;
  const fields = { ...store.changes, ...more };
  if (Object.keys(fields).length === 0) return true;
  store.setState({ kind: 'saving' });
  const before = pickFields(store.base, Object.keys(fields));
  try {
    const saved = await send({ ...fields, base_updated_at: store.base.updated_at });
    store.saved(saved, fields);
    watchSave(store, requests, before, saved);
    return true;
  } catch (error) {
    const state = await stateAfter<Value>(error, load);
    // The answer of an earlier try was lost on its way, or somebody else has made the same changes.
    if (state.kind === 'conflict' && hasAll(state.theirs, fields)) {
      store.saved(state.theirs, fields);
      return true;
    }
    store.setState(state);
    return false;
  }
}

/** If the save has broken pages, that is told, and can be taken back. */
function watchSave<Value extends Editable>(
  store: EditorStore<Value>,
  { kind, send, sendBack = send }: SaveRequests<Value>,
  before: Fields,
  { id, updated_at: base_updated_at }: Value,
): void {
  if (kind === undefined) return;
  noteSave({
    kind,
    id,
    undo: async () => store.saved(await sendBack({ ...before, base_updated_at }), before),
  });
}

function pickFields(object: Editable, names: readonly string[]): Fields {
  return Object.fromEntries(names.map((name) => [name, Reflect.get(object, name)]));
}

function hasAll(object: Editable, fields: Fields): boolean {
  return Object.entries(fields).every(([name, value]) => isEqual(value, Reflect.get(object, name)));
}

async function stateAfter<Value extends Editable>(error: unknown, load: () => Promise<Value>) {
  if (!(error instanceof ApiFailure)) return { kind: 'failed', error } as const;
  if (error.code === 'common.notFound') return { kind: 'gone' } as const;
  if (error.code !== 'common.conflict') return { kind: 'failed', error } as const;
  try {
    return { kind: 'conflict', theirs: await load() } as const;
  } catch (failure) {
    return { kind: 'failed', error: failure } as const;
  }
}
