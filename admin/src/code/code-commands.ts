import type { Command } from '../commands/command.ts';
import { discardCommand } from '../editing/discard.ts';
import type { EditorStore } from '../editing/editor-store.ts';
import { saveChanges } from '../editing/save.ts';
import type { CodeKind, CodeObject } from './code-object.ts';
import { codeSaved, loadCodeObject } from './queries.ts';

export type CodeStore = EditorStore<CodeObject>;

export interface CodeCommands {
  readonly save: Command;
  readonly saveAnyway: Command;
  readonly discard: Command;
}

/** Saving of code. What pages use changes for visitors at once. */
export function codeCommands(kind: CodeKind, store: CodeStore): CodeCommands {
  const { id } = store.base;
  const save = (isStrict: boolean) =>
    saveChanges(store, {
      send: async (fields) => {
        const saved = await kind.update(id, fields, isStrict);
        await codeSaved(kind, saved);
        return saved;
      },
      load: () => loadCodeObject(kind, id),
    });
  return {
    save: {
      id: 'code.save',
      label: 'code.save',
      icon: 'check',
      keys: 'mod+S',
      can: () => store.isChanged && store.state.kind !== 'saving' && store.state.kind !== 'conflict',
      run: async () => void (await save(true)),
    },
    saveAnyway: {
      id: 'page.saveAnyway',
      label: 'page.saveAnyway',
      icon: 'warning',
      tone: 'danger',
      run: async () => void (await save(false)),
    },
    discard: discardCommand(store),
  };
}
