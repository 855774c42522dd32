import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Command } from '../commands/command.ts';
import { CommandButton, CommandMenu, type CommandMenuProps } from '../commands/command-button.tsx';
import { StatusMark } from '../ui/messages/status-mark.tsx';
import { type Editable, type EditorStore, useIsChanged, useSaveState } from './editor-store.ts';
import { SaveStateText } from './save-state-text.tsx';

export interface SaveActionsProps extends Omit<CommandMenuProps, 'label'> {
  readonly store: Pick<EditorStore<Editable>, 'subscribe' | 'state' | 'isChanged'>;
  readonly save: Command;
  /** Other buttons, before that of the save. */
  readonly children?: ReactNode;
}

/** The end of an editor's header: whether there are unsaved changes, the save, and the "..." menu. */
export function SaveActions({ store, save, children, ...menu }: SaveActionsProps) {
  const { t } = useTranslation();
  const isChanged = useIsChanged(store);
  // What can be done depends on it.
  useSaveState(store);
  return (
    <>
      {isChanged && <StatusMark status="unsaved" />}
      <SaveStateText store={store} />
      {children}
      <CommandButton command={save} />
      <CommandMenu label={t('page.more')} {...menu} />
    </>
  );
}
