import type { ReactNode } from 'react';
import { t } from '../../base/i18n/index.ts';
import { CommandMenu, type CommandMenuProps } from '../../commands/command-button.tsx';
import { StatusMark } from '../../ui/messages/status-mark.tsx';
import { type Editable, useSaveState } from '../editor-store.ts';
import type { Editor } from '../use-editor.ts';
import { useEditStatus } from './edit-status.ts';
import { PeopleHere } from './people-here.tsx';
import { PublishButton } from './publish-button.tsx';
import { SaveStateText } from './save-state-text.tsx';

export interface SaveActionsProps<Value extends Editable> extends Omit<CommandMenuProps, 'label'> {
  readonly editor: Editor<Value>;
  /** Whether there are unsaved changes, and what else is said of the object. Default: the first alone. */
  readonly status?: ReactNode;
  /** Other buttons, before that of the save. */
  readonly children?: ReactNode;
}

/** The end of an editor's header: its state, the save, and the "..." menu. */
export function SaveActions<Value extends Editable>({
  editor,
  status,
  children,
  ...menu
}: SaveActionsProps<Value>) {
  const { store, prepared } = editor;
  const changed = useEditStatus(editor, 'live');
  // What can be done depends on it.
  useSaveState(store);
  return (
    <>
      {status ?? (changed !== 'live' && <StatusMark status={changed} />)}
      {prepared !== undefined && <PeopleHere key={prepared.id} object={prepared} store={store} />}
      <SaveStateText store={store} />
      {children}
      <PublishButton editor={editor} />
      <CommandMenu label={t('page.more')} {...menu} />
    </>
  );
}
