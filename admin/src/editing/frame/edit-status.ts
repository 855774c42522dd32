import type { Status } from '../../ui/messages/status-mark.tsx';
import { type Editable, useIsChanged } from '../editor-store.ts';
import type { Editor } from '../use-editor.ts';

/** The state of an edited object in a word. @param unchanged what it is without changes */
export function useEditStatus<Value extends Editable>(
  { store, copying }: Pick<Editor<Value>, 'store' | 'copying'>,
  unchanged: Status,
): Status {
  const isChanged = useIsChanged(store);
  if (copying === undefined) return isChanged ? 'unsaved' : unchanged;
  return isChanged || copying.copy !== null ? 'changed' : unchanged;
}
