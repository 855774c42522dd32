import type { ReactNode } from 'react';
import { t } from '../../base/i18n/index.ts';
import { Link } from '../../base/router/link.tsx';
import type { Command } from '../../commands/command.ts';
import type { CommandMenuProps } from '../../commands/command-button.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import type { Editable } from '../editor-store.ts';
import { EditorStrips, type EditorStripsProps } from './editor-strips.tsx';
import { SaveActions } from './save-actions.tsx';
import { useEditorCommands } from './use-editor-commands.ts';

export interface EditorFrameProps<Value extends Editable>
  extends EditorStripsProps<Value>,
    Pick<CommandMenuProps, 'call'> {
  readonly title: string;
  /** The list that the object is of. */
  readonly back: { readonly name: string; readonly path: string };
  /** Behind the name of the list. Default: all websites have it. */
  readonly scope?: ReactNode;
  /** Further commands in the "..." menu. */
  readonly commands?: readonly Command[];
  readonly deletion: Command;
  /** Other buttons, before that of the save. */
  readonly actions?: ReactNode;
  /** What is said of the object before its buttons. */
  readonly state?: ReactNode;
  readonly children: ReactNode;
}

/** The editor of an object that fills the screen beside its list. */
export function EditorFrame<Value extends Editable>({
  editor,
  title,
  back,
  scope,
  commands = [],
  deletion,
  actions,
  state,
  call,
  children,
  ...strips
}: EditorFrameProps<Value>) {
  const { changeCommands } = editor;
  useEditorCommands(editor);
  return (
    <div className="screen">
      <PageHeader
        scope={
          <>
            <Link href={back.path}>{back.name}</Link> · {scope ?? t('frame.allSites')}
          </>
        }
        title={title}
        actions={
          <>
            {state}
            <SaveActions
              editor={editor}
              commands={[...changeCommands, ...commands, deletion]}
              {...(call === undefined ? {} : { call })}
            >
              {actions}
            </SaveActions>
          </>
        }
      />
      <EditorStrips editor={editor} {...strips} />
      {children}
    </div>
  );
}
