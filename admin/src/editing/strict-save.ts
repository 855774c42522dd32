import type { TextKey } from '../base/i18n/index.ts';
import type { Command } from '../commands/command.ts';
import type { Editable, EditorStore } from './editor-store.ts';

export interface StrictSave {
  readonly save: Command;
  /** For what the server has refused because visitors would see an error. */
  readonly saveAnyway: Command;
}

/**
 * Saving of an object with code: refused if it cannot run, unless that is wanted.
 *
 * @param name of the command, and the text that names its effect
 */
export function strictSave<Base extends Editable>(
  store: EditorStore<Base>,
  { id, label }: { readonly id: string; readonly label: TextKey },
  save: (isStrict: boolean) => Promise<unknown>,
): StrictSave {
  return {
    save: {
      id,
      label,
      icon: 'check',
      keys: 'mod+S',
      can: () => store.isChanged && store.state.kind !== 'saving' && store.state.kind !== 'conflict',
      run: async () => void (await save(true)),
    },
    saveAnyway: saveAnywayCommand(() => save(false)),
  };
}

function saveAnywayCommand(save: () => Promise<unknown>): Command {
  return {
    id: 'page.saveAnyway',
    label: 'page.saveAnyway',
    icon: 'warning',
    tone: 'danger',
    run: async () => void (await save()),
  };
}
