import { t } from '../base/i18n/index.ts';
import type { Command } from '../commands/command.ts';
import type { Editable, EditorStore } from './editor-store.ts';

/** Drops the changes of an editor; undo brings them back. */
export function discardCommand<Value extends Editable>(store: EditorStore<Value>): Command {
  return {
    id: 'page.discard',
    label: 'page.discard',
    icon: 'x',
    can: () => store.isChanged,
    run: () => {
      const before = { ...store.changes };
      store.discard();
      return { message: t('page.discarded'), undo: async () => store.setChanges(before) };
    },
  };
}
