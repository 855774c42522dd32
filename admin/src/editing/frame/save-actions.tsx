import type { ReactNode } from 'react';
import { t } from '../../base/i18n/index.ts';
import type { Command } from '../../commands/command.ts';
import { CommandButton, CommandMenu, type CommandMenuProps } from '../../commands/command-button.tsx';
import { StatusMark } from '../../ui/messages/status-mark.tsx';
import { type Editable, type EditorStore, useIsChanged, useSaveState } from '../editor-store.ts';
import { SaveStateText } from './save-state-text.tsx';

export interface SaveActionsProps extends Omit<CommandMenuProps, 'label'> {
  readonly store: Pick<EditorStore<Editable>, 'subscribe' | 'state' | 'isChanged'>;
  readonly save: Command;
  /** Whether there are unsaved changes, and what else is said of the object. Default: the first alone. */
  readonly status?: ReactNode;
  /** Other buttons, before that of the save. */
  readonly children?: ReactNode;
}

/** The end of an editor's header: its state, the save, and the "..." menu. */
export function SaveActions({ store, save, status, children, ...menu }: SaveActionsProps) {
  const isChanged = useIsChanged(store);
  // What can be done depends on it.
  useSaveState(store);
  return (
    <>
      {status === undefined ? isChanged && <StatusMark status="unsaved" /> : status}
      <SaveStateText store={store} />
      {children}
      <CommandButton command={save} />
      <CommandMenu label={t('page.more')} {...menu} />
    </>
  );
}
