import type { ReactNode } from 'react';
import type { Command } from '../../commands/command.ts';
import type { CommandMenuProps } from '../../commands/command-button.tsx';
import { SidePanel } from '../../ui/layout/side-panel.tsx';
import type { Editable } from '../editor-store.ts';
import { EditorStrips, type EditorStripsProps } from './editor-strips.tsx';
import { SaveActions } from './save-actions.tsx';
import { useEditorCommands } from './use-editor-commands.ts';

export interface EditorPanelProps<Value extends Editable>
  extends EditorStripsProps<Value>,
    Pick<CommandMenuProps, 'call'> {
  readonly title: string;
  /** Address of the list; undefined if there is none. */
  readonly back: string | undefined;
  /** What is said of the object before its buttons. */
  readonly status: ReactNode;
  /** Further commands in the "..." menu. */
  readonly before?: readonly Command[];
  /** What is not saved yet has none. */
  readonly deletion?: Command | undefined;
  /** What is new begins with the focus in its first field. */
  readonly isNew?: boolean;
  readonly children: ReactNode;
}

/** The editor of an object in a panel beside its list. */
export function EditorPanel<Value extends Editable>({
  editor,
  title,
  back,
  status,
  before = [],
  isNew = false,
  deletion,
  call,
  children,
  ...strips
}: EditorPanelProps<Value>) {
  const { changeCommands } = editor;
  useEditorCommands(editor);
  return (
    <SidePanel
      title={title}
      back={back}
      isNew={isNew}
      actions={
        <SaveActions
          editor={editor}
          status={status}
          commands={[...before, ...changeCommands, ...(deletion === undefined ? [] : [deletion])]}
          {...(call === undefined ? {} : { call })}
        />
      }
      strips={<EditorStrips editor={editor} {...strips} />}
    >
      {children}
    </SidePanel>
  );
}
