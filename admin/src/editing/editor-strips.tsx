import type { ReactNode } from 'react';
import { runCommand } from '../commands/run.ts';
import { Strip } from '../ui/messages/strip.tsx';
import { ConflictDialog } from './conflict-dialog.tsx';
import { DraftStrip } from './draft-strip.tsx';
import { type Editable, useSaveState } from './editor-store.ts';
import { FailedStrip } from './failed-strip.tsx';
import type { Editor } from './use-editor.ts';

export interface EditorStripsProps<Value extends Editable> {
  readonly editor: Editor<Value>;
  /** Shown when somebody else has deleted the object. */
  readonly gone: ReactNode;
  /** Name of a field that is not among the texts. */
  nameOf?(field: string): string | undefined;
}

/** What stands between an object and a save: an earlier draft, an error, a conflict, a deletion. */
export function EditorStrips<Value extends Editable>({ editor, gone, ...names }: EditorStripsProps<Value>) {
  const { store, save, saveAnyway } = editor;
  const state = useSaveState(store);
  return (
    <>
      <DraftStrip earlier={editor.earlier} decide={editor.decide} {...names} />
      {state.kind === 'failed' && <FailedStrip error={state.error} save={save} saveAnyway={saveAnyway} />}
      {state.kind === 'gone' && <Strip tone="brick">{gone}</Strip>}
      {state.kind === 'conflict' && (
        <ConflictDialog
          store={store}
          // Type boundary: the state of a conflict holds what `load` of this editor has answered.
          theirs={state.theirs as Value}
          onMerged={() => void runCommand(save)}
          {...names}
        />
      )}
    </>
  );
}
