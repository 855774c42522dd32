import { ApiFailure } from '../api/failure.ts';
import type { Editable, EditorStore } from './editor-store.ts';
import { type Fields, isEqual } from './fields.ts';

export interface SaveRequests<Value extends Editable> {
  /** Sends changed fields with `base_updated_at`. */
  send(fields: Fields & { readonly base_updated_at: number }): Promise<Value>;
  /** The state that the server has now. */
  load(): Promise<Value>;
}

/**
 * Saves the changes of an editor. A conflict and a deleted object become states of the editor, in which the
 * input is kept; other errors are shown at the editor too. True if everything was saved.
 *
 * @param more fields to save besides the changes, such as `published`
 */
export async function saveChanges<Value extends Editable>(
  store: EditorStore<Value>,
  { send, load }: SaveRequests<Value>,
  more: Fields = {},
): Promise<boolean> {
  const fields = { ...store.changes, ...more };
  if (Object.keys(fields).length === 0) return true;
  store.setState({ kind: 'saving' });
  try {
    const saved = await send({ ...fields, base_updated_at: store.base.updated_at });
    store.saved(saved, fields);
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
