import { t } from '../../base/i18n/index.ts';
import type { Command } from '../../commands/command.ts';
import type { EditorStore } from '../../editing/editor-store.ts';
import type { PenAddresses } from './addresses.ts';
import type { EditedPen } from './queries.ts';

export type PenStore = EditorStore<EditedPen>;

/** What can be done with the addresses of a pen. */
export function penCommands(addresses: PenAddresses) {
  return {
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
        return { message: t('pens.copied') };
      },
    },
  } as const satisfies Readonly<Record<string, Command>>;
}

export type PenCommands = ReturnType<typeof penCommands>;
