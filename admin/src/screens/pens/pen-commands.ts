import { text } from '../../base/i18n/index.ts';
import type { Command } from '../../commands/command.ts';
import { discardCommand } from '../../editing/discard.ts';
import type { EditorStore } from '../../editing/editor-store.ts';
import { saveChanges } from '../../editing/save.ts';
import { type StrictSave, strictSave } from '../../editing/strict-save.ts';
import type { PenAddresses } from './addresses.ts';
import { type EditedPen, pens } from './queries.ts';

export type PenStore = EditorStore<EditedPen>;

export interface PenCommands extends StrictSave {
  readonly discard: Command;
  readonly openResult: Command;
  readonly openView: Command;
  readonly copyAddress: Command;
}

/** What can be done with a pen. */
export function penCommands(store: PenStore, addresses: PenAddresses): PenCommands {
  const { uuid } = store.base;
  const save = (isStrict: boolean) =>
    saveChanges(store, {
      send: ({ base_updated_at, ...fields }) => pens.update(uuid, { ...fields, base_updated_at }, isStrict),
      load: () => pens.load(uuid),
    });
  return {
    ...strictSave(store, { id: 'pen.save', label: 'pens.save' }, save),
    discard: discardCommand(store),
    openResult: {
      id: 'pen.result',
      label: 'pens.openResult',
      icon: 'arrow-square-out',
      run: () => void window.open(addresses.result, '_blank', 'noopener'),
    },
    openView: {
      id: 'pen.view',
      label: 'pens.openView',
      icon: 'eye',
      run: () => void window.open(addresses.view, '_blank', 'noopener'),
    },
    copyAddress: {
      id: 'pen.copy',
      label: 'pens.copyAddress',
      icon: 'copy',
      async run() {
        await navigator.clipboard.writeText(addresses.shared);
        return { message: text('pens.copied') };
      },
    },
  };
}
