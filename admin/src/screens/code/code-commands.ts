import type { Command } from '../../commands/command.ts';
import type { CodeKind, CodeObject } from '../../content/code-object.ts';
import { discardCommand } from '../../editing/discard.ts';
import type { EditorStore } from '../../editing/editor-store.ts';
import { saveChanges } from '../../editing/save.ts';
import { type StrictSave, strictSave } from '../../editing/strict-save.ts';

export type CodeStore = EditorStore<CodeObject>;

export interface CodeCommands extends StrictSave {
  readonly discard: Command;
}

/** Saving of code. What pages use changes for visitors at once. */
export function codeCommands(kind: CodeKind, store: CodeStore): CodeCommands {
  const { id } = store.base;
  const save = (isStrict: boolean) =>
    saveChanges(store, {
      send: (fields) => kind.resource.update(id, fields, isStrict),
      load: () => kind.resource.load(id),
    });
  return {
    ...strictSave(store, { id: 'code.save', label: 'code.save' }, save),
    discard: discardCommand(store),
  };
}
