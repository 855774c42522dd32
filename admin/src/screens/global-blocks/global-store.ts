import type { Command } from '../../commands/command.ts';
import { type GlobalBlock, globalBlocks } from '../../content/global-blocks.ts';
import { discardCommand } from '../../editing/discard.ts';
import type { EditorStore } from '../../editing/editor-store.ts';
import { saveChanges } from '../../editing/save.ts';

export type GlobalStore = EditorStore<GlobalBlock>;

/** Saving of the global block in the editor. */
export function globalCommands(store: GlobalStore) {
  const { id } = store.base;
  const save: Command = {
    id: 'global.save',
    label: 'globals.save',
    icon: 'check',
    keys: 'mod+S',
    can: () => store.isChanged && store.state.kind !== 'saving' && store.state.kind !== 'conflict',
    run: async () => {
      await saveChanges(store, {
        send: (fields) => globalBlocks.update(id, fields),
        load: () => globalBlocks.load(id),
      });
    },
  };
  return { save, discard: discardCommand(store) };
}
