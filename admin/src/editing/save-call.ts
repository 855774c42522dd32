import type { ApiCall } from '../api/api-call.ts';
import type { Editable, EditorStore } from './editor-store.ts';

/**
 * What a save of an object would send now, for "Show as API call"; undefined if nothing has changed.
 *
 * @param path of the object below `/api/v1`
 * @param bodyOf the changes in the form of the API
 */
export function saveCall<Value extends Editable>(
  store: EditorStore<Value>,
  path: string,
  bodyOf: (changes: Partial<Value>) => object = (changes) => changes,
): ApiCall | undefined {
  if (!store.isChanged) return undefined;
  const body = { ...bodyOf(store.changes), base_updated_at: store.base.updated_at };
  return { method: 'PUT', path: `/api/v1${path}`, body };
}
