import { type ReactNode, useState } from 'react';
import type { TextKey } from '../../base/i18n/index.ts';
import type { Command } from '../../commands/command.ts';

/** How an object is deleted: at once with a way back, or after a dialog. */
export type Deletion = { readonly id: string; readonly label: TextKey } & (
  | { run: Command['run'] }
  | { dialog(close: () => void): ReactNode }
);

interface OpenDeletion {
  readonly commands: readonly Command[];
  readonly dialog: ReactNode;
}

/** The command of a deletion, if there is one, and its dialog while it is open. */
export function useDeletion(deletion: Deletion | undefined): OpenDeletion {
  const [isOpen, setOpen] = useState(false);
  if (deletion === undefined) return { commands: [], dialog: null };
  const { id, label } = deletion;
  const run = 'run' in deletion ? deletion.run : () => setOpen(true);
  return {
    commands: [{ id, label, icon: 'trash', tone: 'danger', run }],
    dialog: 'dialog' in deletion && isOpen && deletion.dialog(() => setOpen(false)),
  };
}
